import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ASSETS } from '../../functions/cli/assets.ts';
import { GROUPS } from '../../functions/http/groups.ts';
import type { Place } from '../../functions/pages/docs/search-index.ts';
import { addressOf, PAGE_NAMES } from '../../functions/pages/docs/tree.ts';
import { ERROR_CODES } from '../../schema/api/http-errors.ts';
import { EVENT_TYPES } from '../../schema/api/webhook-events/schemas.ts';
import { inspect, openTab, pagesSuite, settled, type Tab } from '../support/worlds/tabs.ts';

pagesSuite();

const dialogOf = ({ page }: Tab) => page.getByRole('dialog', { name: 'Search the documentation' });

/** Opens the search with the key `/` and types a query. Returns the addresses of the results, best first. */
async function find(tab: Tab, query: string): Promise<string[]> {
  await tab.page.keyboard.press('/');
  await dialogOf(tab).getByRole('searchbox').fill(query);
  await expect.poll(() => dialogOf(tab).getByRole('status').textContent()).toMatch(/place|No page/);
  return dialogOf(tab)
    .locator('a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
}

test.each([
  ['idempotency', '/docs/idempotency'],
  ['calendar_reconnect_required', '/docs/errors#calendar_reconnect_required'],
  ['meeting.cancelled', '/docs/events/meeting.cancelled'],
  ['/v1/availability', '/docs/reference/findAvailability'],
  ['POST /v1/schedule', '/docs/reference/scheduleMeeting'],
  ['Webhooks', '/docs/webhooks'],
  ['bulk', '/docs/rounds'],
  ['gdpr', '/docs/data'],
  ['retention', '/docs/data'],
  ['pricing', '/docs/limits'],
  ['sdk', '/docs/client'],
  ['sandbox', '/docs/testing'],
  ['backoff', '/docs/webhooks'],
  ['outlook', '/docs/concepts'],
  ['import csv', '/docs/rounds'],
  ['slot taken', '/docs/slot-taken'],
  ['calcom', '/docs/from-cal-com'],
  ['migrate', '/docs/from-cal-com'],
  ['nylas', '/docs/from-nylas'],
])('%s brings the right section first', async (query, first) => {
  const found = await find(await openTab('/docs'), query);
  expect(found[0], found.join('\n')).toBe(first);
});

test('everything with a name is a place to find: pages, operations, events, errors and fields', () => {
  const places = JSON.parse(readFileSync(join(ASSETS, 'pages/docs/places.json'), 'utf8')) as Place[];
  const addresses = places.map(({ to }) => to);
  expect(new Set(addresses).size).toBe(addresses.length);
  for (const name of PAGE_NAMES) expect(addresses).toContain(addressOf(name));
  for (const code of ERROR_CODES) expect(addresses).toContain(`/docs/errors#${code}`);
  for (const type of EVENT_TYPES) expect(addresses).toContain(`/docs/events/${type}`);
  for (const { id, method, path } of GROUPS.flatMap(({ operations }) => operations)) {
    const names = `${method.toUpperCase()} ${path} ${id}`;
    expect(places.find((place) => place.names === names)?.to).toBe(`/docs/reference/${id}`);
  }
  const [response] = places.filter(({ to }) => to === '/docs/reference/findAvailability#response-200');
  expect(response?.text).toContain('slots[].attendees[].timezone');
  for (const { to, title, text } of places)
    expect([to, `${title}${text}`]).toEqual([
      to,
      expect.not.stringMatching(/<\/(?:p|td|code)>|<(?:p|td|code|span)[ >]|&(?:lt|gt|quot|amp);/),
    ]);
});

test('the keyboard alone leads to a result: / opens, arrows choose, Enter goes, and words are shown around the hit', async () => {
  const tab = await openTab('/docs/concepts');
  await find(tab, 'idempotency');
  const focused = () =>
    tab.page.evaluate<string>('document.activeElement.getAttribute("href") ?? document.activeElement.type');
  await tab.page.keyboard.press('ArrowUp');
  await tab.page.keyboard.press('ArrowDown');
  expect(await focused()).toBe('search');
  await tab.page.keyboard.press('ArrowDown');
  expect(await focused()).toBe('/docs/idempotency');
  await tab.page.keyboard.press('ArrowUp');
  await settled(tab, () => tab.page.keyboard.press('Enter'));
  expect(await tab.page.locator('h1').textContent()).toBe('Idempotency and retries');
  await find(tab, 'printable ascii');
  expect(await dialogOf(tab).locator('a').first().textContent()).toMatch(/printable ASCII/);
  expect(await dialogOf(tab).locator('mark').allTextContents()).toEqual(expect.arrayContaining(['printable', 'ASCII']));
  // The first Escape empties the field.
  for (let i = 0; i < 2; i++) await tab.page.keyboard.press('Escape');
  await expect.poll(() => dialogOf(tab).isVisible()).toBe(false);
});

test('a result on the open page closes the search and goes there', async () => {
  const tab = await openTab('/docs/conventions');
  await find(tab, 'whose zone counts');
  await tab.page.keyboard.press('Enter');
  await expect.poll(() => new URL(tab.page.url()).hash).toBe('#whose-zone-counts');
  expect(await dialogOf(tab).isVisible()).toBe(false);
});

test('what is typed is only text, and what nothing has is said', async () => {
  const tab = await openTab('/docs');
  expect(await find(tab, '<img src=x onerror=alert(1)> (.*[')).toEqual([]);
  expect(await dialogOf(tab).getByRole('status').textContent()).toBe('No page has all of these words.');
});

test('the search is for everybody, on a phone and a desk, in light and dark', async () => {
  const tab = await openTab('/docs/idempotency');
  await tab.page.getByRole('button', { name: 'Search' }).click();
  await dialogOf(tab).getByRole('searchbox').fill('webhook');
  await expect.poll(() => dialogOf(tab).locator('a').count()).toBe(12);
  await inspect(tab, 'docs-search', { loads: [new URL('/docs/places.json', tab.page.url()).href] });
});

test('without scripts there is no search that does nothing', async () => {
  const { page } = await openTab('/docs', { javaScript: false });
  expect(await page.getByRole('button', { name: 'Search' }).count()).toBe(0);
  expect(await page.locator('dialog').isVisible()).toBe(false);
});
