import type { Slot } from '../../schema/api/slot.ts';
import {
  BESIDE,
  comfortOf,
  drawbacksOf,
  gentlerOf,
  NEAR,
  personComfort,
  SAME_DAY,
  SHORT,
  tradeOf,
} from './search-comfort.ts';
import { ADA, type BenchInput, BOB } from './search-input.ts';

// The limit: loops over sorted integers, and the whole answer of the engine. It knows these two zones' transitions by heart,
// that both people work Monday to Friday 08:00-18:00, and so that twelve kinds of time are all there can be; no buffers, focus blocks,
// limits, other zones or empty answers.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const QUARTER = 15 * MINUTE;
const NEW_YORK = [Date.UTC(2026, 2, 8, 7), Date.UTC(2026, 10, 1, 6)] as const;
const BERLIN = [Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1)] as const;

const RECENCY = { name: 'recency', multiplier: 1.1 };
const MID_MORNING = { name: 'mid_morning', multiplier: 1.2 };
const FRIDAY = { name: 'friday_afternoon', multiplier: 0.7 };
const LUNCH = { name: 'lunch_hour', multiplier: 0.8 };
const [SOON, FREE, MID] = ['within the next three days,', 'when both are free', 'Mid-morning'];
const [ON_FRIDAY, AT_LUNCH] = ['on a Friday afternoon', 'over the lunch hour'];
/** Every kind of time there can be, best first. A meeting before noon in New York is not lunch in Berlin. */
const KINDS = [
  kind(`${MID} ${SOON} ${FREE}.`, 1.32, MID_MORNING, RECENCY),
  kind(`${MID}, ${FREE}.`, 1.2, MID_MORNING),
  kind(`W${SOON.slice(1)} ${FREE}.`, 1.1, RECENCY),
  kind(`A time ${FREE}.`, 1),
  kind(`${MID} ${SOON} ${FREE}, but ${ON_FRIDAY}.`, 0.924, MID_MORNING, FRIDAY, RECENCY),
  kind(`W${SOON.slice(1)} ${FREE}, but ${AT_LUNCH}.`, 0.88, LUNCH, RECENCY),
  kind(`${MID}, ${FREE}, but ${ON_FRIDAY}.`, 0.84, MID_MORNING, FRIDAY),
  kind(`A time ${FREE}, but ${AT_LUNCH}.`, 0.8, LUNCH),
  kind(`W${SOON.slice(1)} ${FREE}, but ${ON_FRIDAY}.`, 0.77, FRIDAY, RECENCY),
  kind(`A time ${FREE}, but ${ON_FRIDAY}.`, 0.7, FRIDAY),
  kind(`W${SOON.slice(1)} ${FREE}, but ${ON_FRIDAY} and ${AT_LUNCH}.`, 0.616, FRIDAY, LUNCH, RECENCY),
  kind(`A time ${FREE}, but ${ON_FRIDAY} and ${AT_LUNCH}.`, 0.56, FRIDAY, LUNCH),
];
/** The number of the kind by mid-morning, Friday and lunch, then by soon or not. */
const [MIDS, PLAIN, LUNCHES] = [
  [0, 1, 4, 6],
  [2, 3, 8, 9],
  [5, 7, 10, 11],
] as const;

const startsA = new Float64Array(4096);
const endsA = new Float64Array(4096);
const startsB = new Float64Array(4096);
const endsB = new Float64Array(4096);
/** The candidates of each kind, with the day and the comfort of each. */
const candidates = KINDS.map(() => new Float64Array(16_384));
const days = KINDS.map(() => new Int32Array(16_384));
const comforts = KINDS.map(() => new Float64Array(16_384));
const counts = new Int32Array(KINDS.length);

/** Computes the engine's answer for the bench's two people, as fast as possible. */
export function limit(input: BenchInput): Slot[] {
  const duration = input.durationMinutes * MINUTE;
  const night = nightOf(input);
  collect(input, duration, night);
  return best(duration, night).map((choice) => toSlot(choice, duration));
}

/** The last start at short notice: an hour into the first day in New York, where it is night at the time of the search. */
const nightOf = ({ first }: BenchInput) => {
  const noon = parse(`${first}T12:00:00Z`);
  return noon - 3 * HOUR - offsetOf(NEW_YORK, noon, -5 * HOUR);
};

function collect(input: BenchInput, duration: number, night: number): void {
  const { newYork, berlin, first, days: dates, now, durationMinutes } = input;
  const countA = fill(newYork, startsA, endsA);
  const countB = fill(berlin, startsB, endsB);
  const firstDay = parse(`${first}T00:00:00Z`) / DAY;
  counts.fill(0);
  let a = 0;
  let b = 0;
  const busyOfA = { starts: startsA, ends: endsA, count: countA, past: 0 };
  const busyOfB = { starts: startsB, ends: endsB, count: countB, past: 0 };
  for (let day = firstDay; day < firstDay + dates; day++) {
    if ((day + 3) % 7 > 4) continue;
    const noon = day * DAY + 12 * HOUR;
    const offsetA = offsetOf(NEW_YORK, noon, -5 * HOUR);
    const offsetB = offsetOf(BERLIN, noon, HOUR);
    const close = day * DAY + 18 * HOUR - Math.max(offsetA, offsetB);
    const localDay = day * DAY - offsetA;
    const weekday = ((day + 3) % 7) + 1;
    const hoursOfA = { open: localDay + 8 * HOUR, close: localDay + 18 * HOUR, weekday };
    const openB = day * DAY + 8 * HOUR - offsetB;
    const hoursOfB = { open: openB, close: openB + 10 * HOUR, weekday };
    const date = new Date(day * DAY).toISOString().slice(0, 10);
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
          const isFriday = weekday === 5 && (minute >= 840 || start >= openB + 6 * HOUR);
          const kinds = minute >= 600 && minute < 660 ? MIDS : isLunch ? LUNCHES : PLAIN;
          const kind = kinds[soon + (isFriday ? 2 : 0)] ?? 0;
          const one = personComfort(busyOfA, hoursOfA, start, start + duration, date);
          const two = personComfort(busyOfB, hoursOfB, start, start + duration, date);
          const place = at(counts, kind);
          counts[kind] = place + 1;
          (candidates[kind] as Float64Array)[place] = start;
          (days[kind] as Int32Array)[place] = day;
          (comforts[kind] as Float64Array)[place] = comfortOf(one, two, start, now, night);
        }
        from = to;
      }
    }
  }
}

interface Choice {
  start: number;
  day: number;
  kind: number;
  product: number;
  comfort: number;
  drawbacks: number;
}

/**
 * Kind by kind: what overlaps none, of these the least drawbacks, then the most comfortable. The last two give up a tenth
 * of the product for a day of their own, and any gives up a quarter that is near another or at short notice. An
 * uncomfortable one gives way to a gentler one.
 */
function best(duration: number, night: number): Choice[] {
  const taken: Choice[] = [];
  for (let kind = 0; kind < KINDS.length && taken.length < 5; ) {
    let choice = next(kind, taken, duration, night, SHORT | SAME_DAY | NEAR | BESIDE);
    if (choice === undefined) {
      kind++;
      continue;
    }
    const { share, allowed } = tradeOf(choice.drawbacks, taken.length);
    const least = share * productOf(kind) - 1e-9;
    let elsewhere: Choice | undefined;
    for (const some of allowed)
      for (let other = kind; elsewhere === undefined && other < KINDS.length && productOf(other) >= least; other++)
        elsewhere = next(other, taken, duration, night, some);
    choice = elsewhere ?? choice;
    const drawbacks = ({ start, day }: Pick<Choice, 'start' | 'day'>) => drawbacksOf(start, day, taken, night);
    taken.push(gentlerOf(choice, () => openOf(taken, duration), least, drawbacks));
  }
  return taken.sort((a, b) => a.kind - b.kind || b.comfort - a.comfort || a.start - b.start);
}

const productOf = (kind: number) => (KINDS[kind] as (typeof KINDS)[number]).product;

function next(
  kind: number,
  taken: readonly Choice[],
  duration: number,
  night: number,
  allowed: number,
): Choice | undefined {
  const starts = candidates[kind] as Float64Array;
  const on = days[kind] as Int32Array;
  const comfort = comforts[kind] as Float64Array;
  let index = -1;
  let fewest = 16;
  let most = -1;
  for (let i = 0; i < at(counts, kind); i++) {
    const [start, day] = [at(starts, i), at(on, i)];
    if (taken.some((slot) => Math.abs(slot.start - start) < duration)) continue;
    const cost = drawbacksOf(start, day, taken, night);
    if ((cost | allowed) !== allowed || cost > fewest || (cost === fewest && at(comfort, i) <= most + 1e-9)) continue;
    [index, fewest, most] = [i, cost, at(comfort, i)];
  }
  if (index < 0) return undefined;
  const [start, day] = [at(starts, index), at(on, index)];
  return { start, day, kind, product: productOf(kind), comfort: most, drawbacks: fewest };
}

/** Returns all candidates that overlap none taken, in order of time. */
function openOf(taken: readonly Choice[], duration: number): Choice[] {
  const open: Choice[] = [];
  for (let kind = 0; kind < KINDS.length; kind++)
    for (let i = 0; i < at(counts, kind); i++) {
      const [start, day] = [at(candidates[kind] as Float64Array, i), at(days[kind] as Int32Array, i)];
      if (taken.some((slot) => Math.abs(slot.start - start) < duration)) continue;
      const comfort = at(comforts[kind] as Float64Array, i);
      open.push({ start, day, kind, product: productOf(kind), comfort, drawbacks: 0 });
    }
  return open.sort((a, b) => a.start - b.start);
}

function toSlot({ start, kind, comfort }: Choice, duration: number): Slot {
  const offset = offsetOf(NEW_YORK, start, -5 * HOUR);
  const local = isoOf(start, offset);
  return {
    start_time: local,
    end_time: isoOf(start + duration, offset),
    timezone: ADA.timeZone,
    ...(KINDS[kind] as (typeof KINDS)[number]),
    comfort: Math.round(comfort * 100) / 100,
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
