import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClock } from './clock.ts';
import { type Kept, lockFolder, moveTo, readKept } from './kept.ts';
import { createQStash, type KeptQueue, type QStash } from './qstash.ts';
import { createRedis, type RedisStandIn } from './redis.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-'));
  path = join(folder, 'world');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the state as the next start reads it from disk. */
const onDisk = <T>(value: T): T => deserialize(serialize(value));

describe('the file', () => {
  test.each([
    ['cut short', Buffer.from(serialize({ format: 3 })).subarray(0, 5)],
    ['of another format', serialize({ format: 0 })],
  ])('is refused when it is %s, and never taken for an empty world', (_, bytes) => {
    writeFileSync(path, bytes);
    expect(() => readKept(path, 'Start afresh')).toThrow(
      `${path} is damaged or was written by another version. Start afresh.`,
    );
  });
});

describe('what the next start carries on with', () => {
  test('the queue: what waits, and what was on its way is sent again', async () => {
    const clock = createClock();
    const went: string[] = [];
    const open = (deliver: (request: Request) => Promise<Response>, kept?: KeptQueue) =>
      createQStash({ clock, token: 't', currentSigningKey: 'a', nextSigningKey: 'b', deliver, kept });
    const publish = (queue: QStash, name: string, headers: Record<string, string> = {}) =>
      queue.fetch(
        new Request(`https://qstash.upstash.io/v2/publish/http://localhost:1/${name}`, {
          method: 'POST',
          headers: { authorization: 'Bearer t', 'upstash-forward-x-name': name, ...headers },
          body: name,
        }),
      );
    const before = open(() => new Promise(() => {}));
    await publish(before, 'later', { 'upstash-delay': '3600s' });
    await publish(before, 'hanging');
    void before.deliverDue();
    const kept = onDisk(before.keep());

    const after = open(async (request) => {
      went.push(`${request.headers.get('x-name')} ${await request.text()}`);
      return new Response('ok');
    }, kept);
    await after.deliverDue();
    expect(after.pending()).toMatchObject([{ url: 'http://localhost:1/later' }]);
    clock.advance(3_600_000);
    await after.deliverDue();
    expect(went).toEqual(['hanging hanging', 'later later']);
    await before.close();
  });

  test('Redis: values, for as long as they had left', async () => {
    const clock = createClock();
    const run = async (redis: RedisStandIn, ...command: (string | number)[]) => {
      const request = new Request('https://redis.test/', {
        method: 'POST',
        headers: { authorization: 'Bearer t' },
        body: JSON.stringify(command),
      });
      return ((await (await redis.fetch(request)).json()) as { result: unknown }).result;
    };
    const before = await createRedis({ token: 't', clock });
    await run(before, 'set', 'text', 'é', 'ex', 100);
    await run(before, 'set', 'short', 'x', 'ex', 10);
    const kept = onDisk(await before.keep());
    clock.advance(30_000);

    const after = await createRedis({ token: 't', clock, kept });
    expect(await run(after, 'get', 'text')).toBe('é');
    expect(await run(after, 'ttl', 'text')).toBeLessThanOrEqual(70);
    expect(await run(after, 'ttl', 'text')).toBeGreaterThan(0);
    expect(await run(after, 'get', 'short')).toBeNull();
  });

  test('messages for the Worker follow it to another port, others stay', async () => {
    const clock = createClock();
    const queue = createQStash({ clock, token: 't', currentSigningKey: 'a', nextSigningKey: 'b' });
    for (const goal of ['http://localhost:8787/internal/run', 'http://localhost:8786/hook'])
      await queue.fetch(
        new Request(`https://qstash.upstash.io/v2/publish/${goal}`, {
          method: 'POST',
          headers: { authorization: 'Bearer t', 'upstash-delay': '3600s' },
        }),
      );
    const world = { baseUrl: 'http://localhost:8787', queue: onDisk(queue.keep()) } as Kept;
    const moved = [...moveTo('http://localhost:9000', world).queue.waiting.values()].map(({ url }) => url);
    expect(moved).toEqual(['http://localhost:9000/internal/run', 'http://localhost:8786/hook']);
  });
});

const GONE = { pid: 999_999_999, command: 'node start.ts' };

let claim: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  claim = join(folder, 'lock.json');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

test('a claim that a crash left incomplete does not hold', async () => {
  writeFileSync(claim, '{"holder":');
  (await lockFolder(folder)).release();
});

test('a process that only has the number of what was left is not', async () => {
  const stranger = await idle();
  writeFileSync(claim, JSON.stringify({ holder: GONE, child: { ...GONE, pid: stranger.pid } }));
  (await lockFolder(folder)).release();
  expect(stranger.kill(0)).toBe(true);
});

/** Starts a process that waits for nothing. */
async function idle(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], { stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  return child;
}
