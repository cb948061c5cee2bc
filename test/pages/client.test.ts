import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ASSETS, packagePath } from '../../functions/cli/assets.ts';
import { VERSION } from '../../functions/cli/released.ts';
import { bookable, liveEvents } from '../support/people/bookings.ts';
import { openTab, pagesSuite } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

/** Program of a page: it books the first free time, and keeps what came of it in `outcome`. */
const PROGRAM = `
import { createTandem } from './package/client/tandem.js';
window.book = async ({ attendees, ...options }) => {
  const tandem = createTandem({ ...options, retries: 0 });
  try {
    const { slots: [{ start_time }] } = await tandem.findAvailability({ attendees });
    return (await tandem.scheduleMeeting({ attendees, start_time, duration_minutes: 30, title: 'Intro' })).meeting_id;
  } catch (error) {
    return error.name + ': ' + error.message;
  }
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

/** Books from a page at the origin, with the client as the package has it. */
async function bookFrom(origin: string) {
  const { platform, ada, bob } = await bookable();
  const { page, complaints } = await openTab('/docs');
  await page.route(`${origin}/program`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto(`${origin}/program`);
  const asked = { apiKey: platform.secret_key, baseUrl: world.baseUrl, attendees: [ada.email, bob.email] };
  const said = await page.evaluate(
    (asked) => (globalThis as never as { book: (a: object) => string }).book(asked),
    asked,
  );
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
