import type { Browser, Page } from '../local/browser.ts';
import { connectedTwice } from './calendars.ts';
import { createClient } from './client.ts';
import type { TestPlatform } from './factories.ts';
import { world } from './world.ts';

/** Ada, connected with two platforms, on her own page and with a key of her own. */
export async function adaAtHome() {
  const { platform, other, ada } = await connectedTwice();
  const { api_key } = await world.connect(platform, ada.email);
  const { browser, page } = await world.signIn(ada.email);
  return { platform, other, ada, browser, page, own: createClient(world.baseUrl, api_key) };
}

const OFFER = /href="\/me\/disconnect\?platform_id=([^"]*)"/g;

/** The platforms that the page offers to disconnect. */
export const offered = ({ html }: Page) => [...html.matchAll(OFFER)].map(([, id]) => id);

/** The page that asks whether one is sure to disconnect this platform. */
export const asksToDisconnect = (browser: Browser, { id }: Pick<TestPlatform, 'id'>) =>
  browser.open(`${world.baseUrl}/me/disconnect?platform_id=${id}`);

/** Presses the button of that page. */
export const confirmDisconnect = (browser: Browser, page: Page) => browser.submit(page, '/me/disconnect');

/** Goes there and says so. */
export const disconnect = async (browser: Browser, platform: Pick<TestPlatform, 'id'>) =>
  confirmDisconnect(browser, await asksToDisconnect(browser, platform));

/** Goes to the page that asks whether one is sure, and says so. */
export async function deleteOnPage(browser: Browser): Promise<Page> {
  return browser.submit(await browser.open(`${world.baseUrl}/me/delete`), '/me/delete');
}
