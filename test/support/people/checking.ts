import { createBrowser, type Page } from '../../local/browser.ts';
import { world } from '../worlds/world.ts';
import { offered } from './countering.ts';
import { freshPerson } from './factories.ts';

/** Makes an open proposal for a guest with a Google account, who is busy at these hours (UTC) of the offered days. */
export async function offeredToGoogleUser(busy: [day: number, from: number, to: number][] = [], change: object = {}) {
  const grace = freshPerson({ name: 'grace', timezone: 'Europe/London' });
  const scene = await offered(change, { guest: grace.email });
  for (const [day, from, to] of busy) busyOn(grace.email, scene.days[day], from, to);
  return { ...scene, grace };
}

/** Makes somebody busy from one hour to another (UTC) of a date. */
export function busyOn(email: string, date: Date | undefined, from: number, to: number): void {
  const at = (hour: number) => new Date(new Date(date ?? 0).setUTCHours(hour, 0, 0, 0)).toISOString();
  world.google.addBusy({ email, start: at(from), end: at(to) });
}

/** Opens the page of a proposal in a new browser and asks to check the calendar. Returns Google's consent page. */
export async function leaveToGoogle(url: string) {
  const browser = createBrowser([new URL(world.baseUrl).host, new URL(world.worldUrl).host]);
  const page = await browser.open(`${url}?zone=Europe/London`);
  const asked = await browser.submit(page, new URL(url).pathname, { answer: 'check' });
  return { browser, asked };
}

/** Checks the calendar of a person, whose answer at Google is to allow it unless it is given. Returns the last page. */
export async function check(url: string, email: string, answer: Record<string, string | string[]> = {}): Promise<Page> {
  const { browser, asked } = await leaveToGoogle(url);
  return browser.submit(asked, '/consent', { email, action: 'allow', ...answer });
}

/** Returns the tokens that Google was asked to revoke, and with which answers. */
export const revocations = () =>
  world.traffic.list().filter(({ method, path }) => method === 'POST' && path.startsWith('/revoke'));
