import { DAY } from '../../../lib/engine/time/dates.ts';
import type { Browser, Page } from '../../local/browser.ts';
import { world } from '../worlds/world.ts';
import { visit } from './dashboard.ts';
import { connectedPerson, freshPerson, ownClient, type TestPlatform } from './factories.ts';

export const whyPath = (typed: Record<string, string | number>): string =>
  `/dashboard/why?${new URLSearchParams(Object.entries(typed).map(([name, value]): [string, string] => [name, String(value)]))}`;

export const ask = (browser: Browser, typed: Record<string, string | number>) => visit(browser, whyPath(typed));

/** Returns the text of a page without its drawing. */
export const wordsOf = ({ html }: Page) =>
  html
    .replaceAll('&#39;', '’')
    .replaceAll(/<svg[\s\S]*?<\/svg>|<style>[\s\S]*?<\/style>|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

export const errorAt = ({ html }: Page, field: string) =>
  new RegExp(`<p class="error" id="${field}-error">(.*?)</p>`).exec(html)?.[1];

export const typedInto = ({ html }: Page, field: string) =>
  new RegExp(`<input[^>]* id="${field}"[^>]* value="([^"]*)"`).exec(html)?.[1];

export const count = ({ html }: Page, pattern: RegExp) => html.match(pattern)?.length ?? 0;

const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);

export function nextWeek(days = 0): string {
  const now = world.clock.now();
  const untilMonday = 7 - ((new Date(now).getUTCDay() + 6) % 7);
  return dateOf(now + (untilMonday + days) * DAY);
}

/**
 * Moves the world to the Monday morning before the Sunday on which New York's clocks next go forward or back. Returns
 * that Sunday.
 */
export async function beforeClockChange(way: 'forward' | 'back'): Promise<string> {
  const soonest = world.clock.now() + 7 * DAY;
  const year = new Date(soonest).getUTCFullYear();
  const sundays = [year, year + 1].map((each) =>
    way === 'forward' ? sundayFrom(each, 2, 8) : sundayFrom(each, 10, 1),
  );
  const sunday = sundays.find((each) => each > soonest) ?? 0;
  await world.advance(sunday - 6 * DAY + 8 * 3_600_000 - world.clock.now());
  return dateOf(sunday);
}

/** Returns the first Sunday on or after this day of the month. */
function sundayFrom(year: number, month: number, day: number): number {
  const first = Date.UTC(year, month, day);
  return first + ((7 - new Date(first).getUTCDay()) % 7) * DAY;
}

interface Rules {
  name?: string;
  timezone?: string;
  busy?: [start: string, end: string][];
  preferences?: object;
}

export async function personWith(platform: TestPlatform, { preferences, ...about }: Rules = {}) {
  if (preferences === undefined) return connectedPerson(platform, about);
  const person = freshPerson(about);
  for (const [start, end] of about.busy ?? []) world.google.addBusy({ email: person.email, start, end });
  const own = await ownClient(platform, person.email);
  const answer = await own.send('PUT', '/v1/user/preferences', preferences);
  if (answer.status !== 200) throw new Error(`preferences were refused: ${answer.text}`);
  return person;
}
