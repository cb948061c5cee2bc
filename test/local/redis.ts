import { CommandError, type KeptKey, type Outcome, type RedisBackend } from './redis/backend.ts';
import { encodeReply } from './redis/encoding.ts';
import { followClock } from './redis/expiry.ts';
import { openMock } from './redis/mock.ts';
import { commandFromUrl, parseCommand, parseCommands } from './redis/request.ts';
import { createScripts } from './redis/scripts.ts';
import { openServer } from './redis/server.ts';
import type { StandIn, WorldClock } from './stand-in.ts';

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
