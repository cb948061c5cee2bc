import type { TestPlatform } from './factories.ts';
import { drain, emitOne } from './webhooks.ts';
import { world } from './world.ts';

/** Has so many events happen and end. */
export async function emitMany(platform: TestPlatform, count: number) {
  for (let made = 0; made < count; made += 1) await emitOne(platform);
  await drain(platform);
}

/** Makes so many more events of a platform's one, each a millisecond later and failed. */
export const copyFailed = ({ id }: TestPlatform, count: number) =>
  world.neon.query(
    `insert into deliveries
       (id, event_id, platform_id, event_type, body, url, status, attempts, max_attempts, created_at, event_at, finished_at)
     select id || n, event_id || n, platform_id, event_type, body, url, 'failed', 1, 1,
       created_at + n * interval '1 ms', event_at + n * interval '1 ms', finished_at
     from deliveries, generate_series(1, $2::int) n where platform_id = $1`,
    [id, count],
  );

/** The answer that sends so many events again. */
export const accepted = (replayed: number) => ({
  status: 202,
  body: {
    success: true,
    replayed,
    has_more: false,
    message: replayed === 1 ? 'One event is being sent again.' : `${replayed} events are being sent again.`,
  },
});
