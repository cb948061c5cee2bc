import type { SaidSlot } from '../../lib/engine/types.ts';
import type * as wire from '../../schema/api/slot.ts';
import type { BatchCounts } from '../../schema/meetings/batches.ts';

export const toSlotAnswer = (slot: SaidSlot): wire.Slot => ({
  start_time: slot.startTime,
  end_time: slot.endTime,
  score: slot.score,
  product: slot.product,
  comfort: slot.comfort,
  merit: slot.merit,
  timezone: slot.timezone,
  reason: slot.reason,
  factors: slot.factors,
  attendees: slot.attendees.map(({ email, startTime, timezone }) => ({ email, start_time: startTime, timezone })),
});

/** The source is the stored busy times or the calendar itself. */
export const toCalendarAnswer = (read: {
  email: string;
  readAt: string;
  source: wire.CalendarRead['source'];
}): wire.CalendarRead => ({ email: read.email, read_at: read.readAt, source: read.source });

/** Returns 0 to 1. A dry run that was not committed only has to place its meetings. */
export function progressOf(
  { searched, open, placed }: Pick<BatchCounts, 'searched' | 'open' | 'placed'>,
  { total, isDryRun, committedAt }: { total: number; isDryRun: boolean; committedAt: number | null },
): number {
  const isPlanOnly = isDryRun && committedAt === null;
  const settled = total - open - (isPlanOnly ? 0 : placed);
  return Math.round(((searched + settled) / (2 * total)) * 100) / 100;
}
