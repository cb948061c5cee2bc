import type { Slot } from '../lib/scheduling/types.ts';

/** A slot in the words of the wire. */
export const slotBody = (slot: Slot) => ({
  start_time: slot.startTime,
  end_time: slot.endTime,
  score: slot.score,
  timezone: slot.timezone,
  reason: slot.reason,
  factors: slot.factors,
  attendees: slot.attendees.map(({ email, startTime, timezone }) => ({ email, start_time: startTime, timezone })),
});

/** How fresh a calendar was, in the words of the wire. */
export const calendarBody = ({ email, readAt, source }: { email: string; readAt: string; source: string }) => ({
  email,
  read_at: readAt,
  source,
});
