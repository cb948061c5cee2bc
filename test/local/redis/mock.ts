import { randomUUID } from 'node:crypto';
import RedisMock from 'ioredis-mock';

/** Position at which a command's option words start. ioredis-mock knows the words only in upper case. */
const OPTIONS_FROM: Record<string, number> = {
  set: 2,
  getex: 1,
  expire: 2,
  pexpire: 2,
  expireat: 2,
  pexpireat: 2,
  scan: 1,
  sscan: 2,
  hscan: 2,
  zscan: 2,
  zadd: 1,
  zrange: 3,
  zrangebyscore: 3,
  zrevrangebyscore: 3,
  linsert: 1,
  lmove: 2,
};
const OPTION_WORDS =
  /^(nx|xx|gt|lt|ch|incr|ex|px|exat|pxat|keepttl|persist|get|match|count|type|byscore|bylex|rev|limit|withscores|before|after|left|right)$/i;

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
      return await Reflect.apply(method, redis, upperCaseOptions(name, args));
    } catch (error) {
      throw asCommandError(error);
    }
  }

  return {
    run,
    // Each command takes effect while it is called, so nothing can come between them.
    transaction: (commands) =>
      Promise.all(
        commands.map((command) =>
          run(command).then(
            (reply): Outcome => ({ reply }),
            (error): Outcome => ({ error }),
          ),
        ),
      ),
    keys: () => redis.keys('*'),
    values: { read: (key) => data.get(key), write: (key, value) => data.set(key, value) },
    flush: async () => void (await redis.flushall()),
    close: async () => redis.disconnect(),
  };
}

function upperCaseOptions(name: string, args: string[]): string[] {
  const from = OPTIONS_FROM[name] ?? args.length;
  return args.map((arg, at) => (at >= from && OPTION_WORDS.test(arg) ? arg.toUpperCase() : arg));
}

/** Command that was refused, in Redis' own words ("WRONGTYPE Operation against a key …"). */
export class CommandError extends Error {}

/** Result of one command in a transaction. */
export type Outcome = { reply: unknown } | { error: CommandError };

/** Key with its value, to be saved. `expiresAt` is by the world's clock. */
export interface KeptKey {
  key: string;
  value: unknown;
  expiresAt: number | undefined;
}

/** Key space of one world. Commands are arrays of text, and replies are RESP values. */
export interface RedisBackend {
  run(command: string[]): Promise<unknown>;
  transaction(commands: string[][]): Promise<Outcome[]>;
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
