import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ASSETS, buildAssets } from '../../functions/cli/assets.ts';
import { aliases } from './bundle.ts';
import type { WorkerOptions, WorkerProcess } from './worker-process.ts';

const POLL_MS = 200;
const END_MS = 5_000;
const SAVED_MS = 50;
const SOURCES = ['functions', 'lib', 'schema'];
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BINARY = join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'bin/wrangler.js');

/**
 * Returns a function that runs the Worker with `wrangler dev` beside the stand-ins. Its configuration is written to the
 * data folder: wrangler.toml itself is for deploying, so it ends a bare `wrangler dev`, and asks for a Cloudflare login.
 */
export const wranglerIn =
  (folder: string) =>
  async (options: WorkerOptions): Promise<WorkerProcess> => {
    const config = join(folder, 'wrangler.json');
    writeFileSync(config, JSON.stringify(configOf(options), null, 2), { mode: 0o600 });
    const args = ['dev', '--config', config, '--ip', '127.0.0.1', '--port', String(options.port), '--local'];
    const child = spawn(process.execPath, [BINARY, ...args, '--show-interactive-dev-session=false'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        WRANGLER_SEND_METRICS: 'false',
        CLOUDFLARE_CF_FETCH_ENABLED: 'false',
        FORCE_COLOR: '0',
        CI: '1',
      },
    });
    const printed: string[] = [];
    const onLine = (line: string) => {
      printed.push(line);
      options.onLog(line);
    };
    for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', onLine);
    if (child.pid !== undefined) options.onSpawn?.(child.pid);
    const at = (path: string) => `http://127.0.0.1:${options.port}${path}`;
    const answers = (path: string) =>
      fetch(at(path)).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await answers('/health'))) {
      if (child.exitCode !== null) throw new Error(['wrangler dev ended:', ...printed.slice(-20)].join('\n'));
      await sleep(POLL_MS);
    }

    const stopWatching = rebuildOnSave(options.onLog);
    return {
      ready: async () => undefined,
      async runScheduled(time) {
        const response = await fetch(at(`/cdn-cgi/handler/scheduled?cron=*+*+*+*+*&time=${time}`));
        if (!response.ok) throw new Error(`the scheduled handler answered ${response.status}`);
      },
      async rereadClock() {
        const response = await fetch(at('/.local/clock'));
        if (response.status !== 204) throw new Error(`the Worker did not read the clock: ${await response.text()}`);
      },
      async kill() {
        options.onLog('A fault should kill the Worker, which `wrangler dev` cannot do. Use `npm start` for that.');
      },
      async close() {
        stopWatching();
        if (child.exitCode !== null) return;
        const ended = once(child, 'exit');
        child.kill('SIGINT');
        await Promise.race([ended, sleep(END_MS).then(() => child.kill('SIGKILL'))]);
      },
    };
  };

/** Builds the static assets again after a save, which wrangler does for the Worker alone. Returns a function that stops. */
function rebuildOnSave(onLog: (line: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let built = Promise.resolve();
  const onSave = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      built = built.then(buildAssets).catch((error: unknown) => onLog(String(error)));
    }, SAVED_MS);
  };
  const stop = watchFolders(ROOT, SOURCES, onSave);
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** Returns the configuration: that of wrangler.toml without what only a deployed Worker has, and with local values. */
function configOf({ bindings, compatibilityDate, edgePort }: WorkerOptions) {
  const toml = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8');
  const flags = /^compatibility_flags = (\[.*\])$/m.exec(toml)?.[1] ?? '[]';
  return {
    name: 'tandem',
    main: join(ROOT, 'test/local/wrangler-worker.ts'),
    compatibility_date: compatibilityDate,
    compatibility_flags: JSON.parse(flags),
    alias: aliases(),
    assets: { directory: ASSETS, binding: 'ASSETS', run_worker_first: true, html_handling: 'none' },
    vars: { ...bindings, WORLD_URL: `http://127.0.0.1:${edgePort}` },
  };
}

/**
 * Calls `onSave` after a file in one of the folders changed, at any depth. Returns a function that stops. Each folder is
 * watched and no file: an editor that saves by renaming puts a new file in the place of the watched one, which
 * `recursive` then loses on Linux.
 */
export function watchFolders(root: string, names: readonly string[], onSave: () => void): () => void {
  const inside = globSync(
    names.map((name) => `${name}/**/`),
    { cwd: root, exclude: (path) => path.endsWith('node_modules') },
  );
  const watchers = [...new Set([...names, ...inside])].map((folder) => watch(join(root, folder), onSave));
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}
