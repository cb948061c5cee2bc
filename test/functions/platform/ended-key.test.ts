import { expect, test } from 'vitest';
import { auditOf, headingOf } from '../../support/people/audit.ts';
import { atDashboard, visit } from '../../support/people/dashboard.ts';
import { freshPlatform, type TestPlatform } from '../../support/people/factories.ts';
import { hold, met } from '../../support/worlds/held.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const THIEF = 'https://inbox.platform.test/thief';

const rowsOf = ({ id }: TestPlatform) =>
  world.neon.query(
    `select p.redirect_uris, p.on_decline, w.url, w.secret, w.max_retries from platforms p
    join webhook_endpoints w on w.platform_id = p.id where p.id = $1`,
    [id],
  );

/** Replaces the platform's key while a request waits at the batch that makes its change. */
async function replaceMeanwhile<T>(platform: TestPlatform, table: string, change: () => Promise<T>): Promise<T> {
  const held = hold({ target: 'neon', body_match: `(update|insert into) \\\\?"${table}`, times: 1 });
  const changing = change();
  await met(held);
  const { status } = await platform.api.send('POST', '/v1/platform/regenerate-key');
  expect(status).toBe(200);
  world.faults.clear();
  return changing;
}

test.each([
  ['the settings', 'PUT', '/v1/platform/settings', { on_decline: 'cancel', redirect_uris: [THIEF] }, 'platforms'],
  ['the webhook URL in the settings', 'PUT', '/v1/platform/settings', { webhook_url: THIEF }, 'webhook_endpoints'],
  ['the webhook URL', 'PUT', '/v1/platform/webhook', { url: THIEF }, 'webhook_endpoints'],
  ['the options of the webhook', 'PUT', '/v1/platform/webhook', { max_retries: 1 }, 'webhook_endpoints'],
  ['the webhook secret', 'POST', '/v1/platform/webhook/rotate-secret', undefined, 'webhook_endpoints'],
] as const)('a key that is replaced meanwhile does not change %s', async (_name, method, path, body, table) => {
  const platform = await freshPlatform();
  const before = await rowsOf(platform);
  const refused = await replaceMeanwhile(platform, table, () => platform.api.send(method, path, body));
  expect([refused.status, refused.body]).toMatchObject([401, { code: 'unauthorized' }]);
  expect(await rowsOf(platform)).toEqual(before);
  expect(await auditOf('platform_id', platform.id)).toEqual(['key.replaced by key']);
});

test('a dashboard session that is ended meanwhile does not change the webhook', async () => {
  const platform = await freshPlatform();
  const before = await rowsOf(platform);
  const { browser } = await atDashboard(platform);
  const page = await visit(browser, '/dashboard/webhooks/endpoint');
  const answer = await replaceMeanwhile(platform, 'webhook_endpoints', () =>
    browser.submit(page, '/webhooks/endpoint', { url: THIEF }),
  );
  expect([answer.status, headingOf(answer)]).toEqual([401, 'You are not signed in']);
  expect(await rowsOf(platform)).toEqual(before);
});
