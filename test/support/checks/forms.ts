/**
 * Requests to try on every form: sent twice at once, with an ended session, with another session, from another site,
 * and with hostile text. `formOf(tab, '/me/disconnect')` reads a form from the open page. `send(form)` sends it as its
 * browser would; the options say how the request differs.
 */
import { randomInt } from 'node:crypto';
import { type Browser, formsOf, type Page } from '../../local/browser.ts';
import type { Tab } from '../worlds/tabs.ts';

/** A form of a page, with the fields its browser would send and the cookies that belong to them. */
export interface SentForm {
  action: string;
  fields: [name: string, value: string][];
  cookie: string;
}

export interface Answer {
  status: number;
  location: string | null;
  html: string;
}

/** Reads the first form of the open page that posts to this path. */
export async function formOf({ page }: Tab, path: string): Promise<SentForm> {
  const found = await page.evaluate<Pick<SentForm, 'action' | 'fields'> | undefined>(`(() => {
    const form = [...document.forms].find((one) => one.method === 'post' && new URL(one.action).pathname === ${JSON.stringify(path)});
    return form && { action: form.action, fields: [...new FormData(form)] };
  })()`);
  if (found === undefined) throw new Error(`no form for ${path} at ${page.url()}`);
  const cookies = await page.context().cookies(found.action);
  return { ...found, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
}

/** Like `formOf`, for a browser without a screen. */
export function formIn(browser: Browser, page: Page, path: string): SentForm {
  const found = formsOf(page).find(({ method, action }) => method === 'POST' && new URL(action).pathname === path);
  if (found === undefined) throw new Error(`no form for ${path} at ${page.url}`);
  return { action: found.action, fields: [...found.fields], cookie: browser.cookiesFor(found.action) };
}

export const withFields = (form: SentForm, values: Record<string, string | string[]>): SentForm => ({
  ...form,
  fields: [
    ...form.fields.filter(([name]) => !(name in values)),
    ...Object.entries(values).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  ],
});

interface Sender {
  /** Origin of the sending page; the Worker's own if absent. */
  origin?: string;
  site?: 'same-origin' | 'same-site' | 'cross-site' | 'none';
  /** True if the browser sends no cookies with the request. */
  withoutCookie?: boolean;
}

export async function send(
  form: SentForm,
  { origin, site = 'same-origin', withoutCookie = false }: Sender = {},
): Promise<Answer> {
  const answer = await fetch(form.action, {
    method: 'POST',
    headers: {
      // Rate limits by address count people, so each request has a fresh address.
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

export const sendTwice = (form: SentForm): Promise<Answer[]> => Promise.all([send(form), send(form)]);

/**
 * Returns what a person reads after they sent a form: the heading and the notices of the page to which the answer leads.
 */
export async function readAfter(form: SentForm, answer: Answer): Promise<string> {
  const html = answer.location === null ? answer.html : await pageAt(form, answer.location);
  const parts = html.matchAll(/<h1>(.*?)<\/h1>|<div class="notice[^>]*>(.*?)<\/div>/g);
  const words = [...parts].map(([, heading, notice]) => (heading ?? notice ?? '').replaceAll(/<[^>]*>/g, ''));
  return words.join(': ').replaceAll('\u00a0', ' ').trim();
}

async function pageAt({ action, cookie }: SentForm, location: string): Promise<string> {
  const address = `198.19.${randomInt(256)}.${randomInt(1, 255)}`;
  const page = await fetch(new URL(location, action), { headers: { cookie, 'cf-connecting-ip': address } });
  return page.text();
}

/**
 * Ways in which another site may have a browser send a form: with or without the cookie, recognizable by either header
 * alone.
 */
export const FOREIGN: [name: string, sender: Sender][] = [
  [
    'from another site, its cookie left behind',
    { origin: 'https://evil.test', site: 'cross-site', withoutCookie: true },
  ],
  ['from another site, with its cookie', { origin: 'https://evil.test', site: 'cross-site' }],
  ['from another host of the same site', { origin: 'https://evil.localhost', site: 'same-site' }],
  ['from a page without an origin', { origin: 'null', site: 'cross-site' }],
];

export const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; drop table users; --",
  '\u202Eevil\u0000',
  '{{7*7}}<%= 7 %>',
  'javascript:alert(1)',
  'x'.repeat(5_000),
];
