import { beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../local/faults.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import {
  answer,
  busyOn,
  check,
  leaveToGoogle,
  offeredToGoogleUser,
  revocations,
  told,
} from '../../support/people/proposal-pages.ts';
import { made, readProposal, withdraw } from '../../support/people/proposing.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

beforeEach(() => world.traffic.clear());

const FREE_BUSY = 'https://www.googleapis.com/auth/calendar.freebusy';
const readOf = ({ status, html }: { status: number; html: string }) => told({ status, text: html } as never);
const states = (html: string) => [...html.matchAll(/(Free|Busy) in your calendar/g)].map(([, state]) => state);

/** Lists what Tandem stores about a person's address: no account, no token, no snapshot. */
const accountsOf = (email: string) =>
  world.neon.query('select a.user_id from calendar_accounts a join users u on u.id = a.user_id where u.email = $1', [
    email,
  ]);

describe('a person who lets Tandem look at their calendar', () => {
  test('sees which times are free, and the access ends right after', async () => {
    const { url, grace, platform, id, proposal } = await offeredToGoogleUser([[1, 14, 17]]);
    const page = await check(url, grace.email);
    expect(readOf(page)).toMatchObject({
      status: 200,
      title: 'Contract questions',
      words: expect.stringContaining('We compared the times with your calendar'),
    });
    expect(states(page.html)).toEqual(['Free', 'Busy', 'Free']);
    expect(revocations()).toHaveLength(1);
    expect(await accountsOf(grace.email)).toEqual([]);
    expect(await world.neon.query('select provider_id from revocations', [])).toEqual([]);
    expect(await readProposal(platform, id)).toMatchObject({ status: 'open', times: proposal.times });
    await expectPeace({ platforms: [platform] });
  });

  test('is asked for free and busy times alone, for an hour, with their address suggested', async () => {
    const { url, grace } = await offeredToGoogleUser();
    const { asked } = await leaveToGoogle(url);
    const query = new URL(asked.url).searchParams;
    expect(query.get('scope')).toBe(`openid ${FREE_BUSY}`);
    expect([query.get('access_type'), query.get('login_hint')]).toEqual(['online', grace.email]);
    expect([query.get('code_challenge_method'), query.get('include_granted_scopes')]).toEqual(['S256', 'false']);
  });

  test('and has no time in common with the requester is told so', async () => {
    const { url, grace, days } = await offeredToGoogleUser();
    for (let day = -7; day < 70; day += 1)
      busyOn(grace.email, new Date((days[0]?.getTime() ?? 0) + day * 86_400_000), 0, 23);
    expect(readOf(await check(url, grace.email)).words).toContain(
      'We found no other time that suits both of you either.',
    );
  });

  test('whose account is connected through another platform keeps that connection', async () => {
    const { url, grace } = await offeredToGoogleUser();
    const other = await freshPlatform({ plan: 'enterprise' });
    await world.connectCalendar(other, grace.email);
    world.traffic.clear();
    expect(states((await check(url, grace.email)).html)).toEqual(['Free', 'Free', 'Free']);
    expect(revocations()).toEqual([]);
    const carl = await connectedPerson(other);
    const found = await other.api.send('POST', '/v1/availability?fresh=true', {
      attendees: [grace.email, carl.email],
      duration_minutes: 30,
    });
    expect(found.status).toBe(200);
  });
});

describe('the page says why a calendar was not checked', () => {
  const FAILS = { target: 'google', mode: 'status', status: 503 } as const;
  const NO_ANSWER = 'Google did not answer as it should.';
  test.each<[string, string, revoked: number, Parameters<typeof check>[2]?, Fault?]>([
    ['the person refuses at Google', 'You did not allow it at Google.', 0, { action: 'cancel' }],
    [
      'the person leaves the permission unticked, and ends the access all the same',
      'The permission to see when you are busy was not ticked',
      1,
      { granted: [] },
    ],
    ['the token endpoint fails', NO_ANSWER, 0, {}, { ...FAILS, match: 'POST /token' }],
    ['the calendar fails', NO_ANSWER, 1, {}, { ...FAILS, match: 'POST /calendar/v3/freeBusy' }],
    [
      'the access was ended meanwhile',
      'Google says that the access has ended already.',
      1,
      {},
      { ...FAILS, match: 'POST /calendar/v3/freeBusy', status: 401 },
    ],
  ])('if %s', async (_, words, revoked, answer, fault) => {
    const { url, grace } = await offeredToGoogleUser();
    if (fault !== undefined) world.faults.add(fault);
    const page = readOf(await check(url, grace.email, answer));
    world.faults.clear();
    expect(page).toMatchObject({ status: 200, words: expect.stringContaining(words) });
    expect(revocations()).toHaveLength(revoked);
  });

  test('if the proposal ended while the person was at Google', async () => {
    const { url, grace, platform, id } = await offeredToGoogleUser();
    const { browser, asked } = await leaveToGoogle(url);
    await withdraw(platform, id);
    const page = await browser.submit(asked, '/consent', { email: grace.email, action: 'allow' });
    expect(readOf(page)).toMatchObject({ status: 200, title: 'These times are no longer offered' });
    expect(revocations()).toHaveLength(1);
  });

  test('if the person took longer than ten minutes', async () => {
    const { url, grace } = await offeredToGoogleUser();
    const { browser, asked } = await leaveToGoogle(url);
    await world.advance(11 * 60_000);
    const late = await browser.submit(asked, '/consent', { email: grace.email, action: 'allow' });
    expect(readOf(late)).toMatchObject({ status: 400, title: 'This check is over' });
  });

  test('if the browser comes back twice, it gets the page of the proposal', async () => {
    const { url, grace } = await offeredToGoogleUser();
    const { browser, asked } = await leaveToGoogle(url);
    const answer = { email: grace.email, action: 'allow' };
    await browser.submit(asked, '/consent', answer);
    const again = await browser.submit(asked, '/consent', answer);
    expect([again.status, again.url]).toEqual([200, url]);
  });
});

test('a revocation that fails changes nothing for the person, and is logged', async () => {
  const { url, grace } = await offeredToGoogleUser();
  world.faults.add({ target: 'google', match: 'POST /revoke', mode: 'status', status: 503 });
  expect(states((await check(url, grace.email)).html)).toEqual(['Free', 'Free', 'Free']);
  world.faults.clear();
  expect(world.logs().some((line) => line.includes('the access to a calendar that was read once is not revoked'))).toBe(
    true,
  );
});

test('a person whose calendar is connected is not asked', async () => {
  const { proposal } = await made();
  const sent = await answer(proposal.url, { answer: 'check' });
  expect(sent.status).toBe(409);
  expect(sent.text).not.toContain('value="check"');
});
