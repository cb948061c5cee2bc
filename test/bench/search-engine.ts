import '../../lib/words/warm-up.ts';
import { toSlotAnswer } from '../../functions/http/answers.ts';
import { findSlots } from '../../lib/engine/rank/find-slots.ts';
import { DEFAULT_MAX_MEETINGS_PER_DAY, DEFAULT_WORK_HOURS } from '../../lib/engine/rules/defaults.ts';
import { parseBusy } from '../../lib/engine/time/provider-time.ts';
import { searchWindow } from '../../lib/engine/time/window.ts';
import type { SearchedPerson } from '../../lib/engine/types.ts';
import { withWords } from '../../lib/words/slots.ts';
import type { Slot } from '../../schema/api/slot.ts';
import { ADA, type BenchInput, BOB } from './search-input.ts';

/** Runs the product's own search, from the provider's strings to slots in wire format, without their sentences. */
export const withEngine = (input: BenchInput): Slot[] =>
  (searched(input)?.slots ?? []).map((slot) => toSlotAnswer({ ...slot, reason: '' }));

/** Runs the product's own search, and writes the sentence of each slot. */
export function withSentences(input: BenchInput): Slot[] {
  const found = searched(input);
  return found === undefined ? [] : withWords(found).slots.map(toSlotAnswer);
}

function searched(input: BenchInput) {
  const found = searchWindow({ now: input.now, timeZone: ADA.timeZone, windowDays: input.days });
  if (!found.ok) return undefined;
  return findSlots({
    requester: person(ADA, input.newYork),
    other: person(BOB, input.berlin),
    durationMinutes: input.durationMinutes,
    window: found.window,
    now: input.now,
  });
}

function person(who: { email: string; timeZone: string }, busy: BenchInput['newYork']): SearchedPerson {
  return {
    ...who,
    workHours: DEFAULT_WORK_HOURS,
    focusBlocks: [],
    bufferMinutes: 0,
    maxMeetingsPerDay: DEFAULT_MAX_MEETINGS_PER_DAY,
    busy: parseBusy(busy),
    meetings: [],
  };
}
