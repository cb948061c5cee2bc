import { toSlotAnswer } from '../../functions/slot-answer.ts';
import { DEFAULT_MAX_MEETINGS_PER_DAY, DEFAULT_WORK_HOURS } from '../../lib/scheduling/defaults.ts';
import { findSlots } from '../../lib/scheduling/find-slots.ts';
import { parseBusy } from '../../lib/scheduling/provider-time.ts';
import type { Person } from '../../lib/scheduling/types.ts';
import { searchWindow } from '../../lib/scheduling/window.ts';
import type { Slot } from '../../schema/api/slot.ts';
import { ADA, type BenchInput, BOB } from './search-input.ts';

/** The product's own search, from the provider's strings to slots as the wire has them. */
export function withEngine(input: BenchInput): Slot[] {
  const found = searchWindow({ now: input.now, timeZone: ADA.timeZone, windowDays: input.days });
  if (!found.ok) return [];
  const { slots } = findSlots({
    requester: person(ADA, input.newYork),
    other: person(BOB, input.berlin),
    durationMinutes: input.durationMinutes,
    window: found.window,
    now: input.now,
  });
  return slots.map(toSlotAnswer);
}

function person(who: { email: string; timeZone: string }, busy: BenchInput['newYork']): Person {
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
