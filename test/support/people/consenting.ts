import { createBrowser, formsOf } from '../../local/browser.ts';
import { world } from '../worlds/world.ts';
import type { TestPlatform } from './factories.ts';

/** Builds the link that asks a person to connect their calendar. */
export function authorizeUrl(platform: TestPlatform, email: string, extra: Record<string, string> = {}): string {
  const url = new URL('/v1/auth/calendar/authorize', world.baseUrl);
  url.search = new URLSearchParams({ platform_key: platform.publishable_key, user_email: email, ...extra }).toString();
  return url.href;
}

/** Returns the cookie that an answer sets, as a browser sends it back; empty if it sets none. */
export const cookieOf = (answer: Response, name: string) =>
  answer.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(name))
    ?.split(';')[0] ?? '';

/** Opens the link and submits our page. Does not follow the redirect, so that the test can read its location. */
async function leave(start: string): Promise<{ location: string; cookie: string }> {
  const asked = await fetch(start);
  const [form] = formsOf({ url: start, status: asked.status, html: await asked.text() });
  const left = await fetch(form?.action ?? '', {
    method: 'POST',
    body: form?.fields ?? null,
    headers: { cookie: cookieOf(asked, 'tandem_consent') },
    redirect: 'manual',
  });
  return { location: left.headers.get('location') ?? '', cookie: cookieOf(left, 'tandem_flow') };
}

/** Goes to the provider's consent page and answers it. */
export async function consent(
  start: string,
  answer: Record<string, string>,
): Promise<{ callback: string; cookie: string }> {
  const { location, cookie } = await leave(start);
  const page = await (await fetch(location)).text();
  const fields = new URLSearchParams(answer);
  for (const [, name, value] of page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g))
    fields.set(name ?? '', (value ?? '').replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"'));
  for (const [, value] of page.matchAll(/name="granted" value="([^"]+)"/g)) fields.append('granted', value ?? '');
  const done = await fetch(`${world.worldUrl}/o/oauth2/v2/auth/consent`, {
    method: 'POST',
    body: fields,
    redirect: 'manual',
  });
  return { callback: done.headers.get('location') ?? '', cookie };
}

/** Opens the provider's callback with the cookie of the browser that left. */
export const land = (callback: string, cookie: string) => fetch(callback, { redirect: 'manual', headers: { cookie } });

/** Consents with another account than the suggested one, as a person who switched accounts would. */
export async function consentAs(start: string, email: string) {
  const left = await leave(start);
  const location = new URL(left.location);
  location.searchParams.delete('login_hint');
  const browser = createBrowser([location.host]);
  const page = await browser.open(location.href);
  const done = await browser.submit(page, '/consent', { email, action: 'allow' });
  return { callback: done.url, cookie: left.cookie };
}
