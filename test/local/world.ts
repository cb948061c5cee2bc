import { fileURLToPath } from 'node:url';
import { buildAssets } from '../../functions/cli/assets.ts';
import { randomIds } from '../../lib/kit/ids.ts';
import { dashboardLink } from '../../lib/platforms/dashboard.ts';
import { bundleWorker } from './bundle.ts';
import { createClock } from './clock.ts';
import { createControl } from './control.ts';
import { startEdge } from './edge.ts';
import { createFaults, createLateCalls, createLatency } from './faults.ts';
import { onFreePort, type ReservedPort, reservePort } from './free-port.ts';
import { type Kept, moveTo } from './kept.ts';
import { openDb } from './open-db.ts';
import { createParties, DEMO_DOMAIN, type Places } from './parties.ts';
import { connectCalendar, connectWithKey, createPeople, liveKey, signIn } from './people.ts';
import { createPlatforms, createSecrets, type PlatformKeys, type Secrets } from './platforms.ts';
import { createSleepers } from './sleepers.ts';
import { HOSTS } from './targets.ts';
import { createTraffic } from './traffic.ts';
import { createTriggers } from './triggers.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

/** The module that exports the production Worker as the local stack runs it. */
export const WORKER_ENTRY = fileURLToPath(new URL('worker.ts', import.meta.url));
export const MIGRATIONS = fileURLToPath(new URL('../../schema/migrations', import.meta.url));
const KEPT_LOG_LINES = 5_000;

export interface WorldOptions extends Places {
  /** Port of the Worker, which passes connections on to workerd; any free one if absent. */
  port?: ReservedPort;
  /** Port of the control server; any free one if absent. */
  worldPort?: ReservedPort;
  secrets?: Secrets;
  /**
   * Factor by which the Worker waits longer for its own services than it says, so that a busy machine does not look
   * like an outage. One if absent. Above one, the time that a hanging call or a pause of the Worker would take passes
   * at once.
   */
  patience?: number;
  /** Function that runs the Worker; workerd under Miniflare if absent. */
  runWorker?: typeof startWorker;
  /** Module that exports `worker`; the production Worker if absent. */
  entry?: string;
  /** Bundle of that module, if it was made before. */
  script?: string;
  /** True to include the spans of the Worker's traces in its logs. */
  isTraced?: boolean;
  /** State that an earlier start saved, from which this world continues. */
  kept?: Kept | undefined;
  /** Callback after a request that may have changed the answer of `keep()`. */
  onChange?: () => void;
  /** Callback with the id of each workerd, which must not outlive this process. */
  onWorkerd?: (pid: number) => void;
  onLog?: (line: string) => void;
  report?: (line: string) => void;
}

/** The Worker in workerd and every service it calls, on loopback. */
export type World = Awaited<ReturnType<typeof startWorld>>;

/** Starts a whole local world. `close()` ends everything that it started. */
export async function startWorld(options: WorldOptions = {}) {
  const secrets = options.secrets ?? createSecrets();
  const [faults, latency, traffic] = [createFaults(), createLatency(), createTraffic()];
  const port = options.port ?? (await reservePort());
  const baseUrl = `http://localhost:${port.port}`;
  const kept = options.kept && moveTo(baseUrl, options.kept);
  const clock = createClock(kept?.clockOffset);
  const lateCalls = createLateCalls(clock);
  const [parties, script] = await Promise.all([
    createParties({ ...options, clock, secrets, kept }).then(async (made) => {
      await made.neon.migrate(MIGRATIONS);
      return made;
    }),
    options.script ?? (options.runWorker ? '' : bundleWorker(options.entry ?? WORKER_ENTRY)),
    options.script ?? buildAssets(),
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
    await Promise.all([worker, ...seconds].map((one) => one.rereadClock()));
    parties.google.act();
  }

  const journey = (platform: PlatformKeys, email: string) => ({
    baseUrl,
    worldUrl: edge.url,
    publishableKey: platform.publishable_key,
    email,
  });
  const people = createPeople({
    neon: parties.neon,
    kept: kept?.userKeys,
    hasAccount: (email) => email.endsWith(`@${DEMO_DOMAIN}`) || parties.google.hasUser(email),
    connect: async (platform, email) => void (await connectCalendar(journey(platform, email))),
    connectWithKey: (platform, email) => connectWithKey(journey(platform, email)),
  });
  const { connect } = people;

  const sleepers = createSleepers({ clock, traffic, turn: () => worker.rereadClock() });

  const control = createControl({
    patience: options.patience ?? 1,
    clock,
    faults,
    latency,
    traffic,
    platforms,
    connect,
    // Made without the secret key, because a dashboard replaces that key and shows the new one to its owner alone.
    async dashboardLink({ id }) {
      const config = { baseUrl, ownDomain: DEMO_DOMAIN, sessionSecret: secrets.SESSION_SECRET };
      const by = {
        actor: { kind: 'operator', id: 'npm start' },
        network: null,
        requestId: randomIds.id('req_'),
      } as const;
      const ctx = { db: openDb(parties.neon), clock, ids: randomIds, config, ...by };
      return (await dashboardLink(ctx, id, { readOnly: false })).url;
    },
    moveClock: advance,
    sleep: sleepers.sleep,
    trigger: createTriggers({
      clock,
      neon: parties.neon,
      google: parties.google,
      baseUrl,
      consent: async (publishableKey, email) =>
        void (await connectCalendar({ baseUrl, worldUrl: edge.url, publishableKey, email })),
      deliverDue: () => parties.qstash.deliverDue(),
      tick: () => worker.runScheduled(clock.now()),
    }),
    async firstKey() {
      const platform = platforms.find();
      return platform && (await liveKey(parties.neon, platform, "Send it: -H 'Authorization: Bearer sk_live_…'"));
    },
    google: parties.google,
    inbox: parties.inbox,
    llm: parties.llm,
    pages: (request) => parties.google.fetch(request),
    deliverDue: () => parties.qstash.deliverDue(),
    worker: () => worker,
  });
  const edge = await startEdge({
    port: options.worldPort?.server ?? 0,
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
  const variables = bindings(secrets, { baseUrl, worldUrl: edge.url });
  const start = (at: number, without: string[]) =>
    (options.runWorker ?? startWorker)({
      script,
      port: at,
      edgePort: edge.port,
      onSpawn: options.onWorkerd,
      compatibilityDate: '2026-07-01',
      bindings: Object.fromEntries(Object.entries(variables).filter(([name]) => !without.includes(name))),
      isTraced: options.isTraced ?? false,
      onLog(line) {
        options.onLog?.(line);
        logs.push(line);
        if (logs.length > KEPT_LOG_LINES) logs.shift();
      },
    });
  // workerd cannot take over a listening server, so it listens on a port of its own behind the reserved one.
  const startBehind = (reserved: ReservedPort, without: string[] = []) =>
    onFreePort(async (behind) => {
      const started = await start(behind, without);
      reserved.passTo(behind);
      return started;
    });
  const worker = await startBehind(port);
  const seconds = new Set<WorkerProcess>();

  return {
    ...parties,
    baseUrl,
    worldUrl: edge.url,
    secrets,
    clock,
    faults,
    latency,
    lateCalls,
    traffic,
    platforms,
    worker,
    advance,
    /**
     * Waits this many ms on the world's clock. The clock moves to the end of the wait once the Worker does nothing else.
     */
    async pause(ms: number) {
      await sleepers.sleep(ms);
      await worker.rereadClock();
    },
    connect,
    async connectCalendar(platform: PlatformKeys, email: string) {
      await connectCalendar(journey(platform, email));
    },
    signIn: (email: string) => signIn({ baseUrl, worldUrl: edge.url, email }),
    /**
     * Starts a second Worker on the same services, with a memory of its own. Leaves out the named variables of the
     * first.
     */
    async startSecond({ without = [] }: { without?: string[] } = {}) {
      const second = await reservePort();
      const started = await startBehind(second, without);
      seconds.add(started);
      return {
        baseUrl: `http://localhost:${second.port}`,
        async close() {
          seconds.delete(started);
          await started.close();
          await second.release();
        },
      };
    },
    /** Returns the state of every service but the database, to be saved. */
    keep: async (): Promise<Kept> => ({
      baseUrl,
      clockOffset: clock.offset(),
      platforms: platforms.keep(),
      userKeys: people.keep(),
      redis: await parties.redis.keep(),
      queue: parties.qstash.keep(),
      inbox: parties.inbox.keep(),
      google: parties.google.keep(),
    }),
    /** Log lines of the Worker, oldest first. */
    logs: () => logs,
    async close() {
      await parties.qstash.close();
      await worker.close();
      await port.release();
      await edge.close();
      await Promise.all([parties.neon.close(), parties.redis.close()]);
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
    COMPANY_NAME: 'Tandem on this machine',
    CONTACT_EMAIL: 'operator@tandem.test',
    SUPPORT_EMAIL: 'support@tandem.test',
    SECURITY_EXPIRES: '2099-12-31',
  };
}
