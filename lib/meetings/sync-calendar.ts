import { readSnapshot } from '../calendars/snapshot/read.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { CalendarError } from '../ports.ts';
import { followCalendar } from './follow-calendar.ts';

/** Reads a user's calendar anew, where that is due: its busy times, and what became of our meetings on it. */
export async function syncCalendar(ctx: Ctx, userId: string, { olderThan = 0 } = {}): Promise<void> {
  const account = await readSnapshot(ctx, userId, { olderThan });
  if (account === undefined || !account.hasUpcoming) return;
  try {
    await followCalendar(ctx, account);
  } catch (error) {
    if (!(error instanceof CalendarError || error instanceof AppError)) throw error;
    ctx.log('warn', 'what changed in a calendar is not known yet', { user_id: userId, error });
  }
}
