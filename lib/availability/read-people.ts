import { touchConnections } from '../../schema/connections/queries.ts';
import { type ConnectedPerson, listConnectedPeople, listLiveMeetingTimes } from '../../schema/people/queries.ts';
import { calendarFailure, withCalendar } from '../calendars/calls.ts';
import type { Ctx, Platform } from '../context.ts';
import { parseBusy } from '../scheduling/provider-time.ts';
import type { Interval, Person } from '../scheduling/types.ts';
import type { DateRange } from '../scheduling/window.ts';
import { personRules } from '../users/person.ts';

const LONGEST_WINDOW_MS = 92 * 86_400_000;

/** An instant no earlier than the end of the dates asked for. */
export function endOf({ startDate, endDate }: DateRange = {}): number {
  if (endDate !== undefined) return Date.parse(endDate) || 0;
  return startDate === undefined ? 0 : (Date.parse(startDate) || 0) + LONGEST_WINDOW_MS;
}

/** These people's rows and live meetings, for a search from now to the longest window or a later end. */
export function loadPeople(ctx: Ctx, platform: Platform, emails: string[], rangeEnd: number) {
  const now = ctx.clock.now();
  return ctx.db.batch([
    listConnectedPeople(ctx.db, { platformId: platform.id, emails }),
    listLiveMeetingTimes(ctx.db, {
      emails,
      start: now - MARGIN_MS,
      end: Math.max(now + LONGEST_WINDOW_MS, rangeEnd) + DAYS_KNOWN_AFTER * 86_400_000 + MARGIN_MS,
    }),
    touchConnections(ctx.db, { platformId: platform.id, emails, now }),
  ]);
}

/** How many days more than are searched a search reads, so that an empty answer can say what they would open. */
export const DAYS_KNOWN_AFTER = 7;

/** Day limits follow each person's own dates and buffers reach past the edges of the window. */
export const MARGIN_MS = 2 * 86_400_000;

/** The stored person with the calendar's busy times near the span; throws `calendar_*` with the person named. */
export async function readPerson(
  ctx: Ctx,
  person: ConnectedPerson,
  span: Interval,
  live: { email: string; start: number; end: number }[],
): Promise<Person> {
  try {
    const busy = await withCalendar(ctx, person, (token) =>
      ctx.calendar.freeBusy(token, person.email, span.start - MARGIN_MS, span.end + MARGIN_MS),
    );
    const meetings = live.filter(({ email }) => email === person.email);
    return { ...personRules(person), busy: parseBusy(busy), meetings };
  } catch (error) {
    throw calendarFailure(error, person.email);
  }
}

/** When and where from each of these calendars was read. */
export const calendarsRead = (emails: string[], now: number) =>
  emails.map((email) => ({ email, readAt: new Date(now).toISOString(), source: 'google' as const }));
