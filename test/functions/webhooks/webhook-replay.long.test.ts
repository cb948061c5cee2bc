import { expect, test } from 'vitest';
import { freshPlatform } from '../../support/people/factories.ts';
import { accepted, copyFailed, emitMany } from '../../support/people/replaying.ts';
import { hookOf } from '../../support/people/webhooks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

test('a replay goes on from next_since after 5,000 events', async () => {
  const platform = await freshPlatform();
  await emitMany(platform, 1);
  await copyFailed(platform, 5_001);
  await world.advance(6_000);
  await hookOf(platform).put({ url: `${platform.webhookUrl}-elsewhere` });
  const batches = () => world.traffic.list().filter(({ target, path }) => target === 'qstash' && path === '/v2/batch');
  const before = batches().length;
  world.qstash.setKnobs({ loseNext: 6_000 });
  const since = new Date(world.clock.now() - 3_600_000).toISOString();
  const first = (await hookOf(platform).replaySince({ since, status: 'failed' })).body as { next_since: string };
  expect(first).toEqual({
    success: true,
    replayed: 5_000,
    has_more: true,
    next_since: expect.any(String),
    message: 'Tandem is sending 5000 events again.',
  });
  await expect.poll(() => batches().length - before).toBe(50);
  expect(await hookOf(platform).replaySince({ since: first.next_since, status: 'failed' })).toMatchObject(accepted(1));
  await world.neon.query('delete from deliveries where platform_id = $1', [platform.id]);
});
