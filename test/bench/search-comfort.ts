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

/**
 * Multiplies what both have in common: how far ahead the time is, and whether it comes soon after the night. `night` is
 * the instant after one hour of work in New York.
 */
export function comfortOf(one: number, two: number, start: number, now: number, night: number): number {
  const ahead = start - now;
  const notice = ahead < HOURS ? 0.25 : start < night + HOURS / 2 ? 0.5 : 1;
  return one * two * notice * Math.max(0.5, 1 - (0.03 * ahead) / WEEK);
}

/** One person's parts. Starts must be asked in order of time. */
export function personComfort(busy: BusyList, hours: Hours, start: number, end: number, date: string): number {
  const { starts, ends, count } = busy;
  const { open, close, weekday } = hours;
  while (busy.past < count && (ends[busy.past] as number) <= start) busy.past++;
  const { past } = busy;
  const endedLast = past > 0 ? (ends[past - 1] as number) : Number.NEGATIVE_INFINITY;
  const startsNext = past < count ? (starts[past] as number) : Number.POSITIVE_INFINITY;
  const dayStart = weekday === 1 ? rising(start - open, 60, 0.4) : rising(start - open, 30, 0.5);
  const dayEnd = rising(close - end, 60, weekday === 5 ? 0.4 : 0.5);
  const sides = (start - endedLast < 10 * MINUTE ? 1 : 0) + (startsNext - end < 10 * MINUTE ? 1 : 0);
  const beside = sides === 0 ? 1 : sides === 1 ? 0.6 : 0.4;
  let longest = Math.max(start - Math.max(endedLast, open), Math.min(startsNext, close) - end);
  for (let i = past - 1; longest < HOURS && i >= 0 && (starts[i] as number) > open; i--) {
    const from = i > 0 ? Math.max(ends[i - 1] as number, open) : open;
    longest = Math.max(longest, (starts[i] as number) - from);
  }
  for (let i = past; longest < HOURS && i < count && (ends[i] as number) < close; i++) {
    const to = i + 1 < count ? Math.min(starts[i + 1] as number, close) : close;
    longest = Math.max(longest, to - (ends[i] as number));
  }
  return dayStart * dayEnd * beside * (0.9 + 0.1 * Math.min(1, longest / HOURS)) * halfDay(date, start - open);
}

/** `date` ends with the month and the day. Nobody in the bench has a public holiday. */
function halfDay(date: string, sinceOpening: number): number {
  if (/12-(24|31)$/.test(date)) return sinceOpening < 2 * HOURS ? 0.5 : 0.25;
  return /12-(27|28|29|30)$/.test(date) ? 0.7 : 1;
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

interface Rated {
  start: number;
  day: number;
  product: number;
  comfort: number;
}

/**
 * Returns the start that takes the place of an uncomfortable pick, or else the pick. `open` returns the starts that
 * overlap none taken, in order of time. `least` is the product that the pick may have had.
 */
export function gentlerOf<One extends Rated>(
  pick: One,
  open: () => readonly One[],
  least: number,
  drawbacks: (one: Rated) => number,
): One {
  const enough = 1.5 * pick.comfort - 1e-9;
  if (enough > 1) return pick;
  const all = open();
  const own = drawbacks(pick);
  const gentle = all.filter(({ comfort }) => comfort >= enough);
  const from = (floor: number, allowed: number, some = gentle) =>
    some.filter((one) => one.product >= floor - 1e-9 && (drawbacks(one) | allowed) === allowed);
  if ((own & SAME_DAY) === 0) {
    const onItsDay = gentle.filter(({ day }) => day === pick.day);
    const muchGentler = onItsDay.filter(({ comfort }) => comfort >= 1.8 * pick.comfort - 1e-9);
    return (
      nearest(pick, from(0.9 * pick.product, own, onItsDay), drawbacks) ??
      nearest(pick, from((5 / 6) * pick.product, own, muchGentler), drawbacks) ??
      pick
    );
  }
  const elsewhere = all.filter((one) => one.product >= 0.75 * pick.product - 1e-9 && drawbacks(one) === 0);
  const enoughElsewhere = elsewhere.filter(({ comfort }) => comfort >= enough);
  const most = Math.max(...enoughElsewhere.map(({ product }) => product));
  const [first, ...others] = enoughElsewhere.filter(({ product }) => product > most - 1e-9);
  if (first !== undefined) return others.reduce((best, one) => (one.comfort > best.comfort + 1e-9 ? one : best), first);
  return nearest(pick, from(least, elsewhere.length === 0 ? own | NEAR : own), drawbacks) ?? pick;
}

function nearest<One extends Rated>(
  pick: Rated,
  some: readonly One[],
  drawbacks: (one: Rated) => number,
): One | undefined {
  const fewest = Math.min(...some.map(drawbacks));
  const least = some.filter((one) => drawbacks(one) === fewest);
  const comfort = Math.max(...least.map((one) => one.comfort));
  const away = ({ start }: Rated) => Math.abs(start - pick.start);
  return least.filter((one) => one.comfort >= 0.9 * comfort - 1e-9).sort((a, b) => away(a) - away(b))[0];
}
