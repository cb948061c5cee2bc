import { describe, expect, test } from 'vitest';
import { type Browser, createBrowser, type Page } from '../../local/browser.ts';
import { freshPerson, freshPlatform, type TestPlatform } from '../../support/people/factories.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const open = () => createBrowser([new URL(world.baseUrl).host, new URL(world.worldUrl).host]);

function authorizeUrl({ publishable_key }: TestPlatform, email: string): string {
  const query = new URLSearchParams({ platform_key: publishable_key, user_email: email });
  return `${world.baseUrl}/v1/auth/calendar/authorize?${query}`;
}

/** Takes a person as far as the consent page. */
async function atConsent(): Promise<{ browser: Browser; consent: Page; email: string }> {
  const browser = open();
  const { email } = freshPerson();
  const asked = await browser.open(authorizeUrl(await freshPlatform(), email));
  const consent = await browser.submit(asked, '/authorize');
  return { browser, consent, email };
}

describe.each(['neon', 'redis'] as const)('while %s is down a person gets a page', (target) => {
  const stop = () => world.faults.add({ target, mode: 'reset' });

  test('at the link to connect a calendar', async () => {
    const browser = open();
    const asked = await browser.open(authorizeUrl(await freshPlatform(), freshPerson().email));
    stop();
    expectApology(await browser.submit(asked, '/authorize'));
  });

  test('at the link to sign in', async () => {
    const { email } = freshPerson();
    stop();
    expectApology(await open().open(`${world.baseUrl}/oauth/login?user_id=${email}`));
  });

  test('on the way back from the consent', async () => {
    const { browser, consent, email } = await atConsent();
    stop();
    expectApology(await browser.submit(consent, '/consent', { email, action: 'allow' }));
  });
});

test('while the database is down a signed-in person gets a page instead of their own and of a key', async () => {
  const { browser, consent, email } = await atConsent();
  await browser.submit(consent, '/consent', { email, action: 'allow' });
  const own = await browser.submit(await browser.open(`${world.baseUrl}/oauth/login?user_id=${email}`), '/consent', {
    email,
    action: 'allow',
  });
  expect(own.status).toBe(200);
  world.faults.add({ target: 'neon', mode: 'reset' });
  expectApology(await browser.open(`${world.baseUrl}/me`));
  expectApology(await browser.submit(own, '/me/api-key'));
});

function expectApology({ status, html, url }: Page): void {
  expect(status, url).toBe(500);
  expect(html).toMatch(/^<!doctype html>/i);
  expect(html).toContain('<h1>Something went wrong</h1>');
  expect(html).toMatch(
    /try again in a moment\. If it happens again, write to <a href="mailto:support@tandem\.test">support@tandem\.test<\/a> with this ID:<br\/?><code>[\w-]+<\/code>/,
  );
}
