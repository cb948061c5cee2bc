import { booked, freshPair } from '../people/meetings.ts';
import { world } from './world.ts';

/** Makes bookings, `each` of every platform, whose writers died a minute ago between the calendar and the commit. */
export async function unfinishedBookings({ platforms, each }: { platforms: number; each: number }) {
  const made: { id: string; eventId: string }[] = [];
  for (let n = 0; n < platforms; n += 1) {
    const pair = await freshPair();
    for (let m = 0; m < each; m += 1) {
      const { id, eventId } = await booked({ pair });
      made.push({ id, eventId });
      await world.neon.query(
        `with booking as (update meetings set status = 'pending', owner = 'own_dead', lease_until = updated_at where id = $1 returning *),
        unconfirmed as (update usage u set confirmed = confirmed - 1 from booking where u.platform_id = booking.platform_id and u.month = booking.usage_month)
        insert into pending_operations (event_id, platform_id, kind, intent, due_at, created_at)
        select provider_event_id, platform_id, 'book', '{"kind":"book"}', updated_at, updated_at from booking`,
        [id],
      );
    }
  }
  await world.advance(61_000);
  return made;
}

/** Connections a Worker may have open at once. */
export const CONNECTIONS = 6;

/** Returns the largest number of calls that were open at one time. */
export const mostAtOnce = (calls: { start: number; end: number | null }[]): number =>
  Math.max(
    0,
    ...calls.map(
      ({ start: at }) =>
        calls.filter(({ start, end }) => start <= at && (end ?? Number.POSITIVE_INFINITY) >= at).length,
    ),
  );
