import { weekdayIndex } from '../../engine/time/dates.ts';
import type { Box, DateSpan, Wanted } from '../../engine/wish/reading.ts';
import { BETWEEN_QUOTES, type Progress, partsOfQuote } from './progress.ts';
import { withoutDays } from './spans.ts';

/**
 * Adds days or hours that the text asks for to the wish. Hours alone belong to the days named before them, and days
 * alone to the hours named before them: "next week, mornings only". In all other cases they are further alternatives.
 */
export function addWanted(boxes: Wanted[], progress: Progress, joint: string): void {
  const { reading, since, isConclusion } = progress;
  const earlier = reading.wanted.slice(since);
  const hasDays = ({ dates, weekdays }: Box) => dates !== undefined || weekdays !== undefined;
  const onlyClocks = boxes.every((box) => !hasDays(box) && box.clock);
  const onlyDays = boxes.every((box) => hasDays(box) && !box.clock);
  const kept = onlyClocks && earlier.length === 0 ? progress.takenBack.filter(hasDays) : [];
  const taken = progress.takenBack.flatMap(({ quote }) => partsOfQuote(quote));
  reading.unread = reading.unread.filter((quote) => !taken.includes(quote));
  progress.takenBack = [];
  if (kept.length > 0) {
    const days = kept.map(({ clock, ...box }) => box);
    reading.wanted.push(...combined(days, boxes));
    return;
  }
  if (isConclusion && earlier.length > 0 && onlyDays && earlier.every((box) => hasDays(box)))
    reading.wanted.splice(since, earlier.length, ...boxes);
  else if (joint === '(' && onlyClocks && earlier.length > 1 && isDaysOnly(earlier.at(-1)))
    reading.wanted.splice(-1, 1, ...combined(earlier.slice(-1), boxes));
  else if (/^[,:(]$/.test(joint) && onlyClocks && arePointsIn(boxes, earlier))
    reading.wanted.splice(since, earlier.length, ...inDaysOf(earlier, boxes));
  else if (earlier.length > 0 && onlyClocks && earlier.every((box) => hasDays(box) && !box.clock))
    reading.wanted.splice(since, earlier.length, ...combined(earlier, boxes));
  else if (earlier.length > 0 && onlyDays && earlier.every((box) => !hasDays(box) && box.clock))
    reading.wanted.splice(since, earlier.length, ...combined(boxes, earlier));
  else if (earlier.length === 1 && onlyClocks && boxes.length === 1 && joint !== 'or') {
    const [[box], [other]] = [earlier, boxes];
    const met = box?.clock &&
      other?.clock && { from: Math.max(box.clock.from, other.clock.from), to: Math.min(box.clock.to, other.clock.to) };
    if (met && met.from < met.to) reading.wanted.splice(since, 1, { ...(box as Wanted), clock: met });
    else reading.wanted.push(...boxes);
  } else if (
    earlier.length === 1 &&
    onlyDays &&
    boxes.length === 1 &&
    /^(?:[,?.;:]|but|and)$/.test(joint) &&
    isLimit(boxes[0])
  )
    reading.wanted.splice(since, 1, ...limited(earlier[0] as Wanted, boxes[0] as Wanted));
  else if (joint === ',' && boxes.every((box) => isOneDay(box) && box.clock) && earlier.some(isDaysOnly))
    reading.wanted.splice(since, earlier.length, ...withoutTheirDays(earlier, boxes), ...boxes);
  else if (earlier.length > 0 && onlyDays && isNarrower(boxes, earlier))
    reading.wanted.splice(since, earlier.length, ...boxes);
  else if (!(onlyDays && earlier.length > 0 && (isNarrower(earlier, boxes) || areAmongWeekdays(earlier, boxes))))
    reading.wanted.push(...boxes);
}

const isDaysOnly = (box: Box | undefined) => box?.dates !== undefined && box.clock === undefined;

const combined = (days: Wanted[], clocks: Wanted[]): Wanted[] =>
  days.flatMap((day) =>
    clocks.map(({ clock, quote }) => ({
      ...day,
      clock,
      quote: day.quote === quote ? quote : `${day.quote}${BETWEEN_QUOTES}${quote}`,
    })),
  );

/** Greatest length in minutes of wanted hours that say more exactly when in a part of the day: "around 9". */
const LONGEST_HINT = 120;
/** Least length in minutes of a part of the day, such as a morning. */
const SHORTEST_PART = 150;

/** Returns true for clock times in a wanted part of the day: "Thursday morning would be best, like 9 or 9:30". */
const arePointsIn = (boxes: readonly Box[], earlier: readonly Box[]): boolean => {
  const [part, ...more] = earlier.map(({ clock }) => clock);
  const points = boxes.flatMap(({ clock }) => clock ?? []);
  if (part === undefined || more.length > 0 || part.to - part.from < SHORTEST_PART) return false;
  return (
    points.every(({ from, to }) => to - from <= LONGEST_HINT && part.from <= from && from <= part.to + LONGEST_HINT) &&
    points.some(({ from, to }) => from < part.to && to > part.from)
  );
};

/** Returns the hours on the days of the earlier wish. Hours without days stay as they are. */
const inDaysOf = (earlier: Wanted[], boxes: Wanted[]): Wanted[] =>
  earlier.every((box) => box.dates || box.weekdays) ? combined(earlier, boxes) : boxes;

const isOneDay = ({ dates }: Box) =>
  dates?.length === 1 && dates[0]?.first !== undefined && dates[0].first === dates[0].last;

/** Returns true for days that are open at one end, such as all days after Wednesday in "but after Wednesday". */
const isLimit = (box: Box | undefined): boolean =>
  box?.dates?.length === 1 && (box.dates[0]?.first === undefined || box.dates[0].last === undefined);

/**
 * Cuts wanted days at a limit, such as "before Thursday". If no day is left, moves the limit later, by one week up to
 * three times, to find the week of the wanted days: "next week, but before Thursday". Returns an empty list if no day
 * is left then either.
 */
function within(box: Wanted, limit: Wanted, weeks = 0): Wanted[] {
  const { first: from = -1e9, last: to = 1e9 } = limit.dates?.[0] ?? {};
  const dates = (box.dates ?? []).flatMap(({ first = -1e9, last = 1e9 }) =>
    Math.max(first, from) <= Math.min(last, to) ? [{ first: Math.max(first, from), last: Math.min(last, to) }] : [],
  );
  const open = ({ first, last }: { first: number; last: number }): DateSpan => ({
    ...(first > -1e9 && { first }),
    ...(last < 1e9 && { last }),
  });
  if (dates.length > 0) return [{ ...box, dates: dates.map(open) }];
  if (weeks > 2) return [];
  const later = (limit.dates ?? []).map(({ first, last }) =>
    open({ first: first === undefined ? -1e9 : first + 7, last: last === undefined ? 1e9 : last + 7 }),
  );
  return within(box, { ...limit, dates: later }, weeks + 1);
}

/**
 * Returns the wanted days as far as a limit allows: "next week, but before Thursday". If no wanted day lies within the
 * limit, returns both as alternatives.
 */
function limited(box: Wanted, limit: Wanted): Wanted[] {
  const left = within(box, limit);
  return left.length > 0 ? left : [box, limit];
}

/**
 * Returns the earlier wishes without the days to which the new wishes give hours. In "Wednesday or Thursday, Thursday
 * after 2" the earlier wish keeps only Wednesday.
 */
const withoutTheirDays = (earlier: readonly Wanted[], boxes: readonly Box[]): Wanted[] =>
  earlier.flatMap((box) => {
    if (!isDaysOnly(box)) return [box];
    const dates = boxes.reduce<DateSpan[]>(
      (left, { dates: [day] = [] }) => (day ? withoutDays(left, day) : left),
      box.dates ?? [],
    );
    return dates.length === 0 ? [] : [{ ...box, dates }];
  });

/** Returns true if all wanted days fall on the given weekdays: "tomorrow at noon, I'm only in on Tuesdays". */
const areAmongWeekdays = (wanted: readonly Box[], boxes: readonly Box[]): boolean =>
  boxes.every((box) => box.weekdays !== undefined && box.dates === undefined) &&
  wanted.every(
    (one) =>
      isOneDay(one) && boxes.some(({ weekdays }) => weekdays?.includes(weekdayIndex(one.dates?.[0]?.first ?? 0))),
  );

/**
 * Returns true if all days of `boxes` lie among the days of `wider`, as Tuesday does in "next week, ideally Tuesday".
 */
function isNarrower(boxes: readonly Box[], wider: readonly Box[]): boolean {
  const within = ({ first, last }: DateSpan) =>
    wider.some(
      ({ dates, clock }) =>
        !clock && dates?.some((span) => (span.first ?? -1e9) <= (first ?? -1e9) && (last ?? 1e9) <= (span.last ?? 1e9)),
    );
  return boxes.every(({ dates }) => dates?.every(within) ?? false);
}
