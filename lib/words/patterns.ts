import { AGENTS } from './patterns/agents.ts';
import { TIMES } from './patterns/times.ts';
import { inCurlyQuotes, inQuotes } from './title.ts';

export const PATTERNS = { ...TIMES, ...AGENTS } as const satisfies Record<string, string>;

/** The names of the blanks in a sentence pattern, such as `day` and `clock` in "{day} at {clock}". */
export type Blanks<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Blanks<Rest>
  : never;

type Key = keyof typeof PATTERNS;
type Values<K extends Key> = Record<Blanks<(typeof PATTERNS)[K]>, string | number>;

/** A blank in quotes has somebody else's words, written such that they cannot end the quotes. */
export function say<K extends Key>(
  key: K,
  ...[values]: Blanks<(typeof PATTERNS)[K]> extends never ? [] : [values: Values<K>]
): string {
  const blanks: Record<string, string | number> = values ?? {};
  const [first = '', ...rest] = partsOf(key);
  let text = first;
  for (let i = 0; i < rest.length; i += 2) {
    const value = `${blanks[rest[i] ?? ''] ?? ''}`;
    text += quoted(value, text.at(-1)) + rest[i + 1];
  }
  // The sentence's own full stop is enough after somebody's words that end with one.
  return text.includes('.\u201d.') ? text.replaceAll(/(?<=\p{L}{2})\.\u201d\./gu, '\u201d.') : text;
}

function quoted(value: string, quote: string | undefined): string {
  if (quote === '“') return inCurlyQuotes(value);
  return quote === '"' ? inQuotes(value) : value;
}

const split = new Map<Key, string[]>();

function partsOf(key: Key): string[] {
  const parts = split.get(key) ?? PATTERNS[key].split(/\{(\w+)\}/);
  split.set(key, parts);
  return parts;
}
