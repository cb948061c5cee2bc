import { globSync, readFileSync } from 'node:fs';
import { type Block, blocksOf } from '../../../functions/pages/docs/blocks.ts';
import { onlyOne } from '../checks/readme-blocks.ts';
import { createClient } from './client.ts';
import { tabsOf } from './docs-code.ts';
import { world } from './world.ts';

/** A block of code on a page, by its language. Blocks that the page shows as tabs are one. */
export interface CodeBlock {
  codes: ReadonlyMap<string, string>;
  /** What stands after the language, such as the status of an answer. */
  info: string;
  /** True if the block stands right under the one before, with no words between. */
  isUnderCode: boolean;
}

const read = async (path: string) => (await createClient(world.baseUrl).send('GET', path)).text;

/** Returns the paths of the pages that are written by hand, or of the operations' pages. */
export async function docsPaths(part: 'Docs' | 'Operations' = 'Docs'): Promise<string[]> {
  const [, listed = ''] = (await read('/llms.txt')).split(`## ${part}\n`);
  const [section = ''] = listed.split('\n## ');
  return [...section.matchAll(/\]\(https?:\/\/[^/]+(\/docs\S*?)\.md\)/g)].map(([, path = '']) => path);
}

/** Returns the parts of a page as its served Markdown has them. */
export const partsAt = async (path: string): Promise<Block[]> => blocksOf(path, await read(`${path}.md`));

/** Returns a page's blocks of code in order. The first page of the service has only calls, and no Markdown. */
export async function codeAt(path: string): Promise<CodeBlock[]> {
  if (path === '/')
    return tabsOf(await read(path)).map((tabs) => ({
      codes: new Map(Object.entries(tabs)),
      info: '',
      isUnderCode: false,
    }));
  const parts = await partsAt(path);
  return parts.flatMap((part, at) => {
    if (part.kind !== 'code') return [];
    const [info = ''] = part.fences.map(([language]) => language.split(' ').slice(1).join(' '));
    const codes = new Map(part.fences.map(([language, code]) => [language.split(' ')[0] ?? '', code]));
    return [{ codes, info, isUnderCode: parts[at - 1]?.kind === 'code' }];
  });
}

/** Returns true for a call of the API, which has the same code in three languages. */
export const isCall = ({ codes }: CodeBlock) => codes.has('python') && (codes.get('sh') ?? '').startsWith('curl ');

/**
 * Returns the only code on a page that contains `part` and is no call. A test that runs such code takes it from here:
 * every-block.test.ts reads these calls to know which blocks are run.
 */
export async function blockOf(path: string, part: string): Promise<string> {
  const blocks = (await codeAt(path)).filter((block) => !isCall(block));
  return onlyOne(
    path,
    part,
    blocks.flatMap(({ codes }) => [...codes.values()]),
  );
}

/** Blocks that a test takes by `blockOf` or `readmeBlock`, in order to run them. */
const taken = globSync('test/**/*.ts')
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\b(?:blockOf|readmeBlock)\('([^']+)', '([^']+)'\)/g)])
  .map(([, page = '', part = '']) => ({ page, part }));

/** Returns true for code that a test of its own runs. */
export const isTaken = (page: string, code: string) =>
  taken.some((one) => one.page === page && code.includes(one.part));
