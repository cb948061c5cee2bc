import { expect } from 'vitest';
import type { Armed, Fault } from '../../local/faults.ts';
import { eventually } from './quiet.ts';
import { world } from './world.ts';

type Calls = Omit<Fault, 'mode'>;

export const hold = (calls: Calls): Armed => world.faults.add({ ...calls, mode: 'hold' });

export const count = (calls: Calls): Armed => world.faults.add({ ...calls, mode: 'delay', delay_ms: 0 });

/** Resolves once at least this many calls have matched. */
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
