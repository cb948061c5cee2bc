import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ending, finish, isFinishedBy } from '../../schema/meetings/finish.ts';
import { leaseOverdue, listOverdue } from '../../schema/meetings/lease.ts';
import { deletePendingOperations } from '../../schema/meetings/pending-operations.ts';
import { openDb } from '../local/open-db.ts';
import { fenceViolations } from '../support/checks/fences.ts';
import { connectedPerson, freshPlatform } from '../support/people/factories.ts';
import { booking, newKey, scene } from '../support/people/operations.ts';
import { arrived, drain, emitOne, hookOf } from '../support/people/webhooks.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

/** Locks the rows of a query for `ms` milliseconds in a separate transaction, and resolves once they are released. */
function locked(query: string, ms: number): Promise<unknown> {
  return world.neon.query(`do $$ begin perform 1 from (${query}) locked; perform pg_sleep(${ms / 1_000}); end $$`);
}

const minute = async () => {
  await world.advance(60_000);
  await world.worker.runScheduled(world.clock.now());
};

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
    await minute();
    attempts.push(world.qstash.deliverDue());
    await pause(200);
  }
  await Promise.all([days, ...attempts]);
  for (let minutes = 0; minutes < 10; minutes += 1) {
    await minute();
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
  const sweep = async () => {
    const now = world.clock.now();
    const due = await listOverdue(db, { now, limit: MEETINGS, except: [] });
    const takers = Array.from({ length: 8 }, async (_, taker) => {
      const taken: string[] = [];
      for (const { id } of due.filter((_, n) => n % 8 === taker)) {
        const lease = { id, owner: 'sweep', now, leaseUntil: now + 60_000, isAwaited: false };
        for (const meeting of await leaseOverdue(db, lease)) taken.push(meeting.id);
      }
      return taken;
    });
    return (await Promise.all(takers)).flat();
  };

  const [finished, taken] = [new Set<string>(), new Set<string>()];
  for (let round = 0; round < ROUNDS; round += 1) {
    // The writers start from the end, because the sweep reaches the last meetings last.
    const ids = (await halfCancelled(platform.id, round)).reverse();
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (const id of ids.filter((_, n) => n % 8 === writer)) for (const done of await cancel(id)) finished.add(done);
    });
    for (const id of await sweep()) taken.add(id);
    await Promise.all(writers);
  }
  expect(finished.size).toBeGreaterThan(0);
  expect(taken.size).toBeGreaterThan(0);
  expect([...finished].filter((id) => taken.has(id))).toEqual([]);
});
