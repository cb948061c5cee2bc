import * as z from 'zod';
import { address, instantOf } from './fields.ts';

const localTime = (what: string) => z.string().describe(`${what}, ISO 8601 with the offset of the zone beside it`);
const localDate = (what: string) => z.iso.date().describe(`${what} date searched, in the zone of the one who asks`);
const zone = (whose: string) => z.string().describe(`The time zone of ${whose}, an IANA name`);

/** A free time, scored (`interface.md`, TimeSlot). */
export const Slot = z.object({
  start_time: localTime('When the slot starts'),
  end_time: localTime('When the slot ends'),
  score: z.number().min(0).max(1).describe('How good the time is for both, 0 to 1; higher is better'),
  product: z.number().describe('What slots are ranked by; capped at 1 it is the score'),
  timezone: zone('the requester'),
  reason: z.string().describe('What speaks for the time and against it, in a sentence'),
  factors: z
    .array(
      z.object({
        name: z.string().describe('Which rule of the ranking applies'),
        multiplier: z.number().describe('What it multiplies the product by: above 1 speaks for the time'),
      }),
    )
    .describe('What the product is made of'),
  attendees: z
    .array(z.object({ email: address, start_time: localTime('When it starts'), timezone: zone('that person') }))
    .describe("The start on each one's clock, the requester's first"),
});
export type Slot = z.infer<typeof Slot>;

export const SearchWindow = z
  .object({
    start: localDate('The first'),
    end: localDate('The last'),
    days: z.int().describe('How many dates that is, both ends counted'),
  })
  .describe('The dates that were searched');

/** How fresh a calendar was when it was read. */
export const CalendarRead = z.object({
  email: address,
  read_at: instantOf('When the calendar was read'),
  source: z
    .enum(['snapshot', 'google'])
    .describe('snapshot: as read at read_at, with nothing known to have changed since; google: asked for this answer'),
});
export type CalendarRead = z.infer<typeof CalendarRead>;
