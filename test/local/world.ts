import { fileURLToPath } from 'node:url';
import { createTandem } from '../../lib/client/tandem.ts';
import type { Browser, Page } from './browser.ts';
import { bundleWorker } from './bundle.ts';
import { createClock, type MovableClock } from './clock.ts';
import { connectCalendar, connectWithKey, signIn } from './connect.ts';
import { createControl } from './control.ts';
import { type Edge, startEdge } from './edge.ts';
import { createFaults, type Faults } from './faults.ts';
import { freePort } from './free-port.ts';
import { HOSTS } from './hosts.ts';
import { type Kept, moveTo } from './kept.ts';
import { createLateCalls, type LateCalls } from './late-calls.ts';
import { createLatency, type Latency } from './latency.ts';
import { createParties, type Parties } from './parties.ts';
import { createPlatforms, type PlatformKeys, type Platforms } from './platforms.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createSleepers } from './sleepers.ts';
import { createTraffic, type Traffic } from './traffic.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

/** The module that exports the production Worker as the local stack runs it. */
export const WORKER_ENTRY = fileURLToPath(new URL('worker.ts', import.meta.url));
export const MIGRATIONS = fileURLToPath(new URL('../../schema/migrations', import.meta.url));
const KEPT_LOG_LINES = 5_000;

export interface WorldOptions {
  /** The Worker's port; any free one when absent. */
  port?: number;
  /** The control server's port; any free one when absent. */
  worldPort?: number;
  /** Where PGlite keeps its data; memory when absent. */
  dataDir?: string;
  /** A dumped data folder of PGlite to start from. */
  snapshot?: Blob;
  postgresUrl?: string;
  redisUrl?: string;
  /** What this world's keys start with on a real Redis, where they then stay; fresh ones, gone on close, when absent. */
  redisPrefix?: string;
  /** Another server that plays Google. */
  googleUrl?: string;
  secrets?: Secrets;
  /**
   * How many times as long as it says the Worker waits for its own services, so that a busy machine is no outage;
   * with more than one, the time a hanging call would take passes at once, and the Worker's own pauses take none. One when absent.
   */
  patience?: number;
  /** The module that exports `worker`; the production Worker when absent. */
  entry?: string;
  /** The same, bundled before. */
  script?: string;
  /** What an earlier start kept: this world carries on from there. */
  kept?: Kept | undefined;
  /** Called when a request may have changed what `keep()` answers. */
  onChange?: () => void;
  /** Called with the id of each workerd, which must not outlive this process. */
  onWorkerd?: (pid: number) => void;
  onLog?: (line: string) => void;
  report?: (line: string) => void;
}

/** The Worker in workerd and everyone it talks to, on loopback. */
export interface World extends Parties {
  baseUrl: string;
  worldUrl: string;
  clock: MovableClock;
  faults: Faults;
  latency: Latency;
  lateCalls: LateCalls;
  traffic: Traffic;
  platforms: Platforms;
  worker: WorkerProcess;
  /** What the Worker logged, oldest first. */
  logs(): string[];
  /** Moves the clock of the Worker and of everyone else. */
  advance(ms: number): Promise<void>;
  /** Waits so many ms on the world's clock, which moves on to their end once the Worker does nothing else. */
  pause(ms: number): Promise<void>;
  /** A person connects their calendar to a platform and makes a user key. */
  connect(platform: PlatformKeys, email: string): Promise<{ email: string; api_key: string }>;
  /** The same without a key. */
  connectCalendar(platform: PlatformKeys, email: string): Promise<void>;
  /** A person signs in to their own page; answers it and the browser it is open in. */
  signIn(email: string): Promise<{ page: Page; browser: Browser }>;
  /** A second Worker on the same parties, with a memory of its own. */
  startSecond(): Promise<{ baseUrl: string; close(): Promise<void> }>;
  /** What everyone but the database knows, to be kept. */
  keep(): Promise<Kept>;
  close(): Promise<void>;
}

/** Starts a whole local world; everything it started ends with `close()`. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const secrets = options.secrets ?? createSecrets();
  const [faults, latency, traffic] = [createFaults(), createLatency(), createTraffic()];
  const port = await freePort(options.port);
  const baseUrl = `http://localhost:${port}`;
  const kept = options.kept && moveTo(baseUrl, options.kept);
  const clock = createClock(kept?.clockOffset);
  const lateCalls = createLateCalls(clock);
  const [parties, script] = await Promise.all([
    createParties({ ...options, clock, secrets, kept }).then(async (made) => {
      await made.neon.migrate(MIGRATIONS);
      return made;
    }),
    options.script ?? bundleWorker(options.entry ?? WORKER_ENTRY),
  ]);
  const logs: string[] = [];
  const platforms = createPlatforms({
    neon: parties.neon,
    clock,
    tokenKeys: secrets.TOKEN_KEYS,
    keySecret: secrets.KEY_CHECK_SECRET,
    kept: kept?.platforms,
  });

  async function advance(ms: number): Promise<void> {
    clock.advance(ms);
    await worker.rereadClock();
  }

  const journey = (platform: PlatformKeys, email: string) => ({
    baseUrl,
    worldUrl: edge.url,
    publishableKey: platform.publishable_key,
    email,
  });
  const connect = (platform: PlatformKeys, email: string) => connectWithKey(journey(platform, email));

  const sleepers = createSleepers({ clock, traffic, turn: () => worker.rereadClock() });

  const control = createControl({
    patience: options.patience ?? 1,
    clock,
    faults,
    latency,
    traffic,
    platforms,
    connect,
    dashboardLink: async ({ secret_key: apiKey }) => {
      const { url } = await createTandem({ apiKey, baseUrl }).createDashboardLink();
      return url;
    },
    moveClock: advance,
    sleep: sleepers.sleep,
    google: parties.google,
    inbox: parties.inbox,
    pages: (request) => parties.google.fetch(request),
    deliverDue: () => parties.qstash.deliverDue(),
    worker: () => worker,
  });
  const edge: Edge = await startEdge({
    port: options.worldPort ?? 0,
    parties,
    own: (request) => control.fetch(request),
    isInbox: (host) => parties.inbox.isHost(host),
    clock,
    faults,
    latency,
    lateCalls,
    traffic,
    killWorker: () => worker.kill(),
    onHandled: options.onChange,
    report: options.report ?? ((line) => process.stderr.write(`${line}\n`)),
  });
  const workerAt = (port: number) =>
    startWorker({
      script,
      port,
      edgePort: edge.port,
      onSpawn: options.onWorkerd,
      compatibilityDate: '2026-07-01',
      bindings: bindings(secrets, { baseUrl, worldUrl: edge.url }),
      onLog(line) {
        options.onLog?.(line);
        logs.push(line);
        if (logs.length > KEPT_LOG_LINES) logs.shift();
      },
    });
  const worker = await workerAt(port);

  return {
    ...parties,
    baseUrl,
    worldUrl: edge.url,
    clock,
    faults,
    latency,
    lateCalls,
    traffic,
    platforms,
    worker,
    advance,
    async pause(ms) {
      await sleepers.sleep(ms);
      await worker.rereadClock();
    },
    connect,
    async connectCalendar(platform, email) {
      await connectCalendar(journey(platform, email));
    },
    signIn: (email) => signIn({ baseUrl, worldUrl: edge.url, email }),
    async startSecond() {
      const second = await freePort();
      const { close } = await workerAt(second);
      return { baseUrl: `http://localhost:${second}`, close };
    },
    keep: async () => ({
      baseUrl,
      clockOffset: clock.offset(),
      platforms: platforms.keep(),
      redis: await parties.redis.keep(),
      queue: parties.qstash.keep(),
      inbox: parties.inbox.keep(),
      google: parties.google.keep(),
    }),
    logs: () => logs,
    async close() {
      await parties.qstash.close();
      await worker.close();
      await edge.close();
      await Promise.all([parties.neon, parties.redis, parties.google].map((party) => party.close()));
    },
  };
}

function bindings(secrets: Secrets, { baseUrl, worldUrl }: { baseUrl: string; worldUrl: string }) {
  return {
    ...secrets,
    BASE_URL: baseUrl,
    LOCAL_MODE: 'on',
    DATABASE_URL: 'postgresql://tandem:local@db.neon.test/tandem',
    UPSTASH_REDIS_REST_URL: `https://${HOSTS.redis}`,
    GOOGLE_AUTHORIZE_URL: `${worldUrl}/o/oauth2/v2/auth`,
  };
}
