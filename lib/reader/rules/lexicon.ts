import { anyOf } from '../text/mentions.ts';
import { CONSTRUCTIONS } from './constructions.ts';
import { EVERYDAY } from './everyday.ts';
import { IDIOMS } from './idioms.ts';
import { PHRASES } from './phrases.ts';
import { WORDS } from './plain-lexicon.ts';
import { REFUSAL_PHRASES } from './refusal-phrases.ts';
import { SAYINGS } from './sayings.ts';
import type { Tag } from './tags.ts';

/**
 * All words and phrases that the rules know, as patterns with the class of each, such as negation or request. The
 * reader tries them in this order. Neighbors of one class share a pattern, because an unknown word has to fail every one.
 */
export const LEXICON: readonly [tag: Tag, pattern: RegExp][] = joined([
  ...IDIOMS,
  ...EVERYDAY,
  ...CONSTRUCTIONS,
  ...SAYINGS,
  ...PHRASES,
  ...REFUSAL_PHRASES,
  ...WORDS,
]).map(([tag, sources]) => [tag, anyOf(sources)]);

function joined(phrases: readonly [tag: Tag, source: string][]): [tag: Tag, sources: string[]][] {
  const runs: [tag: Tag, sources: string[]][] = [];
  for (const [tag, source] of phrases) {
    const last = runs.at(-1);
    if (last?.[0] === tag) last[1].push(source);
    else runs.push([tag, [source]]);
  }
  return runs;
}
