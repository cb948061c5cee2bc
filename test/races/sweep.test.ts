import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ending, finish, isFinishedBy } from '../../schema/meetings/finish.ts';
import { leaseOverdue } from '../../schema/meetings/lease.ts';
import { deletePendingOperations } from '../../schema/meetings/pending-operations.ts';
import { openDb } from '../local/open-db.ts';
import { fenceViolations } from '../support/checks/fences.ts';
import { meetingsOf } from '../support/checks/rows.ts';
import { connectedPerson, freshPlatform } from '../support/people/factories.ts';
import { autoBooking, booking, newKey, type Scene, scene } from '../support/people/operations.ts';
import { arrived, drain, emitOne, hookOf, tick } from '../support/people/webhooks.ts';
import { eventually, hold, met } from '../support/worlds/quiet.ts';
import { expectPeace, insist, tally, tear, together } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const INSERT = { target: 'google', match: 'POST /calendar/v3/calendars' } as const;
const LOOK = { target: 'google', match: 'GET /calendar/v3/calendars/primary/events/' } as const;
const DECISION = { target: 'neon', body_match: 'update \\\\"meetings\\\\" set \\\\"status\\\\".*"failed"' } as const;
const WIDTH = 12;
/** Number of meetings of one platform the sweep works on at a time. The writers keep the others until their turn. */
const IN_HAND = 2;

/** Starts bookings and lets their leases expire. The calendar holds their requests unanswered until `comeBack`. */
async function overdue(at: Scene) {
  const wishes = Array.from({ length: WIDTH }, (_, n) => booking(at, { key: newKey(), requireFree: n % 3 === 0 }));
  const inserts = hold(INSERT);
  const writing = together(wishes);
  await met(inserts, WIDTH);
  await world.advance(61_000);
  return {
    wishes,
    comeBack() {
      inserts.release();
      return writing;
    },
  };
}

const sweep = () => world.worker.runScheduled(world.clock.now());
const statusesOf = async (at: Scene) => (await meetingsOf([at.platform])).map(({ status }) => status).sort();

test('a writer that comes back while the sweep looks leaves the meeting to the sweep', async () => {
  const at = await scene();
  const { wishes, comeBack } = await overdue(at);
  const looks = hold(LOOK);
  const sweeping = sweep();
  await met(looks, IN_HAND);
  const answers = await comeBack();
  looks.release();
  await sweeping;
  expect(tally(answers)).toEqual({ 200: WIDTH - IN_HAND, 500: IN_HAND });
  await expectPeace({ platforms: [at.platform], wishes });
  for (const wish of wishes) expect((await insist(wish)).status).toBe(200);
  expect(await statusesOf(at)).toEqual(Array(WIDTH).fill('scheduled'));
  await expectPeace({ platforms: [at.platform], wishes });
});

test('a writer that comes back after the sweep gave up leaves no event and no meeting', async () => {
  const at = await scene();
  const { wishes, comeBack } = await overdue(at);
  await sweep();
  expect(tally(await comeBack())).toEqual({ 500: WIDTH });
  await expectPeace({ platforms: [at.platform], wishes });
  expect(await statusesOf(at)).toEqual(Array(WIDTH).fill('failed'));
  for (const wish of wishes) await insist(wish);
  await expectPeace({ platforms: [at.platform], wishes });
});

test('a writer that comes back between the sweep’s look and its decision changes nothing', async () => {
  const at = await scene();
  const { wishes, comeBack } = await overdue(at);
  const decisions = hold(DECISION);
  const sweeping = sweep();
  await met(decisions, IN_HAND);
  const answers = await comeBack();
  decisions.release();
  await sweeping;
  expect(tally(answers)).toEqual({ 200: WIDTH - IN_HAND, 500: IN_HAND });
  await expectPeace({ platforms: [at.platform], wishes });
  expect(await statusesOf(at)).toEqual([...Array(IN_HAND).fill('failed'), ...Array(WIDTH - IN_HAND).fill('scheduled')]);
  for (const wish of wishes) await insist(wish);
  await expectPeace({ platforms: [at.platform], wishes });
});

test('a call whose sender died reaches the calendar after the sweep gave up, and its event goes again', async () => {
  const at = await scene();
  const [ada] = at.people;
  const held = world.faults.add({ ...INSERT, mode: 'hold', times: 1 });
  const wish = booking(at, { key: newKey() });
  const writing = wish.send();
  await eventually(() => expect(held.hits()).toBe(1));
  await world.worker.kill();
  expect(await writing).toBeUndefined();
  await world.advance(61_000);
  await world.worker.runScheduled(world.clock.now());
  const [given] = await meetingsOf([at.platform]);
  expect(given?.status).toBe('failed');
  held.release();
  const late = () => world.google.events(ada?.email ?? '').find(({ id }) => id === given?.provider_event_id)?.status;
  await eventually(() => expect(late()).toBe('confirmed'));
  await expectPeace({ platforms: [at.platform], wishes: [wish] });
  expect(late()).toBe('cancelled');
});

test('two sweeps and the clients themselves reconcile each booking once', async () => {
  const at = await scene();
  const wishes = Array.from({ length: WIDTH }, () => booking(at, { key: newKey() }));
  world.faults.add({ ...INSERT, mode: 'kill_after', times: 1 });
  await together(wishes);
  await world.worker.ready();
  await world.advance(61_000);
  world.latency.set({ google: 50 });
  const sweeps = Array.from({ length: 4 }, () => world.worker.runScheduled(world.clock.now()));
  await Promise.all([...sweeps, ...wishes.map(insist), ...wishes.map(insist)]);
  await expectPeace({ platforms: [at.platform], wishes });
});

/** Locks the rows of a query for `ms` milliseconds in a separate transaction, and resolves once they are released. */
function locked(query: string, ms: number): Promise<unknown> {
  return world.neon.query(`do $$ begin perform 1 from (${query}) locked; perform pg_sleep(${ms / 1_000}); end $$`);
}

test('an attempt whose writing outlasts its lease is written down whole or not at all', async () => {
  const platform = await freshPlatform();
  await hookOf(platform).put({ timeout_seconds: 1 });
  await emitOne(platform);
  await drain(platform);

  const days = locked(`select 1 from delivery_days where platform_id = '${platform.id}' for update`, 3_000);
  await emitOne(platform);
  await expect.poll(() => world.qstash.pending().length).toBeGreaterThan(0);
  const attempts = [world.qstash.deliverDue()];
  await expect.poll(() => arrived(platform).length).toBe(2);
  for (let minutes = 0; minutes < 3; minutes += 1) {
    await tick();
    attempts.push(world.qstash.deliverDue());
    await pause(200);
  }
  await Promise.all([days, ...attempts]);
  for (let minutes = 0; minutes < 10; minutes += 1) {
    await tick();
    await world.qstash.deliverDue();
  }

  expect((await hookOf(platform).logs()).body).toMatchObject({
    deliveries: [
      { status: 'success', attempts: 1 },
      { status: 'success', attempts: 1 },
    ],
    stats: { total_sent: 2 },
  });
  expect(arrived(platform)).toHaveLength(2);
});

test('a booking whose outcome is not known is handed over under its lease', async () => {
  const wish = booking(await scene(), { key: newKey() });
  world.faults.add({ target: 'google', match: 'POST /calendar/v3/calendars', mode: 'after' });
  expect((await wish.send())?.status).toBe(500);
  expect(fenceViolations()).toEqual([]);
});

const MEETINGS = 400;
const ROUNDS = 2;

/**
 * Inserts meetings whose cancelling writers stopped responding a minute ago, and returns their ids, longest overdue
 * first.
 */
async function halfCancelled(platformId: string, round: number): Promise<string[]> {
  const now = world.clock.now();
  const each = `generate_series(1, ${MEETINGS}) n`;
  const id = `'meet_${platformId}_${round}_' || n`;
  const since = `to_timestamp(${now / 1_000}) - interval '2 minutes' + n * interval '1 millisecond'`;
  await world.neon.query(`with made as (
      insert into meetings (id, platform_id, organizer_id, status, title, location, starts_at, ends_at, provider_event_id, exclusive,
        created_at, updated_at, owner, lease_until)
      select ${id}, '${platformId}', u.id, 'scheduled', '', '', ${since}, ${since} + interval '1 hour', ${id}, false, ${since},
        ${since}, 'writer', ${since} from ${each}, (select id from users limit 1) u)
    insert into pending_operations (event_id, platform_id, kind, due_at, created_at)
    select ${id}, '${platformId}', 'cancel', ${since}, ${since} from ${each}`);
  return Array.from({ length: MEETINGS }, (_, n) => `meet_${platformId}_${round}_${n + 1}`);
}

test('what its writer finishes at the last moment is not taken over', async () => {
  const platform = await freshPlatform();
  await connectedPerson(platform);
  const db = openDb(world.neon);
  const cancel = async (id: string) => {
    const lease = { id, owner: 'writer' };
    const now = world.clock.now();
    const done = [deletePendingOperations(db, { meetingId: id, guard: isFinishedBy(lease) })];
    return (await finish(db, lease, ending.cancelled({ now }), done)) === undefined ? [] : [id];
  };
  const take = async (id: string) => {
    const now = world.clock.now();
    const leased = await leaseOverdue(db, { id, owner: 'sweep', now, leaseUntil: now + 60_000, isAwaited: false });
    return leased.map((meeting) => meeting.id);
  };

  const [finished, taken] = [new Set<string>(), new Set<string>()];
  for (let round = 0; round < ROUNDS; round += 1) {
    const ids = await halfCancelled(platform.id, round);
    const lanes = Array.from({ length: 8 }, async (_, lane) => {
      for (const [n, id] of ids.filter((_, n) => n % 8 === lane).entries()) {
        const [done, got] = await Promise.all([cancel(id), pause(n % 4).then(() => take(id))]);
        for (const one of done) finished.add(one);
        for (const one of got) taken.add(one);
      }
    });
    await Promise.all(lanes);
  }
  expect(finished.size).toBeGreaterThan(0);
  expect(taken.size).toBeGreaterThan(0);
  expect([...finished].filter((id) => taken.has(id))).toEqual([]);
});

test.each([
  ['doubled', { duplicates: 2 }],
  ['reordered', { reorder: true, duplicates: 1 }],
  ['lost', { loseNext: 40 }],
])('messages that are %s make no difference', async (_, knobs) => {
  const at = await scene({ people: 6 });
  await world.qstash.deliverDue();
  world.qstash.setKnobs(knobs);
  const pairs = [0, 2, 4].map((n) => at.people.slice(n, n + 2) as [(typeof at.people)[0], (typeof at.people)[0]]);
  const jobs = pairs.flatMap((people) => Array.from({ length: 4 }, () => autoBooking(at, { people })));
  const bookings = pairs.flatMap((people) => Array.from({ length: 4 }, () => booking(at, { people })));
  expect(tally(await together([...jobs, ...bookings]))).toEqual({ 200: 12, 202: 12 });
  await world.qstash.deliverDue();
  await world.worker.runScheduled(world.clock.now());
  await world.qstash.deliverDue();
  await expectPeace({ platforms: [at.platform], wishes: [...jobs, ...bookings] });
  const attempts = await world.neon.query(
    'select coalesce(max(attempts), 0)::int as most, count(*)::int as written from deliveries where platform_id = $1',
    [at.platform.id],
  );
  expect(attempts).toEqual([{ most: 1, written: 6 + 12 + 2 * 12 }]);
});

test('connections torn again and again under bookings end neither the stack nor a booking twice', async () => {
  const at = await scene();
  const wishes = Array.from({ length: 24 }, () => booking(at, { key: newKey() }));
  let isOver = false;
  const booked = Promise.all(wishes.map((wish) => wish.send())).finally(() => {
    isOver = true;
  });
  let torn = 0;
  while (!isOver) {
    torn += (await tear()).length;
    await pause(40);
  }
  await booked;
  expect(torn).toBeGreaterThan(10);
  expect(wishes.every(({ answers }) => answers.length === 1)).toBe(true);
  await world.advance(61_000);
  for (const wish of wishes) expect((await insist(wish)).status).toBe(200);
  await expectPeace({ platforms: [at.platform], wishes });
});
