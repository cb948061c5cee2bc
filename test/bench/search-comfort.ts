// A time's comfort by the published table, for two people who work from 08:00 to 18:00 and meet on the same date of both.

const MINUTE = 60_000;
const HOURS = 120 * MINUTE;
const WEEK = 7 * 1440 * MINUTE;

/** One person's merged busy times, and how many of them end before the last start that was asked for. */
export interface BusyList {
  starts: ArrayLike<number>;
  ends: ArrayLike<number>;
  count: number;
  past: number;
}

/** The work hours of a date as instants. `weekday` is 1 for Monday to 5 for Friday. */
export interface Hours {
  open: number;
  close: number;
  weekday: number;
}

/** What both have in common: how far ahead the time is, and whether the date is a half day. */
export function comfortOf(one: number, two: number, ahead: number): number {
  return one * two * (ahead < HOURS ? 0.25 : 1) * Math.max(0.5, 1 - (0.03 * ahead) / WEEK);
}

/** One person's parts. Starts must be asked in order of time. */
export function personComfort(busy: BusyList, hours: Hours, start: number, end: number, isHalfDay: boolean): number {
  const { starts, ends, count } = busy;
  const { open, close, weekday } = hours;
  while (busy.past < count && (ends[busy.past] as number) <= start) busy.past++;
  const { past } = busy;
  const endedLast = past > 0 ? (ends[past - 1] as number) : Number.NEGATIVE_INFINITY;
  const startsNext = past < count ? (starts[past] as number) : Number.POSITIVE_INFINITY;
  const dayStart = weekday === 1 ? rising(start - open, 60, 0.4) : rising(start - open, 30, 0.5);
  const dayEnd = rising(close - end, 60, weekday === 5 ? 0.4 : 0.5);
  const sides = (start - endedLast < 10 * MINUTE ? 1 : 0) + (startsNext - end < 10 * MINUTE ? 1 : 0);
  const beside = sides === 0 ? 1 : sides === 1 ? 0.8 : 0.6;
  let longest = Math.max(start - Math.max(endedLast, open), Math.min(startsNext, close) - end);
  for (let i = past - 1; longest < HOURS && i >= 0 && (starts[i] as number) > open; i--) {
    const from = i > 0 ? Math.max(ends[i - 1] as number, open) : open;
    longest = Math.max(longest, (starts[i] as number) - from);
  }
  for (let i = past; longest < HOURS && i < count && (ends[i] as number) < close; i++) {
    const to = i + 1 < count ? Math.min(starts[i + 1] as number, close) : close;
    longest = Math.max(longest, to - (ends[i] as number));
  }
  return dayStart * dayEnd * beside * (0.9 + 0.1 * Math.min(1, longest / HOURS)) * (isHalfDay ? 0.5 : 1);
}

function rising(from: number, withinMinutes: number, least: number): number {
  const within = withinMinutes * MINUTE;
  return from >= within ? 1 : least + (1 - least) * (from / within);
}

/** Drawbacks of a start beside those taken: short notice, on a day taken, and near. */
export const [SHORT, SAME_DAY, NEAR, BESIDE] = [8, 4, 2, 1] as const;

/** Returns the drawbacks of a start beside those taken. `night` is the last start at short notice. */
export function drawbacksOf(
  start: number,
  day: number,
  taken: readonly { start: number; day: number }[],
  night: number,
): number {
  let drawbacks = start <= night ? SHORT : 0;
  for (const slot of taken) {
    const apart = Math.abs(slot.start - start);
    if (slot.day === day) drawbacks |= SAME_DAY;
    if (apart < HOURS) drawbacks |= apart < HOURS / 2 ? NEAR | BESIDE : NEAR;
  }
  return drawbacks;
}

/** Returns the share of its product that a pick with these drawbacks keeps, and the drawbacks that it may keep instead. */
export function tradeOf(drawbacks: number, picked: number): { share: number; allowed: number[] } {
  const isSame = (drawbacks & (SHORT | NEAR)) > 0;
  const share = isSame ? 0.75 : picked >= 3 && drawbacks > 0 ? 0.9 : 1;
  if (share === 1) return { share, allowed: [] };
  return { share, allowed: drawbacks & (SHORT | BESIDE) ? [0, SAME_DAY | (drawbacks & NEAR)] : [0] };
}
