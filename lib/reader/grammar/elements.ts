import { DAY_MINUTES } from '../../engine/time/dates.ts';
import type { Calendar } from '../calendar.ts';
import { type Clock, clockAt, NOON, WORK_END } from './clocks.ts';
import { dayAt } from './days.ts';
import { isKnown, MOST_IN_ROW, meaningsOf, phrasesOf, skip, type Word } from './lexicon.ts';
import type { Bound, Element } from './places.ts';
import type { Day, Told } from './weeks.ts';
import { placeAt, zonedAt } from './zones.ts';

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
