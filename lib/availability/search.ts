import type { MovingEvent } from '../calendars/read-busy.ts';
import { explainTime } from '../engine/explain/explain-time.ts';
import { findSlots, findSlotsAround } from '../engine/rank/find-slots.ts';
import { DAY } from '../engine/time/dates.ts';
import { type DateRange, windowInterval } from '../engine/time/window.ts';
import type { Search } from '../engine/types.ts';
import type { Ctx, PlatformRef } from '../kit/context.ts';
import { bothInKnownZones } from '../person/person.ts';
import { requireBothConnected } from '../person/require-connected.ts';
import { explanationWithWords } from '../words/explanation.ts';
import { withWords } from '../words/found.ts';
import { suggestTitle } from '../words/title.ts';
import { DAYS_KNOWN_AFTER, loadPeople, readPerson } from './read-people.ts';
import { latestOf, type Where, windowOf } from './search-window.ts';

/** Number of days searched for alternatives before and after a requested start that is not free. */
const DAYS_AROUND = 7;

interface Input extends Omit<SearchInput, 'where'> {
  dateRange?: DateRange | undefined;
}

/** Returns the free slots that two people share, best first. Serves `POST /v1/availability`. */
export async function findAvailability(
  ctx: Ctx,
  platform: PlatformRef,
  { dateRange: range, context, ...input }: Input & { context?: string | undefined },
) {
  const { search, calendars } = await loadSearch(ctx, platform, { ...input, where: { kind: 'dates', range } });
  const source = calendars.every((calendar) => calendar.source === 'snapshot') ? 'snapshot' : 'live';
  if (!input.isFresh) ctx.later(ctx.vitals.noteSearch(ctx.clock.now(), source));
  return {
    ...withWords(findSlots(search)),
    window: search.window,
    suggestedTitle: context === undefined ? undefined : suggestTitle(context, input.attendees),
    calendars,
  };
}

/** Explains whether a search would offer this start. Returns the start's rank, or the person whose rules reject it. */
export async function explainAvailability(
  ctx: Ctx,
  platform: PlatformRef,
  { start, dateRange: range, ...input }: Input & { start: number },
) {
  const { search, calendars } = await loadSearch(ctx, platform, { ...input, where: { kind: 'dates', range } });
  return { explanation: explanationWithWords(explainTime({ ...search, start })), window: search.window, calendars };
}

/** Returns the slots to offer two people in place of a start that is not free. */
export async function findAlternatives(
  ctx: Ctx,
  platform: PlatformRef,
  { start, ...input }: Omit<SearchInput, 'isFresh' | 'where'> & { start: number },
) {
  const span = { start: start - DAYS_AROUND * DAY, end: start + DAYS_AROUND * DAY };
  const where = { kind: 'instants', span } as const;
  const { search } = await loadSearch(ctx, platform, { ...input, where, isFresh: true });
  return withWords(findSlotsAround(search, start)).slots;
}

export interface SearchInput {
  attendees: [string, string];
  durationMinutes: number;
  /** True if both calendars must be read now, even if their snapshots are fresh. */
  isFresh: boolean;
  where: Where;
}

/**
 * Loads the search engine's input for two people. Says for each calendar whether its data is a snapshot or a live read,
 * and how old it is.
 */
export async function loadSearch(ctx: Ctx, platform: PlatformRef, { where, durationMinutes, ...who }: SearchInput) {
  const tellsOwn = where.kind === 'dates_beside_week';
  const both = await loadBoth(ctx, platform, { ...who, until: latestOf(where), tellsOwn });
  return readBoth(ctx, both, { where, durationMinutes });
}

interface Who {
  attendees: [string, string];
  isFresh: boolean;
  /** Latest instant of the search, in epoch milliseconds. */
  until: number;
  /** True to mark the live meetings that belong to the platform that asks. */
  tellsOwn?: boolean;
}

/**
 * Loads two people with their live meetings and calendar snapshots. Throws unless both are connected and have a known
 * time zone.
 */
export async function loadBoth(ctx: Ctx, platform: PlatformRef, { attendees, isFresh, until, tellsOwn = false }: Who) {
  const asked = { emails: attendees, rangeEnd: until, isFresh, tellsOwn };
  const { people, ...known } = await loadPeople(ctx, platform, asked);
  return { people: bothInKnownZones(requireBothConnected(attendees, people)), ...known };
}

interface Asked {
  where: Where;
  durationMinutes: number;
  /**
   * A meeting that is to be moved, so its current time does not count as taken. If `event` is given, that calendar
   * event is ignored on both calendars too.
   */
  moved?: { meetingId: string; event: MovingEvent | undefined };
}

/** Reads two loaded people's calendars and returns the search engine's input. */
export async function readBoth(
  ctx: Ctx,
  { people, live: meetings, snapshots }: Awaited<ReturnType<typeof loadBoth>>,
  { where, durationMinutes, moved }: Asked,
) {
  const now = ctx.clock.now();
  const live = meetings.filter(({ meetingId }) => meetingId !== moved?.meetingId);
  const window = windowOf(people[0], where, now);
  const { start, end } = windowInterval(window, people[0].timeZone);
  const searched = { start, end: end + DAYS_KNOWN_AFTER * DAY };
  const { week } = where.kind === 'dates_beside_week' ? where : { week: searched };
  const span = { start: Math.min(searched.start, week.start), end: Math.max(searched.end, week.end) };
  const known = { live, snapshots, moving: moved?.event };
  const [requester, other] = await Promise.all([
    readPerson(ctx, people[0], span, known),
    readPerson(ctx, people[1], span, known),
  ]);
  const search: Search = {
    requester: requester.person,
    other: other.person,
    durationMinutes,
    window,
    now,
    daysKnownAfter: DAYS_KNOWN_AFTER,
  };
  return { search, people, live, calendars: [requester.calendar, other.calendar] };
}
