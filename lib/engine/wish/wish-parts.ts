import { DAY, DAY_MINUTES, parseDate, WEEKDAYS } from '../time/dates.ts';
import { type Edges, intersect, overlaps, subtract } from '../time/intervals.ts';
import type { WallTime } from '../time/moment.ts';
import { type Days, WHOLE_WEEK, wallInstants } from '../time/wall-instants.ts';
import type { Interval, Weekday } from '../types.ts';

/** Without parts it asks for nothing. Dates and clock times are in the asker's zone (schema/DECISIONS.md, "Wishes"). */
export interface Wish extends WishedBox {
  /** These dates, weekdays and hours will do too, in order of preference, such as "or Friday after 2". */
  or?: WishedBox[] | undefined;
  /** The meeting must not touch these hours, every day or on certain days. */
  refused?: RefusedHours[] | undefined;
  datesUnwanted?: string[] | undefined;
  weekdaysUnwanted?: Weekday[] | undefined;
  /** Minutes of the day on the asker's clock, [from, to), that no instant of the meeting touches. */
  clockUnwanted?: { from: number; to: number } | undefined;
  /** Compared with the clock time of the old start, on any day. */
  relative?: 'earlier' | 'later' | undefined;
  /** The number of minutes to move the meeting by, if the person named one. `relative` gives the direction. */
  shiftMinutes?: number | undefined;
  /** The new time may lie on a day before the old one: the person asked for a sooner time or named an earlier one. */
  sooner?: boolean | undefined;
  /** True if the person needs more time to prepare. The meeting then starts no earlier than its old start. */
  notBeforeOldStart?: boolean | undefined;
  /** The person asks for a break, so an uncomfortable time counts as farther away: 8:15 the next day is no break. */
  pause?: boolean | undefined;
  /** True if the person asked for no time. They cannot make the old one, so the next day comes first. */
  unasked?: boolean | undefined;
  /** `near` is an instant, such as the old start plus seven days for "a week later". The old time if absent. */
  closeness?: 'soonest' | { near: number } | undefined;
}

/** Every part is optional, and a time must meet all parts that are set. */
export interface WishedBox {
  /** The earliest start that the wish allows, in epoch ms. */
  earliest?: number | undefined;
  /** The latest end that the wish allows, in epoch ms. */
  latest?: number | undefined;
  /** They are YYYY-MM-DD in the zone of the person who asked. */
  dates?: string[] | undefined;
  weekdaysWanted?: Weekday[] | undefined;
  /** The earliest start on the clock of the person who asked, in minutes of the day, 0 to 1440. */
  clockFrom?: number | undefined;
  /** The latest end on the clock of the person who asked, in minutes of the day, 0 to 1440. */
  clockTo?: number | undefined;
  /** The minute of the day near which the meeting should start, within these hours. */
  clockAim?: number | undefined;
  /** True if the person named no hour, as in "not too early", so that Tandem guessed the bound of the clock time. */
  isClockGuessed?: boolean | undefined;
  /** True if the person said that any hour suits, so that the old one counts for nothing. */
  isAnyHour?: boolean | undefined;
  /** True if it will do only where no time meets those before it. */
  isOtherwise?: boolean | undefined;
}

/** Minutes of the day on the asker's clock, [from, to), on the named dates or weekdays, or on every day. */
export interface RefusedHours {
  dates?: string[] | undefined;
  weekdays?: Weekday[] | undefined;
  from: number;
  to: number;
  /**
   * Says how the person refuses the hours themselves, as in "not before 18:00". The meeting never moves into hours that
   * are refused firmly. Undefined for hours at which something else takes place.
   */
  said?: 'firmly' | 'softly' | undefined;
}

/** A possible new time for the meeting, with the date and clock time that the person who asked to move it sees. */
export interface AskedTime extends Interval {
  wall: WallTime;
}

/** "Thursday" and "after 3pm" are demands. */
export interface AskedPart {
  part: WishPart;
  /** Returns hours for clock times, days for dates, and 0 for a time that meets the demand. */
  missedBy: (time: AskedTime) => number;
  /** Only a meeting that lies within them can meet the demand. */
  instants: Edges;
}

/**
 * Missing a demand costs `atAll` once, plus `more` for each hour or day missed. A ruled-out day costs more than a
 * wanted one, and a day more than an hour: for "Thursday after 3pm", Thursday 2:30 is cheapest, then Friday 3, then
 * Thursday 9.
 */
const FIRMNESS = {
  clockFrom: { atAll: 1, more: 2 },
  clockTo: { atAll: 1, more: 2 },
  clockUnwanted: { atAll: 2, more: 2 },
  refused: { atAll: 24, more: 0 },
  relative: { atAll: 3, more: 1 },
  dates: { atAll: 6, more: 6 },
  weekdaysWanted: { atAll: 6, more: 6 },
  earliest: { atAll: 6, more: 6 },
  latest: { atAll: 6, more: 6 },
  datesUnwanted: { atAll: 24, more: 0 },
  weekdaysUnwanted: { atAll: 24, more: 0 },
  notBeforeOldStart: { atAll: 24, more: 6 },
} satisfies Partial<Record<keyof Wish, { atAll: number; more: number }>>;

/** Name of one demand in a person's request for a new time, such as the weekday, which a time can meet or miss. */
export type WishPart = keyof typeof FIRMNESS;

/** An explanation treats the two as one demand. */
export const HOURS: ReadonlySet<WishPart> = new Set(['clockFrom', 'clockTo']);

const ALWAYS = Number.MAX_SAFE_INTEGER;

/** The cost is 0 if the time meets the whole request. */
export function bendOf(parts: readonly AskedPart[], time: AskedTime): number {
  let bend = 0;
  for (const { part, missedBy } of parts) {
    const missed = missedBy(time);
    if (missed > 0) bend += FIRMNESS[part].atAll + FIRMNESS[part].more * missed;
  }
  return bend;
}

/** A meeting that meets the whole request lies within these instants. */
export function wishedInstants(parts: readonly AskedPart[]): Edges {
  return parts.reduce<Edges>((both, { instants }) => intersect(both, instants), [-ALWAYS, ALWAYS]);
}

/** The alternatives differ in dates, weekdays and clock times. All else, such as hours to avoid, applies to each. */
export function alternativesOf({ or = [], ...first }: Wish): Wish[] {
  const { earliest, latest, dates, weekdaysWanted, clockFrom, clockTo, isClockGuessed, isAnyHour, ...common } = first;
  return [first, ...or.map((box) => ({ ...common, ...box }))];
}

/** `old` is the present time on the asker's clock, and `days` are those searched. */
export function partsOf(wish: Wish, old: AskedTime, timeZone: string, days: Days): AskedPart[] {
  const parts: AskedPart[] = [];
  const add = (part: WishPart, instants: Edges, missedBy: (time: AskedTime) => number) =>
    parts.push({ part, instants, missedBy: (time) => Math.max(0, missedBy(time)) });
  const onClock = (...minutes: number[]) => {
    const week = WEEKDAYS.map(() => minutes);
    return wallInstants(timeZone, days, week);
  };
  const wholeDays = (named: Pick<RefusedHours, 'dates' | 'weekdays'>) =>
    hoursInstants({ ...named, from: 0, to: DAY_MINUTES }, timeZone, days);

  const { earliest, latest, weekdaysWanted, weekdaysUnwanted, clockFrom, clockTo, clockUnwanted, relative } = wish;
  const dates = wish.dates?.map(dayOf);
  const datesUnwanted = wish.datesUnwanted?.map(dayOf);
  if (earliest !== undefined) add('earliest', [earliest, ALWAYS], ({ start }) => (earliest - start) / DAY);
  if (latest !== undefined) add('latest', [-ALWAYS, latest], ({ end }) => (end - latest) / DAY);
  if (dates)
    add('dates', wholeDays({ dates: wish.dates }), ({ wall }) =>
      Math.min(...dates.map((day) => Math.abs(wall.day - day))),
    );
  if (datesUnwanted) {
    const onOthers = wallInstants(timeZone, days, WHOLE_WEEK, { has: (day) => datesUnwanted.includes(day) });
    add('datesUnwanted', onOthers, ({ wall }) => Number(datesUnwanted.includes(wall.day)));
  }
  if (weekdaysWanted) {
    const onThem = wholeDays({ weekdays: weekdaysWanted });
    add('weekdaysWanted', onThem, ({ wall }) => daysFrom(weekdaysWanted, wall.weekday));
  }
  if (weekdaysUnwanted) {
    const onOthers = wholeDays({ weekdays: WEEKDAYS.filter((name) => !weekdaysUnwanted.includes(name)) });
    add('weekdaysUnwanted', onOthers, ({ wall }) => Number(daysFrom(weekdaysUnwanted, wall.weekday) === 0));
  }
  if (clockFrom !== undefined)
    add('clockFrom', onClock(clockFrom, DAY_MINUTES), ({ wall }) => (clockFrom - wall.startMinute) / 60);
  if (clockTo !== undefined) add('clockTo', onClock(0, clockTo), ({ wall }) => (endMinuteOf(wall) - clockTo) / 60);
  if (clockUnwanted) {
    const { from, to } = clockUnwanted;
    const within = ({ startMinute }: WallTime, end: number) => Math.min(end, to) - Math.max(startMinute, from);
    add('clockUnwanted', onClock(0, from, to, DAY_MINUTES), ({ wall }) => within(wall, endMinuteOf(wall)) / 60);
  }
  if (wish.refused) {
    const refused = wish.refused.map((hours) => hoursInstants(hours, timeZone, days));
    const open = refused.reduce<Edges>((left, taken) => subtract(left, taken), [-ALWAYS, ALWAYS]);
    add('refused', open, (time) => Number(refused.some((taken) => overlaps(taken, time))));
  }
  const was = old.wall.startMinute;
  if (relative === 'later')
    add('relative', onClock(was + 1, DAY_MINUTES), ({ wall }) => (was + 1 - wall.startMinute) / 60);
  if (relative === 'earlier')
    add('relative', onClock(0, endMinuteOf(old.wall) - 1), ({ wall }) => (wall.startMinute + 1 - was) / 60);
  if (wish.notBeforeOldStart) add('notBeforeOldStart', [old.start, ALWAYS], ({ start }) => (old.start - start) / DAY);
  return parts;
}

export function notRefused({ refused = [] }: Wish, timeZone: string, days: Days): Edges | undefined {
  const firm = refused.filter(({ said }) => said === 'firmly').map((hours) => hoursInstants(hours, timeZone, days));
  return firm.length === 0 ? undefined : firm.reduce<Edges>((left, taken) => subtract(left, taken), [-ALWAYS, ALWAYS]);
}

/** Hours without named dates or weekdays lie on every day. */
function hoursInstants({ dates, weekdays, from, to }: RefusedHours, timeZone: string, days: Days): number[] {
  const named = dates?.map(dayOf);
  const hours = WEEKDAYS.map((name) => (weekdays === undefined || weekdays.includes(name) ? [from, to] : []));
  return wallInstants(timeZone, days, hours, { has: (day) => named?.includes(day) === false });
}

const dayOf = (date: string) => parseDate(date) ?? 0;

/** Returns the meeting's end in minutes since midnight of the day on which the meeting starts. */
const endMinuteOf = ({ day, endDay, endMinute }: WallTime) => endMinute + (endDay - day) * DAY_MINUTES;

/** Returns the distance in days from a weekday (0 for Monday) to the nearest of the named weekdays, at most 3. */
function daysFrom(names: readonly Weekday[], weekday: number): number {
  const away = names.map((name) => (WEEKDAYS.indexOf(name) - weekday + 7) % 7);
  return Math.min(...away.map((days) => Math.min(days, 7 - days)));
}
