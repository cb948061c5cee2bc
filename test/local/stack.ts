import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from './free-port.ts';
import { readKept, type Saved, type Servers, type Stack, writeKept } from './kept.ts';
import { lockFolder } from './lock-folder.ts';
import type { StartOptions } from './options.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { introduce, seed } from './seed.ts';
import { endOnSignal } from './signals.ts';
import { findSlot, welcome } from './welcome.ts';
import { startWorld, type World } from './world.ts';

const TICK_MS = 60_000;
const SAVE_AFTER_MS = 100;
const AFRESH = '`npm start -- --fresh` forgets the data of earlier starts';

/** Runs the local stack until a signal ends it, and keeps its world in a folder from one start to the next; answers what closes it. */
export async function runStack(options: StartOptions): Promise<() => Promise<void>> {
  const folder = resolve(options.data);
  const temporary = join(folder, 'tmp');
  mkdirSync(folder, { recursive: true });
  const lock = await lockFolder(folder);
  process.on('exit', () => {
    rmSync(temporary, { recursive: true, force: true });
    lock.release();
  });

  // What a killed process leaves in its temporary folder goes with the next start.
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary);
  process.env.TMPDIR = temporary;

  await freePort(options.port, { withinMs: lock.hasEnded ? 10_000 : 0 });
  const saved = recall(folder, options);
  if (saved === undefined && options.postgres === undefined)
    console.log('A first start makes its database, which takes some ten seconds.');
  const secrets = { ...createSecrets(), ...saved?.secrets };
  let saver: Saver | undefined;
  let isOpen = false;
  const world = await startWorld({
    ...(await placesOf(folder, secrets, options)),
    secrets,
    kept: saved?.world,
    onChange: () => saver?.soon(),
    onWorkerd: lock.note,
    onLog(line) {
      if (isOpen) console.log(line);
    },
  }).catch((error: unknown) => {
    if (saved === undefined) throw error;
    throw new Error(`${error instanceof Error ? error.message : error}\nShould the kept data be the cause: ${AFRESH}.`);
  });
  const stack = await populate(world, saved?.stack, options);
  writeFileSync(join(folder, 'stack.json'), `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
  saver = createSaver(async () =>
    writeKept(fileIn(folder), { servers: serversOf(options), secrets, stack, world: await world.keep() }),
  );
  await saver.now();
  world.qstash.start();
  const cron = setInterval(() => {
    world.worker.runScheduled(world.clock.now()).catch((error: unknown) => console.error(`cron: ${String(error)}`));
  }, TICK_MS);

  const { now: save } = saver;
  async function close() {
    clearInterval(cron);
    await world.worker.close();
    await save();
    await world.close();
  }
  endOnSignal(close);
  console.log(welcome(stack, await findSlot(stack)));
  isOpen = true;
  return close;
}

const fileIn = (folder: string) => join(folder, 'world');

/** What the last start kept; a start that never came so far left nothing of use. */
function recall(folder: string, options: StartOptions): Saved | undefined {
  const file = fileIn(folder);
  if (options.fresh || !existsSync(file)) {
    for (const name of ['world', 'pglite', 'stack.json']) rmSync(join(folder, name), { recursive: true, force: true });
    return undefined;
  }
  const saved = readKept(file, AFRESH);
  if (JSON.stringify(saved.servers) === JSON.stringify(serversOf(options))) return saved;
  const named = Object.keys(saved.servers).map((name) => `--${name}`);
  throw new Error(
    `${folder} holds a world that was started with ${named.join(' and ') || 'no server named'}; start it the same way, or name another folder with --data. ${AFRESH}.`,
  );
}

function serversOf({ postgres, redis, google }: StartOptions): Servers {
  return { ...(postgres && { postgres }), ...(redis && { redis }), ...(google && { google }) };
}

async function placesOf(folder: string, secrets: Secrets, { port, postgres, redis, google }: StartOptions) {
  const name = createHash('sha256').update(secrets.UPSTASH_REDIS_REST_TOKEN).digest('hex').slice(0, 12);
  return {
    port,
    worldPort: await freePort(port + 1, { orAny: true }),
    dataDir: join(folder, 'pglite'),
    ...(postgres && { postgresUrl: postgres }),
    ...(redis && { redisUrl: redis, redisPrefix: `tandem-${name}:` }),
    ...(google && { googleUrl: google }),
  };
}

async function populate(world: World, known: Stack | undefined, { google }: StartOptions): Promise<Stack> {
  const isGoogleForeign = google !== undefined;
  if (known === undefined) return seed(world, { isGoogleForeign });
  if (isGoogleForeign) introduce(world);
  return { ...known, base_url: world.baseUrl, world_url: world.worldUrl };
}

interface Saver {
  now(): Promise<void>;
  /** Saves shortly, and at most a twentieth of the time. */
  soon(): void;
}

function createSaver(save: () => Promise<void>): Saver {
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  let pause = SAVE_AFTER_MS;

  function now(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    last = last
      .catch(() => undefined)
      .then(async () => {
        const start = performance.now();
        await save();
        pause = Math.max(SAVE_AFTER_MS, 20 * (performance.now() - start));
      });
    return last;
  }

  return {
    now,
    soon() {
      timer ??= setTimeout(() => {
        now().catch((error: unknown) => console.error(`the world was not kept: ${String(error)}`));
      }, pause);
    },
  };
}
