import type { PersonRow } from '../../schema/access/people.ts';
import { saveCalendarZone } from '../../schema/access/users.ts';
import { DAY, HOUR } from '../engine/time/dates.ts';
import { knownZone } from '../engine/time/zone.ts';
import { CalendarError } from '../kit/calendar-ports.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError } from '../kit/errors.ts';
import type { Account } from './calls.ts';
import { unlessRefused, withCalendar } from './calls.ts';

/** Returns the main calendar's zone without access to the settings. Undefined if neither is in the tz database. */
export async function readTimeZone(ctx: Ctx, accessToken: string): Promise<string | undefined> {
  const { settingsTimeZone, calendarTimeZone } = ctx.calendar;
  const zone = knownZone((await unlessRefused(settingsTimeZone(accessToken))) ?? '');
  return zone ?? knownZone((await unlessRefused(calendarTimeZone(accessToken))) ?? '');
}

/** Age in milliseconds at which a read of a calendar also reads the zone: less than the day between its reads. */
const READ_ANEW_MS = 23 * HOUR;
/** Age in milliseconds from which a search reads the zone itself, because the daily read did not. */
const UNREAD_MS = DAY;

type Zone = Pick<PersonRow, 'id' | 'calendarTimeZone' | 'zoneReadAt'>;

const isOlder = ({ zoneReadAt }: Zone, ms: number, now: number) => zoneReadAt === null || now - zoneReadAt >= ms;

export const isZoneDue = (zone: Zone, now: number): boolean => isOlder(zone, READ_ANEW_MS, now);

/** Reads the zone first where nobody needed the calendar for a day. A zone that cannot be read stays as it is. */
export const inZonesOfNow = <Row extends Zone & Account>(ctx: Ctx, rows: Row[]): Promise<Row[]> =>
  Promise.all(
    rows.map(async (row) => {
      if (!isOlder(row, UNREAD_MS, ctx.clock.now())) return row;
      await ctx.admitted;
      try {
        return { ...row, calendarTimeZone: await withCalendar(ctx, row, (token) => followTimeZone(ctx, token, row)) };
      } catch (error) {
        // The read of the calendar that follows meets the same failure, and reports it.
        if (error instanceof CalendarError || error instanceof AppError) return row;
        throw error;
      }
    }),
  );

/** Stores and returns it. A zone set in the preferences goes before it. One that cannot be read stays as it is. */
export async function followTimeZone(ctx: Ctx, accessToken: string, { id: userId, calendarTimeZone }: Zone) {
  try {
    const timeZone = await readTimeZone(ctx, accessToken);
    await saveCalendarZone(ctx.db, { userId, timeZone, now: ctx.clock.now() });
    if (timeZone === undefined || timeZone === calendarTimeZone) return calendarTimeZone;
    ctx.log('info', 'the time zone of a calendar changed', { user_id: userId });
    return timeZone;
  } catch (error) {
    if (!(error instanceof CalendarError) || error.kind === 'unauthorized') throw error;
    ctx.log('warn', 'the time zone of a calendar was not read', { user_id: userId, error });
    return calendarTimeZone;
  }
}
