import type { Search, SearchedPerson } from '../../../../lib/engine/types.ts';
import { DAY, dayNumber, HOUR, isInHours, MINUTE, wallAt } from './clock.ts';
import { isOvernight } from './overnight.ts';
import { intervalsOf, isAbout, tasteOf } from './rules.ts';

// The parts of a time's merit by the table of /docs/ranking, the slow way: minute by minute, and from the table alone.

export interface OraclePart {
  name: string;
  email: string | null;
  value: number;
}

/** Returns true if a person works at this minute and no rule of every week keeps it free. */
function isOpen(given: SearchedPerson, instant: number): boolean {
  const weekly = given.standing?.map((rule) => ({ ...rule, blocks: rule.blocks.filter(({ dates }) => !dates) }));
  const person = { ...given, standing: weekly };
  const { weekday, minute } = wallAt(person.timeZone, instant);
  const hours = person.workHours[weekday];
  return hours.enabled && isInHours(hours, minute) && !isAbout(person, 'never', instant);
}

/** The first and the last open minute of a weekday, on a day whose clocks do not change. */
function edgesOf({ workHours, standing = [] }: SearchedPerson, weekday: keyof SearchedPerson['workHours']) {
  const hours = workHours[weekday];
  const never = standing.flatMap(({ verdict, blocks }) => (verdict === 'never' ? blocks : []));
  const kept = never.filter(({ dates, day }) => dates === undefined && day === weekday);
  const minutes = Array.from({ length: 1440 }, (_, minute) => minute).filter(
    (minute) => hours.enabled && isInHours(hours, minute) && !kept.some((block) => isInHours(block, minute)),
  );
  const [first, last] = [minutes[0], minutes.at(-1)];
  return first === undefined || last === undefined ? undefined : { opens: first, closes: last + 1 };
}

const othersOf = ({ busy, meetings }: SearchedPerson) =>
  [...intervalsOf(busy), ...meetings].filter(({ start, end }) => start < end);

function isInFocus({ timeZone, focusBlocks }: SearchedPerson, instant: number): boolean {
  if (focusBlocks.length === 0) return false;
  const { weekday, minute } = wallAt(timeZone, instant);
  return focusBlocks.some((block) => block.day === weekday && isInHours(block, minute));
}

/** A break is what a rule of the person's own keeps free between the first and last minute that are open each week. */
function isInBreak(person: SearchedPerson, instant: number): boolean {
  if (!isAbout(person, 'never', instant)) return false;
  const { weekday, minute } = wallAt(person.timeZone, instant);
  const edges = edgesOf(person, weekday);
  return edges !== undefined && minute >= edges.opens && minute < edges.closes;
}

/** Around noon on a date, a rule keeps a break free, or the calendar has the same short time as on two days near. */
export function showsLunch(person: SearchedPerson, start: number): boolean {
  const { date } = wallAt(person.timeZone, start);
  const isMidday = (instant: number) => {
    const wall = wallAt(person.timeZone, instant);
    return wall.date === date && wall.minute >= 660 && wall.minute < 900;
  };
  const first = Math.floor(start / MINUTE) * MINUTE;
  const minutes = Array.from({ length: 2 * 1440 }, (_, i) => first + (i - 1440) * MINUTE).filter(isMidday);
  if (minutes.some((minute) => isInBreak(person, minute))) return true;
  const taken: { start: number; end: number }[] = [];
  for (const { start, end } of othersOf(person).toSorted((one, other) => one.start - other.start)) {
    const last = taken.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else taken.push({ start, end });
  }
  const isTaken = (from: number, to: number) => taken.some(({ start, end }) => start === from && end === to);
  const days = [-7, -6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7];
  return taken.some(
    ({ start, end }) =>
      isMidday(start) &&
      isMidday(end - 1) &&
      end - start <= 1.5 * HOUR &&
      days.filter((day) => isTaken(start + day * DAY, end + day * DAY)).length >= 2,
  );
}

/** How many minutes lie before and after a time until a meeting or a minute that is kept free, 120 at most. */
function gapsOf(
  person: SearchedPerson,
  start: number,
  end: number,
  isKept: (instant: number) => boolean,
): [before: number, after: number] {
  const minutes = Array.from({ length: 121 }, (_, i) => i);
  const focusBefore = minutes.find((i) => isKept(start - (i + 1) * MINUTE)) ?? 120;
  const focusAfter = minutes.find((i) => isKept(end + i * MINUTE)) ?? 120;
  const others = othersOf(person);
  const before = others.flatMap((other) => (other.end <= start ? (start - other.end) / MINUTE : []));
  const after = others.flatMap((other) => (other.start >= end ? (other.start - end) / MINUTE : []));
  return [Math.min(120, focusBefore, ...before), Math.min(120, focusAfter, ...after)];
}

/** Returns on how many sides of a time fewer than ten minutes lie to a meeting or a focus block of the person. */
export const sidesBeside = (person: SearchedPerson, start: number, end: number): number =>
  sidesOf(gapsOf(person, start, end, (instant) => isInFocus(person, instant)));

const sidesOf = (gaps: number[]) => gaps.filter((gap) => gap < 10).length;

const known = new WeakMap<SearchedPerson, Map<string, number>>();

/** Returns the minutes that meetings take of a person's work hours on a date. */
function metOn(person: SearchedPerson, date: string): number {
  const ofPerson = known.get(person) ?? new Map<string, number>();
  known.set(person, ofPerson);
  const before = ofPerson.get(date);
  if (before !== undefined) return before;
  const first = Date.parse(`${date}T00:00Z`) - 16 * HOUR;
  const others = othersOf(person);
  let met = 0;
  for (let minute = first; minute < first + 60 * HOUR; minute += MINUTE) {
    if (wallAt(person.timeZone, minute).date !== date || !isOpen(person, minute)) continue;
    const marks = others
      .flatMap(({ start, end }) => [start, end])
      .filter((mark) => mark > minute && mark < minute + MINUTE);
    const edges = [minute, ...marks.sort((a, b) => a - b), minute + MINUTE];
    for (const [i, from] of edges.slice(0, -1).entries())
      if (others.some(({ start, end }) => start <= from && from < end)) met += (edges[i + 1] ?? from) - from;
  }
  ofPerson.set(date, met / MINUTE);
  return met / MINUTE;
}

/** 24 and 27 to 31 December, and dates between a public holiday and a day off, which many people take off. */
export function isOftenTakenOff({ holidays, workHours }: SearchedPerson, date: string): boolean {
  const day = dayNumber(date);
  const worksOn = (one: number) => workHours[wallAt('UTC', one * DAY).weekday].enabled;
  const isHoliday = (one: number) => worksOn(one) && holidays?.has(one) === true;
  const isOff = (one: number) => !worksOn(one) || isHoliday(one);
  const isSeason = ['12-24', '12-27', '12-28', '12-29', '12-30', '12-31'].includes(date.slice(5));
  return isSeason || (isHoliday(day - 1) && isOff(day + 1)) || (isHoliday(day + 1) && isOff(day - 1));
}

/** From 13:00 on the eve of a holiday, or within 90 minutes of work after a holiday or a working day all of which is taken. */
function isBesideDaysOff(person: SearchedPerson, { date, minute }: { date: string; minute: number }, opened: number) {
  const day = dayNumber(date);
  const worksOn = (one: number) => person.workHours[wallAt('UTC', one * DAY).weekday].enabled;
  const isHoliday = (one: number) => worksOn(one) && person.holidays?.has(one) === true;
  const last = [1, 2, 3, 4, 5, 6, 7].map((back) => day - back).find(worksOn) ?? day - 7;
  const isEve = isHoliday(day + 1) && minute >= 780;
  return isEve || (opened < 90 && (isHoliday(last) || isAwayOn(person, wallAt('UTC', last * DAY).date)));
}

function isAwayOn(person: SearchedPerson, date: string): boolean {
  const first = Date.parse(`${date}T00:00Z`) - 16 * HOUR;
  const others = othersOf(person).filter(({ start, end }) => start < first + 60 * HOUR && first < end);
  if (others.length === 0) return false;
  let isDay = false;
  for (let at = first; at < first + 60 * HOUR; at += MINUTE) {
    if (wallAt(person.timeZone, at).date !== date) continue;
    if (!others.some(({ start, end }) => start <= at && at + MINUTE <= end)) return false;
    isDay = true;
  }
  return isDay;
}

function personParts(search: Search, person: SearchedPerson, start: number): [string, number][] {
  const { timeZone, email } = person;
  const length = search.durationMinutes;
  const end = start + length * MINUTE;
  const wall = wallAt(timeZone, start);
  // A meeting that ends at midnight ends on the date on which it was.
  const last = wallAt(timeZone, wallAt(timeZone, end).minute === 0 ? end - 1 : end);
  const endMinute = wallAt(timeZone, end).minute || 1440;
  const edges = edgesOf(person, wall.weekday);
  const lastEdges = edgesOf(person, last.weekday);
  const opened = edges === undefined ? 9999 : wall.minute - edges.opens;
  const left = lastEdges === undefined ? 9999 : lastEdges.closes - endMinute;
  const isKept = (instant: number) => isInFocus(person, instant) || isInBreak(person, instant);
  const gaps = gapsOf(person, start, end, isKept);
  const [since, until] = gaps;
  const sides = sidesOf(gaps);
  const [before, after] = [Math.min(since, opened), Math.min(until, left)];
  const met = metOn(person, wall.date);
  const outside = Math.max(480 - wall.minute, endMinute + (dayNumber(last.date) - dayNumber(wall.date)) * 1440 - 1080);
  const isEve = ['12-24', '12-31'].includes(wall.date.slice(5));
  const taste = tasteOf(search, start)[email === search.requester.email ? 0 : 1];
  const isEdge = taste !== 'prefer';
  const rows: [string, number, boolean][] = [
    ['start_of_day', 0.55, isEdge && opened >= 0 && opened < 30],
    ['first_hour', 0.84, isEdge && opened >= 30 && opened < 60],
    ['second_hour', 0.95, isEdge && opened >= 60 && opened < 90],
    ['end_of_day', 0.5, isEdge && left >= 0 && left < 30],
    ['last_hour', 0.86, isEdge && left >= 30 && left < 60],
    ['next_to_a_meeting', 0.7, sides === 1],
    ['between_meetings', 0.55, sides === 2],
    [
      'free_stretch',
      0.95,
      before >= 30 && before < 120 && after >= 30 && after < 120 && before + length + after >= 180,
    ],
    ['busy_day', 0.75, length >= 30 && met >= 240 && met < 360],
    ['full_day', 0.65, length >= 30 && met >= 360],
    ['outside_day', 0.8, outside > 0 && outside <= 60],
    ['far_outside_day', 0.5, outside > 60],
    ['half_day', 0.008, isEve && wall.minute < 720],
    ['half_day_afternoon', 0.005, isEve && wall.minute >= 720],
    ['quiet_day', 0.01, !isEve && isOftenTakenOff(person, wall.date)],
    ['beside_days_off', 0.8, isBesideDaysOff(person, wall, opened)],
    ['rather_not', 0.1, taste === 'rather_not'],
    ['near_preferred', 0.45, taste === 'near_preferred'],
    ['not_preferred', 0.3, taste === 'not_preferred'],
  ];
  return rows.flatMap(([name, value, holds]) => (holds ? [[name, value]] : []));
}

function workdaysTo({ timeZone, workHours }: SearchedPerson, now: number, start: number): number {
  const [today, day] = [now, start].map((instant) => dayNumber(wallAt(timeZone, instant).date)) as [number, number];
  let count = 0;
  for (let one = today + 1; one <= day; one++) if (workHours[wallAt('UTC', one * DAY).weekday].enabled) count++;
  return count;
}

/** The two have a meeting on the date of the start, by the clock of either. */
const meetOnDateOf = ({ requester, other }: Search, start: number): boolean =>
  [requester, other].some(({ timeZone }) =>
    requester.meetings.some(
      (one) =>
        one.takenBy !== undefined &&
        one.isMeeting !== false &&
        other.meetings.some(({ takenBy }) => takenBy === one.takenBy) &&
        wallAt(timeZone, one.start).date === wallAt(timeZone, start).date,
    ),
  );

export function partsAt(search: Search, start: number, hasLead = true): OraclePart[] {
  const { requester, other, now } = search;
  const people = [requester, other];
  const ahead = start - now;
  const isAfterNight = people.some((person) => isOvernight(person, now, start, 119));
  const days = Math.max(...people.map((person) => workdaysTo(person, now, start)));
  // Full dates of both count once.
  const [own = [], theirs = []] = people.map((person) => personParts(search, person, start));
  const isOnce = ([name]: [string, number]) =>
    name.endsWith('_day') && (name.startsWith('busy') || name.startsWith('full'));
  const others = theirs.filter((part) => !(isOnce(part) && own.some(([name]) => name === part[0])));
  const common: [string, number][] = [
    ...(ahead < 2 * HOUR ? [['short_notice', 0.3] as [string, number]] : []),
    ...(ahead >= 2 * HOUR && isAfterNight ? [['after_the_night', 0.4] as [string, number]] : []),
    ...(meetOnDateOf(search, start) ? [['met_that_day', 0.5] as [string, number]] : []),
    ...(hasLead && days > 0
      ? [['lead_time', Number((1 / (1 + 0.08 * days + 0.01 * days * days)).toFixed(4))] as [string, number]]
      : []),
  ];
  return [
    ...own.map(([name, value]) => ({ name, email: requester.email, value })),
    ...others.map(([name, value]) => ({ name, email: other.email, value })),
    ...common.map(([name, value]) => ({ name, email: null, value })),
  ];
}

/** How well a start suits both people beyond its factors, 0 to 1. `hasLead` is false for a meeting that moves. */
export const comfortAt = (search: Search, start: number, hasLead = true): number =>
  partsAt(search, start, hasLead).reduce((product, { value }) => product * value, 1);

const STATED = ['half_day', 'half_day_afternoon', 'quiet_day', 'rather_not', 'near_preferred', 'not_preferred'];

/** The part of a start's comfort that comes before the product on two empty calendars. */
export const statedAt = (search: Search, start: number): number =>
  partsAt(search, start).reduce((product, { name, value }) => product * (STATED.includes(name) ? value : 1), 1);
