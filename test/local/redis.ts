import { createHash, randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import RedisMock from 'ioredis-mock';
import type { WorldClock } from './targets.ts';

// Content of the mock, which its types do not declare.
interface MockData {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

function openMock(): RedisBackend {
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
class CommandError extends Error {}

/** Key with its value, to be saved. `expiresAt` is by the world's clock. */
export interface KeptKey {
  key: string;
  value: unknown;
  expiresAt: number | undefined;
}

/** Key space of one world. Commands are arrays of text, and replies are RESP values. */
interface RedisBackend {
  run(command: string[]): Promise<unknown>;
  keys(): Promise<string[]>;
  /** Functions that turn a key's value into plain data and back. Absent on a server that saves its keys itself. */
  values?: { read(key: string): unknown; write(key: string, value: unknown): void };
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Turns any failure into a refusal that starts with an error code, as Redis' refusals do. */
function asCommandError(error: unknown): CommandError {
  const message = error instanceof Error ? error.message : String(error);
  return new CommandError(/^[A-Z]+ /.test(message) ? message : `ERR ${message}`);
}

const DELETE_AT_ONCE = 1000;

/**
 * Opens a real Redis, where this world uses only the keys under `keyPrefix`. Without a prefix, the keys are deleted on
 * close.
 */
async function openServer(url: string, keyPrefix?: string): Promise<RedisBackend> {
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
      throw error instanceof Error && error.name === 'ReplyError' ? asCommandError(error) : error;
    }
  }

  async function keys(): Promise<string[]> {
    const pattern = `${prefix.replace(/[*?[\]\\]/g, '\\$&')}*`;
    return (await redis.keys(pattern)).map((key) => key.slice(prefix.length));
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

export interface RedisOptions {
  token: string;
  clock: WorldClock;
  redisUrl?: string | undefined;
  /** Prefix of this world's keys on a real server, where they stay. If absent, the keys are deleted on close. */
  redisPrefix?: string | undefined;
  /** State that an earlier start saved. */
  kept?: KeptKey[] | undefined;
}

export type RedisStandIn = Awaited<ReturnType<typeof createRedis>>;

/** Creates the stand-in for Upstash's Redis REST API, on ioredis-mock or on the real Redis at `redisUrl`. */
export async function createRedis(options: RedisOptions) {
  const backend = options.redisUrl === undefined ? openMock() : await openServer(options.redisUrl, options.redisPrefix);
  for (const { key, value, expiresAt } of options.kept ?? []) {
    backend.values?.write(key, value);
    if (expiresAt !== undefined) await backend.run(['pexpire', key, String(expiresAt - options.clock.now())]);
  }
  const expireDue = followClock(backend, options.clock);
  const answer = createAnswer(backend);
  let answered = 0;

  async function fetch(request: Request): Promise<Response> {
    const isAuthorized = request.headers.get('authorization') === `Bearer ${options.token}`;
    if (!isAuthorized) return failure(401, 'WRONGPASS invalid or missing auth token');
    if (request.method !== 'POST') return failure(405, 'ERR method not allowed');
    try {
      await expireDue();
      const body = await answer(request);
      answered += 1;
      return Response.json(body, { headers: { 'upstash-sync-token': `local-${answered}` } });
    } catch (error) {
      if (error instanceof CommandError) return failure(400, error.message);
      return failure(500, error instanceof Error ? error.message : String(error));
    }
  }

  /** Returns the keys in memory, to be saved; none for a real server. */
  async function keep(): Promise<KeptKey[]> {
    const { values } = backend;
    if (values === undefined) return [];
    await expireDue();
    const read = async (key: string): Promise<KeptKey> => {
      const left = Number(await backend.run(['pttl', key]));
      return { key, value: values.read(key), expiresAt: left < 0 ? undefined : options.clock.now() + left };
    };
    return Promise.all((await backend.keys()).map(read));
  }

  return { fetch, keep, flush: backend.flush, close: backend.close };
}

function createAnswer(backend: RedisBackend) {
  const resolve = createScripts();

  const run = async (command: string[]) => backend.run(resolve(command));

  return async (request: Request): Promise<unknown> => {
    const base64 = request.headers.get('upstash-encoding') === 'base64';
    const { pathname } = new URL(request.url);
    const sent = parseJson(await request.text());
    if (pathname === '/') return { result: encodeReply(await run(parseCommand(sent)), base64) };
    if (pathname !== '/pipeline' || !Array.isArray(sent))
      throw new CommandError('ERR failed to parse pipeline request');
    const outcomes: object[] = [];
    for (const command of sent.map(parseCommand)) {
      const outcome = run(command).then((reply) => ({ result: encodeReply(reply, base64) }), refused);
      outcomes.push(await outcome);
    }
    return outcomes;
  };
}

function refused(error: unknown): { error: string } {
  if (error instanceof CommandError) return { error: error.message };
  throw error;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError('ERR failed to parse command');
  }
}

function failure(status: number, error: string): Response {
  return Response.json({ error }, { status });
}

/** Returns a RESP value as the REST API shows it: strings in base64 if asked for, except the literal OK. */
function encodeReply(value: unknown, base64: boolean): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return base64 && value !== 'OK' ? Buffer.from(value).toString('base64') : value;
  if (Array.isArray(value)) return value.map((item) => encodeReply(item, base64));
  // The drivers turn HGETALL's flat list into an object.
  if (typeof value === 'object') return encodeReply(Object.entries(value).flat(), base64);
  return value;
}

function parseCommand(body: unknown): string[] {
  if (!Array.isArray(body) || body.length === 0) throw new CommandError('ERR failed to parse command');
  const [name = '', ...args] = body.map(String);
  return [name.toLowerCase(), ...args];
}

/**
 * Keeps scripts by the hash of their exact text. They run without their `#!lua flags=…` line, which only the
 * vendor's server understands.
 */
function createScripts() {
  const texts = new Map<string, string>();

  return function resolve(command: string[]): string[] {
    const [name = '', first = '', ...rest] = command;
    if (name === 'eval') {
      const text = first.replace(/^#!lua[^\n]*\n/, '');
      texts.set(createHash('sha1').update(first).digest('hex'), text);
      return ['eval', text, ...rest];
    }
    if (name !== 'evalsha') return command;
    const known = texts.get(first.toLowerCase());
    if (known === undefined) throw new CommandError('NOSCRIPT No matching script. Please use EVAL.');
    return ['eval', known, ...rest];
  };
}

const JUMP_MS = 1000;

/** Makes keys expire by the world's clock: when the clock jumps, every key's remaining time shrinks by as much. */
function followClock(backend: RedisBackend, clock: WorldClock): () => Promise<void> {
  let applied = offset();
  let last: Promise<void> = Promise.resolve();

  function offset() {
    return clock.now() - Date.now();
  }

  async function shift() {
    const jump = offset() - applied;
    if (Math.abs(jump) < JUMP_MS) return;
    applied += jump;
    for (const key of await backend.keys()) {
      const left = Number(await backend.run(['pttl', key]));
      if (left >= 0) await backend.run(['pexpire', key, String(Math.round(left - jump))]);
    }
  }

  return () => {
    last = last.catch(() => undefined).then(shift);
    return last;
  };
}
