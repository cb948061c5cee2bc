import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { refusal } from '../../support/checks/errors.ts';
import { connectAgent } from '../../support/people/agents.ts';
import { remove, suspend, visit } from '../../support/people/dashboard.ts';
import { connectedPerson, connectTo, freshPlatform, ownClient } from '../../support/people/factories.ts';
import { iso, setPreferences } from '../../support/people/meetings.ts';
import { leave } from '../../support/people/person-data.ts';
import {
  accept,
  expectEnd,
  heldFor,
  type Proposal,
  propose,
  proposed,
  proposing,
  readProposal,
  subscribe,
  toldOf,
  weekdays,
} from '../../support/people/proposing.ts';
import { quiet } from '../../support/worlds/quiet.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Returns one instant on each of some weekdays, the first of which is `from`, that many hours after 15:00 UTC. */
const daily = (count: number, hours = 0, from = 0) =>
  weekdays(from + count)
    .slice(from)
    .map((start) => iso(start + hours * HOUR));

async function connected(...names: string[]) {
  const platform = await freshPlatform({ plan: 'enterprise' });
  await subscribe(platform);
  const people = await Promise.all(names.map((name) => connectedPerson(platform, { name })));
  return { platform, emails: people.map(({ email }) => email) };
}

const body = (attendees: (string | undefined)[], times: string[], minutes = 30) => ({
  attendees,
  duration_minutes: minutes,
  title: 'Held',
  times,
});

const date = (at: number) => iso(at).slice(0, 10);

/** Returns two platforms that share two people, of whom Ada takes one meeting a day, and Ada's own client. */
async function oneMeetingADay() {
  const { platform, emails } = await connected('ada', 'bob');
  const [ada = '', bob = ''] = emails;
  const other = await freshPlatform({ plan: 'enterprise' });
  const { api_key } = await world.connect(other, ada);
  await connectTo(other, { email: bob, timezone: 'UTC' });
  await setPreferences(ada, { max_meetings_per_day: 1, holidays: 'off' });
  return { platform, other, ada, bob, own: api_key };
}

const TOO_MANY = { status: 409, body: { error: { code: 'too_many_proposals' } } };

describe('what a platform can hold of one person', () => {
  test('is at most 30 hours, in either place, and another platform has its own share', async () => {
    const { platform, emails } = await connected('ada', 'bob', 'cem');
    const [ada = '', bob, cem = ''] = emails;
    await proposed(platform, body([ada, bob], daily(5, -6), 6 * 60));
    expect(await propose(platform, body([ada, cem], daily(1, 1), 5))).toMatchObject(TOO_MANY);
    expect(await propose(platform, body([cem, ada], daily(1, 1), 5))).toMatchObject(TOO_MANY);
    const other = await freshPlatform({ plan: 'enterprise' });
    for (const email of [ada, cem]) await connectTo(other, { email, timezone: 'UTC' });
    expect((await propose(other, body([ada, cem], daily(1, 1), 5))).status).toBe(201);
  });

  test('counts each time as half an hour at least', async () => {
    const { platform, emails } = await connected('ada', ...Array.from({ length: 13 }, (_, n) => `p${n}`));
    const [ada, ...others] = emails;
    const statuses: number[] = [];
    for (const [n, email] of others.entries())
      statuses.push((await propose(platform, body([ada, email], daily(5, n / 2, n < 7 ? 0 : 5), 5))).status);
    expect(statuses).toEqual([...Array(12).fill(201), 409]);
    expect(await heldFor(platform)).toBe(120);
  });

  test.each([
    ['each alone, with the buffer on both sides', 2, 20],
    ['one after another, with the gaps that nobody can use', 1, 29],
  ])('counts half hours with a buffer of half an hour: %s', async (_how, apart, most) => {
    const { platform, emails } = await connected('ada', 'bob', 'cem', 'dan', 'eve', 'fay', 'gil');
    const [ada = '', ...others] = emails;
    await setPreferences(ada, { buffer_minutes: 30 });
    const [day = 0] = weekdays(1);
    const starts = Array.from({ length: most + 1 }, (_, n) => iso(day + n * apart * HOUR));
    const offers = Array.from({ length: Math.ceil(most / 5) }, (_, n) =>
      starts.slice(5 * n, Math.min(5 * n + 5, most)),
    );
    for (const [n, times] of offers.entries()) await proposed(platform, body([others[n], ada], times));
    expect(await propose(platform, body([ada, others[0]], starts.slice(most)))).toMatchObject(TOO_MANY);
  });

  test('is at most 20 proposals, in either place', async () => {
    const { platform, emails } = await connected('ada', 'bob', 'cem', 'dan', 'eve', 'fay');
    const [ada, ...askers] = emails;
    const statuses: number[] = [];
    for (const [a, asker] of askers.entries())
      for (let n = 0; n < (a === 4 ? 1 : 5); n++) {
        const pair = n % 2 === 0 ? [asker, ada] : [ada, asker];
        statuses.push((await propose(platform, body(pair, daily(1, n / 5, a), 5))).status);
      }
    expect(statuses).toEqual([...Array(20).fill(201), 409]);
  });

  test.each([
    ['outside', 13],
    ['inside', 4],
  ])('%s work hours uses no meeting of the day for other platforms', async (_where, hours) => {
    const { platform, other, ada, bob, own } = await oneMeetingADay();
    const [day = 0] = weekdays(1);
    await proposed(platform, body([ada, bob], [iso(day - hours * HOUR)], 5));
    const { data } = await (await connectAgent(own)).call('check_availability', {
      duration_minutes: 30,
      date_range: { start_date: date(day), end_date: date(day) },
    });
    expect(data.intervals).not.toEqual([]);
    const asked = { attendees: [ada, bob], duration_minutes: 30, start_time: iso(day) };
    expect((await other.api.send('POST', '/v1/availability/explain', asked)).body).toMatchObject({ free: true });
    expect((await platform.api.send('POST', '/v1/availability/explain', asked)).body).toMatchObject({
      against: [{ email: ada, rule: 'day_limit' }],
    });
    const booked = await other.api.schedule({ ...asked, title: 'Meeting', require_free: true });
    expect([booked.status, booked.text]).toEqual([200, expect.anything()]);
    const again = { ...asked, start_time: iso(day + HOUR), title: 'Meeting', require_free: true };
    expect((await other.api.schedule(again)).status).toBe(409);
  });
});

test.each([
  ['of a new meeting', false],
  ['of a move', true],
])('an accepted time %s is given back if other platforms have filled the day meanwhile', async (_what, isMove) => {
  const { platform, other, ada, bob } = await oneMeetingADay();
  const [first = 0, second = 0, third = 0] = weekdays(3);
  const pair = { attendees: [ada, bob], duration_minutes: 30, title: 'Meeting' };
  const moved = isMove ? await platform.api.schedule({ ...pair, start_time: iso(third) }) : undefined;
  const times = [iso(first - 4 * HOUR), iso(second - 4 * HOUR)];
  const { meeting_id } = (moved?.body ?? {}) as { meeting_id?: string };
  const offered = await proposed(platform, isMove ? { meeting_id, times } : body([ada, bob], times));
  const booked = await other.api.schedule({ ...pair, start_time: iso(first), require_free: true });
  expect([booked.status, booked.text]).toEqual([200, expect.anything()]);
  const [gone, left] = offered.times;
  expect(await accept(platform, offered.proposal_id, gone?.id)).toMatchObject(refusal(409, 'time_unavailable'));
  expect(await readProposal(platform, offered.proposal_id)).toMatchObject({
    status: 'open',
    times: [{ status: 'released' }, { status: 'held' }],
  });
  expect((await accept(platform, offered.proposal_id, left?.id)).status).toBe(200);
  await expectPeace({ platforms: [platform, other] });
});

/** Ways in which a platform's access to the people of an open proposal ends. */
const ENDS: [string, (at: Awaited<ReturnType<typeof holding>>) => Promise<unknown>][] = [
  ['the platform disconnects the other person', ({ platform, bob }) => platform.api.disconnect(bob)],
  ['another platform disconnects the requester', ({ other, ada }) => other.api.disconnect(ada)],
  ['the other person disconnects the platform', ({ platform, bob }) => leave(bob, platform)],
  ['the requester deletes their account', async ({ own }) => (await own()).send('DELETE', '/v1/user')],
  ['the operator suspends the platform', ({ platform }) => suspend(platform)],
  ['the operator deletes the platform', ({ platform }) => remove(platform)],
];

async function holding() {
  const { platform, ada, bob, body } = await proposing();
  const other = await freshPlatform({ plan: 'enterprise' });
  await connectTo(other, ada);
  const own = () => ownClient(other, ada.email);
  const proposal = await proposed(platform, body);
  return { platform, other, ada: ada.email, bob: bob.email, own, proposal, id: proposal.proposal_id };
}

const stateOf = async (id: string) =>
  world.neon.query(
    `select status, untold, (select count(*)::int from holds h where h.proposal_id = r.id) as holds,
      (select string_agg(t.status, ' ') from proposal_times t where t.proposal_id = r.id) as times
    from proposals r where id = $1`,
    [id],
  );

describe('an open proposal ends and its times are free at once when', () => {
  test.each(ENDS)('%s', async (how, end) => {
    const at = await holding();
    await end(at);
    const free = { status: 'withdrawn', untold: true, holds: 0, times: 'released released released' };
    expect(await stateOf(at.id)).toEqual([free]);
    await world.worker.runScheduled(world.clock.now());
    expect(await stateOf(at.id)).toEqual([{ ...free, untold: false }]);
    if (how.startsWith('the operator')) return;
    await expectEnd({ ...at, ada: { email: at.ada, timezone: 'UTC' } }, 'withdrawn');
    expect(await toldOf(at.platform)).toHaveLength(1);
  });

  test('only the proposals of the platform that lost its access', async () => {
    const { platform, other, ada, bob } = await holding();
    await world.connectCalendar(other, bob);
    const kept = await proposed(other, body([ada, bob], daily(1, 2)));
    await leave(ada, platform);
    expect((await readProposal(other, kept.proposal_id)).status).toBe('open');
    await expectPeace({ platforms: [platform, other] });
  });
});

describe('a person’s own page', () => {
  const held = (html: string) => /<section class="card" id="held">.*?<\/section>/s.exec(html)?.[0] ?? '';

  test.each(['ada', 'bob'] as const)('shows %s what is held, by whom and until when, and frees it', async (who) => {
    const at = await holding();
    const { browser } = await world.signIn(at[who]);
    const page = await visit(browser, '/me');
    const text = held(page.html)
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ');
    expect(text).toContain('Test platform');
    expect(text).toContain(`with ${who === 'ada' ? at.bob : at.ada}`);
    expect(text).toMatch(/On hold until \w+day, \d+ \w+/);
    expect(held(page.html).match(/<time /g)).toHaveLength(3);
    const after = await browser.submit(page, '/me/held/end');
    expect(held(after.html)).toBe('');
    expect(await heldFor(at.platform)).toBe(0);
    await expectEnd({ ...at, ada: { email: at.ada, timezone: 'UTC' } }, who === 'ada' ? 'withdrawn' : 'declined');
  });

  test('a form about a proposal of others changes nothing', async () => {
    const [mine, others] = [await holding(), await holding()];
    const { browser } = await world.signIn(mine.ada);
    const page = await visit(browser, '/me');
    await browser.submit(page, '/me/held/end', { id: others.id });
    expect((await readProposal(others.platform, others.id)).status).toBe('open');
    expect(await heldFor(mine.platform)).toBe(6);
  });

  test('and the export has what is held', async () => {
    const at = await holding();
    const { held_times } = (await (await at.own()).send('GET', '/v1/user/export')).body as { held_times: unknown[] };
    const { times, expires_at } = at.proposal as Proposal;
    expect(held_times).toEqual([
      {
        platform_id: at.platform.id,
        proposal_id: at.id,
        with: at.bob,
        times: times.map(({ start_time, end_time }) => ({
          start_time: new Date(start_time).toISOString(),
          end_time: new Date(end_time).toISOString(),
        })),
        held_until: new Date(expires_at).toISOString(),
      },
    ]);
  });
});

test('an acceptance that fails after the requester has left ends the proposal instead of reopening it', async () => {
  const at = await holding();
  world.faults.add({ target: 'google', match: 'POST /calendar/v3/calendars', mode: 'hold', times: 1 });
  const accepting = accept(at.platform, at.id, at.proposal.times[0]?.id);
  await expect.poll(() => world.faults.list().map(({ hits }) => hits)).toEqual([1]);
  await leave(at.ada, at.platform);
  expect((await readProposal(at.platform, at.id)).status).toBe('open');
  await at.other.api.disconnect(at.ada);
  world.faults.clear();
  expect((await accepting).status).not.toBe(200);
  await quiet([at.platform, at.other]);
  expect(await stateOf(at.id)).toEqual([
    { status: 'withdrawn', untold: false, holds: 0, times: 'released released released' },
  ]);
  expect(await propose(at.platform, body([at.ada, at.bob], daily(1)))).toMatchObject({ status: 404 });
  expect(await at.platform.api.send('DELETE', `/v1/proposals/${at.id}`)).toMatchObject({ status: 200 });
});
