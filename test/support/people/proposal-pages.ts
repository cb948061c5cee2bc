import { expect } from 'vitest';
import { clockIn } from '../../../lib/words/people.ts';
import { createBrowser, type Page } from '../../local/browser.ts';
import { rows } from '../checks/rows.ts';
import { type Answer, createClient } from '../worlds/client.ts';
import { expectPeace } from '../worlds/race.ts';
import { world } from '../worlds/world.ts';
import { freshPerson, type TestPlatform } from './factories.ts';
import { type Request, request } from './operations.ts';
import { accept, heldFor, made, type Offer, openInvitation, type Proposal, readProposal } from './proposing.ts';

/** Opens a page of the Worker by its whole address, from an address of its own. */
export const visit = (url: string, { method = 'GET', headers = {} as Record<string, string> } = {}) =>
  createClient(world.baseUrl).send(method, url.slice(world.baseUrl.length), undefined, { headers });

/** Sends a form of the page at this address as its browser would, and follows no redirect. */
export function answer(url: string, fields: Fields, headers: Record<string, string> = {}): Promise<Answer> {
  const body = new URLSearchParams();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) body.append(name, value);
  return createClient(world.baseUrl).send('POST', url.slice(world.baseUrl.length), body.toString(), {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      origin: 'null',
      ...headers,
    },
  });
}

type Fields = Record<string, string | string[]>;

/** Returns the starts of the other times that a page offers to hold, as its form sends them. */
export const startsOn = (html: string) => [...html.matchAll(/name="start" value="(\d+)"/g)].map(([, at = '']) => at);

export const choosing = ({ times }: Pick<Proposal, 'times'>, place = 0) => ({
  answer: 'accept',
  time: times[place]?.id ?? '',
});

/** Returns the heading of a page, and its text as a person reads it. */
export function told({ status, text }: Answer): { status: number; title: string; words: string } {
  const plain = (html: string) =>
    html
      .replaceAll(/<(style|script)\b.*?<\/\1>|<title>.*?<\/title>|<[^>]+>/gs, ' ')
      .replaceAll(/&#39;/g, '’')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/[\u2068\u2069]/g, '')
      .trim();
  return { status, title: plain(/<h1>.*?<\/h1>/s.exec(text)?.[0] ?? ''), words: plain(text) };
}

export const look = async (url: string) => told(await visit(url));

export async function acceptedProposal() {
  const scene = await made();
  const [time] = scene.proposal.times;
  const { body } = await accept(scene.platform, scene.id, time?.id);
  const { meeting_id: meetingId } = body as { meeting_id: string };
  return { ...scene, meetingId, url: scene.proposal.url, start: String(Date.parse(time?.start_time ?? '')) };
}

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

/** The zone of the people at the page in these tests: London's clock, and no country whose holidays a guest keeps. */
export const ZONE = 'WET';

/** Returns the hour that London's clock shows when it is this hour of a day in UTC. */
export const hourInLondon = (day: Date | undefined, hour: number): number =>
  Number(clockIn(new Date(day ?? 0).setUTCHours(hour, 0, 0, 0), ZONE).split(':')[0]);

/** Asks for other times at the page of a proposal, on the clock of a zone. */
export const counter = (url: string, reason: string, { zone = ZONE, ...fields }: Fields = {}) =>
  answer(url, { answer: 'counter', reason, zone, ...fields });

export async function answerTo(platform: TestPlatform, id: string): Promise<Proposal> {
  const answers = await rows<{ id: string; counter_of: string | null }>(
    'select id, counter_of from proposals where platform_id = any($1)',
    [platform],
  );
  const row = answers.find(({ counter_of }) => counter_of === id);
  if (row === undefined) throw new Error('nothing answers this proposal');
  return readProposal(platform, row.id);
}

/** Makes an open proposal for a guest in London, whose three times are at 15:00 UTC on three weekdays. */
export async function offered(change: object = {}, options: Parameters<typeof openInvitation>[1] = {}) {
  const scene = await openInvitation(change, options);
  const days = scene.proposal.times.map(({ start_time }) => new Date(start_time));
  return { ...scene, url: scene.proposal.url, days };
}

/** Checks that a proposal is as it was made: open, with all its times held. */
export async function expectUntouched({ platform, proposal, id }: Awaited<ReturnType<typeof offered>>): Promise<void> {
  expect(await readProposal(platform, id)).toMatchObject({
    status: 'open',
    times: proposal.times,
    decline_reason: null,
  });
  expect(await heldFor(platform)).toBe(proposal.times.length);
  await expectPeace({ platforms: [platform] });
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Names a date as people write it, such as "Thursday 3 December". */
export const named = (date: Date | undefined) =>
  date === undefined
    ? ''
    : `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${date.toLocaleString('en-GB', { month: 'long', timeZone: 'UTC' })}`;

export const countering = ({ at: { platform }, proposal }: Offer): Request =>
  request({ platform }, async () => {
    const sent = await counter(proposal.url, 'Any time next week would be good');
    return sent.status === 303 ? platform.api.send('GET', `/v1/proposals/${proposal.proposal_id}`) : sent;
  });
