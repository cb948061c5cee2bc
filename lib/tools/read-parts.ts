import * as z from 'zod';

/**
 * Output fields that list which parts of a person's words Tandem understood, and which it did not. The answer's text
 * says the same in words.
 */
export const readParts = {
  understood: z.array(z.unknown()).optional(),
  not_understood: z.array(z.string()).optional(),
};
