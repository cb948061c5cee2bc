import type { Search, SearchedPerson } from '../../../../lib/engine/types.ts';
import { minuteOf, wallAt } from './clock.ts';
import { isOvernight } from './overnight.ts';
import { intervalsOf } from './rules.ts';
import { isAbout } from './taste.ts';

// A time's comfort by the table of schema/DECISIONS.md, "Comfort", the slow way: minute by minute, and from the table alone.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WEEK = 7 * 24 * HOUR;

interface Stretch {
  from: number;
  to: number;
}

/** A meeting that ends at midnight ends at 24:00 of the date before. */
function endOn(zone: string, end: number): { weekday: string; minute: number } {
  const { weekday, minute } = wallAt(zone, end);
  return minute === 0 ? { weekday: wallAt(zone, end - MINUTE).weekday, minute: 1440 } : { weekday, minute };
}

const rising = (minutes: number, within: number, least: number) =>
  minutes >= 0 && minutes < within ? least + ((1 - least) * minutes) / within : 1;

function startOfDay({ timeZone, workHours }: SearchedPerson, start: number): number {
  const { weekday, minute } = wallAt(timeZone, start);
  const { enabled, start: opens } = workHours[weekday];
  if (!enabled) return 1;
  const late = minute - minuteOf(opens);
  return weekday === 'monday' ? rising(late, 60, 0.4) : rising(late, 30, 0.5);
}

function endOfDay({ timeZone, workHours }: SearchedPerson, end: number): number {
  const { weekday, minute } = endOn(timeZone, end);
  const { enabled, end: closes } = workHours[weekday as keyof typeof workHours];
  if (!enabled) return 1;
  const early = minuteOf(closes) - minute;
  return weekday === 'friday' ? rising(early, 60, 0.4) : rising(early, 60, 0.5);
}

const meetingsOf = ({ busy, meetings }: SearchedPerson) =>
  [...intervalsOf(busy), ...meetings].filter(({ start, end }) => start < end);

function isInFocus({ timeZone, focusBlocks }: SearchedPerson, instant: number): boolean {
  if (focusBlocks.length === 0) return false;
  const { weekday, minute } = wallAt(timeZone, instant);
  return focusBlocks.some(
    (block) => block.day === weekday && minute >= minuteOf(block.start) && minute < minuteOf(block.end),
  );
}

/** Returns on how many sides of a time fewer than ten minutes lie to a meeting or a focus block of the person. */
export function sidesBeside(person: SearchedPerson, start: number, end: number): number {
  const others = meetingsOf(person);
  const isFocused = (first: number) =>
    Array.from({ length: 10 }, (_, i) => first + i * MINUTE).some((instant) => isInFocus(person, instant));
  const isBefore =
    others.some((other) => other.end <= start && start - other.end < 10 * MINUTE) || isFocused(start - 10 * MINUTE);
  const isAfter = others.some((other) => other.start >= end && other.start - end < 10 * MINUTE) || isFocused(end);
  return Number(isBefore) + Number(isAfter);
}

const known = new WeakMap<SearchedPerson, Map<string, Stretch[]>>();

/** All stretches of a person's own free time around the dates of a search. */
function stretchesOf(person: SearchedPerson, { window }: Search): Stretch[] {
  const ofPerson = known.get(person) ?? new Map<string, Stretch[]>();
  known.set(person, ofPerson);
  const name = `${window.start} ${window.end}`;
  const stretches = ofPerson.get(name) ?? findStretches(person, window);
  ofPerson.set(name, stretches);
  return stretches;
}

function findStretches(person: SearchedPerson, window: Search['window']): Stretch[] {
  const first = Date.parse(`${window.start}T00:00Z`) - 60 * HOUR;
  const last = Date.parse(`${window.end}T00:00Z`) + 84 * HOUR;
  const buffer = person.bufferMinutes * MINUTE;
  const taken = meetingsOf(person).map(({ start, end }) => ({ from: start - buffer, to: end + buffer }));
  const marks = new Set(taken.flatMap(({ from, to }) => [from, to]).filter((mark) => mark > first && mark < last));
  for (let minute = first; minute < last; minute += MINUTE) marks.add(minute);
  const full = new Map<string, number>();
  for (const { start } of person.meetings) {
    const { date } = wallAt(person.timeZone, start);
    full.set(date, (full.get(date) ?? 0) + 1);
  }
  const isFree = (instant: number) => {
    const { weekday, date, minute } = wallAt(person.timeZone, instant);
    const { enabled, start, end } = person.workHours[weekday];
    const isAtWork = enabled && minute >= minuteOf(start) && minute < minuteOf(end);
    const isFull = (full.get(date) ?? 0) >= person.maxMeetingsPerDay;
    const isHoliday = person.holidays?.has(Date.parse(`${date}T00:00Z`) / (24 * HOUR)) === true;
    return (
      isAtWork &&
      !isInFocus(person, instant) &&
      !isAbout(person, 'never', instant) &&
      !isFull &&
      !isHoliday &&
      taken.every(({ from, to }) => instant < from || instant >= to)
    );
  };
  const stretches: Stretch[] = [];
  let open: number | undefined;
  for (const mark of [...marks].sort((a, b) => a - b)) {
    if (isFree(mark)) open ??= mark;
    else if (open !== undefined) {
      stretches.push({ from: open, to: mark });
      open = undefined;
    }
  }
  return open === undefined ? stretches : [...stretches, { from: open, to: last }];
}

function freeStretch(search: Search, person: SearchedPerson, start: number, end: number): number {
  const { date } = wallAt(person.timeZone, start);
  const left = stretchesOf(person, search).flatMap(({ from, to }) => {
    if (from <= start && end <= to) return [start - from, to - end];
    return wallAt(person.timeZone, from).date === date ? [to - from] : [];
  });
  return 0.9 + 0.1 * Math.min(1, Math.max(...left) / (120 * MINUTE));
}

/** 24 and 27 to 31 December, and dates between a public holiday and a day off, which many people take off. */
export function isOftenTakenOff({ holidays, workHours }: SearchedPerson, date: string): boolean {
  const day = Date.parse(`${date}T00:00Z`) / (24 * HOUR);
  const worksOn = (one: number) => workHours[wallAt('UTC', one * 24 * HOUR).weekday].enabled;
  const isHoliday = (one: number) => worksOn(one) && holidays?.has(one) === true;
  const isOff = (one: number) => !worksOn(one) || isHoliday(one);
  const isSeason = ['12-24', '12-27', '12-28', '12-29', '12-30', '12-31'].includes(date.slice(5));
  return isSeason || (isHoliday(day - 1) && isOff(day + 1)) || (isHoliday(day + 1) && isOff(day - 1));
}

/** The parts of comfort that one person's day has. */
function personParts(search: Search, person: SearchedPerson, start: number, end: number): [string, number][] {
  const { date, minute } = wallAt(person.timeZone, start);
  const isEve = ['12-24', '12-31'].includes(date.slice(5));
  const ofEve = minute < 720 ? 0.5 : 0.25;
  return [
    ['start_of_day', startOfDay(person, start)],
    ['end_of_day', endOfDay(person, end)],
    ['next_to_a_meeting', [1, 0.6, 0.4][sidesBeside(person, start, end)] ?? 1],
    ['free_stretch', freeStretch(search, person, start, end)],
    ['half_day', isEve ? ofEve : isOftenTakenOff(person, date) ? 0.7 : 1],
  ];
}

/** Every part of a start's comfort, for whom it is and its value, those of value 1 too. */
export function comfortParts(search: Search, start: number): { name: string; email: string | null; value: number }[] {
  const end = start + search.durationMinutes * MINUTE;
  const ahead = start - search.now;
  const isAfterNight = [search.requester, search.other].some((person) => isOvernight(person, search.now, start, 119));
  return [
    ...[search.requester, search.other].flatMap((person) =>
      personParts(search, person, start, end).map(([name, value]) => ({ name, email: person.email, value })),
    ),
    { name: 'short_notice', email: null, value: ahead < 2 * HOUR ? 0.25 : isAfterNight ? 0.5 : 1 },
    { name: 'lead_time', email: null, value: Math.max(0.5, 1 - (0.03 * ahead) / WEEK) },
  ];
}

/** How comfortable a start is, 0 to 1. `withLead` is false for a meeting that moves. */
export const comfortAt = (search: Search, start: number, withLead = true): number =>
  comfortParts(search, start).reduce(
    (product, { name, value }) => (name === 'lead_time' && !withLead ? product : product * value),
    1,
  );
