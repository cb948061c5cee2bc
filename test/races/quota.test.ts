import { expect, test } from 'vitest';
import { booking, type Scene, scene } from '../support/operations.ts';
import { callsEnded } from '../support/quiet.ts';
import { expectPeace, tally, together } from '../support/race.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

const LIMIT = 25;
const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);

/** The developer plan with so many meetings made this month, and no limit by the minute in the way. */
async function metered(usedBefore: number): Promise<Scene> {
  const at = await scene({ plan: 'developer' });
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
  // While others of the sixty are still being made, the reservations' end is told instead of the month's.
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
  expect(tally(await together(first))).toEqual({ 200: 2, 500: 8 });
  const second = Array.from({ length: 30 }, () => booking(at));
  expect(tally(await together(second))).toEqual({ 200: 8, 429: 22 });
  await callsEnded();
  await expectPeace({ platforms: [at.platform], wishes: [...first, ...second], usedBefore: 15 });
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
