import { setTimeout as pause } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import type { Armed, Fault } from '../../local/faults.ts';
import { IS_CURRENT, leftovers, WAITS_FOR_ATTENDEE, WAITS_FOR_PERSON } from '../checks/meetings.ts';
import { rows } from '../checks/rows.ts';
import type { TestPlatform } from '../people/factories.ts';
import { heal, world } from './world.ts';

/** Rounds enough for a calendar that cannot be reached: it is asked each hour for a week. */
const MOST_ROUNDS = 300;
const LONGEST_CALL_MS = 20_000;

/** Heals the world, then lets time pass and runs cron and queue until no work of these platforms is due. */
export async function quiet(platforms: TestPlatform[]): Promise<void> {
  heal();
  await world.worker.ready();
  await callsEnded();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await world.qstash.deliverDue();
    await callsEnded();
    const due = await nextDue(platforms);
    if (due === undefined) return;
    await world.advance(Math.max(MINUTE, due - world.clock.now() + 1_000));
    await world.worker.runScheduled(world.clock.now());
    await callsEnded();
  }
  const left = await leftovers(platforms);
  throw new Error(`still not quiet after ${MOST_ROUNDS} rounds: ${left.join('; ')}`);
}

export async function callsEnded(): Promise<void> {
  const giveUpAt = Date.now() + LONGEST_CALL_MS;
  while (world.traffic.list().some(({ end }) => end === null)) {
    if (Date.now() > giveUpAt) throw new Error('a call of the Worker does not end');
    await pause(5);
  }
}

/**
 * Returns when the next work is due. A locked meeting waits for the end of its lease and for its change; later
 * operations wait for that change.
 */
async function nextDue(platforms: TestPlatform[]): Promise<number | undefined> {
  const [row] = await rows<{ at: number | null }>(
    `select (extract(epoch from min(at)) * 1000)::float8 as at from (
      select p.due_at as at from pending_operations p join meetings m on m.provider_event_id = p.event_id
        where m.platform_id = any($1) and m.lease_until is null and ${IS_CURRENT} and not (${WAITS_FOR_PERSON})
      union all select greatest(m.lease_until, (
          select p.due_at from pending_operations p where p.event_id = m.provider_event_id
          order by p.kind in ('link', 'verify'), p.due_at limit 1))
        from meetings m where m.platform_id = any($1) and m.lease_until is not null
      union all select e.decline_due_at from event_answers e
        where e.platform_id = any($1) and not (${WAITS_FOR_ATTENDEE})
      union all select coalesce(greatest(next_attempt_at, lease_until), created_at) from deliveries
        where platform_id = any($1) and status = 'pending'
      union all select greatest(expires_at, due_at) from proposals
        where platform_id = any($1) and status = 'open' and meeting_id is null
          and expires_at <= '${new Date(world.clock.now()).toISOString()}'
      union all select ended_at from proposals where platform_id = any($1) and untold
      union all select coalesce(greatest(next_run_at, lease_until), created_at) from jobs
        where platform_id = any($1) and status = 'processing'
      union all select greatest(next_run_at, lease_until) from batches
        where platform_id = any($1) and next_run_at is not null) as due`,
    platforms,
  );
  return row?.at ?? undefined;
}

/** Waits until the check no longer throws, and returns its result. The time limit only ends a test that hangs. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 60_000, interval: 5 });

/** Does what the Worker dies of, once, and lets the next Worker start. Takes an answer that the crash cut off too. */
export async function dying(fault: Omit<Fault, 'times'>, act: () => Promise<unknown>): Promise<void> {
  const { hits } = world.faults.add({ ...fault, times: 1 });
  await act().catch(() => undefined);
  await world.worker.ready();
  await callsEnded();
  expect(hits()).toBe(1);
  world.faults.clear();
}

type Calls = Omit<Fault, 'mode'>;

export const hold = (calls: Calls): Armed => world.faults.add({ ...calls, mode: 'hold' });

export const count = (calls: Calls): Armed => world.faults.add({ ...calls, mode: 'delay', delay_ms: 0 });

export const met = (armed: Armed, least = 1): Promise<void> =>
  eventually(() => expect(armed.hits()).toBeGreaterThanOrEqual(least));

/**
 * Lets three seconds pass at once, the longest that a request waits for another one. A held call otherwise keeps the
 * clock from moving.
 */
export async function passWaiting(): Promise<void> {
  for (let step = 0; step < 30; step += 1) await world.advance(100);
}

/**
 * Acts while every update of one row changes nothing, as for a request that others overtake between each look at the row
 * and its write. Returns what `act` returns.
 */
export async function losing<T>(table: 'jobs' | 'proposals', id: string, act: () => Promise<T>): Promise<T> {
  await world.neon.query('create function lose() returns trigger language plpgsql as $$ begin return null; end $$');
  try {
    await world.neon.query(
      `create trigger lose before update on ${table} for each row when (old.id = '${id}') execute function lose()`,
    );
    return await act();
  } finally {
    await world.neon.query('drop function lose cascade');
  }
}
