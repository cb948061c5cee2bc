import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE } from '../../lib/engine/time/dates.ts';
import { verifyWebhook } from '../../lib/webhooks/verify.ts';
import { temporaryDatabase } from '../local/open-db.ts';
import { createSecrets } from '../local/platforms.ts';
import { startWorld, type World } from '../local/world.ts';
import { ms, printTable, quantile, ratio } from './figures.ts';
import {
  createEmitter,
  createReceivers,
  type Emitted,
  type Emitter,
  type Kind,
  type Receipt,
  type Receiver,
  watchInbox,
} from './webhooks-emit.ts';

/** Longest time after the last event by which every delivery must have ended. */
const PATIENCE_MS = 120_000;

interface Run {
  emitted: Emitted[];
  /** Requests of each delivery, in order of arrival. */
  receipts: Map<string, Receipt[]>;
  deliveries: number;
  tookMs: number;
  stillPending: number;
}

interface LoadOptions {
  world: World;
  emitter: Emitter;
  receipts: Receipt[];
  receivers: Receiver[];
  count: number;
  perSecond?: number;
}

/**
 * Emits events and lets the queue deliver them, with a sweep each minute as in production, until every delivery has
 * ended.
 */
async function runLoad({ world, emitter, receipts, receivers, count, perSecond }: LoadOptions): Promise<Run> {
  receipts.length = 0;
  const from = Date.now();
  const cron = setInterval(() => void world.worker.runScheduled(Date.now()), MINUTE);
  const emitted = await emitter.emit(receivers, count, perSecond);
  const stillPending = await ended(world, Date.now() + PATIENCE_MS);
  clearInterval(cron);
  const lastEnd = await endOf(world, from);
  return { emitted, receipts: byDelivery(receipts), deliveries: count, stillPending, tookMs: lastEnd - from };
}

async function ended(world: World, until: number): Promise<number> {
  for (;;) {
    const [row] = await world.neon.query(`select count(*)::int as pending from deliveries where status = 'pending'`);
    const pending = Number(row?.pending);
    if (pending === 0 || Date.now() > until) return pending;
    await pause(250);
  }
}

async function endOf(world: World, from: number): Promise<number> {
  const [row] = await world.neon.query(
    `select (extract(epoch from max(finished_at)) * 1000)::float8 as at from deliveries where created_at >= $1`,
    [new Date(from).toISOString()],
  );
  return Number(row?.at);
}

function byDelivery(receipts: Receipt[]): Map<string, Receipt[]> {
  const found = new Map<string, Receipt[]>();
  for (const receipt of receipts) found.set(receipt.deliveryId, [...(found.get(receipt.deliveryId) ?? []), receipt]);
  return found;
}

/** Returns, for each event of platforms of this kind, the milliseconds from its due time to its first arrival. */
const latencies = ({ emitted, receipts }: Run, kind: Kind): number[] =>
  emitted.flatMap(({ deliveryId, receiver, due }) => {
    const first = receipts.get(deliveryId)?.[0];
    return receiver.kind === kind && first !== undefined ? [first.from - due] : [];
  });

// Measures how webhook deliveries hold up under load. Uses a real Postgres, in a database of its own that is dropped at
// the end, and the real Worker. Local stand-ins replace everyone else:
//
//   TEST_POSTGRES=postgres://postgres@127.0.0.1:5432/postgres npm run bench -- webhooks
//
// BENCH_DELIVERIES (10,000) events go to 50 platforms, of which 5 are slow and 5 dead. The queue delivers
// BENCH_PARALLELISM (100) messages at a time. Times are printed but not judged. The bench exits with 1 if an event was
// lost or signed wrongly.

const PLATFORMS: Record<Kind, number> = { healthy: 40, slow: 5, dead: 5 };
const KINDS: Kind[] = ['healthy', 'slow', 'dead'];
/** Number of messages that QStash delivers at a time on its pay-as-you-go plan. */
const ACCOUNT_PARALLELISM = Number(process.env.BENCH_PARALLELISM ?? 100);
const BURST = 1_000;
/**
 * Rate of events in the load, as a share of the burst's rate. The service then has room to spare, so any waiting has a
 * cause.
 */
const LOAD_SHARE = 0.5;
/** Number of rounds in which baseline and load take turns, so that other work on the machine affects both. */
const ROUNDS = 2;

/**
 * Sends events to platforms of which some are slow and some dead, and prints the figures. Returns everything that went
 * wrong.
 */
async function benchLoad(adminUrl: string, count: number): Promise<string[]> {
  const database = await temporaryDatabase(adminUrl);
  const secrets = createSecrets();
  const world = await startWorld({ postgresUrl: database.url, secrets });
  const emitter = await createEmitter(world, secrets);
  try {
    world.qstash.setKnobs({ parallelism: ACCOUNT_PARALLELISM });
    world.qstash.start();
    const receivers = await createReceivers(world, PLATFORMS);
    const healthy = receivers.filter(({ kind }) => kind === 'healthy');
    const receipts = watchInbox(world);
    const healthyCount = Math.round((count * healthy.length) / receivers.length);

    const wrongs: string[] = [];
    const run = async (name: string, to: Receiver[], events: number, perSecond?: number) => {
      const limit = perSecond === undefined ? {} : { perSecond };
      const made = await runLoad({ world, emitter, receipts, receivers: to, count: events, ...limit });
      wrongs.push(...(await findWrongs(world, made, receivers)).map((wrong) => `${name}: ${wrong}`));
      return made;
    };
    await run('warm-up', healthy, 200);
    const burst = await run('burst', healthy, BURST);
    const burstRate = rateOf(burst);
    const perSecond = Math.max(10, Math.floor(burstRate * LOAD_SHARE));
    console.log(`\nburst: ${BURST} to the healthy at once, ${burstRate.toFixed(0)} ended per second`);
    console.log(
      `then ${perSecond} a second to all 50, evenly, in turn with the baseline, which leaves out the slow and the dead\n`,
    );
    const baselines: Run[] = [];
    const loads: Run[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const share = (perSecond * healthy.length) / receivers.length;
      baselines.push(await run('baseline', healthy, Math.round(healthyCount / ROUNDS), share));
      loads.push(await run('load', receivers, Math.round(count / ROUNDS), perSecond));
    }
    report(baselines, loads);
    return wrongs;
  } finally {
    emitter.close();
    await world.close();
    await database.drop();
  }
}

const rateOf = ({ deliveries, tookMs }: Run) => (deliveries * 1_000) / tookMs;

function report(baselines: Run[], loads: Run[]): void {
  const shares = [0.5, 0.99, 1];
  const of = (runs: Run[], kind: Kind) => runs.flatMap((run) => latencies(run, kind));
  const row = (name: string, samples: number[]) => [
    ...[name, String(samples.length)],
    ...shares.map((share) => ms(quantile(samples, share))),
  ];
  const [without, withThem] = [of(baselines, 'healthy'), of(loads, 'healthy')];
  printTable([
    ['due → first received, ms', 'received', 'p50', 'p99', 'max'],
    row('healthy, baseline', without),
    ...KINDS.map((kind) => row(`${kind}, load`, of(loads, kind))),
    [
      ...['healthy, load : baseline', ''],
      ...shares.map((share) => ratio(quantile(withThem, share), quantile(without, share))),
    ],
  ]);
  console.log('(dead: only those that answer 503; the others reset the connection)');
}

/**
 * Finds everything that went wrong in a run. Returns one line with a count for each kind of fault, and an empty list if
 * there is none.
 */
async function findWrongs(world: World, run: Run, receivers: Receiver[]): Promise<string[]> {
  const alive = run.emitted.filter(({ receiver }) => receiver.kind !== 'dead');
  const wrong: [string, number][] = [
    ['still pending', run.stillPending],
    ['never received', alive.filter(({ deliveryId }) => !run.receipts.has(deliveryId)).length],
    ['received with a wrong signature', await badSignatures(world, receivers)],
  ];
  return wrong.filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`);
}

async function badSignatures(world: World, receivers: Receiver[]): Promise<number> {
  const secrets = new Map(receivers.map(({ host, secret }) => [host, secret]));
  const verdicts = await Promise.all(
    world.inbox.deliveries().map(async ({ url, headers, body_text, received_at }) => {
      const secret = secrets.get(new URL(url).hostname) ?? 'unknown';
      return verifyWebhook({ secret, headers, body: body_text, now: Date.parse(received_at), toleranceSeconds: 5 });
    }),
  );
  return verdicts.filter(({ ok }) => !ok).length;
}

const { TEST_POSTGRES = 'postgres://postgres@127.0.0.1:5432/postgres', BENCH_DELIVERIES = '10000' } = process.env;
const wrongs = await benchLoad(TEST_POSTGRES, Number(BENCH_DELIVERIES));
console.log(wrongs.length === 0 ? '\nnothing went wrong' : `\nwent wrong:\n${wrongs.join('\n')}`);
process.exitCode = wrongs.length === 0 ? 0 : 1;
