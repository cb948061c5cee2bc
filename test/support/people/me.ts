import type { Browser, Page } from '../../local/browser.ts';
import { createClient } from '../worlds/client.ts';
import { world } from '../worlds/world.ts';
import { connectedTwice } from './calendars.ts';
import type { TestPlatform } from './factories.ts';

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
