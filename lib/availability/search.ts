import type { MovingEvent } from '../calendars/blocking/free-busy.ts';
import { explainTime } from '../engine/explain/explain-time.ts';
import type { MeetingContext } from '../engine/rank/contexts.ts';
import { findSlots, findSlotsAround } from '../engine/rank/find-slots.ts';
import { freeIntervals } from '../engine/rules/free-time.ts';
import { personObjections } from '../engine/rules/objections.ts';
import { DAY, MINUTE } from '../engine/time/dates.ts';
import { type DateRange, horizonOf, searchWindow, windowInterval } from '../engine/time/window.ts';
import type { Search } from '../engine/types.ts';
import { type AskedTimes, datesAsked, narrowed } from '../engine/wish/narrowing.ts';
import type { Ctx, PlatformRef } from '../kit/context.ts';
import { type Guest, requireRequester } from '../person/guest.ts';
import {
  bothInKnownZones,
  inKnownZone,
  type Person,
  requireBothConnected,
  requireConnected,
} from '../person/person.ts';
import { explanationWithWords, sayInsteadOf } from '../words/explanation.ts';
import { withWords } from '../words/slots.ts';
import { suggestTitle } from '../words/title.ts';
import { type TimesGiven, timesReader } from './asked-times.ts';
import { DAYS_KNOWN_AFTER, loadOwnPerson, loadPeople, readAttendee, readPerson } from './read-people.ts';
import { assertWithinHorizon, datesRefused, type Where, windowOf } from './search-window.ts';
import { looksOf } from './shared-reads.ts';

const DAYS_AROUND = 7;

interface Input extends Omit<SearchInput, 'where'>, TimesGiven {
  dateRange?: DateRange | undefined;
  /** Kind of the meeting, of which a search makes a title. */
  context?: string | undefined;
}

/** Serves `POST /v1/availability`. The best slot is first. */
export async function findAvailability(ctx: Ctx, platform: PlatformRef, { context, ...input }: Input) {
  const { search, calendars, read } = await loadAsked(ctx, platform, input);
  const source = calendars.every((calendar) => calendar.source === 'snapshot') ? 'snapshot' : 'live';
  const found = findSlots(search);
  const isEmpty = found.slots.length === 0;
  if (!input.isFresh) ctx.later(ctx.vitals.noteSearch(ctx.clock.now(), { platformId: platform.id, source, isEmpty }));
  return {
    ...withWords(found),
    window: search.window,
    suggestedTitle: context === undefined ? undefined : suggestTitle(context, input.attendees),
    calendars,
    read,
  };
}

async function loadAsked(ctx: Ctx, platform: PlatformRef, { dateRange: range, ...input }: Input) {
  const { when, ranges, durationMinutes } = input;
  if (when === undefined && ranges === undefined) {
    const loaded = await loadSearch(ctx, platform, { ...input, where: { kind: 'dates', range } });
    return { ...loaded, read: undefined };
  }
  const read = timesReader(ctx, { when, ranges, isBounded: range !== undefined });
  const both = await loadBoth(ctx, platform, input);
  const asked = await read(both.people[0], durationMinutes);
  const where = { kind: 'dates', range } as const;
  const loaded = await readBoth(ctx, both, { where, durationMinutes, asked, sharedBy: platform.id });
  return { ...loaded, read: asked?.read };
}

/**
 * Returns the start's rank, or the person whose rules reject it. `sayInstead` then names a time near it that suits
 * both, or returns an empty text. Throws `invalid_time` for a start that no search reaches.
 */
export async function explainAvailability(
  ctx: Ctx,
  platform: PlatformRef,
  { start, ...input }: Input & { start: number },
) {
  assertWithinHorizon(start, ctx.clock.now());
  const { search, calendars, read } = await loadAsked(ctx, platform, input);
  const explanation = explanationWithWords(explainTime({ ...search, start }));
  const sayInstead = () => (explanation.free ? '' : sayInsteadOf(findSlotsAround(search, start).facts()));
  return { explanation, sayInstead, window: search.window, calendars, read };
}

/** `against` has the two people's rules against the requested start, if it is still not free. */
export async function findAlternatives(
  ctx: Ctx,
  platform: PlatformRef,
  { start, durationMinutes, ...who }: Omit<SearchInput, 'isFresh' | 'where' | 'isAlone'> & { start: number },
) {
  const end = Math.min(start + DAYS_AROUND * DAY, horizonOf(ctx.clock.now()));
  const span = { start: start - DAYS_AROUND * DAY, end };
  const where = { kind: 'instants', span } as const;
  const both = await loadBoth(ctx, platform, { ...who, isFresh: true });
  const { search } = await readBoth(ctx, both, { where, durationMinutes, sharedBy: looksOf(platform) });
  const meeting = { start, end: start + durationMinutes * MINUTE };
  const against = [search.requester, search.other].flatMap((person) => personObjections(person, meeting));
  return { alternatives: withWords(findSlotsAround({ ...search, notAt: [start] }, start)).slots, against };
}

export interface SearchInput {
  attendees: [string, string];
  durationMinutes: number;
  /** True if both calendars must be read now, even if their stored busy times are still valid. */
  isFresh: boolean;
  /** True if a read of the last second by the same platform may not serve this search, because a change could be missed. */
  isAlone?: boolean;
  where: Where;
  /** If set, the second attendee need not be connected, and is free within their work hours. */
  guest?: Guest | undefined;
}

/** Also says for each calendar when it was read, and if the busy times were stored ones or read now. */
export async function loadSearch(
  ctx: Ctx,
  platform: PlatformRef,
  { where, durationMinutes, isAlone, ...who }: SearchInput,
) {
  const both = await loadBoth(ctx, platform, who);
  return readBoth(ctx, both, { where, durationMinutes, sharedBy: isAlone ? undefined : platform.id });
}

type Who = Pick<SearchInput, 'attendees' | 'isFresh' | 'guest'>;

/** Throws if a person is not connected or has no known time zone. With `guest`, the second need not be connected. */
export async function loadBoth(ctx: Ctx, platform: PlatformRef, { attendees, isFresh, guest }: Who) {
  return bothOf(await loadPeople(ctx, platform, { emails: attendees, isFresh }), { attendees, guest });
}

interface ReadOptions {
  where: Where;
  durationMinutes: number;
  /**
   * Calendar event of the meeting to move. Its present time, and times that a proposal to move it reserves, do not count
   * as taken. With `isNear`, the event itself is left out when both calendars are read.
   */
  moved?: { event: MovingEvent; isNear: boolean } | undefined;
  sharedBy?: string | undefined;
  /** Times that the caller asks for. Without dates, they also say which are searched. */
  asked?: AskedTimes | undefined;
  context?: MeetingContext | undefined;
}

/** Throws the errors of `loadBoth` about people and time zones. */
export function bothOf<L extends { people: Person[] }>(
  { people, ...known }: L,
  { attendees, guest }: Pick<Who, 'attendees' | 'guest'>,
) {
  const pair = guest ? requireRequester(attendees, people, guest) : requireBothConnected(attendees, people);
  return { people: bothInKnownZones(pair), ...known };
}

/** `readAt` is the instant at which the read began. */
export async function readBoth(
  ctx: Ctx,
  { people, live: meetings, snapshots }: Awaited<ReturnType<typeof loadBoth>>,
  { where: given, durationMinutes, moved, sharedBy, asked, context }: ReadOptions,
) {
  const now = ctx.clock.now();
  const live = meetings.filter(({ takenBy }) => takenBy !== moved?.event.id);
  const { timeZone, availabilityWindowDays: windowDays } = people[0];
  const where =
    asked && given.kind === 'dates'
      ? { ...given, range: given.range ?? datesAsked(asked, { timeZone, now, windowDays }) }
      : given;
  const window = windowOf(people[0], where, now);
  const { start, end } = windowInterval(window, timeZone);
  const searched = { start, end: end + DAYS_KNOWN_AFTER * DAY };
  const { week } = where.kind === 'dates_beside_week' ? where : { week: searched };
  const span = { start: Math.min(searched.start, week.start), end: Math.max(searched.end, week.end) };
  const known = {
    live,
    snapshots,
    moving: moved?.isNear ? moved.event : undefined,
    movesFrom: moved?.event.start,
    sharedBy,
    context,
  };
  const [requester, other] = await Promise.all([
    readPerson(ctx, people[0], span, known),
    readAttendee(ctx, people[1], span, known),
  ]);
  const search: Search = {
    requester: requester.person,
    other: other.person,
    durationMinutes,
    window,
    now,
    notAfter: horizonOf(now) + durationMinutes * MINUTE,
    daysKnownAfter: DAYS_KNOWN_AFTER,
  };
  const calendars = [requester.calendar, ...('calendar' in other ? [other.calendar] : [])];
  return { search: asked ? narrowed(search, asked) : search, people, live, calendars, readAt: now };
}

interface FreeTimeSearch {
  durationMinutes: number;
  dateRange?: DateRange | undefined;
}

/** The intervals begin now, are in the person's time zone, and last at least the requested duration. */
export async function userAvailability(
  ctx: Ctx,
  platform: PlatformRef,
  { email, isFresh, ...search }: FreeTimeSearch & { email: string; isFresh: boolean },
) {
  const { people, ...known } = await loadPeople(ctx, platform, { emails: [email], isFresh });
  return intervalsOf(ctx, requireConnected(email, people, 'email'), { ...known, sharedBy: platform.id }, search);
}

export async function ownAvailability(ctx: Ctx, user: { userId: string; email: string }, search: FreeTimeSearch) {
  const { people, ...known } = await loadOwnPerson(ctx, user);
  return intervalsOf(ctx, requireConnected(user.email, people), known, search);
}

async function intervalsOf(
  ctx: Ctx,
  found: Person,
  known: Parameters<typeof readPerson>[3],
  { durationMinutes, dateRange }: FreeTimeSearch,
) {
  const now = ctx.clock.now();
  const located = inKnownZone(found);
  const { timeZone, availabilityWindowDays: windowDays } = located;
  const searched = searchWindow({ now, timeZone, windowDays, dateRange });
  if (!searched.ok) throw datesRefused(searched);
  const span = windowInterval(searched.window, timeZone);
  const { person, calendar } = await readPerson(ctx, located, span, known);
  const ahead = { start: Math.max(span.start, now), end: Math.min(span.end, horizonOf(now)) };
  return {
    timeZone,
    window: searched.window,
    intervals: freeIntervals(person, ahead, durationMinutes),
    calendars: [calendar],
  };
}
