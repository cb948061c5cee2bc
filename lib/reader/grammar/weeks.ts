import { mondayOf, weekdayIndex } from '../../engine/time/dates.ts';
import type { Box, ClockSpan, DateSpan } from '../../engine/wish/reading.ts';
import { type Calendar, monthOf, monthSpan, namedMonth } from '../calendar.ts';
import { numberOf } from './clocks.ts';
import { skip, type Word } from './lexicon.ts';

/** Words for dates or weekdays, read at one place of a text. `next` is the place after them. */
export interface Day {
  next: number;
  span?: DateSpan;
  /** Weekdays of any week, 0 for Monday to 6 for Sunday, if the text names them in general: "Mondays", "weekends". */
  weekdays?: number[];
  /** The weekday of a single day that is named by its weekday alone. */
  weekday?: number;
  /** True for a week, a month or another span with a name, within which a weekday beside it lies. */
  isSpan?: boolean;
  /** Hours of the day that an adjective names: "early on Thursday". */
  shade?: ClockSpan;
  isPast?: boolean;
  /** True for words that people understand in different ways, such as "the Friday after next". */
  isUnclear?: boolean;
}

/** The dates to which words such as "that day" and "the week after" refer, while a text is read. */
export interface Told {
  day: number;
  week: number;
  last?: Box | undefined;
}

/** The days of a week, 0 for Monday, that words such as "early" and "the end of" mean. */
const SHARES = new Map<string, [first: number, last: number]>(
  Object.entries({
    ...{ early: [0, 1], earlier: [0, 1], beginning: [0, 1], start: [0, 1], first: [0, 2] },
    ...{ mid: [1, 3], middle: [1, 3], late: [3, 4], end: [3, 4], back: [2, 4], second: [2, 4] },
  }),
);

/** Returns the unit of the second half of "the week before or after", or nothing at other words. */
export function twinAt(word: Word, at: number): string | undefined {
  const isTwin = /^(?:before|after)$/.test(word(at)) && /^(?:or|and|\/)$/.test(word(at - 1));
  const isHalf = isTwin && /^(?:before|after)$/.test(word(at - 2)) && /^(?:day|week)$/.test(word(at - 3));
  return isHalf ? word(at - 3) : undefined;
}

/** Words after "the week before", with which no other day follows that it lies before. */
const ENDS_HERE = /^(?:|[.,;!?()-]|and|or|if|is|works?|would|please|instead|because|as|so|but|on|at|in|for|\w+day)$/;

type DateAt = (at: number) => Day | undefined;

/** Reads weeks, weekends and months: "early next week", "the week of the 14th", "in two weeks", "January". */
export function spanWithName(word: Word, at: number, calendar: Calendar, told: Told, dateAt: DateAt): Day | undefined {
  const { today, oldDay } = calendar;
  // On a weekend, the week of a meeting in the days to come is this one.
  const [ofToday, ofMeeting] = [mondayOf(today), mondayOf(oldDay)];
  const thisWeek = weekdayIndex(today) > 4 && ofMeeting === ofToday + 7 ? ofMeeting : ofToday;
  const share = word(at);
  if (share === 'weekend') {
    const saturday = (word(at - 1) === 'this' ? thisWeek : Math.max(thisWeek, ofMeeting)) + 5;
    return { next: at + 1, span: { first: Math.max(saturday, today), last: saturday + 1 }, isSpan: true };
  }
  const isLater = share === 'later';
  const isRest = isLater || share === 'rest' || share === 'remainder';
  // "Back next week" is no part of it.
  const isShare = !/^(?:first|back)$/.test(share) || /^(?:half|end|part)$/.test(word(at + 1));
  const part = isShare ? SHARES.get(share) : undefined;
  let i = isRest || part ? at + 1 : at;
  if (part && /^(?:half|end|part)$/.test(word(i))) i += 1;
  if (i > at) i = skip(word, i, /^(?:of|in|on|the)$/);
  const found = weekNamed();
  if (found === undefined) return monthSpanAt(word, at, today);
  const { monday, next } = found;
  if (typeof monday !== 'number') return { next, isPast: monday === 'past', isUnclear: monday === undefined };
  const left = told.day + 1 - monday;
  if (isRest && left > 0 && left <= 7)
    return { next, span: { first: Math.max(today, told.day + 1), last: monday + Math.max(4, left) }, isSpan: true };
  const [from, to] = isLater ? [2, 4] : (part ?? [0, 6]);
  return { next, span: { first: Math.max(monday + from, today), last: monday + to }, isSpan: true };

  function weekNamed(): { monday: number | 'past' | undefined; next: number } | undefined {
    const [one, two] = [word(i + 1), word(i + 2)];
    if (word(i) === 'w' && one === '/' && two === 'c') return weekOf(i + 3);
    if (word(i) === 'wc') return weekOf(i + 1);
    if (word(i) === 'week') {
      if (/^(?:of|commencing|beginning|starting)$/.test(one)) return weekOf(i + 2);
      if (one === 'after' && two === 'next') return { monday: thisWeek + 14, next: i + 3 };
      if (/^(?:after|before)$/.test(one)) {
        const next = /^(?:that|this)$/.test(two) ? i + 3 : i + 2;
        const monday = told.week + (one === 'after' ? 7 : -7);
        if (monday + 6 < today)
          return twinAt(word, i + 3) ? { monday: told.week + 7, next: i + 4 } : { monday: undefined, next };
        return { monday: ENDS_HERE.test(word(next)) ? monday : undefined, next };
      }
      if (i > at) return { monday: told.week, next: i + 1 };
    }
    if (word(i) === 'next' && /^(?:or|and|\/)$/.test(word(i - 1)) && word(i - 2) === 'week')
      return { monday: thisWeek + 7, next: i + 1 };
    const j = word(i) === 'the' ? i + 2 : i + 1;
    const isWorking = word(j) === 'working' && word(j + 1) === 'week';
    if (word(j) !== 'week' && !isWorking) return ahead();
    const monday = ofWeek(word(j - 1));
    return monday === null ? undefined : { monday, next: isWorking ? j + 2 : j + 1 };
  }

  function ofWeek(modifier: string): number | 'past' | undefined | null {
    if (modifier === 'this') return thisWeek;
    if (modifier === 'same' || modifier === 'that') return told.week;
    if (modifier === 'next' || modifier === 'coming') return thisWeek + 7;
    if (modifier === 'following') return told.week + 7;
    if (modifier === 'last' || modifier === 'past') return 'past';
    return /^(?:another|different|other)$/.test(modifier) ? undefined : null;
  }

  function weekOf(start: number): { monday: number; next: number } | undefined {
    const day = dateAt(skip(word, start, /^(?:the|on|monday|of)$/));
    return day?.span?.first === undefined ? undefined : { monday: mondayOf(day.span.first), next: day.next };
  }

  /** Reads "in two weeks" and "within a fortnight". */
  function ahead(): { monday: number; next: number } | undefined {
    if (!/^(?:in|within)$/.test(word(i))) return undefined;
    const isCouple = word(i + 2) === 'couple';
    const count = isCouple ? 2 : /^an?$/.test(word(i + 1)) ? 1 : numberOf(word(i + 1));
    const unit = isCouple ? (word(i + 3) === 'of' ? i + 4 : i + 3) : i + 2;
    const weeks = word(unit) === 'fortnight' ? 2 : word(unit) === 'week' ? 1 : 0;
    if (count === undefined || count * weeks === 0) return undefined;
    return { monday: mondayOf(today + 7 * weeks * count), next: word(unit + 1) === 'time' ? unit + 2 : unit + 1 };
  }
}

/** Reads "January", "early in January", "next month", "the new year" and "Christmas". */
function monthSpanAt(word: Word, at: number, today: number): Day | undefined {
  const share = /^(?:early|beginning|start|mid|middle|late|end)$/.test(word(at)) ? word(at) : '';
  let i = share ? at + 1 : at;
  if (share) i = skip(word, i, /^(?:in|of|the)$/);
  if (/^(?:christmas|xmas)$/.test(word(i))) {
    const { first } = namedMonth(today, 12);
    return { next: word(i + 1) === 'day' ? i + 2 : i + 1, span: { first: first + 23, last: first + 25 }, isSpan: true };
  }
  const two = `${word(i)} ${word(i + 1)}`;
  const month = two === 'new year' ? 1 : monthOf(word(i));
  // "March" and "may" are words of their own.
  const isVerb =
    word(i) === 'may' || (word(i) === 'march' && !/^(?:in|of|until|early|late|mid|till?)$/.test(word(i - 1)));
  const isRelative = two === 'next month' || two === 'this month';
  if (!isRelative && (month === 0 || isVerb)) return undefined;
  const span = isRelative ? monthSpan(today, word(i) === 'next' ? 1 : 0) : namedMonth(today, month);
  let first = two === 'new year' ? span.first + 1 : span.first;
  let { last } = span;
  if (/^(?:early|beginning|start)$/.test(share)) last = first + 9;
  else if (/^mid/.test(share)) [first, last] = [first + 9, first + 19];
  else if (share) first = last - 9;
  const next = isRelative || two === 'new year' ? i + 2 : i + 1;
  return { next, span: { first: Math.max(first, today), last }, isSpan: true };
}
