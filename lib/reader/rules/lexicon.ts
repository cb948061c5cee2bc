import { words } from '../text/mentions.ts';
import { CONSTRUCTIONS } from './constructions.ts';
import { PHRASES } from './phrases.ts';
import { WORDS } from './plain-lexicon.ts';
import type { Tag } from './tags.ts';

/** The patterns of each class, in the order in which they are tried. */
export const LEXICON: readonly [tag: Tag, pattern: RegExp][] = [...CONSTRUCTIONS, ...PHRASES, ...WORDS].map(
  ([tag, source]) => [tag, words(source)],
);
