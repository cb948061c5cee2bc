import type { ConnectedPerson } from '../../schema/people/queries.ts';
import { calendarFailure, withCalendar } from '../calendars/with-calendar.ts';
import type { Ctx } from '../context.ts';
import { parseBusy } from '../scheduling/provider-time.ts';
import type { Interval, Person } from '../scheduling/types.ts';
import { rulesOf } from '../users/rules.ts';

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
    return { ...rulesOf(person), busy: parseBusy(busy), meetings };
  } catch (error) {
    throw calendarFailure(error, person.email);
  }
}

/** When and where from each of these calendars was read. */
export const calendarsRead = (emails: string[], now: number) =>
  emails.map((email) => ({ email, readAt: new Date(now).toISOString(), source: 'google' as const }));
