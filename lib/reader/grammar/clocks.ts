import { DAY_MINUTES } from '../../engine/time/dates.ts';
import type { ClockSpan } from '../../engine/wish/reading.ts';
import { monthOf } from '../calendar.ts';
import { meaningsOf, phrasesOf, skip, type Word } from './lexicon.ts';

export interface Clock extends ClockSpan {
  next: number;
  isPoint: boolean;
  isGeneral?: boolean;
  isFixed?: boolean | undefined;
  isBare?: boolean;
}

const ONES = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'.split(' ');
const TENS = new Map(Object.entries({ twenty: 20, thirty: 30, forty: 40, fifty: 50 }));

export const numberOf = (word: string): number | undefined =>
  /^\d{1,3}$/.test(word) ? Number(word) : ONES.includes(word) ? ONES.indexOf(word) + 1 : TENS.get(word);

export function countAt(word: Word, at: number): { count: number; next: number } | undefined {
  const [count, ones] = [numberOf(word(at)), ONES.indexOf(word(at + 1)) + 1];
  if (count === undefined) return undefined;
  return TENS.has(word(at)) && ones > 0 && ones < 10 ? { count: count + ones, next: at + 2 } : { count, next: at + 1 };
}

export const [NOON, WORK_END] = [12 * 60, 18 * 60];

const PARTS = new Map<string, Record<'all' | 'early' | 'late' | 'mid', [from: number, to: number]>>(
  Object.entries({
    morning: { all: [0, NOON], early: [0, 600], late: [600, NOON], mid: [570, 690] },
    afternoon: { all: [NOON, 1020], early: [NOON, 900], late: [900, WORK_END], mid: [840, 960] },
    evening: { all: [1020, DAY_MINUTES], early: [1020, 1140], late: [1140, DAY_MINUTES], mid: [1080, 1200] },
    night: { all: [1080, DAY_MINUTES], early: [1080, 1200], late: [1200, DAY_MINUTES], mid: [1080, DAY_MINUTES] },
  }),
);

const NAMED = meaningsOf<readonly [from: number, to: number]>(
  [[0, 600], 'first thing in the morning|first thing|start of the day|early in the day|first slot of the day'],
  [[0, NOON], 'first half of the day|before lunch|pre lunch'],
  [[NOON, WORK_END], 'second half of the day'],
  [[960, WORK_END], 'end of the working day|late in the day|last thing in the day|last thing|end of the day'],
  [[960, WORK_END], 'end of my day|end of day|close of business|eod|cob|teatime|tea time'],
  [[660, 840], 'middle of the day'],
  [[1020, DAY_MINUTES], 'after work|after hour|after working hour|after office hour|out of hour'],
  [[0, 540], 'before work'],
  [[780, WORK_END], 'after lunch|post lunch'],
  [[NOON, 840], 'over lunch|around lunch|round lunch|at lunch|lunch time|lunch hour|lunchtime|lunchtimes'],
  [[540, WORK_END], 'office hour|business hour'],
);

const UNIT =
  /^(?:minutes?|hours?|days?|weeks?|months?|years?|people|persons?|st|nd|rd|th|%|percent|k|pages|slides|items|times|meetings|calls|of|more|other|others|new|or so people|km|miles|hundred|thousand|am-part)$/;

type Half = 'am' | 'pm' | 'day' | '';

const HALF_SAID = meaningsOf<Half>(
  ['am', 'am|in the morning'],
  ['pm', 'pm|in the afternoon|in the evening|at night'],
  ['day', 'h|hrs|uhr|noon'],
);
const OCLOCK = phrasesOf('oclock|o clock');
const BEFORE_HOURS = /^(?:work|working|hours|free|available|open|busy|is|are)$/;

interface Point {
  hour: number;
  minute: number;
  half: Half;
  next: number;
  isSure: boolean;
}

const CLOCK = /^(\d{1,2})[:.h](\d\d)$/;
const MILITARY = /^(?:[01]\d|2[0-3])[0-5]\d$/;

function pointAt(word: Word, at: number, isRangeStart = false): Point | undefined {
  const [first, second] = [word(at), word(at + 1)];
  const point = (hour: number, minute: number, half: Half, next: number, isSure = true): Point => {
    return { hour, minute, half, next, isSure };
  };
  if (first === 'noon') return point(12, 0, 'day', at + 1);
  if (first === 'midnight') return point(24, 0, 'day', at + 1);
  const isNamed = /^(?:hrs|hours?|h)$/.test(second);
  const [, hours = '', minutes = ''] = CLOCK.exec(first) ?? [];
  if (hours) {
    const isDay = hours.length === 2 && (hours.startsWith('0') || Number(hours) > 12);
    return withHalf(point(Number(hours), Number(minutes), isDay ? 'day' : '', isNamed ? at + 2 : at + 1));
  }
  if (MILITARY.test(first) && (isNamed || !/^(?:19|20)/.test(first)))
    return point(Number(first.slice(0, 2)), Number(first.slice(2)), 'day', isNamed ? at + 2 : at + 1, isNamed);
  if (first === 'half') {
    const next = second === 'past' ? at + 2 : at + 1;
    const hour = hourAt(next);
    return hour === undefined || UNIT.test(word(next + 1)) ? undefined : withHalf(point(hour, 30, '', next + 1));
  }
  const past = first === 'quarter' ? { count: 15, next: at + 1 } : countAt(word, at);
  const joint = past ? word(past.next) : '';
  const isTo = joint === 'to' && /^[a-z]/.test(first) && !isRangeStart && !BEFORE_HOURS.test(word(at - 1));
  const hour = past && (isTo || joint === 'past') ? hourAt(past.next + 1) : undefined;
  if (past && hour !== undefined && past.count < 30) {
    const [of, minute] = isTo ? [hour - 1 || 12, 60 - past.count] : [hour, past.count];
    return withHalf(point(of, minute, '', past.next + 2));
  }
  const bare = numberOf(first);
  if (bare === undefined || bare > 24 || bare === 0) return undefined;
  const spoken = countAt(word, at + 1);
  if (spoken && /^[a-z]/.test(second) && spoken.count >= 10)
    return withHalf(point(bare, spoken.count, '', spoken.next));
  return withHalf(point(bare, 0, bare > 12 ? 'day' : '', at + 1, false));

  function hourAt(i: number): number | undefined {
    const hour = numberOf(word(i));
    return hour !== undefined && hour >= 1 && hour <= 12 ? hour : undefined;
  }

  function withHalf(read: Point): Point {
    const start = read.next + OCLOCK(word, read.next);
    const said = HALF_SAID(word, start);
    if (!said || (read.hour === 12 && word(said.next - 1) === 'night'))
      return { ...read, next: start, isSure: read.isSure || start > read.next };
    return { ...read, half: said.meaning, next: said.next, isSure: true };
  }
}

function minuteOf({ hour, minute, half }: Point, oldMinute: number): number | undefined {
  if (hour > 24 || minute > 59 || hour * 60 + minute > DAY_MINUTES) return undefined;
  if (half === 'am' && hour <= 12) return (hour % 12) * 60 + minute;
  const isLate = half === '' && hour < (oldMinute >= WORK_END ? 12 : 7);
  if ((half === 'pm' && hour < 12) || isLate) return (hour + 12) * 60 + minute;
  return hour * 60 + minute;
}

/** Returns the hours between two clock times, in order: "8 to 4" ends at 16:00. The end may be past midnight. */
function between(from: Point, to: Point, oldMinute: number): [from: number, to: number] | undefined {
  let [start, end] = [minuteOf(from, oldMinute), minuteOf(to, oldMinute)];
  if (start === undefined || end === undefined) return undefined;
  if (from.half === '' && to.half !== '' && from.hour <= 12) {
    const halves = [0, NOON].map((half) => half + (from.hour % 12) * 60 + from.minute);
    start = halves.findLast((minute) => minute < (end ?? 0)) ?? start;
  } else if (to.half === '' && end <= start && to.hour <= 12) end += 12 * 60;
  if (end < start) end += DAY_MINUTES;
  return end === start ? undefined : [start, end];
}

export function clockAt(word: Word, at: number, oldMinute: number): Clock | undefined {
  const named = NAMED(word, at);
  if (named) return { from: named.meaning[0], to: named.meaning[1], next: named.next, isPoint: false };
  const part = partAt(word, at);
  if (part) return part;
  const isBetween = word(at) === 'between' || (word(at) === 'from' && word(at + 1) !== '');
  const first = pointAt(word, isBetween ? at + 1 : at, isBetween);
  if (first === undefined) return undefined;
  const joint = word(first.next);
  const isRange = /^(?:-|to|till?|until|through)$/.test(joint) || (joint === 'and' && word(at) === 'between');
  const second = isRange ? pointAt(word, first.next + 1) : undefined;
  const isCount = ({ isSure, next }: Point) =>
    /^(?:minute|hour)$/.test(word(next)) || (!isSure && (UNIT.test(word(next)) || monthOf(word(next)) > 0));
  if (second !== undefined && !isCount(second)) {
    const span = between(first, second, oldMinute);
    if (span === undefined) return undefined;
    const isBare = !isBetween && !first.isSure && !second.isSure;
    return { from: span[0], to: span[1], next: second.next, isPoint: false, isBare };
  }
  if (isBetween || isCount(second ?? first)) return undefined;
  const minute = minuteOf(first, oldMinute);
  if (minute === undefined) return undefined;
  const { next, half, isSure } = first;
  return { from: minute, to: minute, next, isPoint: true, isFixed: half !== '', isBare: !isSure };
}

function partAt(word: Word, at: number): Clock | undefined {
  let i = at;
  let degree: 'all' | 'early' | 'late' | 'mid' = 'all';
  if (/^(?:early|earlier|late|later|mid|middle)$/.test(word(i))) {
    degree = word(i).startsWith('ear') ? 'early' : word(i).startsWith('lat') ? 'late' : 'mid';
    i = skip(word, i + 1, /^(?:in|of|the|on)$/);
  }
  const name = word(i);
  const part = PARTS.get(name.endsWith('s') ? name.slice(0, -1) : name);
  const isOne = !(name.endsWith('s') && word(i + 1) === 'off');
  if (part === undefined || (isOne && /^(?:shift|off|all|out|owl)$/.test(word(i + 1)))) return undefined;
  const [from, to] = part[degree];
  const isPerson = /^(?:person|people)$/.test(word(i + 1));
  const next = isPerson || word(i + 1) === 'time' ? i + 2 : i + 1;
  return { from, to, next, isPoint: false, ...((name.endsWith('s') || isPerson) && { isGeneral: true }) };
}
