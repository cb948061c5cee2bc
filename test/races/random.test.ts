import { expect, test } from 'vitest';
import type { Fault } from '../local/faults.ts';
import { meetingIdIn } from '../support/checks/said.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import type { TestPerson } from '../support/people/factories.ts';
import {
  autoBooking,
  booking,
  cancellation,
  newKey,
  type Request,
  reschedule,
  type Scene,
  scene,
  update,
} from '../support/people/operations.ts';
import { expectPeace } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const { RACE_SEED, RACE_OPERATIONS = '40' } = process.env;
const SEEDS = RACE_SEED === undefined ? [1, 2, 3, 4, 5, 6] : RACE_SEED.split(',').map(Number);
const OPERATIONS = Number(RACE_OPERATIONS);
const MOST_FAULTS = 3;
const AT_ONCE = 4;

const TARGETS = ['neon', 'redis', 'google', 'qstash', 'inbox'] as const;
const RATE_LIMITED = { error: { code: 403, errors: [{ reason: 'rateLimitExceeded' }], message: 'Rate limit' } };
const FAILURES: Omit<Fault, 'target'>[] = [
  { mode: 'status', status: 500 },
  { mode: 'status', status: 503 },
  { mode: 'status', status: 429 },
  { mode: 'status', status: 403, body: RATE_LIMITED },
  { mode: 'reset' },
  { mode: 'after' },
  { mode: 'delay', delay_ms: 300 },
  { mode: 'kill' },
  { mode: 'kill_after' },
];

test.each(SEEDS)('seed %i: whatever happens, and whatever fails, nothing is wrong in the end', async (seed) => {
  const random = seeded(seed);
  const at = await scene({ people: 5 });
  const wishes: Request[] = [];
  const done: Record<string, number> = {};
  const faults: Record<string, number> = {};
  const count = (table: Record<string, number>, name: string) => {
    table[name] = (table[name] ?? 0) + 1;
  };

  async function act(): Promise<void> {
    const [name, operation] = random.pick(Object.entries(operations(at, wishes, random)));
    count(done, name);
    await operation().catch(() => undefined);
  }

  const faultTimes = Array.from({ length: MOST_FAULTS }, () => random.below(OPERATIONS));
  for (let n = 0; n < OPERATIONS; n += AT_ONCE) {
    for (const _ of faultTimes.filter((time) => time >= n && time < n + AT_ONCE)) {
      const fault = { target: random.pick(TARGETS), ...random.pick(FAILURES), times: 1 + random.below(2) };
      const { mode, target } = fault;
      count(faults, `${target} ${fault.status ?? mode}`);
      world.faults.add(mode === 'kill' || mode === 'kill_after' ? { ...fault, times: 1 } : fault);
    }
    await Promise.all(Array.from({ length: AT_ONCE }, act));
    await world.worker.ready();
  }
  const met = world.faults.list().reduce((sum, { hits }) => sum + hits, 0);
  const shown = [`seed ${seed}`, JSON.stringify(done), JSON.stringify(faults), `${met} calls met a fault`];
  console.log(shown.join('; '));
  await expectPeace({ platforms: [at.platform], wishes });
  expect(wishes.length).toBeGreaterThan(0);
});

/** Lists the operations that can run next. Each chooses its own people and times. */
function operations(at: Scene, wishes: Request[], random: ReturnType<typeof seeded>) {
  const pair = () => random.shuffle(at.people).slice(0, 2) as [TestPerson, TestPerson];
  const ask = async (wish: Request) => {
    wishes.push(wish);
    await wish.send();
  };
  // Few different slots, so that the bookings often collide.
  const start = Math.ceil(world.clock.now() / 86_400_000) * 86_400_000 + 2 * 86_400_000 + random.below(12) * 1_800_000;
  const key = random.below(3) > 0 ? newKey() : undefined;
  const known = wishes.flatMap(({ title, answers }) =>
    title === undefined ? [] : answers.flatMap(({ text }) => meetingIdIn(text) ?? []),
  );
  const change = (make: (id: string) => Request) => async () => {
    if (known.length > 0) await ask(make(random.pick(known)));
  };
  return {
    book: () => ask(booking(at, { people: pair(), start, key })),
    'book if free': () => ask(booking(at, { people: pair(), start, key, requireFree: true })),
    'book by a job': () => ask(autoBooking(at, { people: pair(), key })),
    update: change((id) => update(at, id, { start, key })),
    cancel: change((id) => cancellation(at, id, { key })),
    reschedule: change((id) => reschedule(at, id, { key })),
    repeat: async () => {
      const keyed = wishes.filter((wish) => wish.key !== undefined);
      if (keyed.length > 0) await random.pick(keyed).send();
    },
    'deliver messages': () => world.qstash.deliverDue(),
    'let a lease run out': () => world.advance(61_000),
    sweep: () => world.worker.runScheduled(world.clock.now()),
    'empty Redis': () => world.redis.flush(),
  };
}
