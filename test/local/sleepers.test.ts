import { expect, test, vi } from 'vitest';
import { HOUR } from '../../lib/engine/time/dates.ts';
import { createSleepers } from './sleepers.ts';
import { createTraffic } from './traffic.ts';

const CALL = { target: 'neon', method: 'POST', path: '/sql', request_id: null } as const;

/** Creates a clock that moves only when told, and a Worker that does nothing by itself. */
function asleep(turn: () => void = () => undefined) {
  let time = 0;
  const clock = {
    now: () => time,
    advance: (ms: number) => {
      time += ms;
    },
  };
  const traffic = createTraffic();
  const turns = vi.fn(async () => turn());
  return { clock, traffic, turns, ...createSleepers({ clock, traffic, turn: turns }) };
}

test('sleepers wake in the order of their times, each at its own', async () => {
  const { sleep, clock } = asleep();
  const woken: [string, number][] = [];
  const sleeper = (name: string, ms: number) => sleep(ms).then(() => woken.push([name, clock.now()]));
  await Promise.all([sleeper('last', 3 * HOUR), sleeper('first', HOUR), sleeper('second', 2 * HOUR)]);
  expect(woken).toEqual([
    ['first', HOUR],
    ['second', 2 * HOUR],
    ['last', 3 * HOUR],
  ]);
});

test('after a pause ends, its work is done before the clock moves to the next', async () => {
  const { sleep, clock, traffic } = asleep();
  const second = sleep(2 * HOUR);
  await sleep(HOUR);
  const work = traffic.open(CALL);
  await vi.waitFor(() => expect(clock.now()).toBe(HOUR));
  clock.advance(HOUR / 2);
  traffic.close(work, 200);
  await second;
  expect(clock.now()).toBe(2 * HOUR);
});

test('time does not move while a call is open, but what passes counts', async () => {
  const { sleep, clock, traffic, turns } = asleep();
  const call = traffic.open(CALL);
  const slept = sleep(HOUR);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([clock.now(), turns.mock.calls.length]).toEqual([0, 0]);
  clock.advance(HOUR + 1);
  await slept;
  expect(clock.now()).toBe(HOUR + 1);
  traffic.close(call, 200);
});

test('the clock does not wait for a pause that nobody waits for', async () => {
  const { sleep, clock } = asleep();
  const gone = new AbortController();
  const slept = sleep(HOUR, gone.signal);
  gone.abort();
  await slept;
  expect(clock.now()).toBe(0);
});

test('a Worker that dies is no idle one', async () => {
  let deaths = 0;
  const { sleep, clock } = asleep(() => {
    deaths += 1;
    if (deaths < 3) throw new Error('killed');
  });
  await sleep(HOUR);
  expect([clock.now(), deaths]).toEqual([HOUR, 3]);
});
