import { expect, test } from 'vitest';
import type { Page } from '../local/browser.ts';
import { atDashboard, linkFor, newBrowser, visit } from '../support/people/dashboard.ts';
import { connectedPerson, freshPlatform } from '../support/people/factories.ts';
import { userIdOf } from '../support/people/retention.ts';
import { neon } from '../support/worlds/crash-points.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const one = async (sql: string, ...values: string[]) => (await world.neon.query(sql, values))[0]?.found;

/** A change, which has been made if `isMade` says so, and which writes this action into the audit log. */
interface Change {
  action: string;
  /** Words of the batch that makes the change. */
  commit: string[];
  /** Prepares the change. Returns how to make it, and how to see whether it was made. */
  prepare(): Promise<{ about: string; make(): Promise<unknown>; isMade(): Promise<unknown> }>;
}

const ofPlatform = async () => {
  const platform = await freshPlatform();
  return { platform, about: platform.id };
};

/** Sends a form and takes a page that the crash cut off as an answer too. */
const pressed = (sent: Promise<Page>) => sent.catch(() => undefined);

const CHANGES: Change[] = [
  {
    action: 'key.replaced',
    commit: ['insert into "api_keys'],
    async prepare() {
      const { platform, about } = await ofPlatform();
      return {
        about,
        make: () => platform.api.send('POST', '/v1/platform/regenerate-key'),
        isMade: () =>
          one("select count(*) > 1 as found from api_keys where kind = 'secret' and platform_id = $1", about),
      };
    },
  },
  {
    action: 'secret.rotated',
    commit: ['update "webhook_endpoints" set'],
    async prepare() {
      const { platform, about } = await ofPlatform();
      return {
        about,
        make: () => platform.api.send('POST', '/v1/platform/webhook/rotate-secret'),
        isMade: () =>
          one("select previous_secrets <> '[]' as found from webhook_endpoints where platform_id = $1", about),
      };
    },
  },
  {
    action: 'redirect_uris.changed',
    commit: ['update "platforms" set'],
    async prepare() {
      const { platform, about } = await ofPlatform();
      const body = { redirect_uris: ['https://a.example/x'] };
      return {
        about,
        make: () => platform.api.send('PUT', '/v1/platform/settings', body),
        isMade: () => one("select redirect_uris <> '{}' as found from platforms where id = $1", about),
      };
    },
  },
  {
    action: 'endpoint.changed',
    commit: ['insert into "webhook_endpoints"'],
    async prepare() {
      const { platform, about } = await ofPlatform();
      const body = { url: `${platform.webhookUrl}/next` };
      return {
        about,
        make: () => platform.api.send('PUT', '/v1/platform/webhook', body),
        isMade: () => one("select url like '%/next' as found from webhook_endpoints where platform_id = $1", about),
      };
    },
  },
  {
    action: 'link.created',
    commit: ['insert into "sessions"'],
    async prepare() {
      const { platform, about } = await ofPlatform();
      return {
        about,
        make: () => platform.api.send('POST', '/v1/platform/dashboard-link'),
        isMade: () => one('select count(*) > 0 as found from sessions where platform_id = $1', about),
      };
    },
  },
  {
    action: 'session.opened',
    commit: ['update "sessions" set "browser"'],
    async prepare() {
      const { platform, about } = await ofPlatform();
      const browser = newBrowser();
      const asked = await browser.open(await linkFor(platform));
      return {
        about,
        make: () => pressed(browser.submit(asked, '/dashboard/enter')),
        isMade: () => one('select opened_at is not null as found from sessions where platform_id = $1', about),
      };
    },
  },
  {
    action: 'session.ended',
    commit: ['update "sessions" set "ended_at"'],
    async prepare() {
      const { platform, about } = await ofPlatform();
      const { browser, page } = await atDashboard(platform);
      return {
        about,
        make: () => pressed(browser.submit(page, '/dashboard/sign-out')),
        isMade: () => one('select ended_at is not null as found from sessions where platform_id = $1', about),
      };
    },
  },
  {
    action: 'sessions.ended',
    commit: ['update "sessions" set "ended_at"'],
    async prepare() {
      const { platform, about } = await ofPlatform();
      const { browser } = await atDashboard(platform);
      const keys = await visit(browser, '/dashboard/keys');
      return {
        about,
        make: () => pressed(browser.submit(keys, '/sign-out-everywhere')),
        isMade: () => one('select ended_at is not null as found from sessions where platform_id = $1', about),
      };
    },
  },
  {
    action: 'person.disconnected',
    commit: ['update "connections" set "disconnected_at"'],
    async prepare() {
      const { platform, about } = await ofPlatform();
      const { email } = await connectedPerson(platform);
      return {
        about,
        make: () => platform.api.send('DELETE', `/v1/calendars/${encodeURIComponent(email)}`),
        isMade: () => one('select disconnected_at is not null as found from connections where platform_id = $1', about),
      };
    },
  },
  {
    action: 'person.erased',
    commit: ['update "users" set "email"'],
    async prepare() {
      const { email } = await connectedPerson(await freshPlatform());
      const about = await userIdOf(email);
      const { browser } = await world.signIn(email);
      const asked = await browser.open(`${world.baseUrl}/me/delete`);
      return {
        about,
        make: () => pressed(browser.submit(asked, '/me/delete')),
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
    const fault = world.faults.add({ ...neon(...change.commit), mode, times: 1 });
    await make().catch(() => undefined);
    await world.worker.ready();
    expect(fault.hits()).toBe(1);
    world.faults.clear();
    const [row] = await world.neon.query(
      'select count(*)::int as rows from audit_log where action = $1 and (platform_id = $2 or user_id = $2)',
      [action, about],
    );
    const made = (await isMade()) === true;
    expect({ made, rows: row?.rows }).toEqual({ made: mode === 'kill_after', rows: mode === 'kill_after' ? 1 : 0 });
  },
);
