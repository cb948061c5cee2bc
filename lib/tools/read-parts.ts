import * as z from 'zod';

/** The answer's text says the same in words. */
export const readParts = {
  understood: z.array(z.unknown()).optional(),
  not_understood: z.array(z.string()).optional(),
};
