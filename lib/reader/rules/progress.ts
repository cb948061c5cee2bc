import type { Box, DateSpan, Reading, Refused, Wanted } from '../../engine/wish/reading.ts';
import type { Calendar } from '../text/calendar.ts';
import type { Item } from './scan.ts';
import { withoutDays } from './spans.ts';
import type { Purpose } from './standing.ts';
import type { Verdict } from './verdicts.ts';

/** State of the reader while it reads a text from left to right. */
export interface Progress {
  reading: Reading;
  text: string;
  calendar: Calendar;
  purpose: Purpose;
  /** The boxes of the last time that was named, for "before then". */
  antecedent: Box[];
  /** The index in `reading.wanted` of the first wish since the last "otherwise". */
  since: number;
  /**
   * The last commitment that starts at a clock time, such as "I have lunch at 1". Later words may say how long it
   * takes, and then change its refused time and its rules. `box` is the index of that time in `reading.refused`, and
   * `rules` the index of its first rule in `reading.standing`. `from` and `margin` are in minutes.
   */
  obstacle?: { from: number; margin: number; box: number; rules: number; isEvent?: boolean } | undefined;
  /** The verdict on the last time that was read, which "and Friday" shares. */
  last?: Verdict | undefined;
  /** True in a clause after "so". Its wish replaces the wishes before it. */
  isConclusion: boolean;
  /** The times of clauses that were not understood. */
  doubts: Box[];
  /**
   * True in the clause after one that names a commitment without its time: "I take my mum to the doctor, it's at 2".
   */
  isAfterCommitment: boolean;
  /** True in the clause after one that speaks of the past: "the last time I came, on a Friday". */
  isAfterPast: boolean;
  /** Refused hours of one commitment whose day the text does not name. */
  ofOneDay: Refused[];
  /** True if hours were asked for that were not understood: "14:00 CET is best". */
  lacksHours: boolean;
  /** True if a day or hours were asked for that were not understood: "first half of Friday, please". */
  lacksWish: boolean;
  /**
   * The wishes that a correction took back. If the person corrects only the hours, the new wish keeps the days:
   * "Thursday at 2, no wait, 3" asks for Thursday at 3.
   */
  takenBack: Wanted[];
}

const JOINTS: ReadonlySet<string> = new Set(['&', 'o', ',', 'j', '-']);

/** Returns the words of the original text from the first item to the last. */
export function quoteOf(items: readonly Item[], text: string): string {
  const first = items.find(({ tag }) => !JOINTS.has(tag)) ?? items[0];
  return text.slice(first?.start ?? 0, items.at(-1)?.end ?? 0).trim();
}

/**
 * Adds wanted boxes. A clock time alone belongs to the days named before it, and days alone to the clock time named
 * before them: "next week, mornings only". Otherwise they are further alternatives.
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
    /^(?:,|but|and)$/.test(joint) &&
    isLimit(boxes[0])
  )
    reading.wanted.splice(since, 1, ...limited(earlier[0] as Wanted, boxes[0] as Wanted));
  else if (joint === ',' && boxes.every((box) => isOneDay(box) && box.clock) && earlier.some(isDaysOnly))
    reading.wanted.splice(since, earlier.length, ...withoutTheirDays(earlier, boxes), ...boxes);
  else if (earlier.length > 0 && onlyDays && isNarrower(boxes, earlier))
    reading.wanted.splice(since, earlier.length, ...boxes);
  else if (!(onlyDays && isNarrower(earlier, boxes) && earlier.length > 0)) reading.wanted.push(...boxes);
}

const BETWEEN_QUOTES = ' … ';

/**
 * Returns the pieces of the text that make up a quote. A quote may join pieces that do not stand together in the text.
 */
export const partsOfQuote = (quote: string): string[] => quote.split(BETWEEN_QUOTES);

const isDaysOnly = (box: Box | undefined) => box?.dates !== undefined && box.clock === undefined;

const combined = (days: Wanted[], clocks: Wanted[]): Wanted[] =>
  days.flatMap((day) =>
    clocks.map(({ clock, quote }) => ({
      ...day,
      clock,
      quote: day.quote === quote ? quote : `${day.quote}${BETWEEN_QUOTES}${quote}`,
    })),
  );

const isOneDay = ({ dates }: Box) =>
  dates?.length === 1 && dates[0]?.first !== undefined && dates[0].first === dates[0].last;

/** Returns true for all days before a day or all days after it: "but after Wednesday". */
const isLimit = (box: Box | undefined): boolean =>
  box?.dates?.length === 1 && (box.dates[0]?.first === undefined || box.dates[0].last === undefined);

/**
 * Cuts wanted days at a limit, such as "before Thursday". If no day is left, moves the limit later, by one week up to
 * three times, to find the week of the wanted days: "next week, but before Thursday". Returns no box if no day is left
 * then either.
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

/** Returns the wanted box as far as a limit allows, or both if they have no day in common. */
function limited(box: Wanted, limit: Wanted): Wanted[] {
  const left = within(box, limit);
  return left.length > 0 ? left : [box, limit];
}

/**
 * Takes the days that the new boxes give hours out of the earlier days, and returns the rest: "Wednesday or Thursday,
 * Thursday after 2" leaves only Wednesday with all its hours.
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

/** Returns true if all days of the first boxes lie among those of the second: "next week, ideally Tuesday". */
function isNarrower(boxes: readonly Box[], wider: readonly Box[]): boolean {
  const within = ({ first, last }: DateSpan) =>
    wider.some(
      ({ dates, clock }) =>
        !clock && dates?.some((span) => (span.first ?? -1e9) <= (first ?? -1e9) && (last ?? 1e9) <= (span.last ?? 1e9)),
    );
  return boxes.every(({ dates }) => dates?.every(within) ?? false);
}
