import { AGENTS } from './patterns/agents.ts';
import { EXPLAINED } from './patterns/explained.ts';
import { NONE } from './patterns/none.ts';
import { OFFERS } from './patterns/offers.ts';
import { PICKS } from './patterns/picks.ts';
import { READ } from './patterns/read.ts';
import { WISHES } from './patterns/wishes.ts';

/**
 * Every pattern from which the sentences about times are made, with the values of an example. README.md beside this
 * file lists them as they read; a test keeps the two in step.
 */
export const PATTERNS = {
  ...OFFERS,
  ...PICKS,
  ...WISHES,
  ...NONE,
  ...EXPLAINED,
  ...READ,
  ...AGENTS,
} as const satisfies Record<string, readonly [pattern: string, example: Record<string, string>]>;

type Key = keyof typeof PATTERNS;
type Blanks<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Blanks<Rest> : never;
type Values<K extends Key> = Record<Blanks<(typeof PATTERNS)[K][0]>, string | number>;

/** Fills the blanks of a named sentence pattern with values and returns the phrase or sentence. */
export function say<K extends Key>(
  key: K,
  ...[values]: Blanks<(typeof PATTERNS)[K][0]> extends never ? [] : [values: Values<K>]
): string {
  const blanks: Record<string, string | number> = values ?? {};
  const [first = '', ...rest] = partsOf(key);
  let text = first;
  for (let i = 0; i < rest.length; i += 2) text += `${blanks[rest[i] ?? ''] ?? ''}${rest[i + 1]}`;
  return text;
}

const split = new Map<Key, string[]>();

/** Splits a sentence pattern into its texts and, between them, the names of its blanks. Remembers the result. */
function partsOf(key: Key): string[] {
  const parts = split.get(key) ?? PATTERNS[key][0].split(/\{(\w+)\}/);
  split.set(key, parts);
  return parts;
}
