import type { Ctx } from './context.ts';
import type { QueueMessage } from './ports.ts';

/** New work starts within this time of a run. The next run starts a minute after this one. */
export const BUDGET_MS = 55_000;
const POLL_MS = 1_000;
/** A tenant's first item waits behind at most this many others, so that it is soon reached. */
const LINE_LENGTH = 8;

interface Messages<T> {
  chore: string;
  /** Instant in epoch milliseconds after which this run of the background sweep takes no more due rows. */
  until: number;
  /** No other run takes the same rows. Tenants take turns, each with its longest waiting row first. */
  take: (now: number) => Promise<T[]>;
  messagesFor: (due: T[], now: number) => QueueMessage[];
  /** Makes taken rows due again, because the queue did not accept the messages about them. */
  release: (due: T[], now: number) => Promise<unknown>;
}

/** Returns the number of rows it took. If the queue refuses the messages, makes the rows due again for the next run. */
export async function publishDue<T>(
  { clock, queue, log }: Pick<Ctx, 'clock' | 'queue' | 'log'>,
  { chore, until, take, messagesFor, release }: Messages<T>,
): Promise<number> {
  let count = 0;
  for (let now = clock.now(); now < until; now = clock.now()) {
    const due = await take(now);
    if (due.length === 0) break;
    count += due.length;
    try {
      await queue.publish(...messagesFor(due, now));
    } catch (error) {
      log('warn', 'the queue took nothing, left to the next tick', { chore, rows: due.length, error });
      await release(due, now);
      break;
    }
  }
  return count;
}

interface Work<T> {
  /** Instant in epoch milliseconds after which this run of the background sweep starts no new item. */
  until: number;
  /** The largest number of items in progress at a time, by default one. Each may use one of a Worker's six connections. */
  atOnce?: number;
  /** If all calls of one tenant (a platform, or else a person) hang, the others still have room. */
  perTenant?: number;
  /** Lists due items, except items of the tenants in `except`. Tenants take turns, each with its oldest item first. */
  list: (line: { now: number; limit: number; except: string[] }) => Promise<T[]>;
  tenantOf: (item: T) => string;
  /** Does nothing if another run has taken or finished the item since it was listed. */
  run: (item: T) => Promise<void>;
}

/** Takes each item just before its work, so a run that dies leaves only those in progress taken. */
export async function workOff<T>(
  { clock, log, sleep }: Pick<Ctx, 'clock' | 'log' | 'sleep'>,
  { until, atOnce = 1, perTenant = 1, list, tenantOf, run }: Work<T>,
): Promise<void> {
  const active = new Set<Promise<void>>();
  const running = new Map<string, number>();
  const count = (tenant: string, by: 1 | -1) => running.set(tenant, (running.get(tenant) ?? 0) + by);
  const isFull = (tenant: string) => (running.get(tenant) ?? 0) >= perTenant;
  let line: T[] = [];
  let askAgainAt = 0;

  function start(item: T): void {
    const tenant = tenantOf(item);
    count(tenant, 1);
    const working = run(item)
      .catch((error) => log('error', 'an item of a sweep failed', { error }))
      .then(() => {
        count(tenant, -1);
        active.delete(working);
      });
    active.add(working);
  }

  function startInOrder(): void {
    line = line.filter((item) => {
      if (clock.now() >= until || active.size >= atOnce || isFull(tenantOf(item))) return true;
      start(item);
      return false;
    });
  }

  for (;;) {
    startInOrder();
    const now = clock.now();
    const except = [...running.keys()].filter(isFull);
    // Items in the line belong to tenants at their limit, which `list` leaves out, so it repeats no item.
    const mayAsk = now < until && active.size < atOnce && (except.length === 0 || now >= askAgainAt);
    const found = mayAsk ? await list({ now, limit: LINE_LENGTH, except }) : [];
    if (mayAsk && found.length === 0) askAgainAt = clock.now() + POLL_MS;
    line.unshift(...found);
    startInOrder();
    if (active.size === 0) return;
    if (found.length === 0 || active.size >= atOnce) await Promise.race([...active, sleep(POLL_MS)]);
  }
}

export async function eachOf<T>(items: readonly T[], atOnce: number, run: (item: T) => Promise<void>): Promise<void> {
  const line = items.values();
  const runNext = async () => {
    for (const item of line) await run(item);
  };
  await Promise.all(Array.from({ length: atOnce }, runNext));
}

type Due = { platformId: string; run: () => Promise<void> };

export type ListDue = (ctx: Ctx, limit: number) => Promise<Due[]>;

/** Works off several kinds of items one at a time. Kinds take turns, so no platform's backlog of one delays another. */
export const workOffInTurns = (ctx: Ctx, until: number, kinds: readonly ListDue[]): Promise<void> =>
  workOff<Due>(ctx, {
    until,
    async list({ limit }) {
      const turns: { due: Due; turn: number }[] = [];
      for (const list of kinds)
        turns.push(...(await list(ctx, limit / kinds.length)).map((due, turn) => ({ due, turn })));
      return turns.sort((one, other) => one.turn - other.turn).map(({ due }) => due);
    },
    tenantOf: ({ platformId }) => platformId,
    run: ({ run }) => run(),
  });
