import type { Slot } from '../../schema/api/slot.ts';
import { ADA, type BenchInput, BOB } from './search-input.ts';

// The limit: loops over sorted integers, and the whole answer of the engine. It knows these two zones' transitions by heart,
// that both people work Monday to Friday 08:00-18:00, and so that four factors are all there can be; no buffers, focus blocks,
// limits, other zones or empty answers.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const QUARTER = 15 * MINUTE;
const NEW_YORK = [Date.UTC(2026, 2, 8, 7), Date.UTC(2026, 10, 1, 6)] as const;
const BERLIN = [Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1)] as const;

const RECENCY = { name: 'recency', multiplier: 1.1 };
const MID_MORNING = { name: 'mid_morning', multiplier: 1.2 };
const LUNCH = { name: 'lunch_hour', multiplier: 0.8 };
const [SOON, FREE] = ['within the next three days,', 'when both are free'];
/** Every kind of time there can be, best first; Friday afternoon in New York is after hours in Berlin. */
const KINDS = [
  kind(`Mid-morning ${SOON} ${FREE}.`, 1.32, MID_MORNING, RECENCY),
  kind(`Mid-morning, ${FREE}.`, 1.2, MID_MORNING),
  kind(`W${SOON.slice(1)} ${FREE}.`, 1.1, RECENCY),
  kind(`A time ${FREE}.`, 1),
  kind(`W${SOON.slice(1)} ${FREE}, but over the lunch hour.`, 0.88, LUNCH, RECENCY),
  kind(`A time ${FREE}, but over the lunch hour.`, 0.8, LUNCH),
];

const startsA = new Float64Array(4096);
const endsA = new Float64Array(4096);
const startsB = new Float64Array(4096);
const endsB = new Float64Array(4096);
/** The candidates of each kind, with the day of each, negative in the afternoon. */
const candidates = KINDS.map(() => new Float64Array(16_384));
const days = KINDS.map(() => new Int32Array(16_384));
const counts = new Int32Array(KINDS.length);

/** The same answer for the bench's two people, as fast as it can be had. */
export function limit(input: BenchInput): Slot[] {
  const duration = input.durationMinutes * MINUTE;
  collect(input, duration);
  return best(duration).map(({ start, kind }) => toSlot(start, duration, kind));
}

function collect({ newYork, berlin, first, days: dates, now, durationMinutes }: BenchInput, duration: number): void {
  const countA = fill(newYork, startsA, endsA);
  const countB = fill(berlin, startsB, endsB);
  const firstDay = parse(`${first}T00:00:00Z`) / DAY;
  counts.fill(0);
  let a = 0;
  let b = 0;
  for (let day = firstDay; day < firstDay + dates; day++) {
    if ((day + 3) % 7 > 4) continue;
    const noon = day * DAY + 12 * HOUR;
    const offsetA = offsetOf(NEW_YORK, noon, -5 * HOUR);
    const offsetB = offsetOf(BERLIN, noon, HOUR);
    const close = day * DAY + 18 * HOUR - Math.max(offsetA, offsetB);
    const localDay = day * DAY - offsetA;
    let from = Math.max(localDay + 8 * HOUR, day * DAY + 8 * HOUR - offsetB, now + QUARTER);
    while (from + duration <= close) {
      while (a < countA && at(endsA, a) <= from) a++;
      while (b < countB && at(endsB, b) <= from) b++;
      const busyA = a < countA ? at(startsA, a) : close;
      const busyB = b < countB ? at(startsB, b) : close;
      if (busyA <= from) from = at(endsA, a);
      else if (busyB <= from) from = at(endsB, b);
      else {
        const to = Math.min(close, busyA, busyB);
        const last = to - duration;
        let start = Math.ceil(from / QUARTER) * QUARTER;
        if (start > last) start = Math.ceil(from / (5 * MINUTE)) * 5 * MINUTE;
        if (start > last) start = Math.ceil(from / MINUTE) * MINUTE;
        for (; start <= last; start += QUARTER) {
          const minute = (start - localDay) / MINUTE;
          const soon = start - now <= 3 * DAY ? 0 : 1;
          const isLunch = minute < 780 && minute + durationMinutes > 720;
          const kind = minute >= 600 && minute < 660 ? soon : isLunch ? 4 + soon : 2 + soon;
          const place = at(counts, kind);
          counts[kind] = place + 1;
          (candidates[kind] as Float64Array)[place] = start;
          (days[kind] as Int32Array)[place] = minute < 720 ? day : -day;
        }
        from = to;
      }
    }
  }
}

/** Kind by kind, in order of time within each: what overlaps none, on the emptiest day, in the emptiest part of it. */
function best(duration: number): { start: number; day: number; kind: number }[] {
  const taken: { start: number; day: number; kind: number }[] = [];
  for (let kind = 0; kind < KINDS.length && taken.length < 5; kind++) {
    const starts = candidates[kind] as Float64Array;
    const on = days[kind] as Int32Array;
    for (;;) {
      let index = -1;
      let fewest = Number.POSITIVE_INFINITY;
      for (let i = 0; i < at(counts, kind) && fewest > 0; i++) {
        const [start, day] = [at(starts, i), at(on, i)];
        let cost = 0;
        for (const slot of taken) {
          if (Math.abs(slot.start - start) < duration) cost = Number.POSITIVE_INFINITY;
          if (Math.abs(slot.day) === Math.abs(day)) cost += 1000;
          if (slot.day > 0 === day > 0) cost += 1;
        }
        if (cost < fewest) [index, fewest] = [i, cost];
      }
      if (index < 0) break;
      taken.push({ start: at(starts, index), day: at(on, index), kind });
      if (taken.length === 5) break;
    }
  }
  return taken;
}

function toSlot(start: number, duration: number, kind: number): Slot {
  const offset = offsetOf(NEW_YORK, start, -5 * HOUR);
  const local = isoOf(start, offset);
  return {
    start_time: local,
    end_time: isoOf(start + duration, offset),
    timezone: ADA.timeZone,
    ...(KINDS[kind] as (typeof KINDS)[number]),
    attendees: [
      { email: ADA.email, start_time: local, timezone: ADA.timeZone },
      { email: BOB.email, start_time: isoOf(start, offsetOf(BERLIN, start, HOUR)), timezone: BOB.timeZone },
    ],
  };
}

function kind(reason: string, product: number, ...factors: Slot['factors']) {
  return { score: Math.min(1, product), product, reason, factors };
}

function offsetOf([from, to]: readonly [number, number], instant: number, standard: number): number {
  return instant >= from && instant < to ? standard + HOUR : standard;
}

function isoOf(instant: number, offset: number): string {
  return `${new Date(instant + offset).toISOString().slice(0, 19)}${offset < 0 ? '-' : '+'}0${Math.abs(offset) / HOUR}:00`;
}

function fill(busy: { start: string; end: string }[], starts: Float64Array, ends: Float64Array): number {
  let count = 0;
  for (const { start, end } of busy) {
    const from = parse(start);
    const to = parse(end);
    if (count > 0 && from <= at(ends, count - 1)) {
      if (to > at(ends, count - 1)) ends[count - 1] = to;
    } else {
      starts[count] = from;
      ends[count++] = to;
    }
  }
  return count;
}

function parse(text: string): number {
  const year = two(text, 0) * 100 + two(text, 2);
  const month = two(text, 5);
  const shifted = month > 2 ? year : year - 1;
  const dayOfYear = ((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) | 0;
  const days =
    365 * shifted + (shifted >> 2) - ((shifted / 100) | 0) + ((shifted / 400) | 0) + dayOfYear + two(text, 8);
  return (days - 719_469) * DAY + (two(text, 11) * 60 + two(text, 14)) * MINUTE + two(text, 17) * 1000;
}

function two(text: string, index: number): number {
  return text.charCodeAt(index) * 10 + text.charCodeAt(index + 1) - 528;
}

function at(values: Float64Array | Int32Array, index: number): number {
  return values[index] as number;
}
