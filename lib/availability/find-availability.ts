import { type ConnectedPerson, listConnectedPeople, listLiveMeetingTimes } from '../../schema/people/queries.ts';
import { calendarFailure, withCalendar } from '../calendars/with-calendar.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError } from '../errors.ts';
import { DEFAULT_WINDOW_DAYS } from '../scheduling/defaults.ts';
import { findSlots } from '../scheduling/find-slots.ts';
import { parseBusy } from '../scheduling/provider-time.ts';
import { suggestTitle } from '../scheduling/title.ts';
import type { DateWindow, Interval, Person } from '../scheduling/types.ts';
import { searchWindow, windowInterval } from '../scheduling/window.ts';
import { bothConnected } from '../users/attendees.ts';
import { rulesOf } from '../users/rules.ts';

const DAY_MS = 86_400_000;
/** Day limits follow each person's own dates and buffers reach past the edges of the window. */
const MARGIN_MS = 2 * DAY_MS;
const LONGEST_WINDOW_MS = 92 * DAY_MS;

interface Input {
  attendees: [string, string];
  durationMinutes: number;
  dateRange?: { startDate: string; endDate: string } | undefined;
  context?: string | undefined;
}

/** Mutual free slots of two people, best first (`interface.md`, POST /v1/availability). */
export async function findAvailability(ctx: Ctx, platform: Platform, input: Input) {
  const now = ctx.clock.now();
  const span = { start: now - MARGIN_MS, end: now + LONGEST_WINDOW_MS + MARGIN_MS };
  const rangeEnd = input.dateRange === undefined ? 0 : Date.parse(input.dateRange.endDate) + MARGIN_MS;
  const [people, live] = await ctx.db.batch([
    listConnectedPeople(ctx.db, { platformId: platform.id, emails: input.attendees }),
    listLiveMeetingTimes(ctx.db, {
      emails: input.attendees,
      start: span.start,
      end: Math.max(span.end, rangeEnd || 0),
    }),
  ]);
  const both = bothConnected(input.attendees, people);
  const window = windowOf(both[0], input, now);
  const { start, end } = windowInterval(window, rulesOf(both[0]).timeZone);
  const around = { start: start - MARGIN_MS, end: end + MARGIN_MS };
  const [requester, other] = await Promise.all([
    readPerson(ctx, both[0], around, live),
    readPerson(ctx, both[1], around, live),
  ]);
  const { slots, message } = findSlots({ requester, other, durationMinutes: input.durationMinutes, window, now });
  const readAt = new Date(now).toISOString();
  return {
    slots,
    window,
    message,
    suggestedTitle: input.context === undefined ? undefined : suggestTitle(input.context, input.attendees),
    calendars: input.attendees.map((email) => ({ email, readAt, source: 'google' as const })),
  };
}

function windowOf(requester: ConnectedPerson, input: Input, now: number): DateWindow {
  const found = searchWindow({
    now,
    timeZone: rulesOf(requester).timeZone,
    windowDays: requester.preferences.availability_window_days ?? DEFAULT_WINDOW_DAYS,
    ...(input.dateRange === undefined ? {} : { dateRange: input.dateRange }),
  });
  if (!found.ok) throw new AppError('invalid_date_range', found.message, { field: found.field });
  return found.window;
}

async function readPerson(
  ctx: Ctx,
  person: ConnectedPerson,
  around: Interval,
  live: { email: string; start: number; end: number }[],
): Promise<Person> {
  const rules = rulesOf(person);
  try {
    const busy = await withCalendar(ctx, person, (token) =>
      ctx.calendar.freeBusy(token, person.email, around.start, around.end),
    );
    return { ...rules, busy: parseBusy(busy), meetings: live.filter(({ email }) => email === person.email) };
  } catch (error) {
    throw calendarFailure(error, person.email);
  }
}
