import { bridgeDays } from '../rules/bridges.ts';
import { DAY, DAY_MINUTES, formatDate, MINUTE } from '../time/dates.ts';
import type { Moment, WallTime } from '../time/moment.ts';
import { type Days, daysElsewhere } from '../time/wall-instants.ts';
import { windowDays } from '../time/window.ts';
import type { Search, SearchedPerson } from '../types.ts';
import { type AfterNight, isShortNotice, workedAfterNight } from './overnight.ts';
import { type Around, aroundOf, LONG_ENOUGH, type Surroundings } from './surroundings.ts';

/** The parts of comfort that are about one person's day, in the order in which they multiply. */
const PERSON_PARTS = ['start_of_day', 'end_of_day', 'next_to_a_meeting', 'free_stretch', 'half_day'] as const;

export type ComfortName = (typeof PERSON_PARTS)[number] | 'short_notice' | 'lead_time';

/**
 * A part of a time's comfort. `value` is 0 to 1, and 1 takes nothing off the comfort. `email` names the person whose
 * day the part is about, and is null if it is about both people.
 */
export interface ComfortPart {
  name: ComfortName;
  email: string | null;
  value: number;
}

/** A rating of meeting times by how comfortable they are for the two people of a search. */
export interface Comfort {
  /** Returns how comfortable a time is for both people, 0 to 1. Higher is better. */
  at: (moment: Moment) => number;
  /**
   * Returns the comfort of a time without the part that depends on how far ahead the time is. A reschedule ranks times
   * by it, because it already counts how far each time lies from the wanted one.
   */
  atAnyLead: (moment: Moment) => number;
  /** Returns the parts whose product is the comfort of a time. Leaves out parts of value 1, which change nothing. */
  partsAt: (moment: Moment) => ComfortPart[];
  /** Returns the views of the two people's calendars that measure what lies around a meeting, the requester's first. */
  around: () => readonly [Around, Around];
  /** Returns the instants by which both people will have worked for one hour and for two, if it is night now. */
  afterNight: () => AfterNight;
}

// The numbers of the formula. schema/DECISIONS.md, "Comfort", and /docs/ranking publish them.
const DAY_STARTS = { within: 30, least: 0.5 };
const DAY_ENDS = { within: 60, least: 0.5 };
/**
 * Values that replace `DAY_STARTS` on Mondays and `DAY_ENDS` on Fridays in the rating of comfort. The first work hour
 * of a Monday and the last of a Friday are less comfortable than those of other days.
 */
const WEEK_EDGE = { within: 60, least: 0.4 };
const NEXT_TO_A_MEETING = { within: 10, onOneSide: 0.6, onBoth: 0.4 };
const NO_STRETCH_LEFT = 0.9;
const HALF_DAY = { morning: 0.5, afternoon: 0.25 };
const QUIET_DAY = 0.7;
const NOON = DAY_MINUTES / 2;
const SHORT_NOTICE = 0.25;
const SOON_AFTER_NIGHT = 0.5;
const LEAD = { costsAWeek: 0.03, least: 0.5 };

const [MONDAY, FRIDAY] = [0, 4];

/**
 * Returns the comfort of meeting times (schema/DECISIONS.md, "Comfort"). It is a product of parts between 0 and 1, and
 * does not depend on who of the two people is the requester. Calendars are read on the given days, when the first time is
 * asked for.
 */
export function comfortOf(search: Search, days?: Days): Comfort {
  const { requester, other, durationMinutes, window } = search;
  const duration = durationMinutes * MINUTE;
  const around = once(() => {
    const read = days ?? daysElsewhere(windowDays(window));
    return [aroundOf(requester, read), aroundOf(other, read)] as const;
  });
  const afterNight = once(() => workedAfterNight(search));
  const [values, otherValues] = [new Float64Array(PERSON_PARTS.length), new Float64Array(PERSON_PARTS.length)];
  const atAnyLead = ({ start, now, requester: wall, other: otherWall }: Moment) => {
    const end = start + duration;
    const [own, theirs] = around();
    fill(values, own.of(start, end, wall), wall);
    fill(otherValues, theirs.of(start, end, otherWall), otherWall);
    return productOf(values) * productOf(otherValues) * noticeAt(start, now);
  };
  const noticeAt = (start: number, now: number) => {
    if (isShortNotice(start, now)) return SHORT_NOTICE;
    return start - now <= DAY && start < afterNight().twoHours ? SOON_AFTER_NIGHT : 1;
  };
  const at = (moment: Moment) => atAnyLead(moment) * leadAt(moment.start - moment.now);
  const partsAt = (moment: Moment): ComfortPart[] => {
    at(moment);
    const ahead = moment.start - moment.now;
    const partsOf = (email: string, from: Float64Array) =>
      PERSON_PARTS.map((name, i) => ({ name, email, value: from[i] ?? 1 }));
    const parts: ComfortPart[] = [
      ...partsOf(requester.email, values),
      ...partsOf(other.email, otherValues),
      { name: 'short_notice', email: null, value: noticeAt(moment.start, moment.now) },
      { name: 'lead_time', email: null, value: leadAt(ahead) },
    ];
    return parts.filter(({ value }) => value < 1);
  };
  return { at, atAnyLead, partsAt, around, afterNight };
}

/** Returns a function that makes a value when first called, and returns the same one from then on. */
function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * Returns the highest comfort that a meeting with this start can have. It is lower for starts that are further ahead.
 */
export const mostComfort = (start: number, now: number): number => leadAt(start - now);

/** Rounds a comfort to two decimal places, as API answers show it. */
export const twoPlaces = (comfort: number): number => Math.round(comfort * 100) / 100;

function fill(values: Float64Array, around: Surroundings, wall: WallTime) {
  values[0] = edge(around.afterOpening, wall.weekday === MONDAY ? WEEK_EDGE : DAY_STARTS);
  values[1] = edge(around.beforeClosing, around.lastWeekday === FRIDAY ? WEEK_EDGE : DAY_ENDS);
  values[2] = besideMeetings(around);
  values[3] = NO_STRETCH_LEFT + (1 - NO_STRETCH_LEFT) * Math.min(1, around.longestLeft / LONG_ENOUGH);
  values[4] = halfDayAt(wall, around.isBridge);
}

function halfDayAt({ day, startMinute }: WallTime, isBridge: boolean): number {
  const season = seasonOfDay(day);
  if (season === 'eve') return startMinute < NOON ? HALF_DAY.morning : HALF_DAY.afternoon;
  return isBridge || season === 'between_years' ? QUIET_DAY : 1;
}

type Season = 'eve' | 'between_years' | 'none';
const seasons = new Map<number, Season>();

/** Returns `eve` on 24 and 31 December, and `between_years` on the working days from 27 to 30 December. */
function seasonOfDay(day: number): Season {
  const known = seasons.get(day);
  if (known !== undefined) return known;
  const [, date] = /12-(24|31|27|28|29|30)$/.exec(formatDate(day)) ?? [];
  const season = date === undefined ? 'none' : date === '24' || date === '31' ? 'eve' : 'between_years';
  seasons.set(day, season);
  return season;
}

/** Returns true on 24 and 31 December. People work on these two days, but would rather not meet. */
export const isHalfDay = (day: number): boolean => seasonOfDay(day) === 'eve';

/**
 * Returns a test of a person's days: true on 24, 27 to 31 December and on a bridge day between one of their public
 * holidays and days off. Many people take such a day off.
 */
export function quietDaysOf(person: SearchedPerson): (day: number) => boolean {
  const bridges = bridgeDays(person);
  return (day) => seasonOfDay(day) !== 'none' || bridges.has(day);
}

/**
 * Returns the part of the comfort for a meeting that lies this many minutes from the start or the end of the work
 * hours. It is `least` at the edge, grows evenly up to 1 at `within` minutes, and is 1 outside the work hours.
 */
function edge(minutes: number, { within, least }: { within: number; least: number }): number {
  if (minutes < 0 || minutes >= within) return 1;
  return least + (1 - least) * (minutes / within);
}

function besideMeetings(around: Surroundings): number {
  const { onOneSide, onBoth } = NEXT_TO_A_MEETING;
  const sides = sidesTaken(around);
  return sides === 0 ? 1 : sides === 1 ? onOneSide : onBoth;
}

/**
 * Returns the number of sides of a meeting, before and after, on which another meeting or a focus block leaves under
 * ten minutes.
 */
export function sidesTaken({ sinceLast, untilNext }: Surroundings): 0 | 1 | 2 {
  const { within } = NEXT_TO_A_MEETING;
  const isAfterOne = sinceLast < within;
  return untilNext < within ? (isAfterOne ? 2 : 1) : isAfterOne ? 1 : 0;
}

/** Returns true if a meeting starts in the first minutes of a person's work hours, which lowers its comfort. */
export const isFirstThing = ({ afterOpening }: Pick<Surroundings, 'afterOpening'>): boolean =>
  afterOpening >= 0 && afterOpening < DAY_STARTS.within;

/** Returns true if a meeting ends in the last hour of a person's work hours, which lowers its comfort. */
export const isLastThing = ({ beforeClosing }: Pick<Surroundings, 'beforeClosing'>): boolean =>
  beforeClosing >= 0 && beforeClosing < DAY_ENDS.within;

const leadAt = (ahead: number) => Math.max(LEAD.least, 1 - (LEAD.costsAWeek * ahead) / (7 * DAY));

function productOf(values: Float64Array): number {
  let product = 1;
  for (let i = 0; i < values.length; i++) product *= values[i] as number;
  return product;
}
