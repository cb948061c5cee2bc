import { expect, test } from 'vitest';
import { ending, finish, isFinishedBy } from '../../schema/meetings/finish-queries.ts';
import { claimOverdue } from '../../schema/meetings/lease-queries.ts';
import { deletePendingOperations } from '../../schema/pending-operations/queries.ts';
import { openDb } from '../local/open-db.ts';
import { connectedPerson, freshPlatform } from '../support/factories.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

const MEETINGS = 400;
const ROUNDS = 2;

/** Meetings whose cancelling writers went silent a minute ago; the ids, the longest silent first. */
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
    insert into pending_operations (meeting_id, platform_id, kind, due_at, created_at)
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
    const taken = await claimOverdue(db, { owner: 'sweep', now, leaseUntil: now + 60_000, limit: MEETINGS });
    return taken.map(({ id }) => id);
  };

  const [finished, taken] = [new Set<string>(), new Set<string>()];
  for (let round = 0; round < ROUNDS; round += 1) {
    // The sweep comes to the last of them last.
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
