import { DAY_MINUTES, formatDate, parseDate, parseMinute, WEEKDAYS, weekdayIndex } from '../../engine/time/dates.ts';
import { HORIZON_DAYS } from '../../engine/time/window.ts';
import {
  type Box,
  type ClockSpan,
  type DateSpan,
  nothingRead,
  type Reading,
  type Rule,
} from '../../engine/wish/reading.ts';
import { type Calendar, isReachable } from '../calendar.ts';
import { toEvening } from '../grammar/parts.ts';
import type { Purpose } from '../grammar/read.ts';
import { rulesFor } from '../grammar/settle.ts';
import { tokensOf } from '../grammar/tokens.ts';
import { shiftFrom, zoneNamed } from '../grammar/zones.ts';
import type { ParsedReading } from './answer.ts';

/** Largest number of days by which the first day of a span of dates may lie in the past. The last day must not lie in the past. */
const PAST_DAYS = 31;
const AROUND = 30;

type Part = ParsedReading['wanted'][number];
type Times = Omit<Box, 'dates'> & Pick<Rule, 'quote' | 'contexts'> & { dates?: DateSpan | undefined };

/** Drops each part that its quote, dates or bounds contradict. Undefined if nothing that was claimed passes. */
export function checkReading(answer: ParsedReading, text: string, purpose: Purpose, calendar: Calendar) {
  const reading = nothingRead('model');
  const occurs = (quote: string) => plain(quote) !== '' && plain(text).includes(plain(quote));
  const each = <T extends { quote: string }, R>(parts: readonly T[], into: R[], read: (part: T) => R[] | undefined) => {
    for (const part of parts) {
      const made = occurs(part.quote) ? read(part) : undefined;
      if (made !== undefined) into.push(...made);
      else if (occurs(part.quote)) reading.unread.push(part.quote);
    }
  };
  if (purpose === 'reason') {
    each(answer.refused, reading.refused, (part) => {
      const box = boxOf(part, calendar);
      const boxes = box && (part.unbroken ? stretch(box) : [box]);
      return boxes?.map((one) => ({ ...one, ...(one.clock && { clock: toEvening(one.clock) }), quote: part.quote }));
    });
    each(answer.wanted, reading.wanted, (part): Reading['wanted'] | undefined => {
      const box = boxOf(part, calendar);
      if (box === undefined || reading.refused.some((other) => (other.clock ?? !box.clock) && covers(other, box)))
        return undefined;
      const strength = part.only ? 'must' : 'rather';
      const isOtherwise = part.otherwise && reading.wanted.length > 0;
      return [{ ...box, strength, ...(isOtherwise && { isOtherwise }), quote: part.quote }];
    });
    // A wish that an earlier one lies in is what will do at the worst: "next week, better in the afternoon".
    reading.wanted = reading.wanted.filter((one, i, all) => !all.slice(0, i).some((better) => covers(one, better)));
    each(answer.moves, reading.moves, ({ quote, direction, what, minutes, days }): Reading['moves'] | undefined => {
      const day = calendar.oldDay + (days ?? 0);
      if (direction === 'later' && !isReachable(calendar, { first: day })) return undefined;
      if (days) return [{ direction, what: 'day', by: days, exactly: true, quote }];
      if (minutes) return [{ direction, what: 'clock', by: minutes, exactly: true, quote }];
      return [{ direction, what, exactly: false, quote }];
    });
    if (answer.soon && occurs(answer.soon.quote)) reading.soon = answer.soon;
    if (answer.cancels && occurs(answer.cancels)) reading.cancels = answer.cancels;
    if (answer.length && occurs(answer.length)) reading.length = answer.length;
  }
  const only: Omit<Times, 'dates'>[] = [];
  each(answer.standing, reading.standing, (part) => {
    const rule = ruleOf(part, calendar);
    if (rule === undefined || 'kind' in rule) return rule && [rule];
    const { contexts, dates, ...times } = rule;
    if (contexts || dates) return rulesFor([times], true, part.quote).map((one) => ({ ...one, contexts, dates }));
    only.push(times);
    return [];
  });
  reading.standing.push(...rulesFor(only, true, stretchOf(text, only)));
  reading.unread = [...new Set([...reading.unread, ...[...answer.not_understood, ...answer.misshapen].filter(occurs)])];
  const kept = [...reading.wanted, ...reading.refused, ...reading.moves, ...reading.standing];
  const standing = answer.standing.filter(({ verdict }) => verdict !== 'allowed');
  const claimed = [...answer.wanted, ...answer.refused, ...answer.moves, ...standing, ...answer.misshapen];
  const isHollow = kept.length === 0 && !reading.soon && !reading.cancels && !reading.length && claimed.length > 0;
  return isHollow ? undefined : reading;
}

/** Returns the words from the first of the quotes to the last, because one rule is made of all of them. */
function stretchOf(text: string, parts: readonly { quote: string }[]): string {
  const starts = parts.map(({ quote }) => text.indexOf(quote));
  const ends = parts.map(({ quote }, i) => (starts[i] ?? 0) + quote.length);
  return Math.min(...starts) < 0 ? (parts[0]?.quote ?? '') : text.slice(Math.min(...starts), Math.max(...ends));
}

function covers({ clock, ...one }: Box, other: Box): boolean {
  const daysOf = ({ dates = [], weekdays }: Box) =>
    JSON.stringify([dates.map(({ first, last }) => [first, last]), weekdays]);
  const { from, to } = other.clock ?? { from: 0, to: DAY_MINUTES };
  return (clock === undefined || (clock.from <= from && clock.to >= to)) && daysOf(one) === daysOf(other);
}

const plain = (text: string) => text.toLowerCase().replace(/[‘’]/g, "'").replace(/\s+/g, ' ').trim();

function boxOf(part: Omit<Part, 'only' | 'otherwise'>, calendar: Calendar) {
  const { quote, first_date, last_date, weekdays, at, around } = part;
  const { today, durationMinutes } = calendar;
  const [first, last] = [first_date, last_date].map((date) => (date ? parseDate(date) : undefined));
  if ((first_date && first === undefined) || (last_date && last === undefined)) return undefined;
  if (first !== undefined && last !== undefined && first > last) return undefined;
  const known = [first, last].filter((day) => day !== undefined);
  const isFar = known.some((day) => day > today + HORIZON_DAYS || day < today - PAST_DAYS);
  if (isFar || (last !== undefined && last < today)) return undefined;
  const words = tokensOf(quote).map(({ word }) => word);
  const named = WEEKDAYS.flatMap((name, i) => (words.some((word) => word.startsWith(name)) ? [i] : []));
  if (first !== undefined && first === last && named.length > 0 && !named.includes(weekdayIndex(first)))
    return undefined;
  const shift = shiftOf(part.zone, first ?? calendar.oldDay, calendar);
  if (shift === undefined) return undefined;
  const start = at ?? around;
  const minute = start ? parseMinute(start) + shift : undefined;
  const clock = minute === undefined ? clockOf(part, shift) : startingAt(minute, around ? AROUND : 0, durationMinutes);
  if (clock === null) return undefined;
  const days = weekdays?.length ? WEEKDAYS.flatMap((name, i) => (weekdays.includes(name) ? [i] : [])) : undefined;
  if (known.length === 0 && days === undefined && clock === undefined) return undefined;
  const dates = known.length > 0 ? [{ first, last }] : undefined;
  return { dates, weekdays: days, clock, ...(around && { aim: minute }) };
}

function startingAt(minute: number, near: number, durationMinutes: number): ClockSpan | null {
  if (minute < 0 || minute >= DAY_MINUTES) return null;
  return { from: Math.max(0, minute - near), to: Math.min(DAY_MINUTES, minute + near + durationMinutes) };
}

function shiftOf(zone: string | null | undefined, day: number, calendar: Calendar): number | undefined {
  if (!zone) return 0;
  const named = zoneNamed(zone);
  return named === undefined ? undefined : shiftFrom(named, { ...calendar, oldDay: day });
}

/** A missing one means midnight. Undefined without both, and null for another order or another day of the asker. */
function clockOf({ from, to }: Pick<Part, 'from' | 'to'>, shift: number): ClockSpan | undefined | null {
  if (!from && !to) return undefined;
  const span = { from: from ? parseMinute(from) + shift : 0, to: to ? parseMinute(to) + shift : DAY_MINUTES };
  return span.from < span.to && span.from >= 0 && span.to <= DAY_MINUTES ? span : null;
}

function stretch({ dates = [], clock }: Box): Box[] {
  const { first, last } = dates[0] ?? {};
  if (clock === undefined || first === undefined || last === undefined || first === last) return [{ dates, clock }];
  return [
    { dates: [{ first, last: first }], clock: { from: clock.from, to: DAY_MINUTES } },
    ...(last - first > 1 ? [{ dates: [{ first: first + 1, last: last - 1 }] }] : []),
    { dates: [{ first: last, last }], clock: { from: 0, to: clock.to } },
  ];
}

/** Returns the rule of a part, or its times if they are the only ones. Only times can hold for some dates alone. */
function ruleOf(part: ParsedReading['standing'][number], calendar: Calendar): Rule | Times | undefined {
  const { quote, verdict, pause_minutes: pause, most_per_day: most, since, until, meetings } = part;
  const contexts = meetings?.length ? { contexts: meetings } : undefined;
  if ((most || typeof pause === 'number') && (since || until || (contexts && most))) return undefined;
  if (most) return { kind: 'most_per_day', most, quote };
  if (typeof pause === 'number')
    return { kind: 'buffer', verdict: 'wanted', minutes: pause || undefined, ...contexts, quote };
  const begins = since && since > formatDate(calendar.today) ? since : undefined;
  const box = boxOf({ ...part, first_date: begins, last_date: until }, calendar);
  if (!verdict || verdict === 'allowed' || box === undefined) return undefined;
  const times = { ...box, dates: box.dates?.[0], ...contexts, quote };
  return verdict === 'only' ? times : { kind: 'times', verdict, ...times };
}
