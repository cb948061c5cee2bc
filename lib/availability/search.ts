import type { ConnectedPerson } from '../../schema/people/queries.ts';
import type { MovingEvent } from '../calendars/read-busy.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError } from '../errors.ts';
import { DAY, formatDate } from '../scheduling/dates.ts';
import { explainTime } from '../scheduling/explain-time.ts';
import { findSlots, findSlotsAround } from '../scheduling/find-slots.ts';
import { suggestTitle } from '../scheduling/title.ts';
import type { DateWindow, Interval, Search } from '../scheduling/types.ts';
import { type DateRange, searchWindow, windowInterval } from '../scheduling/window.ts';
import { localDay } from '../scheduling/zone.ts';
import { bothConnected, personRules, wholePreferences } from '../users/person.ts';
import { DAYS_KNOWN_AFTER, endOf, loadPeople, readPerson } from './read-people.ts';

/** How many days before and after a start that is not free others are looked for. */
const DAYS_AROUND = 7;

interface Input extends SearchInput {
  context?: string | undefined;
}

/** Mutual free slots of two people, best first (`interface.md`, POST /v1/availability). */
export async function findAvailability(ctx: Ctx, platform: Platform, input: Input) {
  const { search, calendars } = await loadSearch(ctx, platform, input);
  return {
    ...findSlots(search),
    window: search.window,
    suggestedTitle: input.context === undefined ? undefined : suggestTitle(input.context, input.attendees),
    calendars,
  };
}

/** Whether the search would offer this start and how it ranks, or whose rules stand against it. */
export async function explainAvailability(ctx: Ctx, platform: Platform, input: SearchInput & { start: number }) {
  const { search, calendars } = await loadSearch(ctx, platform, input);
  return { explanation: explainTime({ ...search, start: input.start }), window: search.window, calendars };
}

/** The slots to offer two people instead of a start that is not free. */
export async function findAlternatives(
  ctx: Ctx,
  platform: Platform,
  input: Omit<SearchInput, 'isFresh'> & { start: number },
) {
  const { start, ...rest } = input;
  const around = { start: start - DAYS_AROUND * DAY, end: start + DAYS_AROUND * DAY };
  const { search } = await loadSearch(ctx, platform, { ...rest, within: around, isFresh: true });
  return findSlotsAround(search, start);
}

export interface SearchInput {
  attendees: [string, string];
  durationMinutes: number;
  /** Both calendars are read now, whatever was read of them before. */
  isFresh: boolean;
  dateRange?: DateRange | undefined;
  /** Instead of a date range: the instants the dates must cover. */
  within?: Interval | undefined;
  /** The same where it hangs on who the two are; it ends by `until`. */
  covering?: { until: number; scopeFor: (people: [ConnectedPerson, ConnectedPerson]) => Promise<Scope> } | undefined;
  /** Instants beside the window for which both calendars are read as well. */
  shown?: Interval | undefined;
  /** A meeting that does not count. */
  without?: string | undefined;
}

/** The instants the dates must cover, and the event on both calendars that does not count. */
interface Scope {
  within: Interval;
  moving?: MovingEvent | undefined;
}

/** What the engine needs to answer for these two people, and the calendars it was read from. */
export async function loadSearch(ctx: Ctx, platform: Platform, input: SearchInput) {
  const now = ctx.clock.now();
  const [people, meetings, , snapshots] = await loadPeople(ctx, platform, {
    emails: input.attendees,
    rangeEnd: Math.max(input.covering?.until ?? input.within?.end ?? endOf(input.dateRange), input.shown?.end ?? 0),
    isFresh: input.isFresh,
    tellsOwn: input.shown !== undefined,
  });
  const live = meetings.filter(({ meetingId }) => meetingId !== input.without);
  const both = bothConnected(input.attendees, people);
  const { within, moving } = (await input.covering?.scopeFor(both)) ?? { within: input.within };
  const window = windowOf(both[0], { ...input, within }, now);
  const { start, end } = windowInterval(window, personRules(both[0]).timeZone);
  const known = { start, end: end + DAYS_KNOWN_AFTER * DAY };
  const { shown = known } = input;
  const span = { start: Math.min(known.start, shown.start), end: Math.max(known.end, shown.end) };
  const [requester, other] = await Promise.all([
    readPerson(ctx, both[0], span, { live, snapshots, moving }),
    readPerson(ctx, both[1], span, { live, snapshots, moving }),
  ]);
  const { durationMinutes } = input;
  const search: Search = {
    requester: requester.person,
    other: other.person,
    durationMinutes,
    window,
    now,
    daysKnownAfter: DAYS_KNOWN_AFTER,
  };
  return { search, people: both, live, moving, calendars: [requester.calendar, other.calendar] };
}

function windowOf(requester: ConnectedPerson, { dateRange: given, within }: SearchInput, now: number): DateWindow {
  const { timeZone } = personRules(requester);
  const dateRange = within === undefined ? given : datesOf(timeZone, within);
  const found = searchWindow({
    now,
    timeZone,
    windowDays: wholePreferences(requester).availabilityWindowDays,
    dateRange,
  });
  if (!found.ok && within !== undefined)
    throw new AppError('invalid_time', found.message, { field: 'preferred_time_range' });
  if (!found.ok) throw new AppError('invalid_date_range', found.message, { field: found.field });
  return found.window;
}

const datesOf = (timeZone: string, { start, end }: Interval) => ({
  startDate: formatDate(localDay(timeZone, start)),
  endDate: formatDate(localDay(timeZone, end - 1)),
});
