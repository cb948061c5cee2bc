import { withCalendar } from '../../calendars/calls.ts';
import type { Account } from '../../calendars/grants/access-token.ts';
import { DAY, parseDate } from '../../engine/time/dates.ts';
import { startOfDay } from '../../engine/time/zone.ts';
import type { Interval } from '../../engine/types.ts';
import { CalendarError, type CalendarEvent, type ListedEvent } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { hasCode } from '../../kit/errors.ts';

/** Its time is that at which the meeting was last known to be. */
export interface OwnEvent extends Interval {
  id: string;
}

export const MAIN = 'primary';
/** Days before and after a meeting within which its occurrence is sought, if a person made its event a series. */
const SOUGHT_DAYS = 8;

/** Returns true if the error says that the calendar event was deleted or never existed. */
export const isGone = (error: unknown): boolean =>
  error instanceof CalendarError && ['not_found', 'gone'].includes(error.kind);

/** Returns true if the error says that Tandem has lost access to the calendar, so no event there can be changed. */
export function isClosed(error: unknown): boolean {
  if (error instanceof CalendarError) return ['forbidden', 'invalid'].includes(error.kind);
  return hasCode(error, 'calendar_reconnect_required', 'user_not_found');
}

/** Returns the id of the event from which a series and its occurrences come. All their ids begin with it. */
export const rootOf = (id: string): string => id.split('_', 1)[0] ?? id;

/**
 * If a person made the event a series, or split or moved that series, the meeting is its occurrence nearest to the
 * meeting's time, and the other occurrences are the person's own.
 */
export async function readOwnEvent(ctx: Ctx, token: string, own: OwnEvent): Promise<CalendarEvent> {
  const root = rootOf(own.id);
  try {
    const event = await ctx.calendar.getEvent(token, own.id);
    if (!event.isSeries) return event;
  } catch (error) {
    if (!isGone(error) || own.id === root) throw error;
  }
  const reach = SOUGHT_DAYS * DAY;
  const listed = await ctx.calendar.listEvents(token, own.start - reach, own.end + reach);
  const distance = (event: ListedEvent) => Math.abs(startOf(event) - own.start);
  const [nearest] = listed
    .filter(({ id }) => id.startsWith(`${root}_`))
    .sort((one, other) => distance(one) - distance(other));
  if (nearest === undefined) throw new CalendarError('gone', 'No occurrence of the series is near the meeting.');
  return ctx.calendar.getEvent(token, nearest.id);
}

/** The id of an occurrence ends with the date, or the date and time, at which the series has it. */
const startOf = ({ id, start }: ListedEvent): number =>
  start ?? Date.parse(id.replace(/^.*_(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3'));

export const readEvent = (ctx: Ctx, requester: Account, own: OwnEvent): Promise<CalendarEvent> =>
  withCalendar(ctx, requester, (token) => readOwnEvent(ctx, token, own));

/** Returns `gone` for a deleted event, and `closed` without access to the calendar. Throws if it cannot be read now. */
export async function lookUpEvent(
  ctx: Ctx,
  requester: Account,
  own: OwnEvent,
): Promise<CalendarEvent | 'gone' | 'closed'> {
  try {
    const event = await readEvent(ctx, requester, own);
    return event.status === 'cancelled' ? 'gone' : event;
  } catch (error) {
    if (isGone(error)) return 'gone';
    if (isClosed(error)) return 'closed';
    throw error;
  }
}

/** Largest difference at which two event times count as equal, because calendars drop fractions of a second. */
const SAME_TIME_MS = 1_000;

/** An all-day event lasts from midnight to midnight in `timeZone`. Returns `asked` within a second of it. */
export function shownTime(event: CalendarEvent, asked: Interval, timeZone = 'UTC'): Interval {
  const midnight = (date: string) => startOfDay(timeZone, parseDate(date) ?? 0);
  const { dates } = event;
  const { start, end } = dates ? { start: midnight(dates.start), end: midnight(dates.end) } : event;
  if (start === undefined || end === undefined || end < start) return asked;
  const isSame = Math.abs(start - asked.start) < SAME_TIME_MS && Math.abs(end - asked.end) < SAME_TIME_MS;
  return isSame ? asked : { start, end };
}
