import type { Slot } from '../../schema/api/slot.ts';
import { randomFrom } from '../support/fuzz/seeded.ts';
import '../../lib/words/warm-up.ts';
import { toSlotAnswer } from '../../functions/http/answers.ts';
import { findSlots } from '../../lib/engine/rank/find-slots.ts';
import { DEFAULT_MAX_MEETINGS_PER_DAY, DEFAULT_WORK_HOURS } from '../../lib/engine/rules/defaults.ts';
import { parseBusy } from '../../lib/engine/time/provider-time.ts';
import { searchWindow } from '../../lib/engine/time/window.ts';
import type { SearchedPerson } from '../../lib/engine/types.ts';
import { withWords } from '../../lib/words/slots.ts';

/**
 * Input of the search bench: two people's busy times as the provider sends them, and a window of dates.
 */
export interface BenchInput {
  newYork: { start: string; end: string }[];
  berlin: { start: string; end: string }[];
  first: string;
  days: number;
  durationMinutes: number;
  now: number;
}

/** Two people who both work Monday to Friday from 08:00 to 18:00 and set nothing else. */
export const ADA = { email: 'ada@example.com', timeZone: 'America/New_York' };
export const BOB = { email: 'bob@example.com', timeZone: 'Europe/Berlin' };
const DAY = 86_400_000;
const MINUTE = 60_000;
const SHARE_BUSY = 0.35;

/**
 * Creates the input of the bench: a window over a clock change, and the given number of busy times for each person. The
 * same seed gives the same input.
 */
export function benchInput(season: 'spring' | 'autumn', days: number, busy: number, seed: number): BenchInput {
  const first = season === 'spring' ? '2026-03-05' : '2026-10-21';
  const random = randomFrom(seed);
  const from = Date.parse(first);
  const list = () => busyTimes(random, from - DAY, days + 2, busy);
  return { newYork: list(), berlin: list(), first, days, durationMinutes: 30, now: from + 7 * 3_600_000 + 1234 };
}

function busyTimes(random: () => number, from: number, days: number, count: number) {
  const meanMinutes = Math.min(45, (SHARE_BUSY * days * 1440) / count);
  const starts = Array.from({ length: count }, () => Math.floor(random() * days * 1440)).sort((a, b) => a - b);
  return starts.map((start) => {
    const length = Math.max(1, Math.round(meanMinutes * (0.5 + random())));
    return { start: toText(from + start * MINUTE), end: toText(from + (start + length) * MINUTE) };
  });
}

function toText(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

/** Runs the product's own search, from the provider's strings to slots in wire format with their sentences. */
export function searchSlots({ now, days, newYork, berlin, durationMinutes }: BenchInput): Slot[] {
  const found = searchWindow({ now, timeZone: ADA.timeZone, windowDays: days });
  if (!found.ok) throw new Error('the window is too long');
  const [requester, other] = [person(ADA, newYork), person(BOB, berlin)];
  const search = { requester, other, durationMinutes, window: found.window, now };
  return withWords(findSlots(search)).slots.map(toSlotAnswer);
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
