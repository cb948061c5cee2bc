import { mondayOf, weekdayIndex } from '../../engine/time/dates.ts';
import type { ClockSpan, DateSpan } from '../../engine/wish/reading.ts';
import { type Calendar, monthOf, monthSpan, namedMonth } from '../calendar.ts';
import { meaningsOf, phrasesOf, skip, type Word } from './lexicon.ts';
import { amountAt } from './moves.ts';

export interface Day {
  next: number;
  span?: DateSpan;
  /** Weekdays of any week, 0 for Monday to 6 for Sunday, if the text names them in general: "Mondays", "weekends". */
  weekdays?: number[];
  weekday?: number;
  /** True for a week, a month or another span with a name, within which a weekday beside it lies. */
  isSpan?: boolean;
  shade?: ClockSpan;
  isPast?: boolean;
  isUnclear?: boolean;
}

/** The dates to which words such as "that day" and "the week after" refer, while a text is read. */
export interface Told {
  day: number;
  week: number;
}

type Days = readonly [first: number, last: number];
/** Days of a week, of which 0 is Monday, and of a month, whose last is -1. `isRest` begins after the day named last. */
type Share = { week?: Days; month: Days; isRest?: boolean };

/** The first week of a month is its first seven days. "Next" week, weekend or Friday is of the week after this one. */
const SHARES = meaningsOf<Share>(
  [{ week: [0, 1], month: [0, 9] }, 'early|earlier|beginning|start|early part|first part'],
  [{ week: [1, 3], month: [9, 19] }, 'mid|middle|midweek|middle part'],
  [{ week: [3, 4], month: [-7, -1] }, 'late|end|late part|latter part|back end'],
  [{ week: [0, 2], month: [0, 14] }, 'first half|1 st half|early half'],
  [{ week: [2, 4], month: [-16, -1] }, 'second half|2 nd half|second part|back half|latter half'],
  [{ week: [2, 4], month: [-16, -1], isRest: true }, 'later'],
  [{ week: [0, 6], month: [0, -1], isRest: true }, 'rest|remainder'],
  [{ month: [0, 6] }, 'first week|1 st week|first few days|first days'],
  [{ month: [7, 13] }, 'second week|2 nd week'],
  [{ month: [14, 20] }, 'third week|3 rd week'],
  [{ month: [21, 27] }, 'fourth week'],
  [{ week: [2, 4], month: [-5, -1] }, 'last few days|last days|final days'],
  [{ month: [-7, -1] }, 'last week|final week'],
);

const ENDS_HERE = /^(?:|[.,;!?()-]|and|or|if|is|works?|would|please|instead|because|as|so|but|on|at|in|for|\w+day)$/;

const NAMES = phrasesOf('week|weekend|working week');
const WEEK_OF = phrasesOf('w / c|wc|week of|week commencing|week beginning|week starting');
type DateAt = (at: number) => Day | undefined;

export function namedSpan(word: Word, start: number, calendar: Calendar, told: Told, dateAt: DateAt): Day | undefined {
  const at = word(start) === 'the' ? start + 1 : start;
  const { today, oldDay } = calendar;
  // On a weekend, the week of a meeting in the days to come is this one.
  const [ofToday, ofMeeting] = [mondayOf(today), mondayOf(oldDay)];
  const thisWeek = weekdayIndex(today) > 4 && ofMeeting === ofToday + 7 ? ofMeeting : ofToday;
  if (word(at) === 'weekend')
    return weekend(word(at - 1) === 'this' ? thisWeek : Math.max(thisWeek, ofMeeting), at + 1);
  let share = SHARES(word, at);
  let i = share ? skip(word, share.next, /^(?:of|in|on|the)$/) : at;
  const month = monthAt(share?.meaning.month);
  if (month) return month;
  if (!share?.meaning.week) [share, i] = [undefined, at];
  const { week = [0, 6], isRest = false } = share?.meaning ?? {};
  const found = weekNamed() ?? (word(at) === 'midweek' ? { monday: told.week, next: at + 1 } : undefined);
  if (found === undefined) return undefined;
  const { monday, next } = found;
  if (typeof monday !== 'number') return { next, isPast: monday === 'past', isUnclear: monday === undefined };
  if (word(next - 1) === 'weekend') return weekend(monday, next);
  const left = told.day + 1 - monday;
  if (isRest && left > 0 && left <= 7)
    return { next, span: { first: Math.max(today, told.day + 1), last: monday + Math.max(4, left) }, isSpan: true };
  return { next, span: { first: Math.max(monday + week[0], today), last: monday + week[1] }, isSpan: true };

  function weekend(monday: number, next: number): Day {
    return { next, span: { first: Math.max(monday + 5, today), last: monday + 6 }, isSpan: true };
  }

  function monthAt(share: Days = [0, -1]): Day | undefined {
    const month = monthOf(word(i));
    const isVerb =
      word(i) === 'may' || (word(i) === 'march' && !/^(?:in|of|until|early|late|mid|till?)$/.test(word(i - 1)));
    const isTwo = /^(?:next|this) month$/.test(`${word(i)} ${word(i + 1)}`);
    if (!isTwo && !(i > at && word(i) === 'month') && (month === 0 || isVerb || dateAt(i))) return undefined;
    const ofDay = isTwo ? today : told.day;
    const whole = month === 0 ? monthSpan(ofDay, word(i) === 'next' ? 1 : 0) : namedMonth(today, month);
    const dayOf = (day: number) => (day < 0 ? whole.last + 1 : whole.first) + day;
    const [first, last] = [Math.max(dayOf(share[0]), today), dayOf(share[1])];
    const next = isTwo ? i + 2 : i + 1;
    return last < today ? { next, isPast: true } : { next, span: { first, last }, isSpan: true };
  }

  function weekNamed(): { monday: number | 'past' | undefined; next: number } | undefined {
    const [one, two] = [word(i + 1), word(i + 2)];
    const of = WEEK_OF(word, i);
    const day = of > 0 ? dateAt(skip(word, i + of, /^(?:the|on|monday|of)$/)) : undefined;
    if (day?.span?.first !== undefined) return { monday: mondayOf(day.span.first), next: day.next };
    if (word(i) === 'week') {
      if (one === 'after' && two === 'next') return { monday: thisWeek + 14, next: i + 3 };
      if (/^(?:after|before)$/.test(one)) {
        const next = /^(?:that|this)$/.test(two) ? i + 3 : i + 2;
        const monday = told.week + (one === 'after' ? 7 : -7);
        return { monday: ENDS_HERE.test(word(next)) && monday + 6 >= today ? monday : undefined, next };
      }
      if (i > at) return { monday: told.week, next: i + 1 };
    }
    const next = i + 1 + NAMES(word, i + 1);
    if (next === i + 1) return ahead();
    const isThis = word(i) === 'this' || (word(i) === 'coming' && one === 'weekend');
    if (/^(?:this|next|coming)$/.test(word(i))) return { monday: isThis ? thisWeek : thisWeek + 7, next };
    if (/^(?:same|that)$/.test(word(i))) return { monday: told.week, next };
    if (word(i) === 'following') return { monday: told.week + 7, next };
    if (/^(?:last|past)$/.test(word(i))) return { monday: 'past', next };
    return /^(?:another|different|other)$/.test(word(i)) ? { monday: undefined, next } : undefined;
  }

  function ahead(): { monday: number; next: number } | undefined {
    if (word(i) !== 'in') return undefined;
    const { days, next = i } = amountAt(word, skip(word, i + 1, /^(?:about|around|roughly)$/)) ?? {};
    if (days === undefined || /^days?$/.test(word(next - 1))) return undefined;
    return { monday: mondayOf(today + days), next: word(next) === 'time' ? next + 1 : next };
  }
}
