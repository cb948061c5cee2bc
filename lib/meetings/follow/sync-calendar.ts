import { readSnapshot } from '../../calendars/snapshot/read.ts';
import { CalendarError } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { followCalendar } from './follow-calendar.ts';

/** Also follows the changes that people made to Tandem's meetings. Does nothing unless a read is due. */
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
