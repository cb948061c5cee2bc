import { DAY_MINUTES } from '../../engine/time/dates.ts';
import type { Box, DateSpan, Reading, Refused, Wanted } from '../../engine/wish/reading.ts';
import { partsOfQuote } from './progress.ts';
import { withoutDays } from './spans.ts';

/** Leaves out what a text both asks for and refuses. "My shift ends at 5, so after 5:30" refuses nothing after all. */
export function withoutContradictions(reading: Reading): Reading {
  const { wanted } = reading;
  const refused = outingsOf(absencesOf(beginningAfter(wanted, reading.refused))).filter(
    ({ dates, weekdays, clock }) => {
      const isWhole = dates === undefined && weekdays === undefined && clock !== undefined;
      const isAsked = wanted.every(
        (box) => box.clock && clock && clock.from <= box.clock.from && box.clock.to <= clock.to,
      );
      return !(isWhole && wanted.length > 0 && isAsked);
    },
  );
  const refusedDays = (box: Box) => refused.some((other) => isWithin(box, other));
  // "I am out next week. The week after?" counts from the week that was named.
  const meant = wanted.map((box) =>
    refusedDays(box) && /\b(?:week after|following)\b/i.test(box.quote) ? aWeekLater(box) : box,
  );
  const unread = [...reading.unread, ...meant.filter(refusedDays).flatMap(({ quote }) => partsOfQuote(quote))];
  return { ...reading, refused, wanted: meant.filter((box) => !refusedDays(box)), unread };
}

/**
 * Lets an absence whose start is not named begin after the day that is wanted: "today would be best, then I am away
 * until Friday".
 */
function beginningAfter(wanted: readonly Box[], refused: Refused[]): Refused[] {
  const ends = wanted.flatMap(({ dates = [{}] }) => dates.map(({ last }) => last));
  if (ends.length === 0 || ends.includes(undefined)) return refused;
  const first = Math.max(...ends.map((end) => end ?? 0)) + 1;
  return refused.map((box) => {
    const [span, ...more] = box.dates ?? [];
    const isOpen = span?.last !== undefined && span.first === undefined && more.length === 0;
    return isOpen && !box.clock && !box.weekdays && first <= (span.last ?? 0)
      ? { ...box, dates: [{ first, last: span.last }] }
      : box;
  });
}

const isShort = ({ first = -1e9, last = 1e9 }: DateSpan) => last - first < 5;

const aWeekLater = (box: Wanted): Wanted => ({
  ...box,
  dates: box.dates?.map(({ first, last }) => ({
    first: first === undefined ? first : first + 7,
    last: last === undefined ? last : last + 7,
  })),
});

/**
 * Returns true if the other box refuses every wanted day of this one: "I am out next week. Could we do Monday the
 * 25th?"
 */
function isWithin({ dates, weekdays }: Box, other: Refused): boolean {
  if (dates === undefined || weekdays || other.dates === undefined || other.clock || other.weekdays) return false;
  return other.dates.reduce<DateSpan[]>((left, day) => withoutDays(left, day), dates).length === 0;
}

/** Makes one absence of "I leave at 3 and am back at 4". Taken apart, the two leave no hour of the day. */
function outingsOf(refused: Refused[]): Refused[] {
  const leaving = refused.find(({ clock }) => clock && clock.from > 0 && clock.to === DAY_MINUTES);
  const from = leaving?.clock?.from ?? DAY_MINUTES;
  const returning = refused.find(({ clock }) => clock && clock.from === 0 && clock.to > from);
  const isSameDay =
    JSON.stringify([leaving?.dates, leaving?.weekdays]) === JSON.stringify([returning?.dates, returning?.weekdays]);
  if (!leaving || !returning?.clock || !isSameDay) return refused;
  const clock = { from, to: returning.clock.to };
  return refused.flatMap((box) => (box === returning ? [] : [box === leaving ? { ...box, clock } : box]));
}

/** Makes one absence of its two ends: "on leave from tomorrow, back on the 26th". */
function absencesOf(refused: Refused[]): Refused[] {
  const isOpen = (box: Refused, end: 'first' | 'last') =>
    box.clock === undefined &&
    box.weekdays === undefined &&
    box.dates?.length === 1 &&
    box.dates[0]?.[end] === undefined;
  const [leaving, returning] = [
    refused.find((box) => isOpen(box, 'last')),
    refused.find((box) => isOpen(box, 'first')),
  ];
  const [first, last] = [leaving?.dates?.[0]?.first, returning?.dates?.[0]?.last];
  if (!leaving || !returning || first === undefined || last === undefined || first > last) return refused;
  return refused.flatMap((box) =>
    box === returning ? [] : [box === leaving ? { ...box, dates: [{ first, last }] } : box],
  );
}

/**
 * Takes the days of clauses that were not understood out of wider days that are wanted. "The trains are on strike on
 * Thursday. Any other day this week" may well refuse Thursday.
 */
export function withoutDoubts(reading: Reading, doubts: readonly Box[]): Reading {
  const days = doubts.flatMap(({ dates, clock }) => (clock ? [] : (dates ?? []))).filter(isShort);
  if (days.length === 0) return reading;
  const wanted = reading.wanted.map((box) => {
    if (box.dates === undefined) return box;
    const left = days.reduce<DateSpan[]>((all, day) => withoutDays(all, day), box.dates);
    return left.length > 0 ? { ...box, dates: left } : box;
  });
  return { ...reading, wanted };
}
