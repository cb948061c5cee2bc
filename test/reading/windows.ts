import { parseDate, parseMinute, weekdayIndex } from '../../lib/engine/time/dates.ts';
import { wallTimeAt } from '../../lib/engine/time/moment.ts';
import type { Interval } from '../../lib/engine/types.ts';

/** A meeting on the wall of the person whose sentence is judged. Minutes count from the midnight before its start. */
interface Placed {
  day: number;
  from: number;
  to: number;
  /** Start as days and minutes in one number, for comparing with an instant. */
  at: number;
}

const DAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const AT = /^(<|>|>=|<=)(\d{4}-\d\d-\d\d)T(\d\d:\d\d)$/;
const DATES =
  /^(any|(?:\d{4}-\d\d-\d\d)?(?:\.\.)?(?:\d{4}-\d\d-\d\d)?)(?: ([A-Z][a-z]{2}(?:,[A-Z][a-z]{2})*))?(?: (.+))?$/;
const HOURS = /^(?:=(\d\d:\d\d)|(\d\d:\d\d)-(\d\d:\d\d))$/;

/** Returns a meeting's place on the clocks of a zone. */
export function placedIn(timeZone: string, { start, end }: Interval): Placed {
  const wall = wallTimeAt(timeZone, start, end);
  const to = wall.endMinute + (wall.endDay - wall.day) * 1440;
  return { day: wall.day, from: wall.startMinute, to, at: wall.day * 1440 + wall.startMinute };
}

/**
 * Returns true if a meeting lies wholly inside one of a judge's windows: "any Thu 12:00-18:30",
 * "2026-12-01..2026-12-04", ">2026-12-02T15:00", "2026-12-02 =16:00".
 */
export const liesIn = (windows: readonly string[], meeting: Placed): boolean =>
  windows.some((window) => isMet(window, meeting, ({ from, to }, a, b) => from >= a && to <= b));

/** Returns true if a meeting overlaps one of a judge's windows. */
export const touches = (windows: readonly string[], meeting: Placed): boolean =>
  windows.some((window) => isMet(window, meeting, ({ from, to }, a, b) => from < b && to > a));

function isMet(window: string, meeting: Placed, fits: (meeting: Placed, from: number, to: number) => boolean): boolean {
  const [, sign, date, clock] = AT.exec(window) ?? [];
  if (sign !== undefined && date !== undefined && clock !== undefined) {
    const at = dayOf(date) * 1440 + parseMinute(clock);
    if (sign === '<') return meeting.at < at;
    if (sign === '<=') return meeting.at <= at;
    return sign === '>' ? meeting.at > at : meeting.at >= at;
  }
  const [match, dates = '', names, hours] = DATES.exec(window) ?? [];
  if (match === undefined) throw new Error(`This window cannot be read: ${window}`);
  if (dates !== 'any' && dates !== '') {
    const [first, last] = dates.includes('..') ? dates.split('..') : [dates, dates];
    if (first && meeting.day < dayOf(first)) return false;
    if (last && meeting.day > dayOf(last)) return false;
  }
  if (names && !names.split(',').some((name) => DAY_NAMES.indexOf(name) === weekdayIndex(meeting.day))) return false;
  if (hours === undefined) return true;
  const [isHours, exactly, from, to] = HOURS.exec(hours) ?? [];
  if (isHours === undefined) throw new Error(`These hours cannot be read: ${window}`);
  if (exactly !== undefined) return meeting.from === parseMinute(exactly);
  return fits(meeting, parseMinute(from ?? '00:00'), parseMinute(to === '23:59' ? '24:00' : (to ?? '24:00')));
}

function dayOf(date: string): number {
  const day = parseDate(date);
  if (day === undefined) throw new Error(`There is no such date: ${date}`);
  return day;
}
