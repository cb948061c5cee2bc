import { expect, test } from 'vitest';
import { connectedPerson, freshPerson, freshPlatform, type TestPlatform } from '../support/people/factories.ts';
import { type Proposal, proposed, readProposal, strangersAddress } from '../support/people/proposing.ts';
import { allowAtGoogle, inspect, openTab, pagesSuite, settled, type Tab, tabTo } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

const NAME = 'Inês Carvalho';

/** A platform, and a mentor in Lisbon who is connected and offers three times to people who need not be. */
async function mentoring() {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const ines = await connectedPerson(platform, { name: 'ines', timezone: 'Europe/Lisbon' });
  const offer = (guest: string) =>
    proposed(platform, {
      attendees: [ines.email, guest],
      requester_name: NAME,
      duration_minutes: 30,
      title: 'Mentoring session',
      count: 3,
    });
  return { platform, ines, offer };
}

async function opened({ url }: Proposal, timeZone: string): Promise<Tab> {
  const tab = await openTab(new URL(url).pathname, { timeZone });
  await tab.page.waitForURL(/zone=/);
  return tab;
}

const titleOf = ({ page }: Tab) => page.locator('h1').textContent();
const textOf = ({ page }: Tab) => page.locator('main').textContent();
const press = (tab: Tab, button: string) => settled(tab, () => tab.page.click(`button:visible:has-text("${button}")`));

async function choose(tab: Tab, place: number, name: string): Promise<void> {
  await tab.page.click(`summary >> nth=${place}`);
  await tab.page.fill('input[name=name]:visible', name);
  await press(tab, 'Confirm');
}

const guestOf = async (platform: TestPlatform, { proposal_id }: Proposal) =>
  ((await readProposal(platform, proposal_id)) as unknown as { attendee_details: [object, object] })
    .attendee_details[1];

test('three guests of one mentor choose, ask for other times, and lend a calendar', async () => {
  const { platform, ines, offer } = await mentoring();
  const zoe = freshPerson({ name: 'zoe', timezone: 'Asia/Tokyo' });
  const forGrace = await offer(strangersAddress());
  const forLi = await offer(strangersAddress());
  const forZoe = await offer(zoe.email);

  const grace = await opened(forGrace, 'America/New_York');
  expect(await textOf(grace)).toContain(`${NAME} asks you for 30 minutes and offers three times.`);
  expect(await grace.page.locator('summary').first().textContent()).toContain('in Lisbon');
  await inspect(grace, 'story-1-offered');
  await choose(grace, 1, 'Grace Hopper');
  expect(await titleOf(grace)).toBe('Your meeting is booked');
  await inspect(grace, 'story-2-booked');
  expect(await guestOf(platform, forGrace)).toMatchObject({ name: 'Grace Hopper', time_zone: 'America/New_York' });

  const li = await opened(forLi, 'Europe/London');
  await li.page.click('text=None of these');
  await li.page.fill('#reason', 'A morning next week, please.');
  await press(li, 'Find other times');
  expect(await textOf(li)).toContain('You asked for: “A morning next week, please.”');
  await inspect(li, 'story-3-countered');
  await choose(li, 0, 'Li Wei');
  expect(await titleOf(li)).toBe('Your meeting is booked');
  expect((await readProposal(platform, forLi.proposal_id)).status).toBe('countered');

  const lender = await opened(forZoe, 'Asia/Tokyo');
  const [first] = forZoe.times;
  world.google.addBusy({ email: zoe.email, start: first?.start_time ?? '', end: first?.end_time ?? '' });
  await settled(lender, () => lender.page.click('button:has-text("Check my Google calendar")'));
  await allowAtGoogle(lender, zoe.email);
  expect(await lender.page.locator('summary:has-text("Busy in your calendar")').count()).toBe(1);
  await inspect(lender, 'story-4-checked');
  await choose(lender, 1, 'Zoë Tanaka');
  expect(await titleOf(lender)).toBe('Your meeting is booked');

  const answer = await platform.api.send('GET', `/v1/users/${encodeURIComponent(ines.email)}/meetings`);
  expect((answer.body as { meetings: object[] }).meetings).toHaveLength(3);
});

test('a guest proposes another time by keyboard, and the meeting stays until one is chosen', async () => {
  const { platform, offer } = await mentoring();
  const proposal = await offer(strangersAddress());
  const tab = await opened(proposal, 'America/New_York');
  await choose(tab, 0, 'Grace Hopper');
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
  await choose(tab, 0, 'Grace Hopper');
  expect(await titleOf(tab)).toBe('Your meeting was moved');
  await inspect(tab, 'another-time-moved');
  expect(await tab.page.locator('time').first().getAttribute('datetime')).not.toBe(booked);
  expect((await readProposal(platform, proposal.proposal_id)).status).toBe('accepted');
});
