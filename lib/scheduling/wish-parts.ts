import { DAY, parseDate, WEEKDAYS } from './dates.ts';
import { type Edges, intersect } from './intervals.ts';
import type { WallTime } from './moment.ts';
import type { Interval, Weekday } from './types.ts';
import { type Days, wallInstants } from './wall-instants.ts';
import { WHOLE_WEEK } from './week.ts';
import type { Wish, WishPart } from './wish.ts';

/** A time for the meeting, with what the asker's wall clock shows of it. */
export interface AskedTime extends Interval {
  wall: WallTime;
}

/** One part of a wish. */
export interface AskedPart {
  part: WishPart;
  /** By how many hours (of the clock) or days (of dates) a time misses it; 0 when it meets it. */
  missedBy: (time: AskedTime) => number;
  /** The instants in which a meeting that meets it lies. */
  instants: Edges;
}

/**
 * What missing a part costs: at all, and by each hour or day more. "Not Monday" is firmer than "Thursday", and a day than an
 * hour: of "Thursday after 3pm", Thursday at 2:30 bends less than Friday at 3, and that less than Thursday at 9.
 */
const FIRMNESS: Record<WishPart, { atAll: number; more: number }> = {
  clockFrom: { atAll: 1, more: 2 },
  clockTo: { atAll: 1, more: 2 },
  clockUnwanted: { atAll: 2, more: 2 },
  relative: { atAll: 3, more: 1 },
  dates: { atAll: 6, more: 6 },
  weekdaysWanted: { atAll: 6, more: 6 },
  earliest: { atAll: 6, more: 6 },
  latest: { atAll: 6, more: 6 },
  datesUnwanted: { atAll: 24, more: 0 },
  weekdaysUnwanted: { atAll: 24, more: 0 },
  notBeforeOldStart: { atAll: 24, more: 6 },
};

/** The two bounds of the hours asked for, which are one wish. */
export const HOURS: ReadonlySet<WishPart> = new Set(['clockFrom', 'clockTo']);

const DAY_MINUTES = 24 * 60;
const ALWAYS = Number.MAX_SAFE_INTEGER;

/** How much a time bends the wish; 0 when it meets every part. */
export function bendOf(parts: readonly AskedPart[], time: AskedTime): number {
  let bend = 0;
  for (const { part, missedBy } of parts) {
    const missed = missedBy(time);
    if (missed > 0) bend += FIRMNESS[part].atAll + FIRMNESS[part].more * missed;
  }
  return bend;
}

/** The instants in which a meeting that meets every part lies. */
export function wishedInstants(parts: readonly AskedPart[]): Edges {
  return parts.reduce<Edges>((both, { instants }) => intersect(both, instants), [-ALWAYS, ALWAYS]);
}

/** The parts a wish has; `old` is the meeting's time on the asker's clock, `days` those that are searched. */
export function partsOf(wish: Wish, old: AskedTime, timeZone: string, days: Days): AskedPart[] {
  const parts: AskedPart[] = [];
  const add = (part: WishPart, instants: Edges, missedBy: (time: AskedTime) => number) =>
    parts.push({ part, instants, missedBy: (time) => Math.max(0, missedBy(time)) });
  const onClock = (from: number, to: number) =>
    wallInstants(
      timeZone,
      days,
      WEEKDAYS.map(() => [from, to]),
    );
  const onWeekdays = (names: readonly Weekday[]) =>
    wallInstants(
      timeZone,
      days,
      WEEKDAYS.map((name) => (names.includes(name) ? [0, DAY_MINUTES] : [])),
    );
  const onDates = (isIn: (day: number) => boolean) =>
    wallInstants(timeZone, days, WHOLE_WEEK, new Set(daysOf(days).filter((day) => !isIn(day))));

  const { earliest, latest, weekdaysWanted, weekdaysUnwanted, clockFrom, clockTo, clockUnwanted, relative } = wish;
  const dates = wish.dates?.map(dayOf);
  const datesUnwanted = wish.datesUnwanted?.map(dayOf);
  if (earliest !== undefined) add('earliest', [earliest, ALWAYS], ({ start }) => (earliest - start) / DAY);
  if (latest !== undefined) add('latest', [-ALWAYS, latest], ({ end }) => (end - latest) / DAY);
  if (dates)
    add(
      'dates',
      onDates((day) => dates.includes(day)),
      ({ wall }) => Math.min(...dates.map((day) => Math.abs(wall.day - day))),
    );
  if (datesUnwanted)
    add(
      'datesUnwanted',
      onDates((day) => !datesUnwanted.includes(day)),
      ({ wall }) => Number(datesUnwanted.includes(wall.day)),
    );
  if (weekdaysWanted)
    add('weekdaysWanted', onWeekdays(weekdaysWanted), ({ wall }) => daysFrom(weekdaysWanted, wall.weekday));
  if (weekdaysUnwanted)
    add('weekdaysUnwanted', onWeekdays(WEEKDAYS.filter((name) => !weekdaysUnwanted.includes(name))), ({ wall }) =>
      Number(daysFrom(weekdaysUnwanted, wall.weekday) === 0),
    );
  if (clockFrom !== undefined)
    add('clockFrom', onClock(clockFrom, DAY_MINUTES), ({ wall }) => (clockFrom - wall.startMinute) / 60);
  if (clockTo !== undefined) add('clockTo', onClock(0, clockTo), ({ wall }) => (endMinuteOf(wall) - clockTo) / 60);
  if (clockUnwanted) {
    const { from, to } = clockUnwanted;
    add(
      'clockUnwanted',
      wallInstants(
        timeZone,
        days,
        WEEKDAYS.map(() => [0, from, to, DAY_MINUTES]),
      ),
      ({ wall }) => (Math.min(endMinuteOf(wall), to) - Math.max(wall.startMinute, from)) / 60,
    );
  }
  if (relative === 'later')
    add(
      'relative',
      onClock(old.wall.startMinute + 1, DAY_MINUTES),
      ({ wall }) => (old.wall.startMinute + 1 - wall.startMinute) / 60,
    );
  if (relative === 'earlier')
    add(
      'relative',
      onClock(0, endMinuteOf(old.wall) - 1),
      ({ wall }) => (wall.startMinute + 1 - old.wall.startMinute) / 60,
    );
  if (wish.notBeforeOldStart) add('notBeforeOldStart', [old.start, ALWAYS], ({ start }) => (old.start - start) / DAY);
  return parts;
}

const dayOf = (date: string) => parseDate(date) ?? 0;

const daysOf = ({ first, last }: Days) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** Minutes since midnight of the day it starts on. */
const endMinuteOf = ({ day, endDay, endMinute }: WallTime) => endMinute + (endDay - day) * DAY_MINUTES;

/** How many days a weekday is from the nearest of those named. */
function daysFrom(names: readonly Weekday[], weekday: number): number {
  const away = names.map((name) => (WEEKDAYS.indexOf(name) - weekday + 7) % 7);
  return Math.min(...away.map((days) => Math.min(days, 7 - days)));
}
