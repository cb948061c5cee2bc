import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ASSETS, packagePath } from '../../functions/cli/assets.ts';
import { VERSION } from '../../functions/cli/release.ts';
import { webhooksOf } from '../support/people/factories.ts';
import { bookable, liveEvents } from '../support/people/meetings.ts';
import { openTab, pagesSuite } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

/** Program of a page: `book` books the first free time, and `tell` returns what the client makes of mistakes. */
const PROGRAM = `
import { createTandem, verifyWebhook } from './package/client/tandem.js';
window.book = async ({ attendees, ...options }) => {
  const tandem = createTandem({ ...options, retries: 0 });
  try {
    const { slots: [{ start_time }] } = await tandem.findAvailability({ attendees });
    return (await tandem.scheduleMeeting({ attendees, start_time, duration_minutes: 30, title: 'Intro' })).meeting_id;
  } catch (error) {
    return error.name + ': ' + error.message;
  }
};
window.tell = async ({ apiKey, baseUrl, webhook }) => {
  const told = async (options, ask = (tandem) => tandem.getMeeting('meet_1')) => {
    try {
      return await ask(createTandem({ apiKey, baseUrl, ...options }));
    } catch (error) {
      return [error.name, error.status, error.message].join(' ');
    }
  };
  return {
    webhook: await verifyWebhook(webhook),
    'wrong key': await told({ apiKey: apiKey.slice(0, -3) }),
    'a page': await told({ baseUrl: baseUrl + '/guest-network' }),
    'no number': await told({ timeoutSeconds: NaN }),
  };
};`;

const folder = mkdtempSync(join(tmpdir(), 'tandem-page-'));
let html = '';
beforeAll(() => {
  execFileSync('tar', ['-xzf', join(ASSETS, packagePath(VERSION)), '-C', folder]);
  const stdin = { contents: PROGRAM, resolveDir: folder };
  const { outputFiles } = buildSync({ stdin, bundle: true, platform: 'browser', format: 'esm', write: false });
  html = `<!doctype html><title>Page of a platform</title><script type="module">${outputFiles[0]?.text}</script>`;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Opens a page at the origin, whose program has the client as the package has it. */
async function programAt(origin: string) {
  const { page, complaints } = await openTab('/docs');
  await page.route(`${origin}/program`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.route('**/guest-network/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
  );
  await page.goto(`${origin}/program`);
  const call = <Said>(name: 'book' | 'tell', asked: object) =>
    page.evaluate(
      ({ name, asked }) => (globalThis as never as Record<string, (asked: object) => Said>)[name]?.(asked),
      { name, asked },
    );
  return { call, complaints };
}

async function bookFrom(origin: string) {
  const { platform, ada, bob } = await bookable();
  const { call, complaints } = await programAt(origin);
  const attendees = [ada.email, bob.email];
  const said = await call<string>('book', { apiKey: platform.secret_key, baseUrl: world.baseUrl, attendees });
  return { said, email: ada.email, complaints };
}

test('the client from its package books in a page of the API’s origin', async () => {
  const { said, email } = await bookFrom(world.baseUrl);
  expect(said).toMatch(/^meet_/);
  expect(liveEvents(email)).toHaveLength(1);
});

test('in a page of another origin, where the browser blocks the call, it says so', async () => {
  const { said, email, complaints } = await bookFrom('http://platform.test');
  expect(said).toBe(
    `TandemConnectionError: ${world.baseUrl} could not be reached or did not answer in time. Browsers block calls from pages of another origin. Call Tandem from your server, which keeps the key.`,
  );
  expect(liveEvents(email)).toEqual([]);
  expect(complaints.splice(0).join()).toContain('CORS');
});

test('in a page it verifies a webhook, and tells mistakes at once and as what they are', async () => {
  const { platform, body } = await bookable();
  await platform.api.schedule(body);
  const [delivery] = await webhooksOf(platform);
  const { headers, body_text } = delivery ?? {};
  const secret = platform.webhook_secret;
  const { call, complaints } = await programAt(world.baseUrl);
  const webhook = { secret, headers, body: body_text, now: world.clock.now() };
  expect(await call('tell', { apiKey: platform.secret_key, baseUrl: world.baseUrl, webhook })).toEqual({
    webhook: { ok: true, event: JSON.parse(body_text ?? '') },
    'wrong key': expect.stringMatching(/^TandemError 401 The API key in the header Authorization is not valid\./),
    'a page': expect.stringMatching(/^TandemError 200 The server answered with status 200 and no JSON\./),
    'no number': expect.stringMatching(/^TypeError {2}`timeoutSeconds` must be a number/),
  });
  expect(complaints).toEqual([]);
});
