import { candidateStarts } from '../rules/free-time.ts';
import { DAY_MINUTES, formatDate, WEEKDAYS } from '../time/dates.ts';
import { type Edges, inOrder, subtract, toIntervals, union } from '../time/intervals.ts';
import { type Days, daysElsewhere, wallInstants } from '../time/wall-instants.ts';
import { type DateRange, HORIZON_DAYS, LONGEST_DAYS, windowDays } from '../time/window.ts';
import { localDay, startOfDay } from '../time/zone.ts';
import type { Interval, Narrowing, Search } from '../types.ts';
import type { Box, DateSpan } from './reading.ts';

/** A text asks this of the time of a new meeting, on the requester's clock. Its words are `quotes`. */
export interface AskedInWords {
  quotes: string[];
  /** Alternatives. Without any, all times will do. */
  wanted: Box[];
  refused: Box[];
  /** True for "as soon as possible", which asks for the first day with a common time. */
  isSoonest: boolean;
}

/** The times that the caller of a search asks for: in words, as ranges of instants, or both. */
export interface AskedTimes {
  words?: AskedInWords | undefined;
  ranges?: Interval[] | undefined;
}

/** Returns the search, narrowed to the times that its caller asks for (schema/DECISIONS.md, "Asking for times"). */
export function narrowed(search: Search, { words, ranges }: AskedTimes): Search {
  const { requester, window, daysKnownAfter = 0 } = search;
  const { first, last } = daysElsewhere(windowDays(window));
  const days = { first, last: last + daysKnownAfter };
  const narrowedTo: Narrowing[] = [];
  if (words)
    narrowedTo.push({ by: 'when', words: words.quotes, instants: instantsOf(words, requester.timeZone, days) });
  if (ranges) narrowedTo.push({ by: 'time_ranges', words: [], instants: union(inOrder(ranges)) });
  const found = { ...search, narrowedTo };
  return words?.isSoonest ? onFirstDay(found) : found;
}

function onFirstDay(search: Search): Search {
  const { timeZone } = search.requester;
  const [first] = candidateStarts(search);
  if (first === undefined) return search;
  const after = startOfDay(timeZone, localDay(timeZone, first) + 1);
  const narrowedTo = search.narrowedTo?.map((one) =>
    one.by === 'when' ? { ...one, instants: subtract(one.instants, [after, ALWAYS]) } : one,
  );
  return { ...search, narrowedTo };
}

const ALWAYS = Number.MAX_SAFE_INTEGER;

function instantsOf({ wanted, refused }: AskedInWords, timeZone: string, days: Days): Edges {
  const within = (box: Box) => instantsIn(box, timeZone, days);
  const all = wanted.flatMap((box) => toIntervals(within(box)));
  const open = wanted.length === 0 ? [-ALWAYS, ALWAYS] : [...union(inOrder(all))];
  return refused.reduce<number[]>((left, box) => subtract(left, within(box)), open);
}

function instantsIn({ dates, weekdays, clock }: Box, timeZone: string, days: Days): number[] {
  const { from, to } = clock ?? { from: 0, to: DAY_MINUTES };
  const isNamed = (day: number) => dates?.some(({ first = day, last = day }) => first <= day && day <= last) ?? true;
  const hours = WEEKDAYS.map((_, i) => (weekdays?.includes(i) === false ? [] : [from, to]));
  return wallInstants(timeZone, days, hours, { has: (day) => !isNamed(day) });
}

/** Returns dates for one search if the caller gave none. Returns undefined if the usual ones hold what they ask for. */
export function datesAsked(
  { words, ranges = [] }: AskedTimes,
  { timeZone, now, windowDays: usualDays }: { timeZone: string; now: number; windowDays: number },
): DateRange | undefined {
  const today = localDay(timeZone, now);
  const spans = [
    ...(words ? spansAsked(words) : []),
    ...ranges.map(({ start, end }) => ({ first: localDay(timeZone, start), last: localDay(timeZone, end - 1) })),
  ];
  const latest = Math.max(...spans.map(({ first = today, last }) => Math.max(first, last ?? first + usualDays - 1)));
  if (latest < today + usualDays) return undefined;
  const earliest = Math.max(today, Math.min(...spans.map(({ first = today }) => first)));
  const first = latest - today < LONGEST_DAYS ? today : Math.min(earliest, today + HORIZON_DAYS);
  const last = Math.min(latest, first + LONGEST_DAYS - 1, today + HORIZON_DAYS);
  return { startDate: formatDate(first), endDate: formatDate(last) };
}

/** Returns the dates that a text asks for. Without any, those from which on it refuses none. */
function spansAsked({ wanted, refused }: AskedInWords): DateSpan[] {
  const asked = wanted.flatMap(({ dates = [{}] }): DateSpan[] => dates);
  const untilThen = refused.flatMap(({ dates = [] }) => dates.filter(({ first }) => first === undefined));
  const open = untilThen.flatMap(({ last }): DateSpan[] => (last === undefined ? [] : [{ first: last + 1 }]));
  // "Before March" is no reason to look beyond the usual days.
  return (asked.length > 0 ? asked : open).map(({ first, last }) => (first === undefined ? {} : { first, last }));
}
