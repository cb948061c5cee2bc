import { setTimeout as pause } from 'node:timers/promises';
import type { Answers } from '../../../lib/client/types.ts';
import { isSignedBy } from '../../local/inbox.ts';
import { world } from '../worlds/world.ts';
import { connectedPerson, type TestPlatform } from './factories.ts';

export type LogPage = Answers['DeliveryLog'];
export type LogRecord = Answers['DeliveryLog']['deliveries'][number];

const HOOK = '/v1/platform/webhook';

export const askedFor = () => world.qstash.pending().filter(({ url }) => url.endsWith('/internal/deliver-webhook'));

export const hookOf = ({ api }: Pick<TestPlatform, 'api'>) => ({
  put: (body: unknown) => api.send('PUT', HOOK, body),
  get: () => api.send('GET', HOOK),
  rotate: () => api.send('POST', `${HOOK}/rotate-secret`),
  test: (body?: unknown) => api.send('POST', `${HOOK}/test`, body),
  logs: (query = '') => api.send('GET', `${HOOK}/logs${query}`),
  log: (id: string) => api.send('GET', `${HOOK}/logs/${id}`),
  replay: (id: string) => api.send('POST', `${HOOK}/logs/${id}/replay`),
  replaySince: (body: unknown) => api.send('POST', `${HOOK}/replay`, body),
});

export const pathOf = ({ webhookUrl }: TestPlatform) => new URL(webhookUrl).pathname;

export const answerWith = (platform: TestPlatform, answer: Omit<Parameters<typeof world.inbox.answer>[0], 'path'>) =>
  world.inbox.answer({ ...answer, path: pathOf(platform) });

/** Makes one real event happen: somebody connects a calendar. */
export const emitOne = (platform: TestPlatform) => connectedPerson(platform);

export const arrived = ({ webhookUrl }: TestPlatform) =>
  world.inbox.deliveries().filter(({ url }) => url === webhookUrl);

export const arrivedEvents = (platform: TestPlatform): string[] =>
  arrived(platform).map(({ body_text }) => JSON.parse(body_text).id);

export const allSignedBy = (platform: TestPlatform, secret: string, from = 0): boolean =>
  arrived(platform)
    .slice(from)
    .every((delivery) => isSignedBy(secret, delivery));

/** Lets time pass and the queue deliver until none of the platform's deliveries is pending. */
export async function drain({ id }: Pick<TestPlatform, 'id'>): Promise<void> {
  for (let round = 0; round < 400; round += 1) {
    await world.qstash.deliverDue();
    const [row] = await world.neon.query(
      `select count(*)::int as pending, (extract(epoch from min(next_attempt_at)) * 1000)::float8 as next
       from deliveries where platform_id = $1 and status = 'pending'`,
      [id],
    );
    if (Number(row?.pending) === 0) return;
    const waitMs = Number(row?.next) - world.clock.now();
    if (waitMs > 0) await world.advance(waitMs);
    else await pause(10);
  }
  throw new Error('a delivery stays pending');
}

export async function tick(): Promise<void> {
  await world.advance(60_000);
  await world.worker.runScheduled(world.clock.now());
}

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
