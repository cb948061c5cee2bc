import { busyInstants, neverRules } from '../rules/free-time.ts';
import { besideDaysOff, bridgeDays } from '../rules/holidays.ts';
import { DAY, DAY_MINUTES, formatDate, MINUTE, WEEKDAYS, weekdayIndex } from '../time/dates.ts';
import {
  cut,
  type Edges,
  edgeAt,
  firstEndingAfter,
  inOrder,
  intersect,
  subtract,
  toIntervals,
  union,
} from '../time/intervals.ts';
import { emptyWallTime, type WallTime } from '../time/moment.ts';
import {
  blockInstants,
  type Days,
  openWeek,
  type Week,
  WHOLE_WEEK,
  wallInstants,
  workWeek,
} from '../time/wall-instants.ts';
import type { EnergyPattern, SearchedPerson } from '../types.ts';
import { type Taste, tasteOf } from './taste.ts';

/** A meeting's place in one person's day. A distance is infinite if the day has nothing to measure to. */
export interface DayPlace {
  wall: WallTime;
  length: number;
  /** The minutes on the clock from the start of the person's work hours to the start of the meeting. */
  afterOpening: number;
  /** The minutes on the clock from the end of the meeting to the end of the person's work hours. */
  beforeClosing: number;
  /** The minutes from the end of the person's previous meeting or focus block to the start of this meeting. */
  sinceLast: number;
  /** The minutes from the end of this meeting to the start of the person's next meeting or focus block. */
  untilNext: number;
  /** On how many sides another meeting or a focus block leaves under ten minutes. */
  sidesTaken: 0 | 1 | 2;
  /** The minutes of other meetings within the person's work hours on the date of the meeting. */
  meetingMinutes: number;
  /** The minutes by which the meeting reaches beyond 08:00-18:00 on the person's clock, 0 if it does not. */
  outsideMinutes: number;
  season: Season;
  /** On the eve of a public holiday the meeting starts at 13:00 or later, or early on the first day back at work. */
  isBesideDaysOff: boolean;
  taste: Taste | undefined;
  energyPattern: EnergyPattern;
}

/** `quiet` is a working day that many take off: 27 to 30 December, or a date that bridges a holiday to days off. */
export type Season = 'eve' | 'quiet' | undefined;

export interface Around {
  /** Finds a meeting's place in the person's day. The next call overwrites the result. */
  of: (start: number, end: number, wall: WallTime) => DayPlace;
  /** True for a day on which the calendar, or a rule of the person's own, shows a lunch break. */
  showsLunch: (day: number) => boolean;
  /** A lunch break that the calendar shows on the date is no meeting here. */
  beside: (start: number, end: number, day: number) => { meetings: Sides; focus: Sides };
}

const TOUCHING_MINUTES = 10;
const [OPENS, CLOSES] = [8 * 60, 18 * 60];
/** The minute from which on people leave for a public holiday, and how long they catch up on the first day back. */
const [LEAVE, CATCH_UP] = [13 * 60, 90];

export function aroundOf(person: SearchedPerson, days: Days): Around {
  const { timeZone, energyPattern = 'flexible' } = person;
  const never = neverRules(person).flatMap(({ blocks }) => blocks);
  const hours = openWeek(workWeek(person.workHours), never);
  const taken = busyInstants(person, 0);
  const focus = person.focusBlocks.length === 0 ? [] : blockInstants(timeZone, days, person.focusBlocks);
  // A break within the day, such as "no meetings at lunch", is as little to be met head on as a meeting.
  const fromFirstToLast = hours.map((edges) => [...edges.slice(0, 1), ...edges.slice(-1)]);
  const breaks =
    never.length === 0
      ? []
      : intersect(wallInstants(timeZone, days, fromFirstToLast), blockInstants(timeZone, days, never));
  const kept = [focus, breaks].flatMap(toIntervals);
  const beside = kept.length === 0 ? taken : union(inOrder([...toIntervals(taken), ...kept]));
  const seasonAt = seasonsOf(person);
  const taste = tasteOf(person, days);
  const dates = new Map<number, ReturnType<typeof dateOf>>();
  const place: DayPlace = { ...NOWHERE, energyPattern };
  const middayOf = (day: number) => wallInstants(timeZone, { first: day, last: day }, MIDDAYS);
  return {
    showsLunch: (day) => {
      const [from = 0, to = 0] = middayOf(day);
      return cut(breaks, from, to).length > 0 || lunchOn(taken, [from, to]).length > 0;
    },
    beside: (start, end, day) => {
      const lunch = lunchOn(taken, middayOf(day));
      const met = lunch.length === 0 ? taken : subtract(taken, lunch);
      return { meetings: sidesOf(met, start, end), focus: sidesOf(focus, start, end) };
    },
    of: (start, end, wall) => {
      const isAtMidnight = wall.endMinute === 0;
      // A zone may skip the date that follows.
      const endDay = isAtMidnight ? Math.min(wall.day, wall.endDay - 1) : wall.endDay;
      const endMinute = isAtMidnight ? DAY_MINUTES : wall.endMinute;
      place.wall = wall;
      place.length = (end - start) / MINUTE;
      place.afterOpening = wall.startMinute - (hours[wall.weekday]?.[0] ?? Number.NEGATIVE_INFINITY);
      place.beforeClosing = (hours[weekdayIndex(endDay)]?.at(-1) ?? Number.POSITIVE_INFINITY) - endMinute;
      const next = firstEndingAfter(beside, start);
      place.sinceLast = next > 0 ? (start - edgeAt(beside, next - 1)) / MINUTE : Number.POSITIVE_INFINITY;
      place.untilNext = next < beside.length ? (edgeAt(beside, next) - end) / MINUTE : Number.POSITIVE_INFINITY;
      const isAfterOne = place.sinceLast < TOUCHING_MINUTES;
      place.sidesTaken = place.untilNext < TOUCHING_MINUTES ? (isAfterOne ? 2 : 1) : isAfterOne ? 1 : 0;
      const until = endMinute + (endDay - wall.day) * DAY_MINUTES;
      place.outsideMinutes = Math.max(0, OPENS - wall.startMinute, until - CLOSES);
      place.taste = taste?.(start, end);
      const date = dates.get(wall.day) ?? dateOf(wall.day);
      place.season = date.season;
      place.isBesideDaysOff =
        (date.isEve && wall.startMinute >= LEAVE) || (date.isBack && place.afterOpening < CATCH_UP);
      place.meetingMinutes = date.meetingMinutes;
      return place;
    },
  };

  function dateOf(day: number) {
    const beside = besideDaysOff(person, day, isAwayOn);
    const date = { season: seasonAt(day), meetingMinutes: meetingMinutesOn(day), ...beside };
    dates.set(day, date);
    return date;
  }

  function isAwayOn(day: number): boolean {
    const instants = wallInstants(timeZone, { first: day, last: day }, WHOLE_WEEK);
    return instants.length > 0 && subtract(instants, taken).length === 0;
  }

  function meetingMinutesOn(day: number): number {
    const working = wallInstants(timeZone, { first: day, last: day }, hours);
    let time = 0;
    for (let i = 0; i < working.length; i += 2) {
      const [opens, closes] = [edgeAt(working, i), edgeAt(working, i + 1)];
      for (let j = firstEndingAfter(taken, opens); j < taken.length && edgeAt(taken, j) < closes; j += 2)
        time += Math.min(edgeAt(taken, j + 1), closes) - Math.max(edgeAt(taken, j), opens);
    }
    return time / MINUTE;
  }
}

const MIDDAYS: Week = WEEKDAYS.map(() => [11 * 60, 15 * 60]);
const LONGEST_LUNCH = 90 * MINUTE;

/** The calendar shows a break if the same short time is taken on three dates of the two weeks around. */
function lunchOn(taken: Edges, [from = 0, to = 0]: readonly number[]): number[] {
  const isTaken = (start: number, end: number) => {
    const i = firstEndingAfter(taken, start);
    return i < taken.length && edgeAt(taken, i) === start && edgeAt(taken, i + 1) === end;
  };
  const lunch = toIntervals(cut(taken, from, to)).find(
    ({ start, end }) =>
      end - start <= LONGEST_LUNCH &&
      isTaken(start, end) &&
      AROUND.filter((days) => isTaken(start + days * DAY, end + days * DAY)).length >= 2,
  );
  return lunch === undefined ? [] : [lunch.start, lunch.end];
}

const AROUND = [-7, -6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7];

/** The sides of a meeting on which something leaves under ten minutes. */
export interface Sides {
  before: boolean;
  after: boolean;
}

function sidesOf(set: Edges, start: number, end: number): Sides {
  const next = firstEndingAfter(set, start);
  const reach = TOUCHING_MINUTES * MINUTE;
  return {
    before: next > 0 && start - edgeAt(set, next - 1) < reach,
    after: next < set.length && edgeAt(set, next) - end < reach,
  };
}

const seasons = new Map<number, Season>();

function seasonOfDay(day: number): Season {
  if (seasons.has(day)) return seasons.get(day);
  const date = formatDate(day).slice(5);
  const isEve = date === '12-24' || date === '12-31';
  const season = isEve ? 'eve' : date > '12-26' ? 'quiet' : undefined;
  seasons.set(day, season);
  return season;
}

/** Returns true on 24 and 31 December. People work on these two days, but would rather not meet. */
export const isHalfDay = (day: number): boolean => seasonOfDay(day) === 'eve';

export function seasonsOf(person: SearchedPerson): (day: number) => Season {
  const bridges = bridgeDays(person);
  return (day) => seasonOfDay(day) ?? (bridges.has(day) ? 'quiet' : undefined);
}

const NOWHERE: Omit<DayPlace, 'energyPattern'> = {
  wall: emptyWallTime(),
  length: 0,
  afterOpening: 0,
  beforeClosing: 0,
  sinceLast: 0,
  untilNext: 0,
  sidesTaken: 0,
  meetingMinutes: 0,
  outsideMinutes: 0,
  season: undefined,
  isBesideDaysOff: false,
  taste: undefined,
};
