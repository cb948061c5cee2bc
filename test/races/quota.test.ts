import { expect, test } from 'vitest';
import { meetingIdIn } from '../support/checks/said.ts';
import { statisticsViolations } from '../support/checks/statistics.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import type { TestPerson } from '../support/people/factories.ts';
import {
  booking,
  cancellation,
  madeMeeting,
  newKey,
  reschedule,
  type Scene,
  scene,
  update,
} from '../support/people/operations.ts';
import { readByTick } from '../support/people/snapshots.ts';
import { callsEnded, quiet } from '../support/worlds/quiet.ts';
import { expectPeace, insistTogether, tally, together } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const LIMIT = 25;
const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);

/**
 * Creates a platform on the developer plan that has made `usedBefore` meetings this month. Redis is down, so no rate
 * limit applies.
 */
async function metered(usedBefore: number, people = 2): Promise<Scene> {
  const at = await scene({ plan: 'developer', people });
  await world.neon.query('insert into usage (platform_id, month, used, confirmed, quota) values ($1, $2, $3, $3, $4)', [
    at.platform.id,
    monthOf(world.clock.now()),
    usedBefore,
    LIMIT,
  ]);
  world.faults.add({ target: 'redis', mode: 'reset' });
  return at;
}

test.each([18, 0])('sixty bookings at once with %i of 25 used take what is left and no more', async (usedBefore) => {
  const at = await metered(usedBefore);
  const wishes = Array.from({ length: 60 }, () => booking(at));
  const answers = await together(wishes);
  expect(tally(answers)).toEqual({ 200: LIMIT - usedBefore, 429: 60 - (LIMIT - usedBefore) });
  // While others of the sixty bookings are unfinished, `resets_at` is the end of their reservations, not of the month.
  for (const refused of answers.filter((answer) => answer?.status === 429)) {
    const { resets_at, ...told } = (refused?.body ?? {}) as { resets_at: string };
    expect(told).toMatchObject({ limit: LIMIT, used: LIMIT });
    const isMonth = resets_at.includes('-01T00:00');
    expect(isMonth || Date.parse(resets_at) - world.clock.now() <= 120_000).toBe(true);
  }
  expect((await booking(at).send())?.body).toMatchObject({ resets_at: expect.stringMatching(/-01T00:00/) });
  await callsEnded();
  await expectPeace({ platforms: [at.platform], wishes, usedBefore });
});

test('bookings that fail give their place back', async () => {
  const at = await metered(15);
  world.faults.add({ target: 'google', match: 'POST /calendar/v3/calendars', mode: 'status', status: 400, times: 8 });
  const first = Array.from({ length: 10 }, () => booking(at));
  expect(tally(await together(first))).toEqual({ 200: 2, 409: 8 });
  const second = Array.from({ length: 30 }, () => booking(at));
  expect(tally(await together(second))).toEqual({ 200: 8, 429: 22 });
  await callsEnded();
  await expectPeace({ platforms: [at.platform], wishes: [...first, ...second], usedBefore: 15 });
});

/** Books meetings of the first two people, and prepares an update of each that replaces the second with the third. */
async function changedPairs(at: Scene, count: number) {
  const [ada, bob, cleo] = at.people;
  if (ada === undefined || bob === undefined || cleo === undefined) throw new Error('the scene has three people');
  const made = Array.from({ length: count }, () => booking(at));
  expect(tally(await together(made))).toEqual({ 200: count });
  const ids = made.map(({ answers }) => meetingIdIn(answers[0]?.text ?? '') ?? '');
  const change = (id: string, attendees: TestPerson[]) => update(at, id, { key: newKey(), attendees });
  return { made, ids, change, pairs: ids.map((id) => change(id, [ada, cleo])), same: [ada, bob] };
}

test.each([5, 0, 12])('twelve changes of a pair at once with room for %i: so many are made', async (room) => {
  const usedBefore = LIMIT - 12 - room;
  const at = await metered(usedBefore, 3);
  const { made, ids, change, pairs, same } = await changedPairs(at, 12);
  const moves = ids.map((id) => change(id, same));
  const refused = room === 12 ? {} : { 429: 12 - room };
  expect(tally(await together(pairs))).toEqual({ ...(room > 0 && { 200: room }), ...refused });
  for (const { answers } of pairs)
    if (answers[0]?.status === 429)
      expect(JSON.parse(answers[0].text)).toMatchObject({ code: 'quota_exceeded', limit: LIMIT });
  // A retry with the key is a replay, and counts no second time.
  expect(tally(await together(pairs))).toEqual({ ...(room > 0 && { 200: room }), ...refused });
  if (room === 0) expect(tally(await together(moves))).toEqual({ 200: 12 });
  await callsEnded();
  await expectPeace({ platforms: [at.platform], wishes: [...made, ...pairs], usedBefore });
});

test('changes of a pair that the calendar refuses give their place back', async () => {
  const at = await metered(15, 3);
  const { made, pairs } = await changedPairs(at, 6);
  world.faults.add({ target: 'google', match: 'PATCH /calendar/v3/calendars', mode: 'status', status: 400, times: 4 });
  const first = pairs.slice(0, 4);
  expect(tally(await together(first))).toEqual({ 409: 4 });
  expect(tally(await together(pairs))).toEqual({ 200: 4, 429: 2 });
  await callsEnded();
  await expectPeace({ platforms: [at.platform], wishes: [...made, ...pairs], usedBefore: 15 });
});

test('one pair changed by many with one key counts once', async () => {
  const at = await metered(0, 3);
  const { made, pairs } = await changedPairs(at, 1);
  const [wish] = pairs;
  if (wish === undefined) throw new Error('no update');
  const answers = await insistTogether(wish, 40);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await world.neon.query('select used, confirmed from usage where platform_id = $1', [at.platform.id])).toEqual([
    { used: 2, confirmed: 2 },
  ]);
  await callsEnded();
  await expectPeace({ platforms: [at.platform], wishes: [...made, ...pairs] });
});

test('a month that begins brings a new quota, and a meeting counts for the month it was asked in', async () => {
  const at = await metered(18);
  const old = Array.from({ length: 9 }, () => booking(at));
  expect(tally(await together(old))).toEqual({ 200: 7, 429: 2 });
  const now = new Date(world.clock.now());
  await world.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime() + 1_000);
  world.faults.add({ target: 'redis', mode: 'reset' });
  const fresh = Array.from({ length: 30 }, () => booking(at));
  expect(tally(await together(fresh))).toEqual({ 200: 25, 429: 5 });
  await callsEnded();
  await expectPeace({ platforms: [at.platform], wishes: [...old, ...fresh], usedBefore: 18 });
});

const ANSWERS = ['accepted', 'declined', 'tentative', 'accepted'];

test.each([1, 2, 3])(
  'seed %i: answers and changes that race leave every counter at what its meetings come to',
  async (seed) => {
    const random = seeded(seed);
    const at = await scene({ people: 4 });
    const ids = await Promise.all(Array.from({ length: 16 }, () => madeMeeting(at, { people: pair() })));
    await readByTick(...at.people.map(({ email }) => email));
    const invited = await world.neon.query(
      `select m.id, m.provider_event_id as event, p.email from meetings m join meeting_people p on p.meeting_id = m.id
    where p.position = 1 and m.id = any($1)`,
      [ids],
    );

    const change = (id: string) => [
      () => update(at, id, { key: newKey() }),
      () => cancellation(at, id, { key: newKey() }),
      () => reschedule(at, id, { key: newKey() }),
      () => booking(at, { key: newKey(), people: pair() }),
    ];
    const changes = ids.map((id) => random.pick(change(id))());
    const answer = async () => {
      const { email, event } = random.pick(invited);
      const answers = world.google
        .events(String(email))
        .some(({ id, status }) => id === event && status !== 'cancelled');
      if (answers)
        world.google.patchEvent({ email: String(email), eventId: String(event), responseStatus: random.pick(ANSWERS) });
      await world.qstash.deliverDue();
    };
    await Promise.all([
      together(changes),
      ...Array.from({ length: 24 }, answer),
      world.worker.runScheduled(world.clock.now()),
    ]);

    await quiet([at.platform]);
    await readByTick(...at.people.map(({ email }) => email));
    await quiet([at.platform]);
    expect(await statisticsViolations([at.platform])).toEqual([]);
    const [counted] = await world.neon.query(
      'select sum(accepted)::int as accepted, sum(made)::int as made from meeting_months where party = $1',
      [at.platform.id],
    );
    expect(counted?.made).toBeGreaterThan(15);
    expect(counted?.accepted).toBeGreaterThan(0);

    function pair() {
      return random.shuffle(at.people).slice(0, 2) as [TestPerson, TestPerson];
    }
  },
);
