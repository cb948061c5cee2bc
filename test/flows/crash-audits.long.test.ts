import { expect, test } from 'vitest';
import { atDashboard, linkFor, newBrowser, visit } from '../support/people/dashboard.ts';
import { connectedPerson, freshPlatform, type TestPlatform } from '../support/people/factories.ts';
import { userIdOf } from '../support/people/person-data.ts';
import { neon } from '../support/worlds/crash-points.ts';
import { dying } from '../support/worlds/quiet.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const one = async (sql: string, id: string) => (await world.neon.query(sql, [id]))[0]?.found;

/** A change, which has been made if `isMade` says so, and which writes this action into the audit log. */
interface Change {
  action: string;
  commit: string;
  /** Prepares the change. Returns how to make it, and how to see whether it was made. */
  prepare(): Promise<{ about: string; make(): Promise<unknown>; isMade(): Promise<unknown> }>;
}

/** A change of a new platform's, and the query that finds it made there. */
const ofPlatform = (
  action: string,
  commit: string,
  found: string,
  prepare: (platform: TestPlatform) => Promise<() => Promise<unknown>>,
): Change => ({
  action,
  commit,
  async prepare() {
    const platform = await freshPlatform();
    return { about: platform.id, make: await prepare(platform), isMade: () => one(found, platform.id) };
  },
});

const CHANGES: Change[] = [
  ofPlatform(
    'key.replaced',
    'insert into "api_keys',
    "select count(*) > 1 as found from api_keys where kind = 'secret' and platform_id = $1",
    async ({ api }) =>
      () =>
        api.send('POST', '/v1/platform/regenerate-key'),
  ),
  ofPlatform(
    'secret.rotated',
    'update "webhook_endpoints" set',
    "select previous_secrets <> '[]' as found from webhook_endpoints where platform_id = $1",
    async ({ api }) =>
      () =>
        api.send('POST', '/v1/platform/webhook/rotate-secret'),
  ),
  ofPlatform(
    'redirect_uris.changed',
    'update "platforms" set',
    "select redirect_uris <> '{}' as found from platforms where id = $1",
    async ({ api }) =>
      () =>
        api.send('PUT', '/v1/platform/settings', { redirect_uris: ['https://a.example/x'] }),
  ),
  ofPlatform(
    'endpoint.changed',
    'insert into "webhook_endpoints"',
    "select url like '%/next' as found from webhook_endpoints where platform_id = $1",
    async ({ api, webhookUrl }) =>
      () =>
        api.send('PUT', '/v1/platform/webhook', { url: `${webhookUrl}/next` }),
  ),
  ofPlatform(
    'link.created',
    'insert into "sessions"',
    'select count(*) > 0 as found from sessions where platform_id = $1',
    async ({ api }) =>
      () =>
        api.send('POST', '/v1/platform/dashboard-link'),
  ),
  ofPlatform(
    'session.opened',
    'update "sessions" set "browser"',
    'select opened_at is not null as found from sessions where platform_id = $1',
    async (platform) => {
      const browser = newBrowser();
      const asked = await browser.open(await linkFor(platform));
      return () => browser.submit(asked, '/dashboard/enter');
    },
  ),
  ofPlatform(
    'session.ended',
    'update "sessions" set "ended_at"',
    'select ended_at is not null as found from sessions where platform_id = $1',
    async (platform) => {
      const { browser, page } = await atDashboard(platform);
      return () => browser.submit(page, '/dashboard/sign-out');
    },
  ),
  ofPlatform(
    'sessions.ended',
    'update "sessions" set "ended_at"',
    'select ended_at is not null as found from sessions where platform_id = $1',
    async (platform) => {
      const { browser } = await atDashboard(platform);
      const keys = await visit(browser, '/dashboard/keys');
      return () => browser.submit(keys, '/sign-out-everywhere');
    },
  ),
  ofPlatform(
    'person.disconnected',
    'update "connections" set "disconnected_at"',
    'select disconnected_at is not null as found from connections where platform_id = $1',
    async (platform) => {
      const { email } = await connectedPerson(platform);
      return () => platform.api.send('DELETE', `/v1/calendars/${encodeURIComponent(email)}`);
    },
  ),
  {
    action: 'person.erased',
    commit: 'update "users" set "email"',
    async prepare() {
      const { email } = await connectedPerson(await freshPlatform());
      const about = await userIdOf(email);
      const { browser } = await world.signIn(email);
      const asked = await browser.open(`${world.baseUrl}/me/delete`);
      return {
        about,
        make: () => browser.submit(asked, '/me/delete'),
        isMade: () => one('select ended_at is not null as found from users where id = $1', about),
      };
    },
  },
];

test.each(
  CHANGES.flatMap((change) =>
    (['kill', 'kill_after'] as const).map(
      (mode) => [change.action, mode === 'kill' ? 'before' : 'after', mode, change] as const,
    ),
  ),
)(
  '%s, the Worker dies %s the commit: the change and its row are both there or neither',
  async (action, _at, mode, change) => {
    const { about, make, isMade } = await change.prepare();
    await dying({ ...neon(change.commit), mode }, make);
    const [row] = await world.neon.query(
      'select count(*)::int as rows from audit_log where action = $1 and (platform_id = $2 or user_id = $2)',
      [action, about],
    );
    const made = (await isMade()) === true;
    expect({ made, rows: row?.rows }).toEqual({ made: mode === 'kill_after', rows: mode === 'kill_after' ? 1 : 0 });
  },
);
