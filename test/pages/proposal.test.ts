import { describe, expect, test } from 'vitest';
import { HOSTILE } from '../support/checks/forms.ts';
import { answerTo, busyOn, named, offered, offeredToGoogleUser } from '../support/people/proposal-pages.ts';
import {
  accept,
  busyAt,
  made,
  openInvitation,
  passUntil,
  readProposal,
  withdraw,
} from '../support/people/proposing.ts';
import { hold, met } from '../support/worlds/quiet.ts';
import { inspect, openTab, pagesSuite, settled, strangeParts, type Tab, tabTo } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

const pathOf = ({ url }: { url: string }) => new URL(url).pathname;

async function opened(proposal: { url: string }, timeZone = 'Europe/London'): Promise<Tab> {
  const tab = await openTab(pathOf(proposal), { timeZone });
  await tab.page.waitForURL(/zone=/);
  return tab;
}

const press = (tab: Tab, button: string) => settled(tab, () => tab.page.click(`button:visible:has-text("${button}")`));

/** Chooses the first time. `name` is that of a guest. */
async function choose(tab: Tab, name?: string): Promise<void> {
  await tab.page.click('summary >> nth=0');
  if (name !== undefined) await tab.page.fill('input[name=name]:visible', name);
  await press(tab, 'Confirm');
}

const titleOf = ({ page }: Tab) => page.locator('h1').textContent();
const textOf = ({ page }: Tab) => page.locator('main').textContent();
const zoneOf = ({ page }: Tab) => page.locator('.zone strong').first().textContent();

test('a person chooses and confirms a time by keyboard, and cancels by the same link', async () => {
  const { platform, proposal, ada, id } = await made();
  const tab = await opened(proposal);
  await inspect(tab, 'proposal-open');
  expect(await tab.roundTrips()).toMatchObject({ neon: 1, redis: 2, google: 0 });
  await tabTo(tab, /^Thursday|^Friday|^Monday/);
  await tab.page.keyboard.press('Enter');
  await inspect(tab, 'proposal-chosen');
  await tabTo(tab, /^Confirm/);
  await settled(tab, () => tab.page.keyboard.press('Enter'));
  expect(await titleOf(tab)).toBe('Your meeting is booked');
  await inspect(tab, 'proposal-booked');
  expect(await readProposal(platform, id)).toMatchObject({ status: 'accepted', meeting_id: expect.any(String) });
  expect(await textOf(tab)).toContain(ada.email);

  await tabTo(tab, 'Cancel this meeting');
  await tab.page.keyboard.press('Enter');
  await inspect(tab, 'proposal-cancelling');
  await tabTo(tab, 'Cancel the meeting');
  await settled(tab, () => tab.page.keyboard.press('Enter'));
  expect(await titleOf(tab)).toBe('This meeting was cancelled');
  await inspect(tab, 'proposal-cancelled');
});

test('a person declines with a reason', async () => {
  const { platform, proposal, id } = await made();
  const tab = await opened(proposal);
  await tab.page.click('text=None of these');
  await tab.page.fill('#reason', 'Next week, please.');
  await inspect(tab, 'proposal-none');
  await press(tab, 'Decline');
  expect(await titleOf(tab)).toBe('These times were declined');
  await inspect(tab, 'proposal-declined');
  expect(await readProposal(platform, id)).toMatchObject({ status: 'declined', decline_reason: 'Next week, please.' });
});

describe('the clock of the page', () => {
  test('is the browser’s, with the requester’s beside it', async () => {
    const { proposal } = await made();
    const tab = await opened(proposal, 'Asia/Tokyo');
    expect(await zoneOf(tab)).toBe('Tokyo');
    expect(await tab.page.locator('summary').first().textContent()).toMatch(/0:00 to 0:30.*day, 15:00 in London/);
    await inspect(tab, 'proposal-tokyo');
  });

  test('is the one in Tandem without JavaScript, or the one that the person chooses', async () => {
    const { proposal } = await made();
    const tab = await openTab(pathOf(proposal), { timeZone: 'Asia/Tokyo', javaScript: false });
    expect(await zoneOf(tab)).toBe('New York');
    await settled(tab, () => tab.page.click('text=Change'));
    await tab.page.selectOption('#zone', 'Africa/Cairo');
    await settled(tab, () => tab.page.click('button'));
    expect(await zoneOf(tab)).toBe('Cairo');
    expect(await tab.page.locator('summary').first().textContent()).toContain('17:00 to 17:30');
  });

  test('can be chosen against the browser’s', async () => {
    const { proposal } = await made();
    const tab = await opened(proposal, 'Asia/Tokyo');
    await settled(tab, () => tab.page.click('text=Change'));
    await inspect(tab, 'proposal-zone');
    await settled(tab, () => tab.page.click('text=Back'));
    expect(await zoneOf(tab)).toBe('Tokyo');
    await settled(tab, () => tab.page.click('text=Change'));
    await tab.page.selectOption('#zone', 'UTC');
    await settled(tab, () => tab.page.click('button'));
    expect(await zoneOf(tab)).toBe('UTC');
  });
});

test('the platform’s logo and name lead, and times are as the browser’s language counts them', async () => {
  const logo_url = 'https://cdn.acme.test/logo.svg';
  const { platform, proposal } = await made();
  await platform.api.send('PUT', '/v1/platform/settings', { logo_url });
  const tab = await openTab('/privacy', { timeZone: 'Asia/Tokyo', language: 'en-US' });
  const picture =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="teal"/></svg>';
  await tab.page.route(logo_url, (route) => route.fulfill({ contentType: 'image/svg+xml', body: picture }));
  await tab.page.goto(proposal.url);
  await tab.page.waitForURL(/zone=/);
  expect(await tab.page.locator('main > :first-child').textContent()).toBe('Test platform');
  expect(await tab.page.locator('summary').first().textContent()).toMatch(/12:00 AM to 12:30 AM.*, 3:00 PM in London/);
  expect(tab.answer().headers()['content-security-policy']).toContain('; img-src https://cdn.acme.test;');
  await inspect(tab, 'proposal-logo', { loads: [logo_url] });
});

test('a proposal that was withdrawn, one that has expired, and no proposal say so', async () => {
  const { platform, proposal, id } = await made();
  const other = await made();
  await withdraw(platform, id);
  const tab = await openTab(pathOf(proposal));
  expect(await titleOf(tab)).toBe('These times are no longer offered');
  await inspect(tab, 'proposal-withdrawn');
  await world.advance(Date.parse(other.proposal.expires_at) - world.clock.now());
  await tab.page.goto(other.proposal.url);
  expect(await titleOf(tab)).toBe('These times have expired');
  await inspect(tab, 'proposal-expired');
  await tab.page.goto(`${proposal.url}x`);
  expect(tab.answer().status()).toBe(404);
  await inspect(tab, 'proposal-unknown');
});

test('a guest gives their name, and is asked again for one that is none', async () => {
  const { platform, proposal, guest, id } = await openInvitation();
  const tab = await opened(proposal, 'Asia/Tokyo');
  await tab.page.click('summary >> nth=1');
  await inspect(tab, 'proposal-guest');
  await tab.page.fill('input[name=name]:visible', '   ');
  await press(tab, 'Confirm');
  expect(tab.answer().status()).toBe(400);
  await inspect(tab, 'proposal-guest-nameless');
  await tab.page.fill('input[name=name]:visible', 'Grace Hopper');
  await settled(tab, () => tab.page.keyboard.press('Enter'));
  expect(await titleOf(tab)).toBe('Your meeting is booked');
  await inspect(tab, 'proposal-guest-booked');
  const { attendee_details } = (await readProposal(platform, id)) as unknown as { attendee_details: object[] };
  expect(attendee_details[1]).toEqual({
    email: guest,
    connected: false,
    name: 'Grace Hopper',
    time_zone: 'Asia/Tokyo',
  });
});

test('a proposal that somebody is answering says so, and so does a suspended platform’s', async () => {
  const { platform, proposal, id } = await made();
  const tab = await opened(proposal);
  const held = hold({ target: 'google', match: 'POST /calendar/v3/calendars/primary/events' });
  const first = accept(platform, id, proposal.times[0]?.id);
  await met(held);
  await tab.page.reload();
  expect(await titleOf(tab)).toBe('A time is being booked');
  await inspect(tab, 'proposal-busy');
  world.faults.clear();
  await first;
  await settled(tab, () => tab.page.click('text=Look again'));
  expect(await titleOf(tab)).toBe('Your meeting is booked');
  const other = await made();
  await world.neon.query('update platforms set suspended_at = now() where id = $1', [other.platform.id]);
  await tab.page.goto(other.proposal.url);
  await inspect(tab, 'proposal-paused');
});

test('a proposal that expires with a booking says so, and then shows the meeting until it is over', async () => {
  const { proposal } = await made({ expires_in_hours: 1, on_expiry: 'book_first' });
  const tab = await opened(proposal);
  await inspect(tab, 'proposal-book-first');
  await world.advance(Date.parse(proposal.expires_at) - world.clock.now());
  await tab.page.reload();
  expect(await titleOf(tab)).toBe('The time to answer is over');
  await inspect(tab, 'proposal-booking');
  await passUntil(proposal.expires_at);
  await tab.page.reload();
  expect(await titleOf(tab)).toBe('Your meeting is booked');
  await world.advance(Date.parse(proposal.times[0]?.end_time ?? '') - world.clock.now());
  await tab.page.reload();
  expect(await titleOf(tab)).toBe('This meeting is over');
  await inspect(tab, 'proposal-over');
});

test('no time is left: only declining is', async () => {
  const { proposal, bob } = await made({ times: undefined, count: 1 });
  const tab = await opened(proposal);
  await inspect(tab, 'proposal-one');
  const [only] = proposal.times;
  if (only !== undefined) busyAt(bob.email, only);
  await choose(tab);
  await inspect(tab, 'proposal-none-left');
});

test('what others wrote stays text, however long it is', async () => {
  for (const [n, text] of HOSTILE.filter((one) => !one.includes('\0')).entries()) {
    const { proposal } = await made({ title: text.slice(0, 200) });
    const tab = await opened(proposal);
    expect((await strangeParts(tab)).filter((part) => !part.startsWith('<script data-zone'))).toEqual([]);
    expect(await titleOf(tab)).toContain(text.slice(0, 200).trim());
    await inspect(tab, `proposal-hostile-${n}`);
  }
});

const openedInLondon = (url: string): Promise<Tab> => openTab(`${new URL(url).pathname}?zone=Europe/London`);

async function ask(tab: Tab, text: string): Promise<void> {
  if (!(await tab.page.locator('#reason').isVisible())) await tab.page.click('text=None of these');
  await tab.page.fill('#reason', text);
  await press(tab, 'Find other times');
}

test('a person asks for other times by keyboard, gets them, and chooses one', async () => {
  const { platform, url, id, days } = await offered();
  const tab = await openedInLondon(url);
  await tabTo(tab, 'None of these');
  await tab.page.keyboard.press('Enter');
  await tabTo(tab, /./);
  await tab.page.fill('#reason', `${named(days[1])} before noon`);
  await inspect(tab, 'counter-form');
  await tabTo(tab, 'Find other times');
  await settled(tab, () => tab.page.keyboard.press('Enter'));
  const next = await answerTo(platform, id);
  expect(new URL(tab.page.url()).pathname).toBe(new URL(next.url).pathname);
  expect(await textOf(tab)).toContain('at one of these three times instead');
  await inspect(tab, 'counter-answered');
  await choose(tab, 'Grace Hopper');
  expect(await readProposal(platform, next.proposal_id)).toMatchObject({ status: 'accepted' });
});

test.each<[name: string, text: (days: Date[]) => string, told: string]>([
  ['not-understood', () => 'Sorry, none of these works.', 'We did not understand when you can meet'],
  ['empty', () => ' ', 'Write a day or an hour that suits you'],
  ['not-free', (days) => `${named(days[1])} between 9:00 and 12:00`, 'Nothing is free then'],
  ['offered', (days) => `${named(days[2])} at 15:00`, 'That is one of the times offered here'],
])('a text that brings no other times says why: %s', async (name, text, told) => {
  const { ada, url, days } = await offered();
  busyOn(ada.email, days[1], 8, 12);
  const tab = await openedInLondon(url);
  await ask(tab, text(days));
  expect(await textOf(tab)).toContain(told);
  await inspect(tab, `counter-${name}`);
});

async function check(url: string): Promise<Tab> {
  const tab = await openedInLondon(url);
  await settled(tab, () => tab.page.click('button:has-text("Check my Google calendar")'));
  await settled(tab, () => tab.page.click('button[value=allow]'));
  return tab;
}

test('a person sees which of the times are free in their calendar, and chooses one', async () => {
  const { url } = await offeredToGoogleUser([[1, 14, 17]]);
  const tab = await check(url);
  expect(await tab.page.locator('summary:has-text("Free in your calendar")').count()).toBe(2);
  expect(await tab.page.locator('summary:has-text("Busy in your calendar")').count()).toBe(1);
  await inspect(tab, 'check-free');
  await choose(tab, 'Grace Hopper');
  expect(await titleOf(tab)).toBe('Your meeting is booked');
});

test('a person who is busy at all times gets others, and has them held', async () => {
  const { url } = await offeredToGoogleUser([
    [0, 14, 17],
    [1, 14, 17],
    [2, 14, 17],
  ]);
  const tab = await check(url);
  expect(await textOf(tab)).toContain('You are busy at all offered times');
  await inspect(tab, 'check-busy');
  await press(tab, 'Offer me these times instead');
  expect(await textOf(tab)).toContain('at one of these three times instead');
});

test('a guest proposes another time by keyboard, and the meeting stays until one is chosen', async () => {
  const { platform, proposal } = await openInvitation({ requester_name: 'Inês Carvalho' });
  const tab = await opened(proposal, 'America/New_York');
  await choose(tab, 'Grace Hopper');
  const booked = await tab.page.locator('time').first().getAttribute('datetime');
  await tabTo(tab, 'Propose another time');
  await tab.page.keyboard.press('Enter');
  await tabTo(tab, /./);
  await tab.page.fill('#reason', 'Purple monkeys');
  await inspect(tab, 'another-time-form');
  await tabTo(tab, 'Find other times');
  await settled(tab, () => tab.page.keyboard.press('Enter'));
  expect(await textOf(tab)).toContain('We did not understand when you can meet');
  await inspect(tab, 'another-time-not-understood');
  await tab.page.fill('#reason', 'An afternoon next week');
  await press(tab, 'Find other times');
  expect(await textOf(tab)).toContain('stays there until you choose.');
  await inspect(tab, 'another-time-offered');
  await tab.page.goto(proposal.url);
  expect(await tab.page.locator('time').first().getAttribute('datetime')).toBe(booked);
  await inspect(tab, 'another-time-open');
  await settled(tab, () => tab.page.click('text=See those times'));
  await choose(tab, 'Grace Hopper');
  expect(await titleOf(tab)).toBe('Your meeting was moved');
  await inspect(tab, 'another-time-moved');
  expect(await tab.page.locator('time').first().getAttribute('datetime')).not.toBe(booked);
  expect((await readProposal(platform, proposal.proposal_id)).status).toBe('accepted');
});
