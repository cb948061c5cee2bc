import { DAY_MINUTES, formatMinute, MINUTE, parseMinute, WEEKDAYS } from '../time/dates.ts';
import { wallTimeAt, weekdayOf } from '../time/moment.ts';
import type { Search, SearchedPerson, WorkHours } from '../types.ts';
import { ANY_TIME } from './defaults.ts';
import { ALL_RULES, type Applied, candidateStarts, hasCandidate, WORK_HOURS_ONLY } from './free-time.ts';

/** The rules are left out in this order, so that the causes that remain are those that people give up last. */
const FROM_SOFT_TO_HARD = [
  ['buffer', 'buffer'],
  ['focus_block', 'focusBlocks'],
  ['standing_rule', 'standingRules'],
  ['day_limit', 'dayLimit'],
  ['holiday', 'holidays'],
  ['busy', 'busy'],
] as const satisfies readonly [string, keyof Applied][];

/** `email` is null for a rule of the search itself. `floor` is the first day to which a meeting may move. */
export interface Cause {
  email: string | null;
  rule: 'window' | 'work_hours' | 'notice' | (typeof FROM_SOFT_TO_HARD)[number][0] | 'had_before' | 'floor';
}

const LONG_AGO = 0;

/** Without any one rule of the minimal set some start would be free. The list is empty if the search has starts. */
export function causesOf(search: Search): Cause[] {
  if (!isEmpty(search)) return [];
  const { requester, other } = search;
  const anyStart = { ...search, notAt: undefined };
  const anyTime = { ...anyStart, now: LONG_AGO };
  const hoursOf = ({ email }: SearchedPerson): Cause => ({ email, rule: 'work_hours' });
  const everyHour = { workHours: ANY_TIME };
  const anyHour = { ...anyTime, requester: { ...requester, ...everyHour }, other: { ...other, ...everyHour } };
  if (isEmpty(anyHour, WORK_HOURS_ONLY)) return [{ email: null, rule: 'window' }];
  if (isEmpty({ ...anyTime, other: { ...other, ...everyHour } }, WORK_HOURS_ONLY)) return [hoursOf(requester)];
  if (isEmpty({ ...anyTime, requester: { ...requester, ...everyHour } }, WORK_HOURS_ONLY)) return [hoursOf(other)];
  if (isEmpty(anyTime, WORK_HOURS_ONLY)) return [hoursOf(requester), hoursOf(other)];
  if (isEmpty(anyStart, WORK_HOURS_ONLY)) return [{ email: null, rule: 'notice' }];

  const causes: Cause[] = [];
  let [of, ofOther] = [ALL_RULES, ALL_RULES];
  for (const [rule, key] of FROM_SOFT_TO_HARD) {
    if (isEmpty(search, { ...of, [key]: false }, ofOther)) of = { ...of, [key]: false };
    else causes.push({ email: requester.email, rule });
    if (isEmpty(search, of, { ...ofOther, [key]: false })) ofOther = { ...ofOther, [key]: false };
    else causes.push({ email: other.email, rule });
  }
  if (!isEmpty(anyStart, of, ofOther)) causes.push({ email: null, rule: 'had_before' });
  return causes;
}

/** Returns true if an empty search is empty only because times are past or within the minimum notice. */
export const wasFree = (search: Search): boolean => !isEmpty({ ...search, now: LONG_AGO });

function isEmpty(search: Search, of = ALL_RULES, ofOther = of): boolean {
  return !hasCandidate(search, of, ofOther);
}

/** Longer work hours of one person that would open common times: an earlier start, or a later end, as HH:MM. */
export interface LongerHours {
  change: 'longer_hours';
  email: string;
  start?: string;
  end?: string;
}

/** The longer hours first open the start `at`, which lies `missedBy` minutes outside the present hours. */
export interface Miss extends LongerHours {
  opens: number;
  at: number;
  missedBy: number;
}

const QUARTER = 15;

/** Serves only people whose work hours never meet, if nothing else is in the way. The smallest change comes first. */
export function missesOf(search: Search, causes = causesOf(search)): Miss[] {
  if (causes.length !== 2 || causes.some(({ rule }) => rule !== 'work_hours')) return [];
  const misses = (['requester', 'other'] as const).flatMap((role) =>
    (['start', 'end'] as const).flatMap((end) => leastAt(search, role, end) ?? []),
  );
  return misses.sort((a, b) => a.missedBy - b.missedBy);
}

function leastAt(search: Search, role: 'requester' | 'other', end: 'start' | 'end'): Miss | undefined {
  const person = search[role];
  const startsAt = (minutes: number) =>
    candidateStarts({ ...search, [role]: { ...person, workHours: longer(person.workHours, end, minutes) } });
  // Steps are quarter hours towards midnight. Longer hours never open fewer times, so a binary search finds the least.
  const minutesAt = (step: number) => (end === 'start' ? DAY_MINUTES - step * QUARTER : step * QUARTER);
  let [none, some] = [0, DAY_MINUTES / QUARTER];
  if (startsAt(minutesAt(some)).length === 0) return undefined;
  while (some - none > 1) {
    const middle = (none + some) >> 1;
    if (startsAt(minutesAt(middle)).length > 0) some = middle;
    else none = middle;
  }
  const minutes = minutesAt(some);
  const starts = startsAt(minutes);
  const [at] = starts;
  if (at === undefined) return undefined;
  const clock = formatMinute(minutes);
  const missedBy = outside(person, end, at, at + search.durationMinutes * MINUTE);
  return { change: 'longer_hours', email: person.email, [end]: clock, opens: starts.length, at, missedBy };
}

/** Days that already start as early or end as late stay the same. */
function longer(workHours: WorkHours, end: 'start' | 'end', minutes: number): WorkHours {
  const hours = { ...workHours };
  const clock = formatMinute(minutes);
  for (const day of WEEKDAYS) {
    const own = parseMinute(hours[day][end]);
    if (end === 'start' ? own > minutes : own < minutes) hours[day] = { ...hours[day], [end]: clock };
  }
  return hours;
}

/** Returns minutes on the clock of that day. */
function outside({ timeZone, workHours }: SearchedPerson, end: 'start' | 'end', from: number, to: number): number {
  const wall = wallTimeAt(timeZone, from, to);
  const usual = parseMinute(workHours[weekdayOf(wall)][end]);
  return end === 'start' ? usual - wall.startMinute : (wall.endMinute || DAY_MINUTES) - usual;
}
