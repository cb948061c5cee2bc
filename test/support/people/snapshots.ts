import { eventually } from '../worlds/eventually.ts';
import { world } from '../worlds/world.ts';
import type { TestPlatform } from './factories.ts';

/** Returns the row of a person's snapshot. */
export async function snapshotOf(email: string) {
  const [row] = await world.neon.query(
    `select s.*, (extract(epoch from s.read_at) * 1000)::float8 as read_at_ms from busy_snapshots s
    join users u on u.id = s.user_id where u.email = $1`,
    [email],
  );
  return row;
}

/** Has the tick hand these people's calendars to the queue, before anybody else's, and the queue deliver. */
export async function askByTick(...emails: string[]): Promise<void> {
  await world.neon.query(
    `update busy_snapshots set due_at = 'epoch' where user_id in (select id from users where email = any($1))`,
    [emails],
  );
  await world.worker.runScheduled(world.clock.now());
  await world.qstash.deliverDue();
}

/** Has every platform of these people ask for their calendars, and runs `askByTick`. */
export async function useByTick(...emails: string[]): Promise<void> {
  await world.neon.query(
    `with used as (update connections set last_used_at = $2 where user_id in (select id from users where email = any($1)))
    update busy_snapshots set used_at = $2 where user_id in (select id from users where email = any($1))`,
    [emails, new Date(world.clock.now()).toISOString()],
  );
  await askByTick(...emails);
}

/**
 * Runs `useByTick` for these calendars until each was read by a read that began after this call.
 * A read that was running before it has not seen what a test changed last.
 */
export async function readByTick(...emails: string[]): Promise<void> {
  const since = world.clock.now();
  await eventually(async () => {
    await useByTick(...emails);
    await world.google.settled();
    for (const email of emails) {
      const row = await snapshotOf(email);
      const isRead = row?.synced_gen === row?.dirty_gen && Number(row?.read_at_ms) >= since;
      if (!isRead) throw new Error(`${email} is not read yet`);
    }
  });
}

export interface Read {
  email: string;
  read_at: string;
  source: string;
}

/** Searches for these people and returns the source of each calendar: the snapshot or the provider. */
export async function sourcesOf({ api }: TestPlatform, attendees: string[], query = '') {
  const { status, body } = await api.send('POST', `/v1/availability${query}`, { attendees });
  if (status !== 200) return [{ status }];
  return (body as { calendars: Read[] }).calendars;
}
