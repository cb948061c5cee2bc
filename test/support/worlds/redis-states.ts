import { callsEnded } from './quiet.ts';
import { world } from './world.ts';

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
