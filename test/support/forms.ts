/**
 * What is asked of every form: sent twice at once, of a session that has ended, of another session, from another site, with
 * hostile text. `formOf(tab, '/me/disconnect')` is a form as it stands on the open page; `send(form)` sends it as its browser
 * would, and the options say what is different.
 */
import { randomInt } from 'node:crypto';
import { type Browser, formsOf, type Page } from '../local/browser.ts';
import type { Tab } from './tabs.ts';

/** A form of a page, with the fields its browser would send, and the cookies that go with them. */
export interface SentForm {
  action: string;
  fields: [name: string, value: string][];
  cookie: string;
}

/** What the server answered. */
export interface Answer {
  status: number;
  location: string | null;
  html: string;
}

/** The first form of the open page that posts to this path. */
export async function formOf({ page }: Tab, path: string): Promise<SentForm> {
  const found = await page.evaluate<Pick<SentForm, 'action' | 'fields'> | undefined>(`(() => {
    const form = [...document.forms].find((one) => one.method === 'post' && new URL(one.action).pathname === ${JSON.stringify(path)});
    return form && { action: form.action, fields: [...new FormData(form)] };
  })()`);
  if (found === undefined) throw new Error(`no form for ${path} at ${page.url()}`);
  const cookies = await page.context().cookies(found.action);
  return { ...found, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
}

/** The same of a browser without a screen. */
export function formIn(browser: Browser, page: Page, path: string): SentForm {
  const found = formsOf(page).find(({ method, action }) => method === 'POST' && new URL(action).pathname === path);
  if (found === undefined) throw new Error(`no form for ${path} at ${page.url}`);
  return { action: found.action, fields: [...found.fields], cookie: browser.cookiesFor(found.action) };
}

/** The form with these fields in place of its own. */
export const withFields = (form: SentForm, values: Record<string, string | string[]>): SentForm => ({
  ...form,
  fields: [
    ...form.fields.filter(([name]) => !(name in values)),
    ...Object.entries(values).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  ],
});

interface Sender {
  /** Where the page stands that sends it; the Worker's own when absent. */
  origin?: string;
  site?: 'same-origin' | 'same-site' | 'cross-site' | 'none';
  /** As a browser does whose cookies stay behind. */
  withoutCookie?: boolean;
}

/** Sends a form without following where the answer leads. */
export async function send(
  form: SentForm,
  { origin, site = 'same-origin', withoutCookie = false }: Sender = {},
): Promise<Answer> {
  const answer = await fetch(form.action, {
    method: 'POST',
    headers: {
      // An address of its own each time, as limits by address count people.
      'cf-connecting-ip': `198.19.${randomInt(256)}.${randomInt(1, 255)}`,
      origin: origin ?? new URL(form.action).origin,
      'sec-fetch-site': site,
      ...(withoutCookie ? {} : { cookie: form.cookie }),
    },
    body: new URLSearchParams(form.fields),
    redirect: 'manual',
  });
  return { status: answer.status, location: answer.headers.get('location'), html: await answer.text() };
}

/** Sends the same form twice at once. */
export const sendTwice = (form: SentForm): Promise<Answer[]> => Promise.all([send(form), send(form)]);

/** The ways another site may have a browser send it: with and without the cookie, seen by either header alone. */
export const FOREIGN: [name: string, sender: Sender][] = [
  [
    'from another site, its cookie left behind',
    { origin: 'https://evil.test', site: 'cross-site', withoutCookie: true },
  ],
  ['from another site, with its cookie', { origin: 'https://evil.test', site: 'cross-site' }],
  ['from another host of the same site', { origin: 'https://evil.localhost', site: 'same-site' }],
  ['from a page without an origin', { origin: 'null', site: 'cross-site' }],
];

/** What strangers write into fields. */
export const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; drop table users; --",
  '\u202Eevil\u0000',
  '{{7*7}}<%= 7 %>',
  'javascript:alert(1)',
  'x'.repeat(5_000),
];
