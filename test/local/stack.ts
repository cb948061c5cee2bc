import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { reservePort } from './free-port.ts';
import { lockFolder, readKept, type Saved, type Servers, writeKept } from './kept.ts';
import { readAnswers } from './llm.ts';
import type { StartOptions } from './options.ts';
import { createSecrets, type Secrets } from './platforms.ts';
import { currentStack, findSlot, seedOrExplain, shownLine, welcome } from './welcome.ts';
import { startWorld } from './world.ts';
import { wranglerIn } from './wrangler.ts';

const TICK_MS = 60_000;
const HABITS_MS = 1_000;
const SAVE_AFTER_MS = 100;
const AFRESH = 'To delete the data of earlier starts, run `npm start -- --fresh`';

/**
 * Runs the local stack until a signal ends it, and keeps its world in a folder from one start to the next. Returns a
 * function that closes it.
 */
export async function runStack(options: StartOptions): Promise<() => Promise<void>> {
  const answers = options.model === undefined ? undefined : readAnswers(options.model);
  const folder = resolve(options.data);
  const temporary = join(folder, 'tmp');
  mkdirSync(folder, { recursive: true });
  const lock = await lockFolder(folder);
  process.on('exit', () => {
    rmSync(temporary, { recursive: true, force: true });
    lock.release();
  });

  // Deletes what a killed process left in its temporary folder.
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary);
  process.env.TMPDIR = temporary;

  const port = await reservePort(options.port);
  const worldPort = await reservePort(options.port + 1, { orAny: true });
  const saved = recall(folder, options);
  if (saved === undefined && options.postgres === undefined)
    console.log(
      'The first start creates the database, which takes about ten seconds, or longer if the machine is busy.',
    );
  const secrets = { ...createSecrets(), ...saved?.secrets };
  let saver: ReturnType<typeof createSaver> | undefined;
  let isOpen = false;
  const world = await startWorld({
    ...placesOf(folder, secrets, options),
    port,
    worldPort,
    ...(options.wrangler && { runWorker: wranglerIn(folder) }),
    secrets,
    kept: saved?.world,
    onChange: () => saver?.soon(),
    onWorkerd: lock.note,
    onLog(line) {
      const shown = options.logs || options.wrangler ? line : shownLine(line);
      if (isOpen && shown !== undefined) console.log(shown);
    },
  }).catch((error: unknown) => {
    if (saved === undefined) throw error;
    throw new Error(
      `${error instanceof Error ? error.message : error}\nThe data of an earlier start may be the cause. ${AFRESH}.`,
    );
  });
  if (answers !== undefined) world.llm.play(answers);
  const stack = saved === undefined ? await seedOrExplain(world) : await currentStack(world, saved.stack);
  writeFileSync(join(folder, 'stack.json'), `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
  saver = createSaver(async () =>
    writeKept(fileIn(folder), { servers: serversOf(options), secrets, stack, world: await world.keep() }),
  );
  await saver.now();
  world.qstash.start();
  const cron = setInterval(() => {
    world.worker.runScheduled(world.clock.now()).catch((error: unknown) => console.error(`cron: ${String(error)}`));
  }, TICK_MS);
  const habits = setInterval(() => world.google.act(), HABITS_MS);

  const { now: save } = saver;
  async function close() {
    clearInterval(cron);
    clearInterval(habits);
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

/** Returns the state that the last start saved. A start that did not get that far left nothing useful. */
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
    `The world in ${folder} was started with ${named.join(' and ') || 'no other servers'}. Start it the same way, or choose another folder with --data. ${AFRESH}.`,
  );
}

function serversOf({ postgres, redis }: StartOptions): Servers {
  return { ...(postgres && { postgres }), ...(redis && { redis }) };
}

function placesOf(folder: string, secrets: Secrets, { postgres, redis }: StartOptions) {
  const name = createHash('sha256').update(secrets.UPSTASH_REDIS_REST_TOKEN).digest('hex').slice(0, 12);
  return {
    dataDir: join(folder, 'pglite'),
    ...(postgres && { postgresUrl: postgres }),
    ...(redis && { redisUrl: redis, redisPrefix: `tandem-${name}:` }),
  };
}

function createSaver(save: () => Promise<void>) {
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
    /** Saves soon, but spends at most a twentieth of the time on it. */
    soon() {
      timer ??= setTimeout(() => {
        now().catch((error: unknown) => console.error(`The world could not be saved: ${String(error)}`));
      }, pause);
    },
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const ONE_PRESS_MS = 1000;

/** Ends the process with 0 on Ctrl-C and similar signals, once `close` is done. A second signal ends it at once. */
export function endOnSignal(close: () => void | Promise<void>): void {
  let since: number | undefined;
  async function end() {
    // One Ctrl-C arrives twice, from the terminal and from npm.
    if (since !== undefined && performance.now() - since < ONE_PRESS_MS) return;
    if (since !== undefined) process.exit(1);
    since = performance.now();
    await close();
    process.exit(0);
  }
  // Other listeners, such as Miniflare's, would end the process before anything is closed.
  for (const signal of SIGNALS) process.removeAllListeners(signal).on(signal, end);
}
