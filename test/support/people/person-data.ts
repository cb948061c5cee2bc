import { expect } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import type { Browser, Page } from '../../local/browser.ts';
import { createClient } from '../worlds/client.ts';
import { world } from '../worlds/world.ts';
import { connectedTwice } from './calendars.ts';
import { connectedPerson, type TestPlatform } from './factories.ts';

export const FORMER = /^former-user-[a-z0-9]{12}@former\.invalid$/;

/** Signs Ada in to her own page. She has learned weights, and meetings with Bob on both platforms. */
export async function adaWithAHistory() {
  const at = await adaAtHome();
  const bob = await connectedPerson(at.platform, { name: 'bob' });
  await world.connectCalendar(at.other, bob.email);
  const given = { buffer_minutes: 15, scheduling_context: 'no meetings on Fridays' };
  expect((await at.own.send('PUT', '/v1/user/preferences', given)).status).toBe(200);
  const book = async (platform: TestPlatform, hours: number, more: Record<string, unknown> = {}) => {
    const body = {
      attendees: [at.ada.email, bob.email],
      start_time: new Date(world.clock.now() + hours * HOUR).toISOString(),
      duration_minutes: 30,
      title: 'Coffee',
      ...more,
    };
    return (await platform.api.schedule(body)).body as { meeting_id: string };
  };
  const first = await book(at.platform, 48);
  const second = await book(at.other, 72);
  return { ...at, bob, book, first, second };
}

export const rows = (sql: string, ...values: string[]) => world.neon.query(sql, values);
/** Reads a meeting as its platform does. */
export const readMeeting = async (platform: TestPlatform, id: string) =>
  (await platform.api.send('GET', `/v1/meetings/${id}`)).body as {
    attendees: string[];
    title: string;
    description: string;
  };

/** Searches every column of every table, as text, and lists the columns that contain a word. */
export async function placesOf(word: string): Promise<string[]> {
  const columns = await rows(
    "select table_name, column_name from information_schema.columns where table_schema = 'public' order by 1, 2",
  );
  const hasWord = columns.map(
    ({ table_name: table, column_name: column }) =>
      `select '${table}.${column}' as place where exists (
        select from "${table}" where "${column}"::text ilike '%' || $1 || '%')`,
  );
  return (await rows(hasWord.join(' union all '), word)).map(({ place }) => String(place));
}

/** Connects Ada with two platforms, signs her in to her own page and gives her a key. */
export async function adaAtHome() {
  const { platform, other, ada } = await connectedTwice();
  const { api_key } = await world.connect(platform, ada.email);
  const { browser, page } = await world.signIn(ada.email);
  return { platform, other, ada, browser, page, own: createClient(world.baseUrl, api_key) };
}

const OFFER = /href="\/me\/disconnect\?platform_id=([^"]*)"/g;

/** Lists the platforms that the page offers to disconnect. */
export const offered = ({ html }: Page) => [...html.matchAll(OFFER)].map(([, id]) => id);

/** Opens the page that asks for confirmation before it disconnects this platform. */
export const asksToDisconnect = (browser: Browser, { id }: Pick<TestPlatform, 'id'>) =>
  browser.open(`${world.baseUrl}/me/disconnect?platform_id=${id}`);

/** Presses the button of that confirmation page. */
export const confirmDisconnect = (browser: Browser, page: Page) => browser.submit(page, '/me/disconnect');

/** Disconnects a platform by way of its confirmation page. */
export const disconnect = async (browser: Browser, platform: Pick<TestPlatform, 'id'>) =>
  confirmDisconnect(browser, await asksToDisconnect(browser, platform));

/** Deletes the person by way of the confirmation page. */
export async function deleteOnPage(browser: Browser): Promise<Page> {
  return browser.submit(await browser.open(`${world.baseUrl}/me/delete`), '/me/delete');
}
