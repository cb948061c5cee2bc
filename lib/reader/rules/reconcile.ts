import { DAY_MINUTES, weekdayIndex } from '../../engine/time/dates.ts';
import type { Box, DateSpan, Reading, Refused, Wanted } from '../../engine/wish/reading.ts';
import type { Calendar } from '../text/calendar.ts';
import { partsOfQuote } from './progress.ts';
import { withoutDays } from './spans.ts';

/** Leaves out what a text both asks for and refuses. "My shift ends at 5, so after 5:30" refuses nothing after all. */
export function withoutContradictions(told: Reading, { oldMinute }: Calendar): Reading {
  // "Earlier that day, the school bus gets in at 3" refuses no hour before 3.
  const isEarlier = told.moves.some(({ direction, what }) => direction === 'earlier' && what === 'clock');
  const leavesNothing = ({ clock }: Box) => isEarlier && clock?.from === 0 && clock.to >= oldMinute;
  const reading = { ...told, refused: told.refused.filter((box) => !leavesNothing(box)) };
  const wanted = reading.wanted.filter((box) => !isWider(box, reading.wanted));
  const refused = besideWanted(wanted, outingsOf(absencesOf(beginningAfter(wanted, reading.refused)))).filter(
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
    AFTER.test(box.quote) && refused.some((other) => isWithin(withoutWeekend(box), other)) ? aWeekLater(box) : box,
  );
  const unread = [...reading.unread, ...meant.filter(refusedDays).flatMap(({ quote }) => partsOfQuote(quote))];
  const left = meant.filter((box) => !refusedDays(box));
  // "I'm in New York this week, can we do 10 on Thursday?" asks for an hour within what looks like an absence.
  // So does "only on Wednesday" beside an absence that covers it.
  const isTorn =
    meant.some((box) => box.strength === 'must' && box.clock === undefined && refusedDays(box)) ||
    (wanted.length > 0 && left.length === 0 && wanted.every(({ clock }) => clock));
  const doubted = isTorn ? [...refused, ...reading.moves].flatMap(({ quote }) => partsOfQuote(quote)) : [];
  const kept = isTorn ? { refused: [], moves: [] } : { refused };
  return { ...reading, ...kept, wanted: left, unread: [...unread, ...doubted] };
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

/** Greatest length in minutes of wanted hours that count as one clock time. */
const LONGEST_POINT = 60;
/** Words that name a clock time. */
const HOUR = /\d|\b(?:half|quarter|noon|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/i;
/** Greatest length in minutes of refused hours that may be a guess at how long something takes. */
const LONGEST_GUESS = 150;

/**
 * Cuts refused hours at a clock time that the text asks for: "I've a call at 3, could we do 3:30?" How long a call
 * takes is a guess, and the person knows better.
 */
function besideWanted(wanted: readonly Wanted[], refused: Refused[]): Refused[] {
  const points = wanted.filter(
    ({ clock, quote }) =>
      clock && (clock.to - clock.from <= LONGEST_POINT || (clock.to === DAY_MINUTES && HOUR.test(quote))),
  );
  return refused.map((box) => {
    let { clock } = box;
    for (const point of points) {
      const at = point.clock;
      if (!clock || !at || clock.to - clock.from > LONGEST_GUESS || !mayMeet(box, point)) continue;
      if (at.to <= clock.from || clock.to <= at.from) continue;
      if (clock.from < at.from) clock = { from: clock.from, to: at.from };
      else if (at.to < clock.to) clock = { from: at.to, to: clock.to };
    }
    return clock === box.clock ? box : { ...box, clock };
  });
}

/** Returns true unless two boxes name days that they do not share. */
function mayMeet(one: Box, other: Box): boolean {
  const weekdaysOf = ({ dates, weekdays }: Box) =>
    weekdays ??
    dates?.flatMap(({ first, last }) => (first !== undefined && first === last ? [weekdayIndex(first)] : []));
  const [a, b] = [weekdaysOf(one), weekdaysOf(other)];
  return !a || !b || a.some((day) => b.includes(day));
}

/** Returns true for "a later date" beside "next week or the week after", which says which dates are meant. */
const isWider = (box: Box, wanted: readonly Box[]): boolean =>
  !box.clock &&
  !box.weekdays &&
  box.dates?.length === 1 &&
  /\b(?:later|earlier|another|different|other) (?:date|day|time)\b/i.test('quote' in box ? String(box.quote) : '') &&
  wanted.some(
    (other) =>
      other !== box &&
      other.dates !== undefined &&
      other.dates.every(({ first = -1e9 }) => first >= (box.dates?.[0]?.first ?? -1e9)),
  );

const AFTER = /\b(?:week after|following)\b/i;

/** Returns a whole week as its work days, because a refusal of those leaves nobody a day in it. */
const withoutWeekend = (box: Box): Box => ({
  ...box,
  dates: box.dates?.map(({ first, last }) => ({ first, last: last === (first ?? 0) + 6 ? last - 2 : last })),
});

const isShort = ({ first = -1e9, last = 1e9 }: DateSpan) => last - first < 5;

const aWeekLater = (box: Wanted): Wanted => ({
  ...box,
  dates: box.dates?.map(({ first, last }) => ({
    first: first === undefined ? first : first + 7,
    last: last === undefined ? last : last + 7,
  })),
});

/** Returns true if a refusal covers every day that a wish names: "I am out next week. Could we do Monday the 25th?" */
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

/** Merges the start and the end of an absence into one refusal: "on leave from tomorrow, back on the 26th". */
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
  const named = doubts.filter(({ dates }) => dates?.every(isShort));
  const wanted = reading.wanted.map((box) => {
    if (box.dates === undefined) return box;
    // "Any other day" leaves out each day that was named, whatever was said of it.
    const isOther = /\bother\b/i.test(box.quote);
    const all = isOther ? [...named, ...reading.refused.filter(({ dates }) => dates?.every(isShort))] : named;
    const days = all.flatMap(({ dates, clock }) => (clock && !isOther ? [] : (dates ?? [])));
    const left = days.reduce<DateSpan[]>((rest, day) => withoutDays(rest, day), box.dates);
    return left.length > 0 ? { ...box, dates: left } : box;
  });
  return { ...reading, wanted };
}
