import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Log, LogLevel, Miniflare } from 'miniflare';
import { ASSETS } from '../../functions/cli/assets.ts';
import { WORLD_HOST } from './targets.ts';

export interface WorkerOptions {
  script: string;
  port: number;
  edgePort: number;
  compatibilityDate: string;
  bindings: Record<string, string>;
  /** True to log the spans of each request, as `{"span_event":…}`. */
  isTraced?: boolean;
  /** Callback with the id of each workerd once it runs. */
  onSpawn?: ((pid: number) => void) | undefined;
  onLog: (line: string) => void;
}

export interface WorkerProcess {
  /** Resolves once workerd listens or, after a kill, once the new one does. */
  ready(): Promise<void>;
  runScheduled(at: number): Promise<void>;
  /** Makes the Worker read the world's clock again. */
  rereadClock(): Promise<void>;
  /** Kills workerd as a crash would. A new workerd takes over the port. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

// Miniflare types its handle by global Worker types, which this program does not load.
interface Schedulable {
  scheduled(event: { cron: string; scheduledTime: Date }): Promise<{ outcome: string }>;
}

const owner = new AsyncLocalStorage<(child: ChildProcess) => void>();
subscribe('child_process', (message) => {
  owner.getStore()?.((message as { process: ChildProcess }).process);
});

const LAST_LINES = 12;

/** Runs a bundled Worker in workerd under Miniflare, with all outbound calls sent to the edge. */
export async function startWorker(given: WorkerOptions): Promise<WorkerProcess> {
  const lastLines: string[] = [];
  const options: WorkerOptions = {
    ...given,
    onLog(line) {
      lastLines.splice(0, lastLines.length - LAST_LINES + 1);
      lastLines.push(line);
      given.onLog(line);
    },
  };
  let workerd: ChildProcess | undefined;
  const miniflare = owner.run(
    (child) => {
      workerd = child;
      child.once('spawn', () => child.pid !== undefined && options.onSpawn?.(child.pid));
    },
    () => new Miniflare(miniflareOptions(options)),
  );
  await miniflare.ready.catch(async (error: unknown) => {
    await miniflare.dispose();
    throw error;
  });
  let replaced = Promise.resolve();
  let closed: Promise<void> | undefined;

  async function replace(killed: ChildProcess): Promise<void> {
    if (killed.exitCode !== null || killed.signalCode !== null) return;
    const exited = once(killed, 'exit');
    killed.kill('SIGKILL');
    await exited;
    while (workerd === killed) await sleep(5);
    await miniflare.ready;
  }

  return {
    ready: () => replaced,
    async runScheduled(at) {
      await replaced;
      const worker: unknown = await miniflare.getWorker();
      const { outcome } = await (worker as Schedulable).scheduled({ cron: '* * * * *', scheduledTime: new Date(at) });
      if (outcome !== 'ok')
        throw new Error([`the scheduled handler ended with ${outcome}; logged last:`, ...lastLines].join('\n'));
    },
    async rereadClock() {
      for (;;) {
        const asked = replaced;
        await asked;
        try {
          const response = await miniflare.dispatchFetch(`http://${WORLD_HOST}/`);
          if (response.status !== 204) throw new Error(`the Worker did not read the clock: ${await response.text()}`);
          return;
        } catch (error) {
          // The Worker may have been killed before it answered. Then the one that replaces it is asked.
          if (replaced === asked) throw error;
        }
      }
    },
    kill() {
      const current = workerd;
      if (current !== undefined) replaced = replaced.then(() => replace(current));
      return replaced;
    },
    close() {
      closed ??= replaced.then(() => miniflare.dispose());
      return closed;
    },
  };
}

/** Receives a Worker's trace while it runs, as Cloudflare's own collector does. */
const TAIL = `
const plain = (_name, value) => (typeof value === 'bigint' ? Number(value) : value);
export default {
  tailStream: () => ({ event, spanContext }) =>
    console.log(JSON.stringify({ span_event: { ...event, of: spanContext.spanId } }, plain)),
}`;

function miniflareOptions({ script, port, edgePort, compatibilityDate, bindings, isTraced, onLog }: WorkerOptions) {
  const product = {
    name: 'tandem',
    modules: [{ type: 'ESModule' as const, path: 'worker.mjs', contents: script }],
    compatibilityDate,
    compatibilityFlags: ['global_fetch_strictly_public'],
    bindings,
    // Cloudflare's own service for assets would stand in front of the Worker and slow down each request.
    serviceBindings: { ASSETS: { disk: { path: ASSETS } } },
    outboundService: { external: { address: `127.0.0.1:${edgePort}`, http: {} } },
  };
  const tail = {
    name: 'tail',
    modules: [{ type: 'ESModule' as const, path: 'tail.mjs', contents: TAIL }],
    compatibilityDate,
    compatibilityFlags: ['experimental'],
  };
  return {
    host: '127.0.0.1',
    port,
    log: new Log(LogLevel.ERROR),
    workers: isTraced ? [{ ...product, streamingTails: [tail.name] }, tail] : [product],
    handleRuntimeStdio(stdout: NodeJS.ReadableStream, stderr: NodeJS.ReadableStream) {
      createInterface(stdout).on('line', onLog);
      createInterface(stderr).on('line', onLog);
    },
  };
}
