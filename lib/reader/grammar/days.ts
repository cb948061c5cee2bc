import { mondayOf, parseDate, WEEKDAYS, weekdayIndex } from '../../engine/time/dates.ts';
import { type Calendar, dateOf, dateOfPair, monthOf, weekdayAfter, weekdayNear } from '../calendar.ts';
import { numberOf } from './clocks.ts';
import { meaningsOf, phrasesOf, skip, type Word } from './lexicon.ts';
import { type Day, namedSpan, type Told } from './weeks.ts';

export const TO = /^(?:-|to|till?|until|through)$/;
const ORDINAL = /^(?:st|nd|rd|th)$/;

const isRange = (word: Word, at: number, joint: number) =>
  TO.test(word(joint)) ||
  (/^(?:and|&)$/.test(word(joint)) && word(word(at - 1) === 'the' ? at - 2 : at - 1) === 'between');
const on = (next: number, day: number | 'past' | undefined): Day | undefined =>
  day === 'past' ? { next, isPast: true } : day === undefined ? undefined : { next, span: { first: day, last: day } };
const unclear = (next: number): Day => ({ next, isUnclear: true });

export function dayAt(word: Word, at: number, calendar: Calendar, told: Told): Day | undefined {
  const first = oneDayAt(word, at, calendar, told);
  if (first === undefined || first.isPast || first.isUnclear || !isRange(word, at, first.next)) return first;
  const last = oneDayAt(word, first.next + (word(first.next + 1) === 'the' ? 2 : 1), calendar, told);
  if (last === undefined || last.isPast || last.isUnclear) return first;
  const { next } = last;
  if (first.weekdays && last.weekdays?.length === 1)
    return { next, weekdays: run(first.weekdays[0], last.weekdays[0]) };
  if (first.weekdays || last.weekdays || first.isSpan || last.isSpan || !first.span || !last.span) return first;
  const from = first.span.first ?? 0;
  let to = last.span.first ?? 0;
  if (to <= from && last.weekday !== undefined) to = weekdayAfter(from, last.weekday);
  const isNamed = first.weekday !== undefined && last.weekday !== undefined;
  return { next, span: { first: from, last: to }, ...(isNamed && { weekdays: run(first.weekday, last.weekday) }) };
}

const run = (first = 0, last = 0): number[] =>
  Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, i) => (first + i) % 7);

const FROM_TODAY = meaningsOf([0, 'today'], [1, 'tomorrow'], [2, 'day after tomorrow'], [8, 'tomorrow week']);
const FROM_TOLD = meaningsOf([-1, 'day before'], [0, 'same day|that day'], [1, 'day after|next day|following day']);
const WORKDAYS = phrasesOf('weekday|weekdays|working days|week days');

function oneDayAt(word: Word, at: number, calendar: Calendar, told: Told): Day | undefined {
  const { today } = calendar;
  const first = word(at);
  if (first === 'tonight') return on(at, today);
  if (first === 'this' && /^(?:morning|afternoon|evening)$/.test(word(at + 1))) return on(at + 1, today);
  if (first === 'yesterday') return on(at + 1, 'past');
  if (first === 'weekends') return { next: at + 1, weekdays: [5, 6] };
  const [ahead, after] = [FROM_TODAY(word, at), FROM_TOLD(word, at)];
  if (ahead) return on(ahead.next, today + ahead.meaning);
  if (after && /^(?:that|next)$/.test(word(after.next))) return unclear(after.next + 1);
  if (after) return on(after.next, told.day + after.meaning);
  if (WORKDAYS(word, at) > 0) return { next: at + WORKDAYS(word, at), weekdays: [0, 1, 2, 3, 4] };
  const count = numberOf(word(at + 1));
  if (first === 'in' && count !== undefined && /^days?$/.test(word(at + 2)))
    return on(word(at + 3) === 'time' ? at + 4 : at + 3, today + count);
  const near = told.week === mondayOf(calendar.oldDay) ? calendar : { ...calendar, oldDay: told.week };
  const dateOn = (j: number) => dateAt(word, j, near);
  return weekdayAt(word, at, calendar) ?? dateOn(at) ?? namedSpan(word, at, calendar, told, dateOn);
}

const MODIFIER = /^(?:this|next|last|coming|following|every|each|another|any)$/;

const isNextListed = (word: Word, at: number): boolean =>
  /^(?:or|and|&|,|\/|-|to)$/.test(word(at - 1)) &&
  /.day$/.test(word(at - 2)) &&
  (word(at - 3) === 'next' || (/.day$/.test(word(at - 4)) && word(at - 5) === 'next'));

function weekdayAt(word: Word, at: number, calendar: Calendar): Day | undefined {
  let modifier = MODIFIER.test(word(at)) ? word(at) : isNextListed(word, at) ? 'next' : '';
  let i = MODIFIER.test(word(at)) ? at + 1 : at;
  if (modifier && /^(?:coming|other|single|following|few)$/.test(word(i))) {
    if (word(i) === 'other') modifier = 'other';
    i += 1;
  }
  const isMany = word(i).endsWith('days');
  const weekday = WEEKDAYS.findIndex((name) => name === word(i) || `${name}s` === word(i));
  if (weekday < 0) return undefined;
  const next = i + 1;
  if (modifier === 'other') return unclear(next);
  if (modifier === 'last') return on(next, 'past');
  if (isMany || modifier === 'every' || modifier === 'each') return { next, weekdays: [weekday] };
  const near = weekdayNear(calendar, weekday);
  if (word(next) === 'after' && word(next + 1) === 'next') return unclear(next + 2);
  const isAfter = word(next) === 'after' && /^(?:|[.,;!?)]|please|instead)$/.test(word(next + 1));
  if (modifier === '' && (isAfter || word(next) === 'week')) return on(next + 1, near + 7);
  const j = skip(word, next, /^(?:,|the)$/);
  const date = word(j) === 'in' ? undefined : dateAt(word, j, calendar);
  const dated = date?.span?.first;
  if (date && dated !== undefined && dated === date.span?.last)
    return weekdayIndex(dated) === weekday ? date : unclear(date.next);
  // "Next Friday" is the one of next week on every day of this week.
  if (modifier === 'next') return on(next, mondayOf(calendar.today) + weekday + 7);
  if (modifier === 'following') return on(next, weekdayAfter(calendar.oldDay, weekday));
  const isThis = modifier === 'this' || modifier === 'coming';
  const day = isThis ? weekdayAfter(calendar.today, weekday) : near;
  return { next, span: { first: day, last: day }, weekday };
}

const yearOf = (digits: string | undefined): number | undefined =>
  digits ? Number(digits) + (digits.length === 2 ? 2_000 : 0) : undefined;

function figuresAt(at: number, figures: string, calendar: Calendar): Day | undefined {
  const [, a, b, ofYear] = /^(\d{1,2})\/(\d{1,2})(?:\/(\d+))?$/.exec(figures) ?? [];
  if (a !== undefined) return on(at + 1, dateOfPair(calendar, Number(a), Number(b), yearOf(ofYear))) ?? unclear(at + 1);
  const [, date, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d*)$/.exec(figures) ?? [];
  if (date !== undefined)
    return on(at + 1, dateOf(calendar, Number(date), Number(month), yearOf(year))) ?? unclear(at + 1);
  const day = parseDate(figures);
  return on(at + 1, day !== undefined && day < calendar.today ? 'past' : day);
}

const THING = /^(?:time|floor|draft|attempt|choice|person|party|one|version|round|of|half|week)$/;

function dateAt(word: Word, at: number, calendar: Calendar): Day | undefined {
  if (/^\d+[-/.]\d/.test(word(at))) return figuresAt(at, word(at), calendar);
  const isMonth = (i: number) =>
    monthOf(word(i)) > 0 && !(word(i) === 'may' && /^(?:be|not|have|need|i|we)$/.test(word(i + 1)));
  const monthAt = (i: number) => (word(i) === 'of' ? i + 1 : i);
  const numberAt = (i: number): { date: number; next: number; isOrdinal: boolean } | undefined => {
    const date = /^\d{1,2}$/.test(word(i)) ? Number(word(i)) : 0;
    const isOrdinal = ORDINAL.test(word(i + 1));
    return date < 1 || date > 31 ? undefined : { date, next: isOrdinal ? i + 2 : i + 1, isOrdinal };
  };
  if (isMonth(at)) {
    const from = numberAt(word(at + 1) === 'the' ? at + 2 : at + 1);
    if (from === undefined || /^(?:am|pm|:)$/.test(word(from.next))) return undefined;
    const to = TO.test(word(from.next)) ? numberAt(from.next + 1) : undefined;
    return spanned(from.date, to?.date, monthOf(word(at)), to?.next ?? from.next);
  }
  const from = numberAt(at);
  if (from === undefined) return undefined;
  const isRun = isRange(word, at, from.next);
  const isList = /^(?:or|and|&)$/.test(word(from.next));
  const to = isRun || isList ? numberAt(from.next + (word(from.next + 1) === 'the' ? 2 : 1)) : undefined;
  const last = to && monthAt(to.next);
  if (to && last && isMonth(last) && !isRun) return spanned(from.date, undefined, monthOf(word(last)), from.next);
  if (to && last && isRun && (isMonth(last) || (from.isOrdinal && to.isOrdinal)))
    return spanned(from.date, to.date, monthOf(word(last)), isMonth(last) ? last + 1 : to.next);
  const month = monthAt(from.next);
  if (isMonth(month)) return spanned(from.date, undefined, monthOf(word(month)), month + 1);
  return from.isOrdinal && !THING.test(word(from.next)) ? spanned(from.date, undefined, 0, from.next) : undefined;

  function spanned(date: number, last: number | undefined, month: number, end: number): Day | undefined {
    const year = /^20\d\d$/.test(word(end)) && month > 0 ? Number(word(end)) : undefined;
    const next = /^20\d\d$/.test(word(end)) ? end + 1 : end;
    if (last === undefined) return on(next, dateOf(calendar, date, month, year));
    const to = dateOf(calendar, last, month, year);
    if (typeof to !== 'number') return on(next, 'past');
    return last < date ? unclear(next) : { next, span: { first: to - (last - date), last: to } };
  }
}
