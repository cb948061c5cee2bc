import { AGENTS_EXAMPLES } from './patterns/agents-examples.ts';
import { EXPLAINED_EXAMPLES } from './patterns/explained-examples.ts';
import { NONE_EXAMPLES } from './patterns/none-examples.ts';
import { OFFERS_EXAMPLES } from './patterns/offers-examples.ts';
import { PICKS_EXAMPLES } from './patterns/picks-examples.ts';
import { READ_EXAMPLES } from './patterns/read-examples.ts';
import { WISHES_EXAMPLES } from './patterns/wishes-examples.ts';

/**
 * Values that fill the blanks of each sentence pattern for its example. README.md shows them. A pattern without blanks is
 * its own example and has none here. Only tests and tools import this file, so that the Worker does not carry it.
 */
export const EXAMPLES = {
  ...AGENTS_EXAMPLES,
  ...EXPLAINED_EXAMPLES,
  ...NONE_EXAMPLES,
  ...OFFERS_EXAMPLES,
  ...PICKS_EXAMPLES,
  ...READ_EXAMPLES,
  ...WISHES_EXAMPLES,
} as const satisfies Record<string, Record<string, string>>;
