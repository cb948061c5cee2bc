import { type Browser, formsOf, type Page } from '../local/browser.ts';
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

const platformIdOf = (fields: URLSearchParams) => fields.get('platform_id');

/** The platforms that the page offers to disconnect. */
export const offered = (page: Page) =>
  formsOf(page)
    .filter(({ action }) => action.endsWith('/me/disconnect'))
    .map(({ fields }) => platformIdOf(fields));

/** Presses the button that ends this platform's access, as the page has it. */
export const disconnect = (browser: Browser, page: Page, { id }: Pick<TestPlatform, 'id'>) =>
  browser.submit(page, '/me/disconnect', { platform_id: id });

/** Goes to the page that asks whether one is sure, and says so. */
export async function deleteOnPage(browser: Browser): Promise<Page> {
  return browser.submit(await browser.open(`${world.baseUrl}/me/delete`), '/me/delete');
}
