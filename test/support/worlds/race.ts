import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { violations } from '../checks/checker.ts';
import { isFinal } from '../checks/said.ts';
import type { seeded } from '../fuzz/seeded.ts';
import type { Request } from '../people/operations.ts';
import type { Answer } from './client.ts';
import { callsEnded, quiet } from './quiet.ts';
import { world } from './world.ts';

type Random = ReturnType<typeof seeded>;

const MOST_TRIES = 20;

/** Sends requests all at once. Returns undefined for a broken connection. */
export const together = (requests: Request[]) => Promise.all(requests.map((request) => request.send()));

export async function insist(request: Request): Promise<Answer> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const answer = await request.send();
    if (answer !== undefined && isFinal(answer)) return answer;
  }
  throw new Error(`no final answer in ${MOST_TRIES} tries: ${request.answers.at(-1)?.text}`);
}

/** Makes `width` clients repeat one request at the same time. */
export const insistTogether = (request: Request, width: number) =>
  Promise.all(Array.from({ length: width }, () => insist(request)));

/** Lets the world come to rest and checks that it has no violations. */
export async function expectPeace(scope: Parameters<typeof violations>[0]): Promise<void> {
  await quiet(scope.platforms);
  expect(await violations(scope)).toEqual([]);
}

/** Counts the answers of each status; 0 stands for a broken connection. */
export function tally(answers: (Answer | undefined)[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const answer of answers) counts[answer?.status ?? 0] = (counts[answer?.status ?? 0] ?? 0) + 1;
  return counts;
}

/** Ends every other connection to Postgres, as a failover does. */
export const tear = () =>
  world.neon.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );

/** Returns a function that acts after a pause of random length. */
export const afterPauses =
  (random: Random, longestMs: number) =>
  async <T>(act: () => T | Promise<T>, moreMs = 0): Promise<T> => {
    await pause(moreMs + random.below(longestMs));
    return act();
  };

/** Slows down every hold that Postgres writes, so that transactions overlap. */
export async function slowly<T>(run: () => Promise<T>, when = 'before', seconds = 0.05): Promise<T> {
  await world.neon.query(
    `create function take_time() returns trigger language plpgsql as
    $$ begin perform pg_sleep(${seconds}); return new; end $$`,
  );
  await world.neon.query(`create trigger slow ${when} insert on holds for each row execute function take_time()`);
  return run().finally(() => world.neon.query('drop function take_time cascade'));
}

interface RedisState {
  name: string;
  /** Changes Redis before the first request. */
  before?: () => unknown;
  /** Changes Redis between the first request and its retry. */
  between?: () => unknown;
}

const breakRedis = () => world.faults.add({ target: 'redis', mode: 'reset' });

async function flushRedis(): Promise<void> {
  await callsEnded();
  await world.redis.flush();
}

/** Conditions of Redis during a request and its retry. */
export const REDIS_STATES: RedisState[] = [
  { name: 'up' },
  { name: 'down when it is retried', between: breakRedis },
  { name: 'down until then', before: breakRedis, between: () => world.faults.clear() },
  { name: 'emptied in between', between: flushRedis },
];
