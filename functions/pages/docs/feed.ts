import type { Tokens } from 'marked';
import { FEED_PATH } from '../../http/files.ts';
import { placeOf } from '../placeholders.ts';
import { blocksOf, textOf } from './blocks.ts';
import { escaped, htmlOfBlocks } from './markdown.ts';
import type { Page } from './pages.ts';

const BASE = placeOf('BASE_URL');

/** Returns the changelog as an Atom feed, with an entry for each row of its table. */
export function feedOf({ path, title, text }: Pick<Page, 'path' | 'title' | 'text'>): string {
  const rows = blocksOf(path, text).flatMap((block) => (block.kind === 'table' ? block.token.rows : []));
  const dates = rows.map(([date]) => textOf(date?.tokens ?? []));
  const entries = rows.map(([, change], at) => {
    const tokens = change?.tokens ?? [];
    const paragraph: Tokens.Paragraph = { type: 'paragraph', raw: '', text: '', tokens };
    const html = htmlOfBlocks(path, [{ kind: 'text', token: paragraph }]).replaceAll('href="/', `href="${BASE}/`);
    // A new row stands above the others of its date, so counting from below keeps the IDs of those that were read.
    const number = dates.slice(at).filter((date) => date === dates[at]).length;
    return `
  <entry>
    <id>${BASE}${path}#${dates[at]}.${number}</id>
    <title>${escaped(titleOf(textOf(tokens)))}</title>
    <updated>${dates[at]}T00:00:00Z</updated>
    <link href="${BASE}${path}"/>
    <content type="html">${escaped(html.trim())}</content>
  </entry>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${BASE}${path}</id>
  <title>Tandem: ${escaped(title)}</title>
  <updated>${dates[0]}T00:00:00Z</updated>
  <author><name>Tandem</name></author>
  <link href="${BASE}${path}"/>
  <link rel="self" href="${BASE}${FEED_PATH}"/>${entries.join('')}
</feed>
`;
}

/** Returns the first sentence, or what stands before its colon. */
const titleOf = (change: string) => change.replace(/(?:: |\. |\.$).*$/s, '');
