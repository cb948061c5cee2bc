import { saveCalendarZone } from '../../schema/users/preferences-queries.ts';
import { knownZone } from '../engine/time/zone.ts';
import { CalendarError } from '../kit/calendar-ports.ts';
import type { Ctx } from '../kit/context.ts';

/**
 * Returns a person's time zone from their settings at the calendar provider. If they give no access to the settings,
 * returns that of their main calendar. Returns undefined if neither names a zone of the tz database.
 */
export async function readTimeZone(ctx: Ctx, accessToken: string): Promise<string | undefined> {
  const { settingsTimeZone, calendarTimeZone } = ctx.calendar;
  const zone = knownZone((await unlessRefused(settingsTimeZone(accessToken))) ?? '');
  return zone ?? knownZone((await unlessRefused(calendarTimeZone(accessToken))) ?? '');
}

/**
 * Reads a person's time zone anew and stores it if it changed. A zone that the person set in their preferences still
 * goes before it. A zone that cannot be read stays as it is.
 */
export async function followTimeZone(
  ctx: Ctx,
  accessToken: string,
  { id: userId, calendarTimeZone }: { id: string; calendarTimeZone: string },
): Promise<void> {
  try {
    const timeZone = await readTimeZone(ctx, accessToken);
    if (timeZone === undefined || timeZone === calendarTimeZone) return;
    await saveCalendarZone(ctx.db, { userId, timeZone });
    ctx.log('info', 'the time zone of a calendar changed', { user_id: userId });
  } catch (error) {
    if (!(error instanceof CalendarError) || error.kind === 'unauthorized') throw error;
    ctx.log('warn', 'the time zone of a calendar was not read', { user_id: userId, error });
  }
}

async function unlessRefused(asked: Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CalendarError && ['not_found', 'forbidden'].includes(error.kind)) return undefined;
    throw error;
  }
}
