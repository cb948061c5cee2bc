import * as z from 'zod';
import { instant } from './fields.ts';

const localTime = z.string().describe('ISO 8601 with the offset of the zone beside it');
const localDate = z.iso.date();

/** A free time, scored (`interface.md`, TimeSlot). */
export const Slot = z.object({
  start_time: localTime,
  end_time: localTime,
  score: z.number().min(0).max(1),
  product: z.number().describe('What slots are ranked by; capped at 1 it is the score'),
  timezone: z.string().describe("The requester's IANA zone"),
  reason: z.string(),
  factors: z.array(z.object({ name: z.string(), multiplier: z.number() })).describe('What the product is made of'),
  attendees: z.array(z.object({ email: z.string(), start_time: localTime, timezone: z.string() })),
});
export type Slot = z.infer<typeof Slot>;

export const SearchWindow = z.object({ start: localDate, end: localDate, days: z.int() });

/** How fresh a calendar was when it was read. */
export const CalendarRead = z.object({
  email: z.string(),
  read_at: instant,
  source: z
    .enum(['snapshot', 'google'])
    .describe('snapshot: as read at read_at, with nothing known to have changed since; google: asked for this answer'),
});
export type CalendarRead = z.infer<typeof CalendarRead>;
