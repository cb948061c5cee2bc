import { randomUUID } from 'node:crypto';
import RedisMock from 'ioredis-mock';
import { asCommandError, CommandError, type Outcome, type RedisBackend } from './backend.ts';

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
