import * as z from 'zod';
import { answer, docs } from '#docs';
import { address, arrayOf, instantOf, numberOf, objectOf, oneOf, shareOf } from './fields.ts';

const localTime = (what: string) =>
  z.string().describe(docs(`${what}, ISO 8601 with the offset of the time zone in the same object's \`timezone\`.`));
const localDate = (what: string) =>
  z.iso.date().describe(docs(`${what} date searched, in the time zone of the search.`));
const zone = (whose: string) => z.string().describe(docs(`IANA time zone of ${whose}.`));

/** Schema of a time's comfort for two people, 0 to 1, with four decimal places. */
export const comfort = z.number().min(0).max(1);

export const Slot = answer(() => ({
  start_time: localTime('Start of the slot'),
  end_time: localTime('End of the slot'),
  score: shareOf('Rating of the slot (a free time) for both people, 0 to 1. Higher is better.'),
  product: numberOf('The multipliers in `factors`, multiplied together. The `score` is the product, but at most 1.'),
  comfort: comfort.describe(
    'How well the time suits both people beyond the `factors`, 0 to 1: the parts in the table of the docs page Ranking, multiplied together.',
  ),
  merit: numberOf('`product` × `comfort`. Of slots with the same `score`, the one with the highest merit comes first.'),
  timezone: zone('the requester'),
  reason: z.string().describe('Reasons for and against the slot, in a sentence for a person.'),
  factors: arrayOf(
    z.object({
      name: z.string().describe('Name of the ranking rule that applies.'),
      multiplier: numberOf(
        'Multiplier of the ranking rule. With a multiplier above 1, the rule favors the slot. With a multiplier below 1, the rule speaks against the slot.',
      ),
    }),
    "Ranking rules that apply to the slot. The multipliers of these rules, multiplied together, give the slot's `product`.",
  ),
  attendees: arrayOf(
    z.object({ email: address, start_time: localTime('Start of the slot'), timezone: zone('the attendee') }),
    "Start of the slot in each attendee's time zone, requester first.",
  ),
}));
export type Slot = z.infer<typeof Slot>;

export const SearchWindow = objectOf(docs('Dates that the search covered.'), {
  start: localDate('First'),
  end: localDate('Last'),
  days: z.int().describe(docs('Number of dates searched, including the first and the last date.')),
});

export const CalendarRead = answer(() => ({
  email: address,
  read_at: instantOf('Time the calendar was read'),
  source: oneOf(
    ['snapshot', 'google'],
    "Source of the person's busy times. `snapshot`: busy times that Tandem stored at `read_at`, with no known change since. `google`: busy times read from Google for this response.",
  ),
}));
export type CalendarRead = z.infer<typeof CalendarRead>;
