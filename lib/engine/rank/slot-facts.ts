import { type Bridge, bridgeAt } from '../rules/bridges.ts';
import { keptFree } from '../rules/free-time.ts';
import { type Holiday, holidaysInSearch } from '../rules/holidays.ts';
import { isHeldBack, type Searched, searchedIn } from '../rules/searched.ts';
import { DAY, MINUTE } from '../time/dates.ts';
import { edgeAt, overlaps } from '../time/intervals.ts';
import type { WallTime } from '../time/moment.ts';
import { daysAround, wallInstants } from '../time/wall-instants.ts';
import { focusWeek } from '../time/week.ts';
import type { Interval, Search, SearchedPerson } from '../types.ts';
import { isHalfDay, sidesTaken } from './comfort.ts';
import { isShortNotice, isSoonAfterNight } from './overnight.ts';
import { momentAt, type Weighed } from './ranked.ts';
import { isFridayAfternoon, isMidMorning, outsideDay, overlapsLunch } from './score.ts';
import type { Around } from './surroundings.ts';
import { rulesAt } from './taste.ts';

/** A time's place in one person's day, as facts from which a sentence about the time is written. */
export interface PersonFacts {
  email: string;
  timeZone: string;
  /** True for a guest whose time zone nobody knows. All facts about their clock and their day are absent then. */
  isClockUnknown: boolean;
  /** Minutes since midnight on this person's clock when the meeting starts. */
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
   * True if the half hours before and after the meeting lie in the person's work hours, and nothing fills them: no other
   * meeting, and no time that the person keeps free.
   */
  hasRoom: boolean;
  /**
   * The minutes until another meeting or a focus block, before or after this meeting, whichever is nearer. Zero if the
   * person's calendar is unknown.
   */
  roomMinutes: number;
  /** True if the person has no other meeting in the calendar and keeps no time free, so that every time has room. */
  isCalendarEmpty: boolean;
  /**
   * The number of sides of the meeting, before and after, on which another meeting or a focus block leaves fewer than
   * ten minutes.
   */
  sidesTaken: 0 | 1 | 2;
  /** True if it is night for the person now, and less than two hours of their next working day lie before the meeting. */
  isOvernight: boolean;
  /** The half of the working day that holds the meeting, if this person is otherwise free in all of it. */
  freeHalf: 'morning' | 'afternoon' | undefined;
  /** True if the meeting's date is 24 or 31 December. People work on these two days, but would rather not meet. */
  isHalfDay: boolean;
  /** The verdict of the person's own rules on this time. `rather_not` outweighs `prefer`. */
  verdict: 'rather_not' | 'prefer' | undefined;
  /** The public holidays on the dates that the search covers, if this person would usually work on them. */
  holidays: Holiday[];
  /** The public holiday that the meeting's date bridges to days off, if this person would usually work on it. */
  bridge: Bridge | undefined;
}

/**
 * Facts for the sentence about one offered time: how the time suits each person, and how it compares with the other
 * free times.
 */
export interface SlotFacts {
  start: number;
  end: number;
  now: number;
  /** The dates that the search covers. Undefined if the caller gave a range of instants. */
  searched: Searched | undefined;
  /** The requester, then the other person. */
  people: [PersonFacts, PersonFacts];
  /** True if no other start suits both people. */
  isOnlyTime: boolean;
  /** True if no other start on this start's date, in the requester's zone, suits both people. */
  isOnlyOfDay: boolean;
  isFirst: boolean;
  /** True if this is the first start, and only the minimum notice rules an earlier one out. */
  isFirstWithNotice: boolean;
  /** True if this is the last start on its date, in the requester's zone, that suits both people. */
  isLastOfDay: boolean;
  isShortNotice: boolean;
  /**
   * Distance in days and minutes, on the requester's clock, from the requested start to this one. It is negative if
   * this one is earlier. Set only for alternatives to a requested start.
   */
  fromAsked: { days: number; minutes: number } | undefined;
}

/** The minutes that must be free before and after a meeting for a sentence to say that it has room around it. */
const ROOM_MINUTES = 30;

/**
 * Returns the facts for the sentence about one start: how it suits each person, and how it compares with the other free
 * starts. If the start is an alternative to a requested start, `asked` is that start.
 */
export function slotFactsAt(search: Search, weighed: Weighed, i: number, asked?: number): SlotFacts {
  const { requester, other, now, durationMinutes } = search;
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
    searched: searchedIn(search),
    people: [
      {
        ...personFacts(requester, own, moment.requester, { start, end, now }),
        ...verdictOf(requester),
        holidays: holidaysInSearch(search, requester),
      },
      {
        ...personFacts(other, theirs, moment.other, { start, end, now }),
        ...verdictOf(other),
        holidays: holidaysInSearch(search, other),
      },
    ],
    isOnlyTime: starts.length === 1,
    isOnlyOfDay: isLastOfDay && !sharesDate(weighed, i, -1),
    isFirst: i === 0,
    isFirstWithNotice: i === 0 && isHeldBack(search, start),
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
): Omit<PersonFacts, 'verdict' | 'holidays'> {
  const { email, timeZone } = person;
  const surroundings = around.of(start, end, wall);
  const { afterOpening, beforeClosing } = surroundings;
  const hasCalendar = person.unknown === undefined;
  const hasClock = person.unknown !== 'clock';
  const { sinceLast, untilNext } = surroundings;
  const gaps = hasClock ? [sinceLast, untilNext, afterOpening, beforeClosing] : [sinceLast, untilNext];
  const isFreeAround = gaps.every((minutes) => minutes >= ROOM_MINUTES);
  const isCalendarEmpty = person.busy.length + person.meetings.length + keptFree(person).length === 0;
  return {
    email,
    timeZone,
    isClockUnknown: !hasClock,
    startMinute: wall.startMinute,
    outside: hasClock ? outsideDay(wall) : undefined,
    isMidMorning: hasClock && isMidMorning(wall),
    isOverLunch: hasClock && overlapsLunch(wall),
    isFridayAfternoon: hasClock && isFridayAfternoon(wall),
    afterOpening: hasClock ? afterOpening : Infinity,
    beforeClosing: hasClock ? beforeClosing : Infinity,
    hasRoom: hasCalendar && isFreeAround && !isBesideKept(person, start, end),
    roomMinutes: hasCalendar ? Math.min(sinceLast, untilNext) : 0,
    isCalendarEmpty,
    sidesTaken: sidesTaken(surroundings),
    isOvernight: hasClock && isSoonAfterNight(person, now, start, true),
    freeHalf: hasCalendar ? around.freeHalfOf(start, wall) : undefined,
    isHalfDay: hasClock && isHalfDay(wall.day),
    bridge: bridgeAt(person, wall.day),
  };
}

/** Returns true if the person keeps time free, such as a focus block, in the half hours before and after a meeting. */
function isBesideKept(person: SearchedPerson, start: number, end: number): boolean {
  const kept = keptFree(person);
  if (kept.length === 0) return false;
  const nearby = { start: start - ROOM_MINUTES * MINUTE, end: end + ROOM_MINUTES * MINUTE };
  return overlaps(wallInstants(person.timeZone, daysAround(nearby), focusWeek(kept)), nearby);
}
