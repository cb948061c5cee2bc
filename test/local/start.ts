import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from './free-port.ts';
import { lockFolder } from './lock-folder.ts';
import { keepSecrets } from './secrets.ts';
import { type Stack, seed } from './seed.ts';
import { welcome } from './welcome.ts';
import { startWorld } from './world.ts';

const FOLDER = fileURLToPath(new URL('../../.local', import.meta.url));
const STACK = join(FOLDER, 'stack.json');
const KEPT = ['pglite', 'secrets.json', 'stack.json'];
const TICK_MS = 60_000;

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    fresh: { type: 'boolean', default: false },
    postgres: { type: 'string' },
    redis: { type: 'string' },
    google: { type: 'string' },
  },
});

async function start(): Promise<void> {
  const port = await freePort(Number(options.port));
  mkdirSync(FOLDER, { recursive: true });
  const unlock = lockFolder(FOLDER);
  if (options.fresh) {
    for (const name of KEPT) rmSync(join(FOLDER, name), { recursive: true, force: true });
  }

  let isOpen = false;
  const world = await startWorld({
    port,
    worldPort: await freePort(port + 1, { orAny: true }),
    dataDir: join(FOLDER, 'pglite'),
    ...(options.postgres === undefined ? {} : { postgresUrl: options.postgres }),
    ...(options.redis === undefined ? {} : { redisUrl: options.redis }),
    ...(options.google === undefined ? {} : { googleUrl: options.google }),
    secrets: keepSecrets(FOLDER),
    onLog: (line) => {
      if (isOpen) console.log(line);
    },
  });
  world.qstash.start();
  const stack = await seed(world, keptStack(), { isGoogleForeign: options.google !== undefined });
  writeFileSync(STACK, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
  const cron = setInterval(() => {
    world.worker.runScheduled(world.clock.now()).catch((error: unknown) => console.error(`cron: ${String(error)}`));
  }, TICK_MS);
  console.log(welcome(stack, world.clock.now()));
  isOpen = true;

  const stop = async () => {
    clearInterval(cron);
    await world.close();
    unlock();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
}

function keptStack(): Stack | undefined {
  try {
    return JSON.parse(readFileSync(STACK, 'utf8')) as Stack;
  } catch {
    return undefined;
  }
}

await start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
