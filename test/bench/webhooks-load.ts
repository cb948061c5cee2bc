import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../local/world.ts';
import type { Emitted, Emitter } from './webhooks-emit.ts';
import type { Kind, Receipt, Receiver } from './webhooks-receivers.ts';

const MINUTE_MS = 60_000;
/** Longest time after the last event by which every delivery must have ended. */
const PATIENCE_MS = 120_000;

/** Outcome of the events of one run. */
export interface Run {
  emitted: Emitted[];
  /** Requests of each delivery, in order of arrival. */
  receipts: Map<string, Receipt[]>;
  deliveries: number;
  tookMs: number;
  stillPending: number;
  /** Longest time that this process, which runs all the stand-ins, was kept from its work. */
  longestStallMs: number;
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
export async function runLoad({ world, emitter, receipts, receivers, count, perSecond }: LoadOptions): Promise<Run> {
  receipts.length = 0;
  const from = Date.now();
  const stalls = monitorEventLoopDelay();
  stalls.enable();
  const cron = setInterval(() => void world.worker.runScheduled(Date.now()), MINUTE_MS);
  const emitted = await emitter.emit(receivers, count, perSecond);
  const stillPending = await ended(world, Date.now() + PATIENCE_MS);
  clearInterval(cron);
  const lastEnd = await endOf(world, from);
  stalls.disable();
  return {
    emitted,
    receipts: byDelivery(receipts),
    deliveries: count,
    stillPending,
    tookMs: lastEnd - from,
    longestStallMs: stalls.max / 1e6,
  };
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
export const latencies = ({ emitted, receipts }: Run, kind: Kind): number[] =>
  emitted.flatMap(({ deliveryId, receiver, due }) => {
    const first = receipts.get(deliveryId)?.[0];
    return receiver.kind === kind && first !== undefined ? [first.from - due] : [];
  });
