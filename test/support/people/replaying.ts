import { world } from '../worlds/world.ts';
import type { TestPlatform } from './factories.ts';
import { drain, emitOne } from './webhooks.ts';

/** Makes this many events happen and delivers them until each delivery has ended. */
export async function emitMany(platform: TestPlatform, count: number) {
  for (let made = 0; made < count; made += 1) await emitOne(platform);
  await drain(platform);
}

/** Copies the platform's only event this many times, each a millisecond later and failed, or as earlier replays. */
export const copyFailed = ({ id }: TestPlatform, count: number, { areReplays = false } = {}) =>
  world.neon.query(
    `insert into deliveries
       (id, event_id, platform_id, event_type, body, url, status, attempts, max_attempts, created_at, event_at, finished_at, replay_of)
     select id || n, event_id || n, platform_id, event_type, body, url, 'failed', 1, 1,
       created_at + n * interval '1 ms', case when not $3 then event_at + n * interval '1 ms' end, finished_at, case when $3 then id end
     from deliveries, generate_series(1, $2::int) n where platform_id = $1`,
    [id, count, areReplays],
  );

/** Returns the answer to a replay that sends this many events again. */
export const accepted = (replayed: number) => ({
  status: 202,
  body: {
    success: true,
    replayed,
    has_more: false,
    message: replayed === 1 ? 'Tandem is sending one event again.' : `Tandem is sending ${replayed} events again.`,
  },
});
