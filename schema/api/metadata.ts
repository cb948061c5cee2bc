import * as z from 'zod';
import { text } from './fields.ts';

/** A platform's own pairs on a meeting: how many, and how long each may be. */
export const MOST_PAIRS = 20;
const LONGEST_KEY = 40;
const LONGEST_VALUE = 500;

export type Metadata = Record<string, string>;

const LIMITS = `at most ${MOST_PAIRS} pairs, keys of 1 to ${LONGEST_KEY} characters, values of at most ${LONGEST_VALUE}`;

const ofPairs = z
  .record(text(LONGEST_KEY).min(1), text(LONGEST_VALUE).nullable(), {
    error: ({ code }) =>
      code === 'invalid_key'
        ? `must be called by 1 to ${LONGEST_KEY} well-formed characters without NUL`
        : 'must be an object of strings',
  })
  .refine((pairs) => Object.keys(kept(pairs)).length <= MOST_PAIRS, `must have at most ${MOST_PAIRS} pairs`)
  // Two requests that say the same are the same, in whatever order they say it.
  .transform(
    (pairs): Record<string, string | null> =>
      Object.fromEntries(
        Object.entries(pairs)
          .toSorted(([one], [two]) => (one < two ? -1 : 1))
          .map(([key, value]) => [key, value || null]),
      ),
  );

/** No copy of an object keeps this name; it would be lost without a word. */
const pairs = z.preprocess((given, context) => {
  if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__'))
    context.addIssue({ code: 'custom', message: 'must be called something else', path: ['__proto__'] });
  return given;
}, ofPairs);

const kept = (pairs: Record<string, string | null>): Metadata =>
  Object.fromEntries(
    Object.entries(pairs).flatMap(([key, value]) => (value === null || value === '' ? [] : [[key, value]])),
  );

/** What a meeting is made with. */
export const NewMetadata = pairs
  .transform(kept)
  .optional()
  .describe(
    `Pairs of your own, kept with the meeting and told with it, never on the calendar event: ${LIMITS}; a pair with "" or null is left out`,
  );

/** What is to change of a meeting's metadata: each pair given takes the place of the one of its key, and null ends it. */
export const MetadataChange = pairs
  .optional()
  .describe(
    `Merged into the meeting's pairs: a key given gets its value, one with "" or null is removed, the others stay; afterwards ${LIMITS}`,
  );
export type MetadataChange = NonNullable<z.infer<typeof MetadataChange>>;

/** The pairs after a change. */
export const changedMetadata = (metadata: Metadata, change: MetadataChange = {}): Metadata =>
  kept({ ...metadata, ...change });

/** In an answer or an event. */
export const metadata = z
  .record(z.string(), z.string())
  .describe('The pairs the platform keeps with the meeting; empty without any');
