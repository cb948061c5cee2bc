import { DAY_MINUTES, parseDate, parseMinute, WEEKDAYS, weekdayIndex } from '../../engine/time/dates.ts';
import { type Box, type ClockSpan, nothingRead, type Reading, type Rule } from '../../engine/wish/reading.ts';
import type { Purpose } from '../rules/standing.ts';
import type { Calendar } from '../text/calendar.ts';
import { refusedHours } from '../text/day-parts.ts';
import type { ParsedReading } from './answer.ts';

const FARTHEST_DAYS = 400;
/** Largest number of days by which the first day of a span of dates may lie in the past. The last day must not lie in the past. */
const PAST_DAYS = 31;

/**
 * Answer of the language model after each of its parts was checked. `contradictions` has a sentence for the model about
 * each part that contradicts what the built-in rules read.
 */
export interface Checked {
  reading: Reading;
  /** True if the answer named times, moves or rules, and not one of them passed the checks. */
  isHollow: boolean;
  contradictions: string[];
}

interface Times {
  quote: string;
  first_date?: string | null | undefined;
  last_date?: string | null | undefined;
  weekdays?: readonly string[] | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
}

/**
 * Checks each part of the language model's answer and keeps those that pass. The part's quote must occur in the text,
 * and a weekday in the quote must agree with the date. Dates must not be past or more than 400 days away, and a span
 * must not end before it begins. The quote of a part that fails goes to `unread` if it occurs in the text. A part that
 * contradicts what the built-in rules read with certainty is left out, and `contradictions` names it.
 */
export function checkReading(
  answer: ParsedReading,
  text: string,
  purpose: Purpose,
  calendar: Calendar,
  byRules: Reading,
): Checked {
  const reading = nothingRead('model');
  const contradictions: string[] = [];
  const occurs = occursIn(text);
  const drop = (quote: string) => {
    if (occurs(quote)) reading.unread.push(quote);
  };
  const boxed = (part: Times): Box | undefined => {
    const box = occurs(part.quote) ? boxOf(part, calendar) : undefined;
    if (box === undefined) drop(part.quote);
    return box;
  };
  for (const part of purpose === 'context' ? [] : answer.refused) {
    const box = boxed(part);
    if (box && !contradicts('refused', part.quote, box))
      reading.refused.push({ ...box, ...(box.clock && { clock: refusedHours(box.clock) }), quote: part.quote });
  }
  for (const part of purpose === 'context' ? [] : answer.wanted) {
    const box = boxed(part);
    if (box === undefined || contradicts('wanted', part.quote, box)) continue;
    if (reading.refused.some((other) => isSame(other, box))) drop(part.quote);
    else reading.wanted.push({ ...box, strength: part.only ? 'must' : 'rather', quote: part.quote });
  }
  for (const { quote, direction, what, minutes, days } of purpose === 'context' ? [] : answer.moves) {
    if (!occurs(quote)) drop(quote);
    else if (byRules.moves.length > 0 && byRules.moves.every((move) => move.direction !== direction))
      contradict(quote, `as ${byRules.moves[0]?.direction}`);
    else if (days) reading.moves.push({ direction, what: 'day', by: days, exactly: true, quote });
    else if (minutes) reading.moves.push({ direction, what: 'clock', by: minutes, exactly: true, quote });
    else reading.moves.push({ direction, what, exactly: false, quote });
  }
  if (purpose === 'reason' && answer.soon && occurs(answer.soon.quote))
    reading.soon = { when: answer.soon.when, quote: answer.soon.quote };
  for (const part of answer.standing) {
    const rule = occurs(part.quote) ? ruleOf(part) : undefined;
    if (rule === undefined) drop(part.quote);
    else reading.standing.push(rule);
  }
  for (const quote of [...answer.not_understood, ...answer.misshapen]) drop(quote);
  reading.unread = [...new Set(reading.unread)];
  const isEmpty =
    [...reading.wanted, ...reading.refused, ...reading.moves, ...reading.standing].length === 0 && !reading.soon;
  const claimed = [...answer.wanted, ...answer.refused, ...answer.moves, ...answer.standing, ...answer.misshapen];
  return { reading, contradictions, isHollow: isEmpty && contradictions.length === 0 && claimed.length > 0 };

  function contradict(quote: string, read: string): void {
    contradictions.push(`"${quote}" reads ${read}.`);
    reading.unread.push(quote);
  }

  function contradicts(kind: 'wanted' | 'refused', quote: string, box: Box): boolean {
    const opposite = kind === 'wanted' ? byRules.refused : byRules.wanted;
    const alike = kind === 'wanted' ? byRules.wanted : byRules.refused;
    const near = (other: { quote: string }) => overlap(text, quote, other.quote);
    if (opposite.some((other) => near(other) && isSame(other, box)) && !alike.some((other) => isSame(other, box))) {
      contradict(quote, kind === 'wanted' ? 'as times that are ruled out' : 'as times that are asked for');
      return true;
    }
    const named = alike.filter((other) => near(other) && isOneDay(other));
    if (isOneDay(box) && named.length === 1 && named[0]?.dates?.[0]?.first !== box.dates?.[0]?.first) {
      contradict(quote, 'as another day');
      return true;
    }
    return false;
  }
}

const isOneDay = ({ dates }: Box) =>
  dates?.length === 1 && dates[0]?.first !== undefined && dates[0].first === dates[0].last;

/**
 * Returns true if two wishes or refusals name the same days, and either both name hours that overlap or neither names
 * hours.
 */
function isSame(a: Box, b: Box): boolean {
  const key = ({ dates, weekdays }: Box) => JSON.stringify([dates?.map(({ first, last }) => [first, last]), weekdays]);
  if (a.clock && b.clock && (a.clock.to <= b.clock.from || b.clock.to <= a.clock.from)) return false;
  return (
    key(a) === key(b) &&
    (a.dates ?? a.weekdays ?? a.clock) !== undefined &&
    !(a.clock === undefined) === !(b.clock === undefined)
  );
}

const plain = (text: string) => text.toLowerCase().replace(/[‘’]/g, "'").replace(/\s+/g, ' ').trim();

/** Returns a function that says if a quote occurs in the text, in any letter case. */
function occursIn(text: string): (quote: string) => boolean {
  const whole = plain(text);
  return (quote) => plain(quote) !== '' && whole.includes(plain(quote));
}

function overlap(text: string, a: string, b: string): boolean {
  const whole = plain(text);
  const [one, other] = [a, b].map((quote) => whole.indexOf(plain(quote.split(' … ')[0] ?? quote)));
  if (one === undefined || other === undefined || one < 0 || other < 0) return false;
  return one < other + plain(b).length && other < one + plain(a).length;
}

const NAMES = /\b(mon|tue|wed|thu|fri|sat|sun)[a-z]*\b/g;
const SHORT = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

function boxOf({ quote, first_date, last_date, weekdays, from, to }: Times, { today }: Calendar): Box | undefined {
  const first = first_date ? parseDate(first_date) : undefined;
  const last = last_date ? parseDate(last_date) : undefined;
  const clock = clockOf(from, to);
  if (clock === null || (first_date && first === undefined) || (last_date && last === undefined)) return undefined;
  if (first !== undefined && last !== undefined && first > last) return undefined;
  const known = [first, last].filter((day) => day !== undefined);
  if (
    known.some((day) => day > today + FARTHEST_DAYS || day < today - PAST_DAYS) ||
    (last !== undefined && last < today)
  )
    return undefined;
  const named = [...quote.toLowerCase().matchAll(NAMES)].map(([, name = '']) => SHORT.indexOf(name));
  const isOne = first !== undefined && first === last;
  if (isOne && named.length > 0 && !named.includes(weekdayIndex(first))) return undefined;
  const days = weekdaysOf(weekdays);
  if (known.length === 0 && days === undefined && clock === undefined) return undefined;
  return {
    ...(known.length > 0 && { dates: [{ first, last }] }),
    ...(days && { weekdays: days }),
    ...(clock && { clock }),
  };
}

/**
 * Returns the hours between two clock times HH:MM, where a missing one means midnight. Returns undefined if both are
 * missing, and null if they are not in order.
 */
function clockOf(from: string | null | undefined, to: string | null | undefined): ClockSpan | undefined | null {
  if (!from && !to) return undefined;
  const span = { from: from ? parseMinute(from) : 0, to: to ? parseMinute(to) : DAY_MINUTES };
  return span.from < span.to ? span : null;
}

const weekdaysOf = (names: readonly string[] | null | undefined) =>
  names && names.length > 0 ? WEEKDAYS.flatMap((name, i) => (names.includes(name) ? [i] : [])) : undefined;

function ruleOf(part: ParsedReading['standing'][number]): Rule | undefined {
  const { quote, verdict, weekdays, from, to, pause_minutes: pause, most_per_day: most } = part;
  if (most) return { kind: 'most_per_day', most, quote };
  if (pause !== undefined && pause !== null)
    return pause === 0
      ? { kind: 'buffer', verdict: 'wanted', quote }
      : { kind: 'buffer', verdict: 'wanted', minutes: pause, quote };
  const clock = clockOf(from, to);
  const days = weekdaysOf(weekdays);
  if (!verdict || clock === null || (clock === undefined && days === undefined)) return undefined;
  return { kind: 'times', verdict, ...(days && { weekdays: days }), ...(clock && { clock }), quote };
}
