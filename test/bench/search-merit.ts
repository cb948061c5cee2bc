// A time's merit by the published table, for two people who work from 08:00 to 18:00 and meet on the same date of both.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** One person's merged busy times, and how many of them end before the last start that was asked for. */
export interface BusyList {
  starts: ArrayLike<number>;
  ends: ArrayLike<number>;
  count: number;
  past: number;
}

/** The work hours of a date as instants, and the minutes of them that the person's meetings take. */
export interface Hours {
  open: number;
  close: number;
  met: number;
}

/** Returns the work hours of a date. Dates must be asked in order of time, before the starts of each. */
export function hoursOf(busy: BusyList, open: number): Hours {
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
export function comfortOf(one: number, two: number, start: number, now: number, night: number, ahead: number): number {
  const notice = start - now < 2 * HOUR ? 0.3 : start < night ? 0.5 : 1;
  return one * two * notice * (Math.round(10_000 / (1 + 0.08 * ahead + 0.01 * ahead ** 2)) / 10_000);
}

/** One person's parts. Starts must be asked in order of time. */
export function personComfort(busy: BusyList, { open, close, met }: Hours, start: number, end: number): number {
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
export function quietOf(date: string, isBeforeNoon: boolean): number {
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
export function spread<One extends Rated>(choices: readonly One[], duration: number): One[] {
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
