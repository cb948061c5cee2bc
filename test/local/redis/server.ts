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
    try {
      return await redis.call(name, ...args);
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

  return {
    run,
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
