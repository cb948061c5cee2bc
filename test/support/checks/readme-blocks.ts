import { readFileSync } from 'node:fs';

/** Pages of the repository that show code to customers. */
export const READMES = ['README.md', 'lib/client/README.md'];

/** Returns the fenced code blocks of a README in a language, or in every language but that of printed text. */
export function readmeBlocks(page: string, language?: string): string[] {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, its]) => (language === undefined ? its !== 'text' : its === language))
    .map(([, , code = '']) => code);
}

/**
 * Returns the only code block of a README that contains `part`. A test that runs a block takes it from here:
 * as-written.test.ts reads these calls to know which blocks are run.
 */
export const readmeBlock = (page: string, part: string) => onlyOne(page, part, readmeBlocks(page));

export function onlyOne(page: string, part: string, blocks: string[]): string {
  const [found, ...others] = blocks.filter((code) => code.includes(part));
  if (found === undefined || others.length > 0)
    throw new Error(`${page} has ${others.length === 0 ? 'no block' : 'several blocks'} with ${part}`);
  return found;
}
