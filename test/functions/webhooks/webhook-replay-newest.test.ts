import { expect, test } from 'vitest';
import { freshPlatform, type TestPlatform } from '../../support/people/factories.ts';
import { answerWith, arrived, drain, emitOne, hookOf, type LogPage } from '../../support/people/webhooks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const since = () => new Date(world.clock.now() - 3_600_000).toISOString();

async function newestOf(platform: TestPlatform): Promise<string> {
  const [record] = ((await hookOf(platform).logs('?limit=1')).body as LogPage).deliveries;
  if (record === undefined) throw new Error('the log is empty');
  return record.id;
}

async function replayAll(platform: TestPlatform): Promise<unknown> {
  const { body } = await hookOf(platform).replaySince({ since: since() });
  await drain(platform);
  return (body as { replayed: number }).replayed;
}

/** Creates a platform whose only event has arrived, and returns it with the id of that delivery. */
async function platformWithOne() {
  const platform = await freshPlatform();
  await emitOne(platform);
  await drain(platform);
  return { platform, first: await newestOf(platform) };
}

test('an event whose delivery was replayed ten times at once is sent again once', async () => {
  const { platform, first } = await platformWithOne();
  const answers = await Promise.all(Array.from({ length: 10 }, () => hookOf(platform).replay(first)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
  await drain(platform);
  expect(await replayAll(platform)).toBe(1);
  expect(arrived(platform)).toHaveLength(12);
});

test('the newest delivery counts, also when it replays another than the one before it', async () => {
  const { platform, first } = await platformWithOne();
  expect(await replayAll(platform)).toBe(1);
  await hookOf(platform).put({ max_retries: 1 });
  answerWith(platform, { status: 500 });
  await hookOf(platform).replay(first);
  await drain(platform);
  const replayed = async (status: string) =>
    (await hookOf(platform).replaySince({ since: since(), status })).body as { replayed: number };
  expect(await replayed('success')).toMatchObject({ replayed: 0 });
  expect(await replayed('failed')).toMatchObject({ replayed: 1 });
  await drain(platform);
  expect(arrived(platform)).toHaveLength(4);
});

test('an event is left alone while its newest delivery is pending, though earlier ones have ended', async () => {
  const { platform, first } = await platformWithOne();
  await hookOf(platform).replay(first);
  const { body } = await hookOf(platform).replaySince({ since: since() });
  expect(body).toMatchObject({ replayed: 0, has_more: false });
  await drain(platform);
});

test('a replay that was refused changes nothing about the event', async () => {
  const { platform, first } = await platformWithOne();
  await hookOf(platform).put({ enabled: false });
  expect(await hookOf(platform).replay(first)).toMatchObject({ status: 409 });
  await hookOf(platform).put({ enabled: true });
  expect(await replayAll(platform)).toBe(1);
});

test('a test event that was replayed is not sent again with the others', async () => {
  const platform = await freshPlatform();
  await hookOf(platform).test();
  expect(await hookOf(platform).replay(await newestOf(platform))).toMatchObject({ status: 202 });
  await drain(platform);
  expect(await replayAll(platform)).toBe(0);
  expect(arrived(platform)).toHaveLength(2);
});
