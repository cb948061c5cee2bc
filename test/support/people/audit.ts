import type { Page } from '../../local/browser.ts';
import { world } from '../worlds/world.ts';

/** Returns what the audit log says about a platform or a person, oldest first: the change, and the kind of who made it. */
export async function auditOf(column: 'platform_id' | 'user_id', id: string): Promise<string[]> {
  const rows = await world.neon.query(
    `select action, actor_kind from audit_log where ${column} = $1 order by at, action`,
    [id],
  );
  return rows.map(({ action, actor_kind }) => `${action} by ${actor_kind}`);
}

/** Returns a page's main heading. */
export const headingOf = ({ html }: Pick<Page, 'html'>) => /<h1>(.*?)<\/h1>/.exec(html)?.[1];

/** Opens a path with a copy of somebody's cookies, as a thief would. Returns the page's heading. */
export async function asThief(cookie: string, path: string): Promise<string | undefined> {
  const html = await (await fetch(`${world.baseUrl}${path}`, { headers: { cookie } })).text();
  return headingOf({ html });
}
