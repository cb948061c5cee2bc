import { expect } from 'vitest';
import { COPY_SCRIPT } from '../../../functions/pages/dashboard/parts.tsx';
import { randomIds } from '../../../lib/kit/ids.ts';
import { deletePlatform, suspendPlatform } from '../../../lib/platforms/operator-commands.ts';
import { type Browser, createBrowser, type Page } from '../../local/browser.ts';
import { openDb } from '../../local/open-db.ts';
import { world } from '../worlds/world.ts';
import { freshPlatform, type TestPlatform } from './factories.ts';
import { booked } from './meetings.ts';

export const newBrowser = () => createBrowser([new URL(world.baseUrl).host]);

export async function linkFor({ api }: Pick<TestPlatform, 'api'>): Promise<string> {
  const { body } = await api.send('POST', '/v1/platform/dashboard-link');
  return (body as { url: string }).url;
}

export const visit = (browser: Browser, path: string): Promise<Page> => browser.open(`${world.baseUrl}${path}`);

export async function atDashboard(platform: Pick<TestPlatform, 'api'>, browser: Browser = newBrowser()) {
  const page = await browser.submit(await browser.open(await linkFor(platform)), '/dashboard/enter');
  return { browser, page };
}

export async function freshDashboard(options: Parameters<typeof freshPlatform>[0] = {}) {
  const platform = await freshPlatform(options);
  return { platform, ...(await atDashboard(platform)) };
}

export const expectSaid = (page: Page, status: number, words: string) =>
  expect([page.status, wordsOf(page)]).toEqual([status, expect.stringContaining(words)]);

export const callsFor = ({ requestId }: Page): string[] =>
  world.traffic
    .list()
    .filter(({ request_id }) => request_id === requestId)
    .map(({ target }) => target)
    .sort();

/** Returns the first link of a page whose address or text the pattern finds in its group. */
export const linkIn = ({ html }: Page, pattern: RegExp): string =>
  pattern.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';

export const wordsOf = ({ html }: Pick<Page, 'html'>) =>
  html
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    .replaceAll('<wbr/>', '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');

export function withoutScript({ html }: Pick<Page, 'html'>): string {
  const start = html.indexOf(`<script>${COPY_SCRIPT}`);
  const end = html.indexOf('</script>', start);
  return start === -1 ? html : html.slice(0, start) + html.slice(end);
}

export const fieldOf = ({ html }: Page, id: string) =>
  new RegExp(`<(?:input[^>]*id="${id}"[^>]*value="|textarea[^>]*id="${id}"[^>]*>)([^"<]*)`).exec(html)?.[1];

export async function scene() {
  const meeting = await booked();
  return { ...meeting, ...(await atDashboard(meeting.platform)) };
}

/** Returns what the audit log says about a platform or a person, oldest first: the change, and the kind of who made it. */
export async function auditOf(column: 'platform_id' | 'user_id', id: string): Promise<string[]> {
  const rows = await world.neon.query(
    `select action, actor_kind from audit_log where ${column} = $1 order by at, action`,
    [id],
  );
  return rows.map(({ action, actor_kind }) => `${action} by ${actor_kind}`);
}

export const headingOf = ({ html }: Pick<Page, 'html'>) => /<h1>(.*?)<\/h1>/.exec(html)?.[1];

/** Opens a path with a copy of somebody's cookies, as a thief would. Returns the page's heading. */
export async function asThief(cookie: string, path: string): Promise<string | undefined> {
  const html = await (await fetch(`${world.baseUrl}${path}`, { headers: { cookie } })).text();
  return headingOf({ html });
}

const operator = () => ({
  db: openDb(world.neon),
  clock: world.clock,
  ids: randomIds,
  actor: { kind: 'operator' as const, id: 'olga' },
  network: null,
  requestId: 'test',
});

export const suspend = ({ id }: TestPlatform) => suspendPlatform(operator(), id);

export const remove = ({ id }: TestPlatform) => deletePlatform(operator(), id);

/** Opens the dashboard with a link that only looks. Returns what the link asks first, and the first page. */
export async function lookingAt({ api }: TestPlatform) {
  const { body } = await api.send('POST', '/v1/platform/dashboard-link', { read_only: true });
  expect(body).toMatchObject({ read_only: true });
  const browser = newBrowser();
  const asked = await browser.open((body as { url: string }).url);
  return { browser, asked, page: await browser.submit(asked, '/dashboard/enter') };
}
