import { onlyOne } from '../checks/readme-blocks.ts';
import { createClient } from './client.ts';
import { samplesOf } from './docs-code.ts';
import { world } from './world.ts';

/** Returns the path of the home page, and of every page of the documentation. */
export async function docsPaths(): Promise<string[]> {
  const { text } = await createClient(world.baseUrl).send('GET', '/llms.txt');
  const paths = [...text.matchAll(/\]\(https?:\/\/[^/]+(\/docs\S*?)\.md[#)]/g)].map(([, path = '']) => path);
  return ['/', ...new Set(paths)];
}

/** Returns a page of the documentation as HTML. */
export const pageAt = async (path: string) => (await createClient(world.baseUrl).send('GET', path)).text;

/** Returns the code blocks of a page that have no tabs, and so read the same in every language. */
export const plainBlocks = (html: string) => samplesOf(html.replaceAll(/<form class="sample tabs".*?<\/form>/gs, ''));

/**
 * Returns the only code block without tabs, on a page of the documentation, that contains `part`. A test that runs such
 * a block takes it from here: every-block.test.ts reads these calls to know which blocks are run.
 */
export const blockOf = async (path: string, part: string) => onlyOne(path, part, plainBlocks(await pageAt(path)));
