import type { Slot } from '../../schema/api/slot.ts';
import { ADA, type BenchInput, BOB } from './search-input.ts';

// A time's merit by the published table, for two people who work from 08:00 to 18:00 and meet on the same date of both.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** One person's merged busy times, and how many of them end before the last start that was asked for. */
interface BusyList {
  starts: ArrayLike<number>;
  ends: ArrayLike<number>;
  count: number;
  past: number;
}

/** The work hours of a date as instants, and the minutes of them that the person's meetings take. */
interface Hours {
  open: number;
  close: number;
  met: number;
}

/** Returns the work hours of a date. Dates must be asked in order of time, before the starts of each. */
function hoursOf(busy: BusyList, open: number): Hours {
  const close = open + 10 * HOUR;
  let met = 0;
  for (let i = busy.past; i < busy.count && (busy.starts[i] as number) < close; i++)
    met += Math.max(0, Math.min(busy.ends[i] as number, close) - Math.max(busy.starts[i] as number, open));
  return { open, close, met: met / MINUTE };
}

/**
 * Multiplies what both have in common: how soon the time is, and how many working days ahead. `night` is the instant
 * until which the person in New York has not worked for two hours.
 */
function comfortOf(one: number, two: number, start: number, now: number, night: number, ahead: number): number {
  const notice = start - now < 2 * HOUR ? 0.3 : start < night ? 0.5 : 1;
  return one * two * notice * (Math.round(10_000 / (1 + 0.08 * ahead + 0.01 * ahead ** 2)) / 10_000);
}

/** One person's parts. Starts must be asked in order of time. */
function personComfort(busy: BusyList, { open, close, met }: Hours, start: number, end: number): number {
  const { starts, ends, count } = busy;
  while (busy.past < count && (ends[busy.past] as number) <= start) busy.past++;
  const { past } = busy;
  const since = past > 0 ? (start - (ends[past - 1] as number)) / MINUTE : Number.POSITIVE_INFINITY;
  const until = past < count ? ((starts[past] as number) - end) / MINUTE : Number.POSITIVE_INFINITY;
  const [opened, left] = [(start - open) / MINUTE, (close - end) / MINUTE];
  let comfort = opened < 30 ? 0.55 : opened < 60 ? 0.84 : opened < 90 ? 0.95 : 1;
  if (left < 60) comfort *= left < 30 ? 0.5 : 0.86;
  if (since < 10 || until < 10) comfort *= since < 10 && until < 10 ? 0.55 : 0.7;
  const [before, after] = [Math.min(since, opened), Math.min(until, left)];
  const length = (end - start) / MINUTE;
  if (before >= 30 && before < 120 && after >= 30 && after < 120 && before + length + after >= 180) comfort *= 0.95;
  if (length >= 30 && met >= 240) comfort *= met >= 360 ? 0.65 : 0.75;
  return comfort;
}

/** Returns the number by which a date in the dark week of the year lowers a time for one person. */
function quietOf(date: string, isBeforeNoon: boolean): number {
  if (/12-(24|31)$/.test(date)) return isBeforeNoon ? 0.008 : 0.005;
  return /12-(27|28|29|30)$/.test(date) ? 0.01 : 1;
}

interface Rated {
  start: number;
  day: number;
  /** The minute of the requester's day. */
  minute: number;
  score: number;
  merit: number;
}

/** Returns at most five, the best of the highest score left by merit × spread, listed best first. */
function spread<One extends Rated>(choices: readonly One[], duration: number): One[] {
  const taken: One[] = [];
  while (taken.length < 5) {
    let best: One | undefined;
    let most = 0;
    for (const choice of choices) {
      if (best !== undefined && (choice.score < best.score || (choice.score === best.score && choice.merit <= most)))
        continue;
      const worth = choice.merit * spreadOf(choice, taken, duration);
      if (worth === 0 || (best?.score === choice.score && worth <= most + 1e-9)) continue;
      [best, most] = [choice, worth];
    }
    if (best === undefined) break;
    taken.push(best);
  }
  return taken.sort((a, b) => {
    if (a.score !== b.score) return b.score - a.score;
    return Math.abs(a.merit - b.merit) > 1e-9 ? b.merit - a.merit : a.start - b.start;
  });
}

function spreadOf({ start, day, minute }: Rated, taken: readonly Rated[], duration: number): number {
  if (taken.length === 0) return 1;
  let [onDate, isBeside, isNear, isSameHalf] = [0, false, false, true];
  for (const one of taken) {
    const distance = Math.abs(one.start - start);
    if (distance < duration) return 0;
    if (one.day === day) onDate++;
    if (one.day === day && distance < HOUR) isBeside = true;
    if (Math.abs(one.minute - minute) < 120) isNear = true;
    if (one.minute < 720 !== minute < 720) isSameHalf = false;
  }
  return 0.3 ** Math.min(onDate, 2) * (isBeside ? 0.3 : 1) * (isNear ? 0.75 : 1) * (isSameHalf ? 0.8 : 1);
}

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

/** Computes the engine's answer for the bench's two people, as fast as possible. */
export function limit(input: BenchInput): Slot[] {
  const duration = input.durationMinutes * MINUTE;
  const night = nightOf(input);
  return spread(collect(input, duration, night), duration).map((choice) => toSlot(choice, duration));
}

/** Two hours into the first day in New York, where it is night at the time of the search. */
const nightOf = ({ first }: BenchInput) => {
  const noon = parse(`${first}T12:00:00Z`);
  return noon - 2 * HOUR - offsetOf(NEW_YORK, noon, -5 * HOUR);
};

function collect(input: BenchInput, duration: number, night: number): Choice[] {
  const { newYork, berlin, first, days: dates, now, durationMinutes } = input;
  const countA = fill(newYork, startsA, endsA);
  const countB = fill(berlin, startsB, endsB);
  const firstDay = parse(`${first}T00:00:00Z`) / DAY;
  const choices: Choice[] = [];
  let ahead = -1;
  let a = 0;
  let b = 0;
  const busyOfA = { starts: startsA, ends: endsA, count: countA, past: 0 };
  const busyOfB = { starts: startsB, ends: endsB, count: countB, past: 0 };
  for (let day = firstDay; day < firstDay + dates; day++) {
    if ((day + 3) % 7 > 4) continue;
    ahead++;
    const noon = day * DAY + 12 * HOUR;
    const offsetA = offsetOf(NEW_YORK, noon, -5 * HOUR);
    const offsetB = offsetOf(BERLIN, noon, HOUR);
    const close = day * DAY + 18 * HOUR - Math.max(offsetA, offsetB);
    const localDay = day * DAY - offsetA;
    const weekday = ((day + 3) % 7) + 1;
    const hoursOfA = hoursOf(busyOfA, localDay + 8 * HOUR);
    const openB = day * DAY + 8 * HOUR - offsetB;
    const hoursOfB = hoursOf(busyOfB, openB);
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
          const one = personComfort(busyOfA, hoursOfA, start, start + duration);
          const two = personComfort(busyOfB, hoursOfB, start, start + duration);
          const quiet = quietOf(date, minute < 720) * quietOf(date, start < openB + 4 * HOUR);
          const comfort = quiet * comfortOf(one, two, start, now, night, ahead);
          const { product, score } = KINDS[kind] as (typeof KINDS)[number];
          choices.push({ start, day, minute, kind, score, comfort, merit: product * comfort });
        }
        from = to;
      }
    }
  }
  return choices;
}

interface Choice {
  start: number;
  day: number;
  minute: number;
  kind: number;
  score: number;
  comfort: number;
  merit: number;
}

function toSlot({ start, kind, comfort, merit }: Choice, duration: number): Slot {
  const offset = offsetOf(NEW_YORK, start, -5 * HOUR);
  const local = isoOf(start, offset);
  return {
    start_time: local,
    end_time: isoOf(start + duration, offset),
    timezone: ADA.timeZone,
    ...(KINDS[kind] as (typeof KINDS)[number]),
    comfort: Math.round(comfort * 10_000) / 10_000,
    merit: Math.round(merit * 10_000) / 10_000,
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
