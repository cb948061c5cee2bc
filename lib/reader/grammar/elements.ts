import { DAY_MINUTES, mondayOf, parseDate, WEEKDAYS, weekdayIndex } from '../../engine/time/dates.ts';
import { type Calendar, dateOf, dateOfPair, monthOf, weekdayAfter, weekdayNear } from '../calendar.ts';
import { type Clock, clockAt, NOON, numberOf, WORK_END } from './clocks.ts';
import { isKnown, MOST_IN_ROW, meaningsOf, phrasesOf, skip, type Word } from './lexicon.ts';
import type { Bound, Element } from './places.ts';
import { type Day, namedSpan, type Told } from './weeks.ts';
import { placeAt, zonedAt } from './zones.ts';

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

const BOUNDS = meaningsOf<Bound>(
  ['by', 'no later than|not later than|at the latest by|latest by|by'],
  ['from', 'no earlier than|not earlier than|no sooner than|not until|not till|as of'],
  ['from', 'earliest start|earliest start at|from|starting'],
  ['after', 'later than|any time after|after|past|post'],
  ['before', 'earlier than|prior to|ahead of|before|pre'],
  ['until', 'up until|up to|latest start|latest start at|latest finish|latest end|until|till|til'],
  ['around', 'close to|closer to|nearer to|around|round|roundabout|circa|about'],
  ['around', 'approx|approximately|roughly|like|nearer|towards'],
  ['between', 'between'],
);

const SUFFIXES = meaningsOf<Bound>(
  ['from', 'is the earliest i can do|is the earliest i can make|is the earliest i can realistically do'],
  ['from', 'is the earliest i can|is the earliest|at the earliest|at the very earliest|earliest'],
  ['from', 'or later|or after|or onwards|and later|and after|and onwards|and beyond|onwards|onward'],
  ['until', 'is the latest i can do|is the latest|or earlier|or before|or sooner|at the latest|latest'],
  ['around', 'or so|or thereabouts|ish'],
);

const GLUE =
  /^(?:on|at|@|in|of|the|during|over|for|any|some|a|all|whole|entire|sometime|anytime|this|every|each|very|time|somewhere|my|our|your|either|both|just|say)$/;

const NUMBERED =
  /^(?:rooms?|version|section|ticket|gate|pages?|chapters?|platform|terminal|number|ext|desk|v|line|step|item|question|years?|ages?|aged|grades?|floors?|levels?)$/;

const FOR = phrasesOf('for the next|for the rest|for the whole|for the coming|for the remainder');

export type Found = Element & { next: number; isUnclear: boolean };

/** The word beside a time limits it. `before` is what was read last: a bare number after it is a clock time too. */
export function elementsOf(word: Word, calendar: Calendar, told: Told, isLoose: boolean) {
  const { oldMinute } = calendar;
  const dayOn = (j: number) => dayAt(word, j, calendar, told);
  const clockOn = (j: number) => clockAt(word, j, oldMinute);
  return elementAt;

  function elementAt(start: number, last: 'day' | 'clock' | ''): Found | undefined {
    let j = start;
    let bound: Bound = '';
    if (GLUE.test(word(start)) && word(start) === word(start + 1)) return undefined;
    for (let guard = 0; guard < MOST_IN_ROW; guard++) {
      const isLiked = word(j) === 'like' && /^(?:i|we|would|really)$/.test(word(j - 1));
      const named = isLiked ? undefined : BOUNDS(word, j);
      if (named && clockOn(j)?.isPoint === false) break;
      if (named && bound === '') {
        bound = named.meaning;
        j = named.next;
        if (/^(?:about|around)$/.test(word(j)) && bound !== 'around') j += 1;
      } else if (bound === 'before' && /^(?:the )?end of/.test(`${word(j)} ${word(j + 1)} ${word(j + 2)}`))
        bound = 'by';
      else if ((GLUE.test(word(j)) || (bound === 'by' && /^(?:end|close)$/.test(word(j)))) && !dayOn(j) && !clockOn(j))
        j += 1;
      else break;
    }
    const day = shadedDay(j) ?? dayOn(j);
    if (day && word(j) === 'tonight')
      return ended({ day, clock: { from: 1020, to: DAY_MINUTES, next: j + 1, isPoint: false }, bound }, j + 1);
    const found = day && ended({ day, bound: bound === 'around' ? '' : bound }, day.next);
    if (found) return { ...found, isUnclear: found.isUnclear || FOR(word, start) > 0 };
    const isHalf = /^(?:am|pm)$/.test(word(j)) && last === 'day';
    const [from, to] = word(j) === 'am' ? [0, NOON] : [NOON, WORK_END];
    const isSame = word(j) === 'same' && /^(?:time|hour|slot)$/.test(word(j + 1));
    const isNamed = word(j - 1) === 'the' && /^(?:to|from|train|flight|bus|call|meeting|slot)$/.test(word(j + 1));
    if (NUMBERED.test(word(j - 1)) || (isNamed && !isHalf)) return undefined;
    const half: Clock | undefined = isHalf ? { from, to, next: j + 1, isPoint: false } : clockOn(j);
    const clock = isSame ? { from: oldMinute, to: oldMinute, next: j + 2, isPoint: true } : half;
    if (clock === undefined || bound === 'between') return undefined;
    if (clock.isBare && !isBareClock(j, clock, bound, isLoose || last !== '')) return undefined;
    return withZone(clock, bound);
  }

  function shadedDay(j: number): Day | undefined {
    if (!/^(?:early|late|first)$/.test(word(j))) return undefined;
    const day = dayOn(skip(word, j + 1, /^(?:on|the|in)$/));
    if (day?.span === undefined || day.isSpan || day.weekdays || word(day.next) === 'of' || clockOn(day.next))
      return undefined;
    return { ...day, shade: word(j) === 'late' ? { from: 900, to: 1080 } : { from: 0, to: 660 } };
  }

  function isBareClock(j: number, clock: Clock, bound: Bound, isAfter: boolean): boolean {
    const [before, after] = [word(j - 1), word(clock.next)];
    const isWord = /^[\p{L}\d£$€%]/u.test(after);
    if (isWord && (clock.isPoint || !isAfter) && !isKnown(after) && !placeAt(word, clock.next) && !dayOn(clock.next))
      return false;
    if (!clock.isPoint) return before !== 'in';
    const other = after === 'or' ? clockOn(clock.next + 1) : undefined;
    if (other && (!other.isBare || dayOn(skip(word, other.next, /^(?:on|the)$/)))) return true;
    if (/^(?:one|two|three|1|2)$/.test(word(j)) && /^(?:of|or)$/.test(after) && bound === '') return false;
    if (word(j) === 'one' && /^(?:only|the|this|that|which)$/.test(before)) return false;
    return isAfter || bound !== '' || /^(?:at|@)$/.test(before) || SUFFIXES(word, clock.next) !== undefined;
  }

  function withZone(clock: Clock, bound: Bound): Found {
    const zoned = zonedAt(word, clock, calendar);
    if (zoned === 'unclear') return { ...ended({ clock, bound }, clock.next), isUnclear: true };
    return ended({ clock: zoned, bound }, zoned.next);
  }

  function ended(element: Element, after: number): Found {
    const { bound } = element;
    const isOn = word(after) === 'on' && (element.clock?.isPoint || element.day) && !isFollowed(after + 1);
    const onward = isOn && bound !== 'around' ? ({ meaning: 'from', next: after + 1 } as const) : undefined;
    const found = SUFFIXES(word, after);
    const isOther = found && /^(?:after|before)$/.test(word(found.next - 1)) && clockOn(found.next);
    const suffix = isOther ? undefined : (found ?? onward);
    const isSame = suffix?.meaning === 'until' && /^(?:by|until|before)$/.test(bound);
    if (suffix && /^(?:before|after)$/.test(word(after - 1))) return { ...element, isUnclear: true, next: suffix.next };
    if (suffix && (isSame || /^(?:|from|around)$/.test(bound)))
      return { ...element, isUnclear: false, bound: isSame ? bound : suffix.meaning, next: suffix.next };
    return { ...element, isUnclear: false, next: after };
  }

  function isFollowed(at: number): boolean {
    const j = skip(word, at, /^(?:the|a|our|my|this|next)$/);
    const isEnd = /^(?:please|if|would|is|works?|that|and|but|or|in|for|as|because|i|we)$/.test(word(j));
    return dayOn(j) !== undefined || (/^[\p{L}\d]/u.test(word(j)) && !isEnd);
  }
}
