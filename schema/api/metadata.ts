import * as z from 'zod';
import { docs } from '#docs';
import { described, optionalOf, text } from './fields.ts';

export const MOST_PAIRS = 20;
export const LONGEST_KEY = 40;
export const LONGEST_VALUE = 500;

export type Metadata = Record<string, string>;

const LIMITS = `Metadata can have at most ${MOST_PAIRS} pairs, with keys of 1 to ${LONGEST_KEY} characters and values of at most ${LONGEST_VALUE} characters.`;

const ofPairs = z
  .record(text(LONGEST_KEY).min(1), text(LONGEST_VALUE).nullable(), {
    error: ({ code }) =>
      code === 'invalid_key'
        ? `must have another name: a key has 1 to ${LONGEST_KEY} valid Unicode characters without NUL`
        : 'must be an object with a string for each key, such as {"order_id": "4711"}',
  })
  .refine((pairs) => Object.keys(kept(pairs)).length <= MOST_PAIRS, `must have at most ${MOST_PAIRS} pairs`)
  // Sorts the pairs, so that requests that differ only in the order of their pairs are equal under an Idempotency-Key.
  .transform(
    (pairs): Record<string, string | null> =>
      Object.fromEntries(
        Object.entries(pairs)
          .toSorted(([one], [two]) => (one < two ? -1 : 1))
          .map(([key, value]) => [key, value || null]),
      ),
  );

/** The most pairs that are looked at, those that remove a key included. */
const MOST_GIVEN = 100;

/** Copying an object would drop a pair `__proto__` silently. Counts the pairs before it looks at any. */
const pairs = z.preprocess((given, context) => {
  if (typeof given === 'object' && given !== null && Object.keys(given).length > MOST_GIVEN) {
    context.addIssue({ code: 'custom', message: `must have at most ${MOST_PAIRS} pairs` });
    return {};
  }
  if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__'))
    context.addIssue({
      code: 'custom',
      message: 'must have another name, because `__proto__` cannot be a key',
      path: ['__proto__'],
    });
  return given;
}, ofPairs);

const kept = (pairs: Record<string, string | null>): Metadata =>
  Object.fromEntries(
    Object.entries(pairs).flatMap(([key, value]) => (value === null || value === '' ? [] : [[key, value]])),
  );

export const NewMetadata = optionalOf(
  pairs.transform(kept),
  docs(
    `Metadata: key-value pairs of your own. Every event about the meeting and every answer that shows the meeting includes the metadata. Tandem never writes metadata to the calendar event. ${LIMITS} Tandem leaves out a pair with the value "" or null.`,
  ),
);

export const MetadataChange = optionalOf(
  pairs,
  docs(
    `Changes to the meeting's metadata. A metadata key that you send gets its new value, a key with the value "" or null is removed, and all other keys stay. ${LIMITS} The limits apply to the metadata that the meeting has after the change.`,
  ),
);
export type MetadataChange = NonNullable<z.infer<typeof MetadataChange>>;

export const changedMetadata = (metadata: Metadata, change: MetadataChange = {}): Metadata =>
  kept({ ...metadata, ...change });

export const metadata = described(
  z.record(z.string(), z.string()),
  docs('Metadata: key-value pairs that the platform stored with the meeting. Empty if the platform stored no pairs.'),
);
