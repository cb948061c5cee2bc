import { randomUUID } from 'node:crypto';
import RedisMock from 'ioredis-mock';

// Content of the mock, which its types do not declare.
interface MockData {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

/** Opens an empty Redis inside this process. */
export function openMock(): RedisBackend {
  // Instances with the same host share their data.
  const redis = new RedisMock({ host: randomUUID() });
  const data: MockData = Reflect.get(redis, 'data');

  async function run([name = '', ...args]: string[]): Promise<unknown> {
    const method: unknown = Reflect.get(redis, name);
    if (typeof method !== 'function' || !Reflect.has(redis, `${name}Buffer`)) {
      throw new CommandError(`ERR unknown command '${name}'`);
    }
    try {
      return await Reflect.apply(method, redis, name === 'set' ? upperCaseOptions(args) : args);
    } catch (error) {
      throw asCommandError(error);
    }
  }

  return {
    run,
    keys: () => redis.keys('*'),
    values: { read: (key) => data.get(key), write: (key, value) => data.set(key, value) },
    flush: async () => void (await redis.flushall()),
    close: async () => redis.disconnect(),
  };
}

/** Returns the arguments of SET with its options in upper case, in which alone ioredis-mock knows them. */
const upperCaseOptions = ([key = '', value = '', ...options]: string[]) => [
  key,
  value,
  ...options.map((option) => option.toUpperCase()),
];

/** Command that was refused, in Redis' own words ("WRONGTYPE Operation against a key …"). */
export class CommandError extends Error {}

/** Key with its value, to be saved. `expiresAt` is by the world's clock. */
export interface KeptKey {
  key: string;
  value: unknown;
  expiresAt: number | undefined;
}

/** Key space of one world. Commands are arrays of text, and replies are RESP values. */
export interface RedisBackend {
  run(command: string[]): Promise<unknown>;
  keys(): Promise<string[]>;
  /** Functions that turn a key's value into plain data and back. Absent on a server that saves its keys itself. */
  values?: { read(key: string): unknown; write(key: string, value: unknown): void };
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Turns any failure into a refusal that starts with an error code, as Redis' refusals do. */
export function asCommandError(error: unknown): CommandError {
  const message = error instanceof Error ? error.message : String(error);
  return new CommandError(/^[A-Z]+ /.test(message) ? message : `ERR ${message}`);
}
