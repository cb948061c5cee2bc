import {
  ALL_RULES,
  candidateStarts,
  freeForMeeting,
  keptFree,
  mergeStarts,
  NOTICE,
  startsWithin,
} from '../rules/free-time.ts';
import { type Bridge, bridgeAt, type Holiday, holidaysInSearch } from '../rules/holidays.ts';
import { DAY, DAY_MINUTES, formatDate, MINUTE, parseDate, parseMinute } from '../time/dates.ts';
import { edgeAt, overlaps } from '../time/intervals.ts';
import { type WallTime, weekdayOf } from '../time/moment.ts';
import { blockInstants, daysAround } from '../time/wall-instants.ts';
import { localDate, localDay, offsetAt } from '../time/zone.ts';
import type { Interval, Search, SearchedPerson } from '../types.ts';
import { isShortNotice, momentAt, readBy, type Weighed } from './merit.ts';
import { bitsOfParts, partsHeld } from './parts.ts';
import { bitsOn, fridayAfternoon, lunch, midMorning, outsideDay } from './score.ts';
import type { Around, Season, Sides } from './surroundings.ts';
import { type AppliedRule, rulesAt } from './taste.ts';

/** A time's place in one person's day, as facts from which a sentence about the time is written. */
export interface PersonFacts {
  email: string;
  timeZone: string;
  /** True for a guest whose time zone nobody knows. All facts about their clock and their day are absent then. */
  isClockUnknown: boolean;
  /** Undefined too if the meeting is well within the work hours of a late or an early shift. */
  outside: 'early' | 'late' | undefined;
  isMidMorning: boolean;
  /** The meeting overlaps the hour from noon, and the person's calendar shows no lunch break at another time. */
  isOverLunch: boolean;
  isFridayAfternoon: boolean;
  /** The meeting starts before 11:00, in the first half hour of the person's work hours. */
  isFirstThing: boolean;
  /** The meeting starts at 16:00 or later and ends in the last hour of the person's work hours. */
  isLastThing: boolean;
  /** The sides on which another meeting of the person's leaves under ten minutes. */
  meetings: Sides;
  /** The sides on which a focus block of the person's leaves under ten minutes. */
  focus: Sides;
  /** The half hours before and after the meeting lie in the person's work hours, and nothing fills them. */
  hasRoom: boolean;
  /** True if the person has no other meeting in the calendar and keeps no time free, so that every time has room. */
  isCalendarEmpty: boolean;
  /** It is night for the person now, and less than two hours of their next working day lie before the meeting. */
  isOvernight: boolean;
  season: Season;
  /** The rule of the person's own that speaks for or against this time. One against it outweighs one for it. */
  rule: AppliedRule | undefined;
  /** True if the person named times that they like, and this is none of them. */
  isUnliked: boolean;
  /** The public holidays on the dates that the search covers, if both people would otherwise have a free time on them. */
  holidays: Holiday[];
  /** The public holiday that the meeting's date bridges to days off, if this person would usually work on it. */
  bridge: Bridge | undefined;
}

/** Facts for the sentence about one time: how it suits each person, and its place among the other free times. */
export interface TimeFacts {
  start: number;
  end: number;
  now: number;
  /** The dates that the search covers. Undefined if the caller gave a range of instants. */
  searched: Searched | undefined;
  /** The requester, then the other person. */
  people: [PersonFacts, PersonFacts];
  isOnlyTime: boolean;
  /** True if all starts that suit both people lie on this start's date, and the search covers others too. */
  isOnlyDay: boolean;
  /** True if all starts that suit both people, on two dates at least, lie within one hour of the requester's clock. */
  isOnlyHour: boolean;
  /** True if no other start on this start's date, in the requester's zone, suits both people. */
  isOnlyOfDay: boolean;
  isFirst: boolean;
  /** True if this is the first start, and only the minimum notice rules an earlier one out. */
  isFirstWithNotice: boolean;
  isShortNotice: boolean;
  /** Negative if this start is earlier, on the requester's clock. Set only for alternatives to a requested start. */
  fromAsked: { days: number; minutes: number } | undefined;
}

/** The minutes that must be free before and after a meeting for a sentence to say that it has room around it. */
const ROOM_MINUTES = 30;
const [LATE, EVENING] = [16 * 60, 18 * 60];
const FORENOON = 11 * 60;
/** The minutes of work hours from which they no longer tell when a person's day is. */
const LONG_DAY = 12 * 60;

/** The parts of a time that somebody would rather not have, or likes less than others, which no sentence praises to them. */
const DISLIKED = bitsOfParts(['rather_not', 'near_preferred', 'not_preferred', 'not_best_hours']);

/** `asked` is the requested start if the starts are alternatives to it. */
export function timeFacts(
  search: Search,
  of: Pick<Weighed, 'starts' | 'around'>,
  asked?: number,
): (i: number) => TimeFacts {
  const { requester, other, now, durationMinutes } = search;
  const { starts } = of;
  const dayOf = (at: number | undefined) => (at === undefined ? undefined : localDay(requester.timeZone, at));
  const [first, last] = [dayOf(starts[0]), dayOf(starts.at(-1))];
  const isOnlyHour = first !== last && isWithinAnHour(requester.timeZone, starts, durationMinutes);
  const searched = searchedIn(search);
  const [ownHolidays, theirHolidays] = [holidaysMissed(search, requester), holidaysMissed(search, other)];
  const wanted = asked === undefined ? undefined : momentAt(search, asked).requester;
  return (i) => {
    const start = edgeAt(starts, i);
    const end = start + durationMinutes * MINUTE;
    const moment = momentAt(search, start);
    const rules = rulesAt(search, start);
    const meeting = { start, end, now };
    const factsOf = (person: SearchedPerson, around: Around, wall: WallTime, holidays: Holiday[]): PersonFacts => {
      const own = rules.filter(({ email }) => email === person.email);
      const rule = own.find(({ verdict }) => verdict === 'rather_not') ?? own[0];
      return { ...personFacts(person, around, wall, meeting), rule, holidays };
    };
    const day = dayOf(start);
    return {
      start,
      end,
      now,
      searched,
      people: [
        factsOf(requester, of.around[0], moment.requester, ownHolidays),
        factsOf(other, of.around[1], moment.other, theirHolidays),
      ],
      isOnlyTime: starts.length === 1,
      isOnlyDay: search.window.start !== search.window.end && first === day && last === day,
      isOnlyHour,
      isOnlyOfDay: dayOf(starts[i - 1]) !== day && dayOf(starts[i + 1]) !== day,
      isFirst: i === 0,
      isFirstWithNotice: i === 0 && isHeldBack(search, start),
      isShortNotice: isShortNotice(start, now),
      fromAsked: wanted && {
        days: moment.requester.day - wanted.day,
        minutes: moment.requester.startMinute - wanted.startMinute,
      },
    };
  };
}

/** Facts of a narrowed search are about all common times, because a reader takes "the earliest" for that. */
export function factsOfStarts(
  search: Search,
  { starts, around }: Pick<Weighed, 'starts' | 'around'>,
  asked?: number,
): (i: number) => TimeFacts {
  if (search.narrowedTo === undefined) return timeFacts(search, { starts, around }, asked);
  const anywhere = { ...search, narrowedTo: undefined };
  const all = mergeStarts(candidateStarts(anywhere), [...starts]);
  const factsAt = timeFacts(anywhere, { starts: all, around }, asked);
  return (i) => factsAt(all.indexOf(edgeAt(starts, i)));
}

/** Leaves out the public holidays on which the two would have no free time anyway. */
function holidaysMissed(search: Search, person: SearchedPerson): Holiday[] {
  const holidays = holidaysInSearch(search, person);
  if (holidays.length === 0) return holidays;
  const starts = candidateStarts(search, { ...ALL_RULES, holidays: false });
  const dates = new Set(starts.map((start) => localDate(person.timeZone, start)));
  return holidays.filter(({ date }) => dates.has(date));
}

function isWithinAnHour(timeZone: string, starts: readonly number[], durationMinutes: number): boolean {
  let [earliest, latest] = [Number.POSITIVE_INFINITY, 0];
  return starts.every((start) => {
    const minute = ((start + offsetAt(timeZone, start)) % DAY) / MINUTE;
    [earliest, latest] = [Math.min(earliest, minute), Math.max(latest, minute)];
    return latest - earliest + durationMinutes <= 60;
  });
}

function personFacts(
  person: SearchedPerson,
  around: Around,
  wall: WallTime,
  { start, end, now }: Interval & { now: number },
): Omit<PersonFacts, 'rule' | 'holidays'> {
  const { email, timeZone } = person;
  const place = around.of(start, end, wall);
  const { afterOpening, beforeClosing, sinceLast, untilNext, season, energyPattern } = place;
  const hasCalendar = person.unknown === undefined;
  const hasClock = person.unknown !== 'clock';
  const gaps = hasClock ? [sinceLast, untilNext, afterOpening, beforeClosing] : [sinceLast, untilNext];
  const isFreeAround = gaps.every((minutes) => minutes >= ROOM_MINUTES);
  const outside = hasClock && !isInUsualHours(person, wall) ? outsideDay(wall) : undefined;
  const isInside = hasClock && outside === undefined;
  const bits = hasClock ? bitsOn(wall) : 0;
  return {
    email,
    timeZone,
    isClockUnknown: !hasClock,
    outside,
    isMidMorning:
      (bits & midMorning.bit) > 0 && !(afterOpening >= 0 && afterOpening < 60) && (partsHeld(place) & DISLIKED) === 0,
    isOverLunch: (bits & lunch.bit) > 0 && !around.showsLunch(wall.day),
    isFridayAfternoon: (bits & fridayAfternoon.bit) > 0 && wall.startMinute < EVENING,
    // A rule such as "never before ten" shortens the day for the ranking, but nobody calls ten "first thing" then.
    isFirstThing:
      isInside &&
      energyPattern !== 'morning_person' &&
      afterOpening >= 0 &&
      afterOpening < 30 &&
      wall.startMinute < FORENOON &&
      isAtWorkEdge(person, wall, 'start'),
    isLastThing:
      isInside &&
      energyPattern !== 'evening_person' &&
      beforeClosing >= 0 &&
      beforeClosing < 60 &&
      wall.startMinute >= LATE &&
      isAtWorkEdge(person, wall, 'end'),
    ...around.beside(start, end, wall.day),
    hasRoom: hasCalendar && isFreeAround && !isBesideKept(person, start, end),
    isCalendarEmpty: person.busy.length + person.meetings.length + keptFree(person).length === 0,
    isOvernight: hasClock && start - now <= DAY && start < readBy(person, now, true) && !isShortNotice(start, now),
    isUnliked: place.taste === 'near_preferred' || place.taste === 'not_preferred',
    season: hasClock ? season : undefined,
    bridge: bridgeAt(person, wall.day),
  };
}

/** A rule such as "done by half past eight" shortens no shift, so the work hours alone count. */
function isInUsualHours({ workHours, energyPattern }: SearchedPerson, wall: WallTime): boolean {
  const { enabled, ...hours } = workHours[weekdayOf(wall)];
  const [opens, closes] = [parseMinute(hours.start), parseMinute(hours.end)];
  const endMinute = wall.endMinute + (wall.endDay - wall.day) * DAY_MINUTES;
  return (
    enabled &&
    wall.startMinute >= opens + (energyPattern === 'morning_person' ? 0 : 60) &&
    endMinute <= closes - (energyPattern === 'evening_person' ? 0 : 60) &&
    closes - opens <= LONG_DAY
  );
}

function isAtWorkEdge({ workHours }: SearchedPerson, wall: WallTime, edge: 'start' | 'end'): boolean {
  const minute = parseMinute(workHours[weekdayOf(wall)][edge]);
  return edge === 'start' ? wall.startMinute < minute + 60 : wall.endMinute > minute - 60;
}

function isBesideKept(person: SearchedPerson, start: number, end: number): boolean {
  const kept = keptFree(person);
  if (kept.length === 0) return false;
  const nearby = { start: start - ROOM_MINUTES * MINUTE, end: end + ROOM_MINUTES * MINUTE };
  return overlaps(blockInstants(person.timeZone, daysAround(nearby), kept), nearby);
}

/** "The only time through 21 January" needs them, because nobody has looked beyond. */
export interface Searched {
  first: string;
  last: string;
  isFromNow: boolean;
}

export function searchedIn({ requester, window, within, only, notBefore = 0, now }: Search): Searched | undefined {
  if (within !== undefined || only !== undefined) return undefined;
  const isFromNow = notBefore <= now && window.start <= localDate(requester.timeZone, now);
  return { first: window.start, last: window.end, isFromNow };
}

/** Returns true if a start before `first` suits both people, and only the minimum notice rules it out. */
export function isHeldBack(search: Search, first: number): boolean {
  const { now, requester, window } = search;
  const today = localDate(requester.timeZone, now);
  const end = [window.end, dayAfter(today)].sort()[0] ?? window.end;
  const soon = { ...search, now: now - NOTICE, window: { ...window, end } };
  const [start] = startsWithin(freeForMeeting(soon, ALL_RULES, ALL_RULES), soon, 1);
  return start !== undefined && start < first;
}

const dayAfter = (date: string): string => formatDate((parseDate(date) ?? 0) + 1);
