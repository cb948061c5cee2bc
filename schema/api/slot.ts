import * as z from 'zod';
import { address, instantOf } from './fields.ts';

const localTime = (what: string) =>
  z.string().describe(`${what}, ISO 8601 with the offset of the \`timezone\` in the same object.`);
const localDate = (what: string) => z.iso.date().describe(`${what} date searched, in the time zone of the search.`);
const zone = (whose: string) => z.string().describe(`IANA time zone of ${whose}.`);

/** Schema of a time's comfort for two people, 0 to 1, with two decimal places. */
export const comfort = z.number().min(0).max(1);

/** A free time for both people with its score, as POST /v1/availability returns it. */
export const Slot = z.object({
  start_time: localTime('Start of the slot'),
  end_time: localTime('End of the slot'),
  score: z.number().min(0).max(1).describe('Rating of the slot for both people, 0 to 1. Higher is better.'),
  product: z
    .number()
    .describe(
      "Product of the slot's ranking factors, by which slots are ranked. `score` is this product, capped at 1.",
    ),
  comfort: comfort.describe(
    'Rating of how comfortable the time is for both people, 0 to 1. It orders slots with equal products.',
  ),
  timezone: zone('the requester'),
  reason: z.string().describe('Reasons for and against the time, written for a person.'),
  factors: z
    .array(
      z.object({
        name: z.string().describe('Name of the ranking rule that applies.'),
        multiplier: z.number().describe('Multiplier of the rule. Above 1 the rule favors the time.'),
      }),
    )
    .describe('Ranking rules whose multipliers give the product.'),
  attendees: z
    .array(z.object({ email: address, start_time: localTime('Start of the slot'), timezone: zone('that person') }))
    .describe("Start of the slot in each attendee's time zone, requester first."),
});
export type Slot = z.infer<typeof Slot>;

export const SearchWindow = z
  .object({
    start: localDate('First'),
    end: localDate('Last'),
    days: z.int().describe('Number of dates, including both ends.'),
  })
  .describe('Dates that were searched.');

/**
 * The time at which a person's calendar was read, and the source of the busy times: a stored snapshot or a live read.
 */
export const CalendarRead = z.object({
  email: address,
  read_at: instantOf('Time the calendar was read'),
  source: z
    .enum(['snapshot', 'google'])
    .describe(
      'Source of the busy times. `snapshot`: read earlier, at `read_at`, and not known to have changed since. `google`: read for this response.',
    ),
});
export type CalendarRead = z.infer<typeof CalendarRead>;
