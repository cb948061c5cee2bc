import { ANY_TIME } from '../rules/defaults.ts';
import { candidateStarts } from '../rules/free-time.ts';
import { personObjections } from '../rules/objections.ts';
import { DAY_MINUTES, formatMinute, HOUR, parseDate, parseMinute, WEEKDAYS, weekdayIndex } from '../time/dates.ts';
import { intersect } from '../time/intervals.ts';
import { localDate } from '../time/zone.ts';
import type { DayHours, Interval, SearchedPerson, Weekday, WorkHours } from '../types.ts';
import type { ClockSpan } from '../wish/reading.ts';
import {
  type AskedPart,
  bendOf,
  HOURS,
  type RefusedHours,
  type Wish,
  type WishPart,
  wishedInstants,
} from '../wish/wish-parts.ts';
import { type Alternative, askedTime, type RescheduleSearch, shiftedTime, timeAt } from './reschedule-choices.ts';

/** Settings of the person who asks that give way to their own words, in the order in which a sentence names them. */
export const OWN_SETTINGS = ['work_hours', 'standing_rule', 'day_limit', 'buffer'] as const;
export type OwnSetting = (typeof OWN_SETTINGS)[number];

/** No day holds as many meetings. */
export const ANY_NUMBER = 1_000;
/** Number of wished days from which on they are a week, which names no day off. */
const WEEK = 5;
/** Hours that "after 7 pm" opens past a person's working day, in minutes. */
const PAST_DAY = 180;

/**
 * Opens the asker's work hours, standing rules, day limit and buffer for what the wish names, but not their calendar,
 * focus blocks or holidays. Returns undefined if it names no day and no hour, or if nobody is known to ask.
 */
export function openedFor(search: RescheduleSearch, { wish }: Pick<Alternative, 'wish'>): RescheduleSearch | undefined {
  const { dates, weekdaysWanted, clockFrom, clockTo, earliest, latest, refused, relative } = wish;
  const bound = refused?.find(isBound) ?? relative;
  const named = dates ?? weekdaysWanted ?? clockFrom ?? clockTo ?? earliest ?? latest ?? bound;
  const { startMinute, endMinute } = askedTime(search.askerTimeZone, search.old).wall;
  // "Later in the day" names the hours from the old time on.
  const hours = relative && { clockFrom: startMinute, clockTo: DAY_MINUTES };
  const than = relative === 'earlier' ? { clockFrom: 0, clockTo: endMinute } : hours;
  return named === undefined ? undefined : opened(search, (person) => hoursFor(person, { ...than, ...wish }));
}

export const openedAtAnyHour = (search: RescheduleSearch): RescheduleSearch | undefined =>
  opened(search, () => ANY_TIME);

function opened(search: RescheduleSearch, hours: (person: SearchedPerson) => WorkHours): RescheduleSearch | undefined {
  const place = ([search.requester, search.other] as const).findIndex(({ email }) => email === search.askedBy);
  if (place < 0) return undefined;
  const open = (person: SearchedPerson): SearchedPerson => ({
    ...person,
    workHours: hours(person),
    standing: person.standing?.filter(({ verdict }) => verdict !== 'never'),
    bufferMinutes: 0,
    maxMeetingsPerDay: ANY_NUMBER,
  });
  return place === 0 ? { ...search, requester: open(search.requester) } : { ...search, other: open(search.other) };
}

/** Returns the hours of a person that their wish opens: the named days, and past their own hours the named ones. */
function hoursFor({ workHours }: SearchedPerson, wish: Wish): WorkHours {
  const { dates = [], weekdaysWanted = [], refused = [] } = wish;
  const named = new Set<Weekday>();
  for (const list of [dates, ...refused.filter(isBound).map((hours) => hours.dates ?? [])])
    if (list.length < WEEK) for (const date of list) named.add(weekdayOfDate(date));
  if (weekdaysWanted.length < WEEK) for (const day of weekdaysWanted) named.add(day);
  const worked = Object.values(workHours).filter(({ enabled }) => enabled);
  const [starts, ends] = [worked.map(({ start }) => start).sort(), worked.map(({ end }) => end).sort()];
  const usual = { start: starts[0] ?? '08:00', end: ends.at(-1) ?? '18:00' };
  const dayHours = (day: Weekday): DayHours => {
    const own = workHours[day];
    if (!own.enabled && !named.has(day)) return own;
    const { start, end } = own.enabled ? own : usual;
    const [from, to] = [parseMinute(start), parseMinute(end)];
    const said = hoursNamedOn(day, wish);
    const [hasStart, hasEnd] = [said.from > 0, said.to < DAY_MINUTES];
    if (!hasStart && !hasEnd) return { enabled: true, start, end };
    const first = hasStart ? Math.min(from, said.from) : Math.max(0, Math.min(from, said.to - PAST_DAY));
    const last = hasEnd ? Math.max(to, said.to) : Math.min(DAY_MINUTES, Math.max(to, said.from + PAST_DAY));
    return { enabled: true, start: formatMinute(first), end: formatMinute(last) };
  };
  return Object.fromEntries(WEEKDAYS.map((day) => [day, dayHours(day)])) as WorkHours;
}

/** Demands that name days on which a person may not work. */
const OF_DAYS: ReadonlySet<WishPart> = new Set(['dates', 'weekdaysWanted']);

const weekdayOfDate = (date: string): Weekday => WEEKDAYS[weekdayIndex(parseDate(date) ?? 0)] ?? 'monday';

/** Returns true for refused hours that leave only those after or before them, such as "not before 18:00". */
const isBound = ({ said, from, to }: RefusedHours) => said !== undefined && (from === 0) !== (to === DAY_MINUTES);

/** Returns the hours that a wish names on a weekday: those that it asks for, less those that it refuses on either side. */
function hoursNamedOn(day: Weekday, { clockFrom = 0, clockTo = DAY_MINUTES, refused = [] }: Wish): ClockSpan {
  const own = refused.filter(
    ({ said, dates, weekdays }) =>
      said && (dates?.some((date) => weekdayOfDate(date) === day) ?? weekdays?.includes(day) ?? true),
  );
  let [from, to] = [clockFrom, clockTo];
  for (const hours of own.toSorted((a, b) => a.from - b.from)) if (hours.from <= from) from = Math.max(from, hours.to);
  for (const hours of own.toSorted((a, b) => b.to - a.to)) if (hours.to >= to) to = Math.min(to, hours.from);
  return from < to ? { from, to } : { from: clockFrom, to: clockTo };
}

/** Longest range of the caller, in milliseconds, that names hours and not only days. */
const NAMES_HOURS = 24 * HOUR;

/**
 * Where none within the asker's settings will do, their words open these times. Named hours open on each day that lacks
 * them, because "at 8 pm" means the old day before the next. A day without any opens with its usual hours.
 */
export function openedStarts(search: RescheduleSearch, alternatives: readonly Alternative[], own: readonly number[]) {
  const { askerTimeZone, within } = search;
  const meets = (parts: readonly AskedPart[], start: number) => bendOf(parts, timeAt(search, start)) === 0;
  const starts = alternatives.flatMap((one) => {
    const open = openedFor(search, one);
    if (open === undefined) return [];
    const { wish, parts } = one;
    // "I can't do Thursday before 18:00" names the rest of Thursday, though other days would do.
    const bounds =
      wish.earliest === undefined ? (wish.refused ?? []).filter(isBound).flatMap(({ dates }) => dates ?? []) : [];
    const hasHours = (wish.clockFrom ?? wish.clockTo) !== undefined;
    const days = parts.filter(({ part }) => !HOURS.has(part));
    const namesDay = days.some(({ part }) => OF_DAYS.has(part));
    return [parts, ...(namesDay ? [days] : [])].flatMap((demands) => {
      const met = new Set(own.filter((start) => meets(demands, start)).map((start) => localDate(askerTimeZone, start)));
      const isOpen = (date: string) =>
        met.size === 0 || (demands === parts && !met.has(date) && (hasHours || bounds.includes(date)));
      return candidateStarts({ ...open, only: wishedInstants(demands) }).filter(
        (start) => isOpen(localDate(askerTimeZone, start)) && meets(demands, start),
      );
    });
  });
  const shifted = shiftedTime(search);
  const anyHour = openedAtAnyHour(search);
  if (shifted !== undefined && anyHour !== undefined)
    starts.push(...candidateStarts({ ...anyHour, only: intersect(search.only ?? shifted, shifted) }));
  if (within !== undefined && within.end - within.start <= NAMES_HOURS && own.length === 0 && anyHour !== undefined)
    starts.push(...candidateStarts(anyHour));
  return starts;
}

export function leftAside({ requester, other, askedBy }: RescheduleSearch, time: Interval): OwnSetting[] {
  const asker = [requester, other].find(({ email }) => email === askedBy);
  const broken = asker === undefined ? [] : personObjections(asker, time).map(({ rule }) => rule);
  return OWN_SETTINGS.filter((setting) => broken.includes(setting));
}
