import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readShared } from '../../../lib/availability/shared-reads.ts';
import { DAY } from '../../../lib/engine/time/dates.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ctx = {
  clock: { now: () => Date.now() },
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  later: (work: Promise<unknown>) => void work,
};
const SPAN = { start: 0, end: 1 };
const BUSY = Float64Array.of(0, 1);
let people = 0;

/** Asks for one person's busy times. `answers` are those of the provider, one a call; the last one answers the rest. */
function asking(...answers: ((call: number) => Promise<Float64Array>)[]) {
  const userId = `person ${people++}`;
  let calls = 0;
  const read = () => {
    calls += 1;
    const answer = answers[calls - 1] ?? answers.at(-1);
    if (answer === undefined) throw new Error('The provider has no answer.');
    return answer(calls);
  };
  const ended: (number | string)[] = [];
  const began = Date.now();
  const ask = (platformId = 'one') =>
    readShared(ctx, { platformId, userId }, SPAN, read)
      .then(({ busy }) => (busy.length > 0 ? 'busy' : 'empty'))
      .catch(({ message }: Error) => message)
      .then((how) => ended.push(`${how} after ${(Date.now() - began) / 1_000} s`));
  return { ask, ended, calls: () => calls };
}

const after =
  (ms: number, isFailure = false) =>
  async () => {
    await ctx.sleep(ms);
    if (isFailure) throw new Error('failed');
    return BUSY;
  };
const never = () => new Promise<Float64Array>(() => undefined);

async function ten({ ask }: ReturnType<typeof asking>, seconds: number) {
  for (let n = 0; n < 10; n += 1) ask();
  await vi.advanceTimersByTimeAsync(seconds * 1_000);
}

test.each([0, 3, 7.9])('ten requests at once cost one call if it takes %d s', async (seconds) => {
  const at = asking(after(seconds * 1_000));
  await ten(at, seconds + 0.1);
  expect(at.calls()).toBe(1);
  expect(at.ended).toHaveLength(10);
  expect(at.ended.every((how) => String(how).startsWith('busy'))).toBe(true);
});

test('a request that comes a second after a slow read began reads itself, and a read between serves it', async () => {
  const at = asking(after(3_000));
  at.ask();
  await vi.advanceTimersByTimeAsync(1_000);
  at.ask();
  await vi.advanceTimersByTimeAsync(1);
  for (let n = 0; n < 5; n += 1) at.ask();
  await vi.advanceTimersByTimeAsync(4_000);
  expect([at.calls(), at.ended]).toMatchObject([2, Array(7).fill(expect.stringMatching(/^busy/))]);
});

test('of those who wait for a read that fails one reads, and nobody takes it for an empty calendar', async () => {
  const at = asking(after(2_000, true), after(2_000));
  await ten(at, 4.1);
  expect(at.calls()).toBe(2);
  expect(at.ended).toEqual(['failed after 2 s', ...Array(9).fill(expect.stringMatching(/^busy after 4/))]);
});

test('a read that never ends holds nobody up for longer than a call can take, and one reads for all', async () => {
  const at = asking(never, after(100));
  await ten(at, 9.2);
  expect([at.calls(), at.ended]).toMatchObject([2, Array(9).fill(expect.stringMatching(/^busy after 9\.[01]/))]);
});

test('while every read hangs, each request is refused within half a minute', async () => {
  const at = asking(after(8_000, true));
  await ten(at, 25);
  expect(at.ended).toEqual([
    'failed after 8 s',
    expect.stringMatching(/^failed after 16/),
    ...Array(8).fill(expect.stringMatching(/^failed after 24/)),
  ]);
});

test('a read of one platform that hangs, fails or is refused is no other platform’s', async () => {
  const at = asking(never, after(10));
  at.ask('one');
  at.ask('two');
  await vi.advanceTimersByTimeAsync(10);
  expect([at.calls(), at.ended]).toEqual([2, ['busy after 0.01 s']]);
});

test('requests for a hundred spans of half a year at once cost a few calls, each answered for its own span', async () => {
  const now = Date.now();
  let calls = 0;
  const ask = async (n: number) => {
    const span = { start: now + 1.8 * n * DAY, end: now + (1.8 * n + 5) * DAY };
    const { busy } = await readShared(ctx, { platformId: 'one', userId: 'varied' }, span, async ({ start, end }) => {
      calls += 1;
      return Float64Array.of(start, end);
    });
    expect([...busy]).toEqual([span.start, span.end]);
  };
  const asked = Promise.all(Array.from({ length: 100 }, (_, n) => ask(n)));
  await vi.advanceTimersByTimeAsync(100);
  await asked;
  expect(calls).toBeLessThanOrEqual(8);
});

test.each([15, 45])(
  'a search of %i days from today lies in one block, which is one call of the provider',
  async (days) => {
    const read = vi.fn(async (_: { start: number; end: number }) => BUSY);
    const span = { start: Date.now() - 3.5 * DAY, end: Date.now() + days * DAY };
    for (let n = 0; n < 100; n++) await readShared(ctx, { platformId: 'one', userId: `${n} of ${days}` }, span, read);
    expect(read.mock.calls.map(([{ start, end }]) => (end - start) / DAY)).toEqual(Array(100).fill(60));
  },
);
