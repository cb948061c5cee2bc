import { listConnectedPeople, listLiveMeetingTimes, type PairOfPlatform } from '../../../schema/access/people.ts';
import { selectPlanUsage } from '../../../schema/access/usage.ts';
import type { Limits, OtherMeeting } from '../../../schema/meetings/holds.ts';
import { MARGIN_MS } from '../../availability/read-people.ts';
import { assertWithinHorizon } from '../../availability/search-window.ts';
import { readShared } from '../../availability/shared-reads.ts';
import { type MovingEvent, readBusy } from '../../calendars/blocking/free-busy.ts';
import { calendarFailure, retryTransient } from '../../calendars/calls.ts';
import { ANY_NUMBER } from '../../engine/move/own-settings.ts';
import { daysFullElsewhere, fullDays, neverRules } from '../../engine/rules/free-time.ts';
import { holidaysDuring } from '../../engine/rules/holidays.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import { covers, inOrder, overlaps, union } from '../../engine/time/intervals.ts';
import { blockInstants, daysAround, wallInstants, workWeek } from '../../engine/time/wall-instants.ts';
import { localDate, localDay, startOfDay } from '../../engine/time/zone.ts';
import type { BusyTimes, Interval } from '../../engine/types.ts';
import type { Ctx } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import type { Pair, Person, PersonInZone } from '../../person/person.ts';
import { monthOf } from '../../usage/usage.ts';
import { sayHoliday } from '../../words/explanation.ts';
import { say } from '../../words/patterns.ts';
import { clocksIn, namesOf, spanIn } from '../../words/people.ts';
import { sayRule } from '../../words/understood.ts';
import { DayFull, SlotTaken, TimeHeld } from '../protocol/operation.ts';

/** A move within the date of `from`, its old start, adds no meeting to the day. The limits of `aside` give way. */
export const limitsAt = (
  people: Pair<PersonInZone>,
  start: number,
  { aside, from }: { aside?: string | undefined; from?: number | undefined } = {},
): [Limits, Limits] => {
  const [requester, other] = withoutLimits(people, aside);
  return [personLimits(requester, start, from), personLimits(other, start, from)];
};

/** One person's own words ask for the time, so their limits do not count. */
export const withoutLimits = <P extends Person>([requester, other]: Pair<P>, aside?: string): [P, P] => {
  const open = (one: P): P =>
    one.email === aside ? { ...one, rules: { ...one.rules, bufferMinutes: 0, maxMeetingsPerDay: ANY_NUMBER } } : one;
  return [open(requester), open(other)];
};

/** Returns a refusal: others may have filled a day since, which looks like an all-day event with a buffer. */
export function refusalOfDay(people: Pair, { start, end }: Interval, others: OtherMeeting[], movesFrom?: number) {
  for (const { id, timeZone, rules, isGuest } of people) {
    if (timeZone === undefined || isGuest) continue;
    const counting = { timeZone, ...rules, movesFrom, meetings: others.filter(({ userId }) => userId === id) };
    if (fullDays(counting).has(localDay(timeZone, start))) return new DayFull();
    const buffer = rules.bufferMinutes * MINUTE;
    const reach = { start: start - buffer, end: end + buffer };
    if (overlaps(inOrder(daysFullElsewhere(counting)), reach)) return new SlotTaken();
  }
  return undefined;
}

export const isInHours = ({ timeZone, rules }: PersonInZone, time: Interval): boolean =>
  covers(wallInstants(timeZone, daysAround(time), workWeek(rules.workHours)), time);

function personLimits({ timeZone, rules }: PersonInZone, start: number, from: number | undefined): Limits {
  const { bufferMinutes } = rules;
  const day = localDay(timeZone, start);
  const isSameDay = from !== undefined && localDay(timeZone, from) === day;
  const maxMeetingsPerDay = isSameDay ? ANY_NUMBER : rules.maxMeetingsPerDay;
  const dayOfStart = { start: startOfDay(timeZone, day), end: startOfDay(timeZone, day + 1) };
  return { bufferMinutes, maxMeetingsPerDay, day: dayOfStart };
}

/** The caller's clock may be wrong. */
export const nowIs = (now: number) => `The time on our server is ${new Date(now).toISOString().replace(/\.\d+/, '')}.`;

/** Throws `invalid_time`, naming `field`, for a start that is not ahead or is more than 400 days ahead. */
export function assertStart(start: number, now: number, field = 'start_time'): void {
  if (start <= now) throw new AppError('invalid_time', `\`${field}\` must be in the future. ${nowIs(now)}`, { field });
  assertWithinHorizon(start, now, field);
}

/** Throws `SlotTaken`. A person without a known time zone has no focus blocks. */
export function assertOutsideFocus(people: Pair<Person>, meeting: Interval): void {
  const isKept = people.some(
    ({ timeZone, rules }) =>
      timeZone !== undefined && overlaps(blockInstants(timeZone, daysAround(meeting), rules.focusBlocks), meeting),
  );
  if (isKept) throw new SlotTaken();
}

/** A holiday is a day off anyway, so its sentence is enough. The only time that an answer is about needs no date. */
export const timeWarnings = (people: Pair<PersonInZone>, meeting: Interval, isOnlyTime = false): string[] => {
  const names = namesOf(people);
  const holidaysOf = ({ timeZone, rules }: PersonInZone) =>
    holidaysDuring({ timeZone, holidays: rules.holidays }, meeting);
  const [one, two] = people.map((person) => JSON.stringify(holidaysOf(person)));
  if (one === two && one !== '[]') return holidaysOf(people[0]).map((holiday) => sayHoliday(say('both'), holiday));
  return people.flatMap((person) => {
    const { email, timeZone, rules, isGuest } = person;
    const holidays = holidaysOf(person);
    const who = names.short(email);
    if (holidays.length > 0) return holidays.map((holiday) => sayHoliday(who, holiday));
    const isOneDate = localDate(timeZone, meeting.start) === localDate(people[0].timeZone, meeting.start);
    const time = isOnlyTime && isOneDate ? clocksIn(timeZone, meeting) : spanIn(timeZone, meeting);
    const days = daysAround(meeting);
    const broken = neverRules(rules).filter(({ blocks }) => overlaps(blockInstants(timeZone, days, blocks), meeting));
    return [
      ...(isInHours(person, meeting)
        ? []
        : [say(isGuest ? 'warning.guest_hours' : 'warning.work_hours', { time, who })]),
      ...broken.map(({ blocks }) => say('warning.standing_rule', { time, rule: sayRule(who, blocks) })),
    ];
  });
};

export const clockWarnings = (people: Pair<PersonInZone>): string[] =>
  people[1].isClockUnknown ? [say('warning.guest_clock', { who: namesOf(people).short(people[1].email) })] : [];

/** A booking right after its search is younger (schema/DECISIONS.md, "The last look at the calendars"). */
const JUST_READ_MS = 1_000;

interface Look {
  moving?: MovingEvent | undefined;
  /** Instant at which the search that found the time began to read both calendars, or at which a look ended. */
  readAt?: number | undefined;
  /** `looksOf` a platform, one of which in the last second serves this one too, if it found the time taken. */
  sharedBy?: string | undefined;
  /** The time is refused whatever the calendars show, so that any look of the last second serves. */
  isRefused?: boolean | undefined;
}

export interface Known {
  people: Pair;
  live: (OtherMeeting & { isMeeting: boolean })[];
}

/** A caller loads these with its first batch, so a look before the reservation adds no round trip. */
export const knownInBatch = (ctx: Ctx, pair: PairOfPlatform, [start, end]: [number, number | null]) => ({
  rows: listConnectedPeople(ctx.db, pair),
  live: listLiveMeetingTimes(ctx.db, { who: pair, start: start - MARGIN_MS, end: end && end + MARGIN_MS }),
  usage: selectPlanUsage(ctx.db, { platformId: pair.platformId, month: monthOf(ctx.clock.now()) }),
});

/**
 * Comes before the reservation, because a reservation that is undone can be seen, and a time that others reserve is
 * refused without one. `accepts` is what the times of an accepted proposal are reserved for: they count the day and the
 * buffer already. Returns when the look ended. Throws `SlotTaken` and `calendar_*`.
 */
export async function lookFirst(
  ctx: Ctx,
  { people, live }: Known,
  span: Interval,
  { accepts, ...look }: Pick<Look, 'moving' | 'sharedBy'> & { accepts?: string | undefined },
): Promise<number> {
  assertOutsideFocus(people, span);
  const others = live.filter(({ takenBy }) => takenBy !== accepts);
  const held = people.filter(({ id, rules }) => {
    const buffer = accepts === undefined ? rules.bufferMinutes * MINUTE : 0;
    const isNear = (one: Interval) => one.start < span.end + buffer && span.start - buffer < one.end;
    return others.some((one) => one.userId === id && isNear(one));
  });
  const counted = others.filter(({ isMeeting }) => isMeeting || accepts === undefined);
  const refusal =
    held.length > 0
      ? new TimeHeld(held.map(({ email }) => email))
      : refusalOfDay(people, span, counted, look.moving?.start);
  await assertStillFree(ctx, people, span, { ...look, isRefused: refusal !== undefined });
  if (refusal !== undefined) throw refusal;
  return ctx.clock.now();
}

/**
 * Reads both calendars, unless the search has just read them. Throws `SlotTaken` if either person is busy or within
 * their buffer, and `calendar_*` for a calendar that cannot be read. Leaves out a guest, who has no calendar, and the
 * event `moving`.
 */
export async function assertStillFree(ctx: Ctx, people: Pair, span: Interval, look: Look): Promise<void> {
  const now = ctx.clock.now();
  if (look.readAt !== undefined && now - look.readAt <= JUST_READ_MS) return;
  const seen = await lookAt(people, false);
  // A look of a moment ago refuses a time, and never lets a booking pass.
  const former = people.filter((_, i) => (seen[i]?.readAt ?? now) < now);
  if (look.isRefused !== true && former.length > 0) await lookAt(former, true);

  async function lookAt(some: readonly Person[], isAnew: boolean) {
    const looks = await Promise.allSettled(some.map((person) => lookIn(ctx, person, span, { ...look, isAnew })));
    // If neither calendar can be read, the error names the first person, whichever fails first.
    for (const one of looks) if (one.status === 'rejected') throw one.reason;
    const read = looks.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const taken = some.filter((_, i) => read[i]?.isFree === false);
    if (taken.length > 0) throw new SlotTaken(taken.map(({ email }) => email));
    return read;
  }
}

async function lookIn(ctx: Ctx, person: Person, { start, end }: Interval, look: Look & { isAnew: boolean }) {
  const { moving, sharedBy, isAnew } = look;
  const widenBy = person.rules.bufferMinutes * MINUTE;
  const span = { start: start - widenBy, end: end + widenBy };
  const seen = (busy: BusyTimes, readAt?: number) => ({ isFree: !overlaps(union(inOrder(busy)), span), readAt });
  if (person.isGuest) return seen([]);
  const read = (asked: Interval) => retryTransient(ctx, () => readBusy(ctx, person, asked, moving));
  try {
    if (sharedBy === undefined) return seen(await read(span));
    const { busy, readAt } = await readShared(ctx, { platformId: sharedBy, userId: person.id, isAnew }, span, read);
    return seen(busy, readAt);
  } catch (error) {
    throw calendarFailure(error, person.email);
  }
}
