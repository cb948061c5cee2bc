import { createHash } from 'node:crypto';
import { CommandError, type KeptKey, type Outcome, openMock, type RedisBackend } from './redis/mock.ts';
import { openServer } from './redis/server.ts';
import type { StandIn, WorldClock } from './targets.ts';

interface RedisOptions {
  token: string;
  clock: WorldClock;
  redisUrl?: string;
  /** Prefix of this world's keys on a real server; a new one if absent. */
  keyPrefix?: string | undefined;
  /** State that an earlier start saved. */
  kept?: KeptKey[] | undefined;
}

export interface RedisStandIn extends StandIn {
  /** Returns the keys in memory, to be saved; none for a real server. */
  keep(): Promise<KeptKey[]>;
  /** Deletes this world's keys. */
  flush(): Promise<void>;
}

/** Creates the stand-in for Upstash's Redis REST API, on ioredis-mock or on the real Redis at `redisUrl`. */
export async function createRedis(options: RedisOptions): Promise<RedisStandIn> {
  const backend = options.redisUrl === undefined ? openMock() : await openServer(options.redisUrl, options.keyPrefix);
  for (const { key, value, expiresAt } of options.kept ?? []) {
    backend.values?.write(key, value);
    if (expiresAt !== undefined) await backend.run(['pexpire', key, String(expiresAt - options.clock.now())]);
  }
  const expireDue = followClock(backend, options.clock);
  const answer = createAnswer(backend);
  let answered = 0;

  async function fetch(request: Request): Promise<Response> {
    if (!isAuthorized(request, options.token)) return failure(401, 'WRONGPASS invalid or missing auth token');
    if (request.method !== 'POST' && request.method !== 'GET') return failure(405, 'ERR method not allowed');
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

  return { fetch, keep, flush: () => backend.flush(), close: () => backend.close() };
}

function createAnswer(backend: RedisBackend) {
  const resolve = createScripts();

  async function single(command: string[]): Promise<unknown> {
    const resolved = resolve(command);
    return 'reply' in resolved ? resolved.reply : backend.run(resolved.command);
  }

  async function pipeline(commands: string[][]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const command of commands) outcomes.push(await single(command).then(replied, refused));
    return outcomes;
  }

  function transaction(commands: string[][]): Promise<Outcome[]> {
    const resolved = commands.map((command) => {
      const result = resolve(command);
      if ('command' in result) return result.command;
      throw new CommandError('EXECABORT Transaction discarded because of previous errors.');
    });
    return backend.transaction(resolved);
  }

  return async (request: Request): Promise<unknown> => {
    const base64 = request.headers.get('upstash-encoding') === 'base64';
    const wire = (outcome: Outcome) =>
      'error' in outcome ? { error: outcome.error.message } : { result: encodeReply(outcome.reply, base64) };
    const url = new URL(request.url);
    const text = await request.text();
    if (request.method === 'POST' && url.pathname === '/pipeline') {
      return (await pipeline(parseCommands(parseJson(text)))).map(wire);
    }
    if (request.method === 'POST' && url.pathname === '/multi-exec') {
      return (await transaction(parseCommands(parseJson(text)))).map(wire);
    }
    const command = url.pathname === '/' ? parseCommand(parseJson(text)) : commandFromUrl(url, text);
    return wire({ reply: await single(command) });
  };
}

function replied(reply: unknown): Outcome {
  return { reply };
}

function refused(error: unknown): Outcome {
  if (error instanceof CommandError) return { error };
  throw error;
}

function isAuthorized(request: Request, token: string): boolean {
  const inQuery = new URL(request.url).searchParams.get('_token');
  return request.headers.get('authorization') === `Bearer ${token}` || inQuery === token;
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

const UNAVAILABLE =
  /^(watch|unwatch|multi|exec|discard|b[lrz](pop|move|mpop).*|p?subscribe|p?unsubscribe|monitor|select)$/;

/** Parses the commands of `POST /pipeline` and `/multi-exec`. */
function parseCommands(body: unknown): string[][] {
  if (!Array.isArray(body)) throw new CommandError('ERR failed to parse pipeline request');
  return body.map(parseCommand);
}

/** Parses one command: its name in lower case, and its arguments as text. */
function parseCommand(body: unknown): string[] {
  if (!Array.isArray(body) || body.length === 0) throw new CommandError('ERR failed to parse command');
  const [name = '', ...args] = body.map((part) => (typeof part === 'object' ? JSON.stringify(part) : String(part)));
  const command = name.toLowerCase();
  if (UNAVAILABLE.test(command)) throw new CommandError(`ERR Command is not available: '${name}'`);
  return [command, ...args];
}

/** Parses a command that is written as a path, `GET /set/key/value?EX=10`. The body of a POST is its last argument. */
function commandFromUrl(url: URL, body: string): string[] {
  const words = url.pathname
    .split('/')
    .filter((word) => word !== '')
    .map(decodeURIComponent);
  const options = [...url.searchParams].filter(([name]) => name !== '_token').flat();
  return parseCommand([...words, ...(body === '' ? [] : [body]), ...options.filter((word) => word !== '')]);
}

/** Command to run in place of a script command, or its reply. */
type Resolved = { command: string[] } | { reply: unknown };

/**
 * Keeps scripts by the hash of their exact text. They run without their `#!lua flags=…` line, which only the
 * vendor's server understands.
 */
function createScripts() {
  const texts = new Map<string, string>();

  function load(text: string): string {
    const sha = createHash('sha1').update(text).digest('hex');
    texts.set(sha, text.replace(/^#!lua[^\n]*\n/, ''));
    return sha;
  }

  function lookUp(sha: string): string {
    const text = texts.get(sha.toLowerCase());
    if (text === undefined) throw new CommandError('NOSCRIPT No matching script. Please use EVAL.');
    return text;
  }

  return function resolve(command: string[]): Resolved {
    const [name = '', first = '', ...rest] = command;
    switch (name) {
      case 'eval':
      case 'eval_ro':
        return { command: ['eval', lookUp(load(first)), ...rest] };
      case 'evalsha':
      case 'evalsha_ro':
        return { command: ['eval', lookUp(first), ...rest] };
      case 'script':
        return { reply: script(first.toLowerCase(), rest) };
      default:
        return { command };
    }
  };

  function script(action: string, args: string[]): unknown {
    if (action === 'load' && args[0] !== undefined) return load(args[0]);
    if (action === 'exists') return args.map((sha) => (texts.has(sha.toLowerCase()) ? 1 : 0));
    if (action !== 'flush') throw new CommandError(`ERR unknown subcommand '${action}'. Try SCRIPT HELP.`);
    texts.clear();
    return 'OK';
  }
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
