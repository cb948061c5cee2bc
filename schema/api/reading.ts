import * as z from 'zod';
import { answer, docs } from '#docs';
import { arrayOf, Instant, oneOf, optionalOf, someOf, someText, stringsOf } from './fields.ts';

export const Understood = answer(() => ({
  quote: z.string().describe("Words of the person's text that Tandem understood."),
  meaning: z.string().describe('Meaning of the words in `quote`, as a phrase for a person.'),
  kind: oneOf(
    ['wanted', 'refused', 'move', 'standing'],
    'Kind of wish. `wanted`: times that the person asks for. `refused`: times that the person rules out. `move`: an earlier or later time. `standing`: a rule that holds in general.',
  ),
}));
export const reading = answer(() => ({
  understood: arrayOf(
    Understood,
    "Parts of the person's text that Tandem understood. Empty if Tandem understood no wish in the text.",
  ),
  not_understood: stringsOf(
    "Quotes from the person's text that speak of times and that Tandem did not understand. These words changed nothing.",
  ),
}));

export const readingOfWhen = answer(() => ({
  understood: optionalOf(
    reading.shape.understood,
    'Parts of the text in `when` that narrowed the search. Present only if you sent `when`, and empty if none did.',
  ),
  not_understood: optionalOf(
    reading.shape.not_understood,
    'Quotes from the text in `when` that had no effect: words about times that Tandem did not understand, and those that need the time of an earlier meeting, such as "an hour later". Present only if you sent `when`.',
  ),
}));

const LONGEST_WHEN = 300;
export const MOST_RANGES = 10;

export const timeRange = (error: string) =>
  z
    .object(
      {
        start: Instant.describe(docs('Start of the range, ISO 8601 with an offset or Z.')),
        end: Instant.describe(docs('End of the range, ISO 8601 with an offset or Z.')),
      },
      'must be an object with the fields `start` and `end`',
    )
    .refine(({ start, end }) => start < end, { path: ['end'], error });

export const timesAsked = {
  when: optionalOf(
    someText(LONGEST_WHEN),
    docs(
      `Times that somebody asks for in their own words, at most ${LONGEST_WHEN} characters, such as "Thursday afternoon or Friday before 11". Tandem offers no other times. The words are read on the requester's clock. They never open anybody's busy times or work hours.`,
    ),
  ),
  time_ranges: optionalOf(
    someOf(timeRange('must be later than the `start` of the same range'), MOST_RANGES, 'ranges'),
    docs(
      `Ranges within one of which the meeting must be, 1 to ${MOST_RANGES}. Each must end at most 400 days from now. Times must suit both people as in a search without them.`,
    ),
  ),
};

export const toTimesGiven = ({ when, time_ranges: ranges }: z.output<z.ZodObject<typeof timesAsked>>) => ({
  when,
  ranges,
});
