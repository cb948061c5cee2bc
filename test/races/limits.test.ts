import { expect, test } from 'vitest';
import { meetingsOf } from '../support/checks/rows.ts';
import { connectedPerson, freshPlatform, type TestPerson, type TestPlatform } from '../support/people/factories.ts';
import { autoBooking, booking, madeMeeting, type Scene } from '../support/people/operations.ts';
import { expectPeace, tally, together } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/**
 * Creates platforms that share two people, whose calendars are in the given zones and who have the given preferences.
 */
async function crossroads(platforms: number, timezones: [string, string], preferences: object): Promise<Scene[]> {
  const all = await Promise.all(Array.from({ length: platforms }, () => freshPlatform({ plan: 'enterprise' })));
  const [first, ...others] = all as [TestPlatform, ...TestPlatform[]];
  const people = await Promise.all(timezones.map((timezone) => connectedPerson(first, { timezone })));
  for (const platform of others) for (const { email } of people) await world.connectCalendar(platform, email);
  for (const { email } of people)
    await world.neon.query('update users set preferences = $1::jsonb where email = $2', [
      JSON.stringify(preferences),
      email,
    ]);
  return all.map((platform) => ({ platform, people, slot: () => 0 }));
}

/** Slows down every hold that Postgres writes, so that transactions overlap. */
async function slowly<T>(run: () => Promise<T>): Promise<T> {
  await world.neon.query(
    `create function take_time() returns trigger language plpgsql as $$ begin perform pg_sleep(0.05); return new; end $$`,
  );
  await world.neon.query('create trigger slow before insert on holds for each row execute function take_time()');
  return run().finally(() => world.neon.query('drop function take_time cascade'));
}

const platformsOf = (all: Scene[]) => all.map(({ platform }) => platform);

/** Returns the start times of the platforms' live meetings, in order. */
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
  await world.neon.query("update users set preferences = '{}' where email = $1", [ada?.email]);
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
