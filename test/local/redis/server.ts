import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { asCommandError, type RedisBackend } from './mock.ts';

const DELETE_AT_ONCE = 1000;

/**
 * Opens a real Redis, where this world uses only the keys under `keyPrefix`. Without a prefix, the keys are deleted on
 * close.
 */
export async function openServer(url: string, keyPrefix?: string): Promise<RedisBackend> {
  const prefix = keyPrefix ?? `tandem-${randomUUID()}:`;
  const redis = new Redis(url, { keyPrefix: prefix, lazyConnect: true, maxRetriesPerRequest: 1 });
  // Each command reports its own failure.
  redis.on('error', () => undefined);
  await redis.connect();

  async function run(command: string[]): Promise<unknown> {
    const [name = '', ...args] = command;
    if (name === 'flushdb' || name === 'flushall') return flush().then(() => 'OK');
    if (name === 'dbsize') return (await keys()).length;
    try {
      return withoutPrefix(name, await redis.call(name, ...withPrefix(name, args)));
    } catch (error) {
      throw isReplyError(error) ? asCommandError(error) : error;
    }
  }

  async function keys(): Promise<string[]> {
    return (await redis.keys(`${escapeGlob(prefix)}*`)).map((key) => key.slice(prefix.length));
  }

  async function flush() {
    const all = await keys();
    for (let at = 0; at < all.length; at += DELETE_AT_ONCE) await redis.unlink(all.slice(at, at + DELETE_AT_ONCE));
  }

  // ioredis puts the prefix before keys, but not into patterns.
  function withPrefix(name: string, args: string[]): string[] {
    if (name === 'keys') return args.map((pattern) => escapeGlob(prefix) + pattern);
    if (name !== 'scan') return args;
    const at = args.findIndex((arg) => arg.toLowerCase() === 'match') + 1;
    if (at === 0) return [...args, 'match', `${escapeGlob(prefix)}*`];
    return args.with(at, escapeGlob(prefix) + (args[at] ?? '*'));
  }

  function withoutPrefix(name: string, reply: unknown): unknown {
    const strip = (list: unknown) => (Array.isArray(list) ? list.map((key) => String(key).slice(prefix.length)) : list);
    if (name === 'keys') return strip(reply);
    return name === 'scan' && Array.isArray(reply) ? [reply[0], strip(reply[1])] : reply;
  }

  return {
    run,
    async transaction(commands) {
      const multi = redis.multi();
      for (const [name = '', ...args] of commands) multi.call(name, ...args);
      const outcomes = await multi.exec().catch((error) => {
        throw isReplyError(error) ? asCommandError(error) : error;
      });
      return (outcomes ?? []).map(([error, reply]) => (error === null ? { reply } : { error: asCommandError(error) }));
    },
    keys,
    flush,
    async close() {
      if (keyPrefix === undefined) await flush();
      redis.disconnect();
    },
  };
}

function escapeGlob(text: string): string {
  return text.replace(/[*?[\]\\]/g, '\\$&');
}

function isReplyError(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}
