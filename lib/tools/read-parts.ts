import * as z from 'zod';

/** The reading of a person's words in a tool's answer. The text of the answer says the same in words. */
export const readParts = {
  understood: z.array(z.unknown()).optional(),
  not_understood: z.array(z.string()).optional(),
};
