import type { SaidSlot } from '../lib/words/slots.ts';
import type * as wire from '../schema/api/slot.ts';

/** Converts a slot, a free time for two people, to its wire format. */
export const toSlotAnswer = (slot: SaidSlot): wire.Slot => ({
  start_time: slot.startTime,
  end_time: slot.endTime,
  score: slot.score,
  product: slot.product,
  comfort: slot.comfort,
  timezone: slot.timezone,
  reason: slot.reason,
  factors: slot.factors,
  attendees: slot.attendees.map(({ email, startTime, timezone }) => ({ email, start_time: startTime, timezone })),
});

/** Converts the age and source of a calendar read to their wire format. */
export const toCalendarAnswer = (read: {
  email: string;
  readAt: string;
  source: wire.CalendarRead['source'];
}): wire.CalendarRead => ({
  email: read.email,
  read_at: read.readAt,
  source: read.source,
});
