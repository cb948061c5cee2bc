import type { Slot } from '../lib/scheduling/types.ts';
import type * as wire from '../schema/api/slot.ts';

/** A slot in the words of the wire. */
export const toSlotAnswer = (slot: Slot): wire.Slot => ({
  start_time: slot.startTime,
  end_time: slot.endTime,
  score: slot.score,
  product: slot.product,
  timezone: slot.timezone,
  reason: slot.reason,
  factors: slot.factors,
  attendees: slot.attendees.map(({ email, startTime, timezone }) => ({ email, start_time: startTime, timezone })),
});

/** How fresh a calendar was, in the words of the wire. */
export const toCalendarAnswer = (read: {
  email: string;
  readAt: string;
  source: wire.CalendarRead['source'];
}): wire.CalendarRead => ({
  email: read.email,
  read_at: read.readAt,
  source: read.source,
});
