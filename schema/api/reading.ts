import * as z from 'zod';
import { docs } from '#docs';

export const Understood = z.object({
  quote: z.string().describe(docs("Words of the person's text that Tandem understood.")),
  meaning: z.string().describe(docs('Meaning of the words in `quote`, as a phrase for a person.')),
  kind: z
    .enum(['wanted', 'refused', 'move', 'standing'])
    .describe(
      docs(
        'Kind of wish. `wanted`: times that the person asks for. `refused`: times that the person rules out. `move`: an earlier or later time. `standing`: a rule that holds in general.',
      ),
    ),
});
/** Parts of a person's text that Tandem understood, and the words about times that Tandem did not understand. */
export const reading = {
  understood: z
    .array(Understood)
    .describe(
      docs("Parts of the person's text that Tandem understood. Empty if Tandem understood no wish in the text."),
    ),
  not_understood: z
    .array(z.string())
    .describe(
      docs(
        "Quotes from the person's text that speak of times and that Tandem did not understand. These words changed nothing.",
      ),
    ),
};
