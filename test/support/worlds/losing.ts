import { world } from './world.ts';

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
