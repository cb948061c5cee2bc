import { expect, test } from 'vitest';
import { meetingsOf } from '../support/checks/rows.ts';
import { meetingIdIn } from '../support/checks/said.ts';
import { statisticsViolations } from '../support/checks/statistics.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import { readByTick } from '../support/people/calendars.ts';
import { connectedPerson, freshPlatform, type TestPerson, type TestPlatform } from '../support/people/factories.ts';
import { setPreferences, useQuota } from '../support/people/meetings.ts';
import {
  autoBooking,
  booking,
  cancellation,
  madeMeeting,
  newKey,
  reschedule,
  type Scene,
  scene,
  update,
} from '../support/people/operations.ts';
import { callsEnded, quiet } from '../support/worlds/quiet.ts';
import { expectPeace, insist, insistTogether, slowly, tally, together } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const LIMIT = 25;

/**
 * Creates a platform on the developer plan that has made `usedBefore` meetings this month. Redis is down, so no rate
 * limit applies.
 */
async function metered(usedBefore: number, people = 2): Promise<Scene> {
  const at = await scene({ plan: 'developer', people });
  await useQuota(at.platform, usedBefore);
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

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/**
 * Creates platforms that share two people, whose calendars are in the given zones and who have the given preferences.
 */
async function crossroads(platforms: number, timezones: [string, string], preferences: object): Promise<Scene[]> {
  const all = await Promise.all(Array.from({ length: platforms }, () => freshPlatform({ plan: 'enterprise' })));
  const [first, ...others] = all as [TestPlatform, ...TestPlatform[]];
  const people = await Promise.all(timezones.map((timezone) => connectedPerson(first, { timezone })));
  for (const platform of others) for (const { email } of people) await world.connectCalendar(platform, email);
  for (const { email } of people) await setPreferences(email, preferences);
  return all.map((platform) => ({ platform, people, slot: () => 0 }));
}

const platformsOf = (all: Scene[]) => all.map(({ platform }) => platform);

const startsOf = async (all: Scene[]) =>
  (await meetingsOf(platformsOf(all)))
    .filter(({ status }) => status === 'scheduled' || status === 'updated')
    .map(({ starts_at }) => new Date(starts_at).getTime())
    .sort((a, b) => a - b);

const localDates = ({ timezone }: TestPerson, starts: number[]) =>
  starts.map((start) => new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(start));

/** Returns 00:00 UTC of the first Tuesday that is at least three days away. */
function tuesday(): number {
  const from = Math.ceil(world.clock.now() / DAY) * DAY + 3 * DAY;
  return from + ((9 - new Date(from).getUTCDay()) % 7) * DAY;
}

test('eight jobs at once for two who take one meeting a day make eight on eight days of either', async () => {
  const all = await crossroads(8, ['America/New_York', 'Europe/Berlin'], {
    max_meetings_per_day: 1,
    availability_window_days: 30,
  });
  const wishes = all.map((at) => autoBooking(at));
  expect(tally(await together(wishes))).toEqual({ 202: 8 });
  await slowly(() => world.qstash.deliverDue());
  await expectPeace({ platforms: platformsOf(all), wishes });
  const starts = await startsOf(all);
  expect(starts).toHaveLength(8);
  for (const person of all[0]?.people ?? []) expect(new Set(localDates(person, starts)).size).toBe(8);
});

test('of free bookings on one day whoever is first is booked, and the others are offered other days', async () => {
  const all = await crossroads(4, ['Asia/Tokyo', 'Asia/Tokyo'], { max_meetings_per_day: 2 });
  const noon = tuesday() + 3 * HOUR;
  const wishes = Array.from({ length: 8 }, (_, n) =>
    booking(all[n % 4] as Scene, { start: noon + (n - 4) * HOUR, requireFree: true }),
  );
  const answers = await slowly(() => together(wishes));
  expect(tally(answers)).toEqual({ 200: 2, 409: 6 });
  for (const { body } of answers.flatMap((answer) => (answer?.status === 409 ? [answer] : []))) {
    const { error } = body as { error: { message: string; alternatives: { start_time: string }[] } };
    // Whichever platforms have filled a day, the words are those for a busy one.
    expect(error.message).toMatch(
      /^Nothing was booked: .+ are not free then\. Book one of the alternatives instead\.$/,
    );
    expect(error.alternatives).not.toEqual([]);
    for (const { start_time } of error.alternatives)
      expect(start_time.slice(0, 10)).not.toBe(new Date(noon).toISOString().slice(0, 10));
  }
  await expectPeace({ platforms: platformsOf(all), wishes });
});

test('a day that is full by plain bookings takes no other, but plain ones', async () => {
  const all = await crossroads(2, ['UTC', 'UTC'], { max_meetings_per_day: 1 });
  const [here, there] = all as [Scene, Scene];
  const morning = tuesday() + 9 * HOUR;
  const plain = Array.from({ length: 4 }, (_, n) => booking(all[n % 2] as Scene, { start: morning + n * HOUR }));
  expect(tally(await together(plain))).toEqual({ 200: 4 });
  const free = [here, there].map((at) => booking(at, { start: morning + 6 * HOUR, requireFree: true }));
  expect(tally(await together(free))).toEqual({ 409: 2 });
  await expectPeace({ platforms: platformsOf(all), wishes: [...plain, ...free] });
});

test('free bookings side by side keep the buffer of either person between them', async () => {
  const all = await crossroads(8, ['UTC', 'UTC'], { buffer_minutes: 30 });
  const [ada] = all[0]?.people ?? [];
  await setPreferences(ada?.email ?? '', {});
  const nine = tuesday() + 9 * HOUR;
  const wishes = all.map((at, n) => booking(at, { start: nine + n * 30 * MINUTE, requireFree: true }));
  const answers = await slowly(() => together(wishes));
  await expectPeace({ platforms: platformsOf(all), wishes });
  const starts = await startsOf(all);
  expect(tally(answers)).toEqual({ 200: starts.length, 409: 8 - starts.length });
  expect(starts.length).toBeGreaterThan(1);
  for (const [n, start] of starts.slice(1).entries()) expect(start - (starts[n] ?? 0)).toBeGreaterThanOrEqual(HOUR);
});

test('of meetings moved to one day at once as many get there as both take', async () => {
  const all = await crossroads(4, ['UTC', 'UTC'], { max_meetings_per_day: 1 });
  const day = tuesday();
  const ids: string[] = [];
  for (const [n, at] of all.entries()) ids.push(await madeMeeting(at, { start: day + (7 + n) * DAY + 9 * HOUR }));
  const preferred_time_range = {
    start: new Date(day + 8 * HOUR).toISOString(),
    end: new Date(day + 18 * HOUR).toISOString(),
  };
  const answers = await slowly(() =>
    Promise.all(
      all.map(({ platform, people }, n) =>
        platform.api.send('POST', `/v1/meetings/${ids[n]}/reschedule`, {
          meeting_id: ids[n],
          requested_by: people[0]?.email,
          reason: 'Something came up.',
          preferred_time_range,
        }),
      ),
    ),
  );
  expect(tally(answers)).toEqual({ 200: 1, 409: 3 });
  await expectPeace({ platforms: platformsOf(all) });
  const starts = await startsOf(all);
  expect(starts.filter((start) => start < day + DAY)).toHaveLength(1);
});

test('two hundred requests with one key make one meeting and get one answer', async () => {
  const at = await scene();
  const wish = booking(at, { key: newKey() });
  const answers = await insistTogether(wish, 200);
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
  await expectPeace({ platforms: [at.platform], wishes: [wish] });
});

test.each(['reset', 'hang'] as const)('a Redis that is down (%s) costs time only', async (mode) => {
  const at = await scene();
  const wish = booking(at, { key: newKey() });
  world.faults.add({ target: 'redis', mode });
  const answers = await insistTogether(wish, 200);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  await expectPeace({ platforms: [at.platform], wishes: [wish] });
  expect((await insist(wish)).text).toBe(answers[0]?.text);
});
