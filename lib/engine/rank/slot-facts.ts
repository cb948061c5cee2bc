import { keptFree } from '../rules/free-time.ts';
import type { Holiday } from '../rules/holidays.ts';
import { DAY, formatDate, MINUTE, WEEKDAYS, weekdayIndex } from '../time/dates.ts';
import { edgeAt, overlaps } from '../time/intervals.ts';
import type { WallTime } from '../time/moment.ts';
import { daysAround, wallInstants } from '../time/wall-instants.ts';
import { focusWeek } from '../time/week.ts';
import type { Interval, Search, SearchedPerson } from '../types.ts';
import { isHalfDay, isShortNotice, sidesTaken } from './comfort.ts';
import { isSoonAfterNight } from './overnight.ts';
import { momentAt, type Weighed } from './ranked.ts';
import { isFridayAfternoon, isMidMorning, outsideDay, overlapsLunch } from './score.ts';
import type { Around } from './surroundings.ts';
import { rulesAt } from './taste.ts';

/** A time's place in one person's day, as facts from which a sentence about the time is written. */
export interface PersonFacts {
  email: string;
  timeZone: string;
  /** Minutes since midnight on this person's clock at the start. */
  startMinute: number;
  /** The meeting starts before 08:00 (`early`) or ends after 18:00 (`late`) on this person's clock. */
  outside: 'early' | 'late' | undefined;
  isMidMorning: boolean;
  isOverLunch: boolean;
  isFridayAfternoon: boolean;
  /** The minutes from the start of the work hours to the start of the meeting. */
  afterOpening: number;
  /** The minutes from the end of the meeting to the end of the work hours. */
  beforeClosing: number;
  /**
   * True if nothing fills the half hours before and after the meeting: no other meeting, and no time that the person
   * keeps free.
   */
  hasRoom: boolean;
  /** The number of sides, before and after, on which another meeting or a focus block leaves fewer than ten minutes. */
  sidesTaken: 0 | 1 | 2;
  /** True if it is night for the person now, and less than two hours of their next working day lie before the meeting. */
  isOvernight: boolean;
  /** The half of the working day that holds the meeting, if this person is otherwise free in all of it. */
  freeHalf: 'morning' | 'afternoon' | undefined;
  /** True on 24 and 31 December, on which people would rather not meet. */
  isHalfDay: boolean;
  /** The verdict of the person's own rules on this time. `rather_not` outweighs `prefer`. */
  verdict: 'rather_not' | 'prefer' | undefined;
  /** The public holidays on the days before and after, if this person would usually work on them. */
  holidaysBeside: Holiday[];
}

/** The facts about one of the times that an answer offers. */
export interface SlotFacts {
  start: number;
  end: number;
  now: number;
  /** The number of dates that the search covers. */
  windowDays: number;
  /** The requester, then the other person. */
  people: [PersonFacts, PersonFacts];
  /** True if no other start suits both people. */
  isOnlyTime: boolean;
  /** True if no other start on this date of the requester suits both people. */
  isOnlyOfDay: boolean;
  isFirst: boolean;
  /** True if no later start on this date of the requester suits both. */
  isLastOfDay: boolean;
  isShortNotice: boolean;
  /**
   * The distance on the requester's clock from the start that was asked for to this one, negative if this one is
   * earlier. Set only for alternatives to such a start.
   */
  fromAsked: { days: number; minutes: number } | undefined;
}

/** Half an hour. */
const ROOM_MINUTES = 30;

/**
 * Returns the facts about one of the starts that suit both people. `asked` is the start to which it is an alternative,
 * if there is one.
 */
export function slotFactsAt(search: Search, weighed: Weighed, i: number, asked?: number): SlotFacts {
  const { requester, other, now, durationMinutes, window } = search;
  const { starts } = weighed;
  const start = edgeAt(starts, i);
  const end = start + durationMinutes * MINUTE;
  const moment = momentAt(search, start);
  const [own, theirs] = weighed.comfort.around();
  const rules = rulesAt(search, start);
  const verdictOf = ({ email }: SearchedPerson) => {
    const verdicts = rules.filter((rule) => rule.email === email).map(({ verdict }) => verdict);
    return { verdict: verdicts.includes('rather_not') ? ('rather_not' as const) : verdicts[0] };
  };
  const wanted = asked === undefined ? undefined : momentAt(search, asked).requester;
  const isLastOfDay = !sharesDate(weighed, i, 1);
  return {
    start,
    end,
    now,
    windowDays: window.days,
    people: [
      { ...personFacts(requester, own, moment.requester, { start, end, now }), ...verdictOf(requester) },
      { ...personFacts(other, theirs, moment.other, { start, end, now }), ...verdictOf(other) },
    ],
    isOnlyTime: starts.length === 1,
    isOnlyOfDay: isLastOfDay && !sharesDate(weighed, i, -1),
    isFirst: i === 0,
    isLastOfDay,
    isShortNotice: isShortNotice(start, now),
    fromAsked: wanted && {
      days: moment.requester.day - wanted.day,
      minutes: moment.requester.startMinute - wanted.startMinute,
    },
  };
}

/** Returns true if an earlier start (`step` -1) or a later one (`step` 1) lies on the same date of the requester. */
function sharesDate({ starts, days }: Weighed, i: number, step: 1 | -1): boolean {
  const start = edgeAt(starts, i);
  for (let j = i + step; j >= 0 && j < starts.length && Math.abs(edgeAt(starts, j) - start) < 2 * DAY; j += step)
    if (days[j] === days[i]) return true;
  return false;
}

function personFacts(
  person: SearchedPerson,
  around: Around,
  wall: WallTime,
  { start, end, now }: Interval & { now: number },
): Omit<PersonFacts, 'verdict'> {
  const { email, timeZone } = person;
  const surroundings = around.of(start, end, wall);
  const { afterOpening, beforeClosing, sinceLast, untilNext } = surroundings;
  return {
    email,
    timeZone,
    startMinute: wall.startMinute,
    outside: outsideDay(wall),
    isMidMorning: isMidMorning(wall),
    isOverLunch: overlapsLunch(wall),
    isFridayAfternoon: isFridayAfternoon(wall),
    afterOpening,
    beforeClosing,
    hasRoom: sinceLast >= ROOM_MINUTES && untilNext >= ROOM_MINUTES && !isBesideKept(person, start, end),
    sidesTaken: sidesTaken(surroundings),
    isOvernight: isSoonAfterNight(person, now, start),
    freeHalf: around.freeHalfOf(start, wall),
    isHalfDay: isHalfDay(wall.day),
    holidaysBeside: holidaysBeside(person, wall.day),
  };
}

/** Returns true if the person keeps time free, such as a focus block, in the half hour before or after a meeting. */
function isBesideKept(person: SearchedPerson, start: number, end: number): boolean {
  const kept = keptFree(person);
  if (kept.length === 0) return false;
  const nearby = { start: start - ROOM_MINUTES * MINUTE, end: end + ROOM_MINUTES * MINUTE };
  return overlaps(wallInstants(person.timeZone, daysAround(nearby), focusWeek(kept)), nearby);
}

function holidaysBeside({ holidays, workHours }: SearchedPerson, day: number): Holiday[] {
  if (holidays === undefined) return [];
  return [day - 1, day + 1].flatMap((one) => {
    const name = holidays.get(one);
    const weekday = WEEKDAYS[weekdayIndex(one)];
    return name !== undefined && weekday !== undefined && workHours[weekday].enabled
      ? [{ date: formatDate(one), name }]
      : [];
  });
}
