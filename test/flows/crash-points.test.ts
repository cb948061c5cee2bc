import { beforeAll, describe, expect, test } from 'vitest';
import { violations } from '../support/checker.ts';
import { isFinal } from '../support/checks/answers.ts';
import { CRASH_POINTS, type Operation } from '../support/crash-points.ts';
import { booking, newKey, type Request, type Scene, scene } from '../support/operations.ts';
import { quiet } from '../support/quiet.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

const LEASE_MS = 60_000;

const PREPARE: Record<Operation, (at: Scene) => Request | Promise<Request>> = {
  schedule: (at) => booking(at),
  'schedule with a key': (at) => booking(at, { key: newKey() }),
  'schedule, only if free': (at) => booking(at, { key: newKey(), requireFree: true }),
};

const OPERATIONS = [...new Set(CRASH_POINTS.map(({ operation }) => operation))];

describe.each(OPERATIONS)('when the Worker dies during %s', (operation) => {
  let at: Scene;
  beforeAll(async () => {
    at = await scene();
  });

  const points = CRASH_POINTS.filter((point) => point.operation === operation);

  test.each(points)('$name: nobody retries, and nothing half done is left', async ({ fault }) => {
    const wish = await PREPARE[operation](at);
    await crash(wish, fault);
    await quiet([at.platform]);
    expect(await violations({ platforms: [at.platform], wishes: [wish] })).toEqual([]);
  });

  const keyed = points.filter(() => operation !== 'schedule');

  test.runIf(keyed.length > 0).each(keyed)('$name: a retry with the key ends well, once', async ({ fault }) => {
    const wish = await PREPARE[operation](at);
    await crash(wish, fault);
    await world.worker.ready();
    const atOnce = wish.send();
    await world.advance(LEASE_MS + 1_000);
    await atOnce;
    const last = await wish.send();
    expect(last && isFinal(last), last?.text).toBe(true);
    await quiet([at.platform]);
    expect((await wish.send())?.text).toBe(last?.text);
    expect(await violations({ platforms: [at.platform], wishes: [wish] })).toEqual([]);
  });
});

/** Sends the request while its crash point is armed; the crash must have come and the request have had no answer. */
async function crash(wish: Request, fault: (typeof CRASH_POINTS)[number]['fault']): Promise<void> {
  world.faults.add(fault);
  const answer = await wish.send();
  expect(world.faults.list().map(({ hits }) => hits)).toEqual([1]);
  expect(answer).toBeUndefined();
  world.faults.clear();
}
