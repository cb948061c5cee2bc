import type { Ctx } from './context.ts';

/** How long one tick goes on taking up work; the next comes a minute after it. */
export const BUDGET_MS = 45_000;
const POLL_MS = 1_000;

interface Work<T> {
  /** When no more is taken up, epoch milliseconds. */
  until: number;
  /** How many are worked on at a time: each may hold one of the six connections a Worker has. */
  atOnce: number;
  /** How many of one owner, so that one whose calls all hang leaves room for the others. */
  perOwner: number;
  ownerOf: (item: T) => string;
  /** Takes up to `limit` items that are due, up to `each` of an owner and none of `except`; each goes to one taker. */
  claim: (which: { limit: number; each: number; except: string[] }) => Promise<T[]>;
  run: (item: T) => Promise<void>;
}

/** Works off what is due, every owner in turn, until nothing is left or time is up. An item that fails fails alone. */
export async function workOff<T>(
  { clock, log, sleep }: Pick<Ctx, 'clock' | 'log' | 'sleep'>,
  { until, atOnce, perOwner, ownerOf, claim, run }: Work<T>,
): Promise<void> {
  const active = new Set<Promise<void>>();
  const running = new Map<string, number>();
  const count = (owner: string, by: 1 | -1) => running.set(owner, (running.get(owner) ?? 0) + by);
  let askAgainAt = 0;

  function start(item: T): void {
    const owner = ownerOf(item);
    count(owner, 1);
    const working = run(item)
      .catch((error) => log('error', 'an item of a sweep failed', { error }))
      .then(() => {
        count(owner, -1);
        active.delete(working);
      });
    active.add(working);
  }

  for (;;) {
    const now = clock.now();
    const full = [...running].filter(([, n]) => n >= perOwner).map(([owner]) => owner);
    const mayAsk = now < until && active.size < atOnce && (full.length === 0 || now >= askAgainAt);
    const most = Math.max(0, ...[...running.values()].filter((n) => n < perOwner));
    const items = mayAsk ? await claim({ limit: atOnce - active.size, each: perOwner - most, except: full }) : [];
    if (mayAsk && full.length > 0 && items.length === 0) askAgainAt = clock.now() + POLL_MS;
    for (const item of items) start(item);
    if (active.size === 0) return;
    if (items.length === 0 || active.size >= atOnce) await Promise.race([...active, sleep(POLL_MS)]);
  }
}
