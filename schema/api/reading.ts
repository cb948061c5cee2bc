import * as z from 'zod';

/** A part of a text in a person's own words that Tandem understood. */
export const Understood = z.object({
  quote: z.string().describe('Words of the text that this part rests on.'),
  meaning: z.string().describe('What Tandem takes these words to mean, as a phrase for a person.'),
  kind: z
    .enum(['wanted', 'refused', 'move', 'standing'])
    .describe(
      '`wanted`: times asked for. `refused`: times ruled out. `move`: earlier or later. `standing`: holds in general.',
    ),
});
/** Parts of a person's text that Tandem understood, and the words about times that Tandem did not understand. */
export const reading = {
  understood: z
    .array(Understood)
    .describe('Parts of the text that Tandem understood. Empty if the text asks for nothing.'),
  not_understood: z
    .array(z.string())
    .describe('Quotes of the text that speak of times and were not understood. They changed nothing.'),
};
