import type { Reader } from './docs-play.ts';

/** What a page of the documentation takes for given, by its path. */
export const PREPARED: Readonly<Record<string, (reader: Reader) => Promise<void>>> = {};
