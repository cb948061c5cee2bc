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

const ELLIPSIS = /"(?:[^"\\]|\\.)*"|…\s*,|,?\s*…/g;

/** Reads an answer as the documentation shows it: JSON in which `…` stands for what is left out. */
export const shownJson = (text: string): unknown =>
  JSON.parse(text.replaceAll(ELLIPSIS, (part) => (part.startsWith('"') ? part : '')));

/** What an answer shows, beside what was really answered. */
export interface Compared {
  /** Sentences about fields that are missing or are of another kind. */
  wrong: string[];
  /** Texts that were answered in the place of those that are shown, such as an ID or a time. */
  texts: Map<string, string>;
}

/**
 * Compares an answer with what the documentation shows of it. Every field that is shown must be there, of the same type.
 * What a program compares must be equal: booleans, null, and texts that are one word in lower case or an address. Other
 * texts and numbers may differ, but an ID must be of the same kind.
 */
export function compareAnswer(shown: unknown, answered: unknown): Compared {
  const wrong: string[] = [];
  const texts = new Map<string, string>();
  const compare = (at: string, one: unknown, other: unknown): void => {
    const say = () => wrong.push(`${at}: ${JSON.stringify(one)} is shown, and the answer has ${JSON.stringify(other)}`);
    if (typeof one !== typeof other || Array.isArray(one) !== Array.isArray(other)) return void say();
    if (typeof one === 'string' && typeof other === 'string') {
      if (one === other) return;
      const kind = /^(?:[a-z]+_)+(?=[A-Za-z0-9…])/.exec(one)?.[0] ?? '';
      if (/^[a-z_.]+$|^[^\s@]+@[^\s@]+$/.test(one) || !other.startsWith(/[A-Z0-9…]/.test(one) ? kind : '')) say();
      else texts.set(one, other);
    } else if (typeof one === 'number') {
      return;
    } else if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') {
      if (one !== other) say();
    } else {
      for (const [name, value] of Object.entries(one))
        if (name in other) compare(`${at}.${name}`, value, (other as Record<string, unknown>)[name]);
        else wrong.push(`${at}.${name} is shown, and the answer does not have it`);
    }
  };
  compare('answer', shown, answered);
  return { wrong, texts };
}
