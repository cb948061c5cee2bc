import type { Ctx } from './context.ts';

/** How long one tick goes on taking up work; the next comes a minute after it. */
export const BUDGET_MS = 55_000;
const POLL_MS = 1_000;
/** What was claimed ahead and has not come to its turn by then is left to its lease, which ends later than that. */
const AHEAD_FOR_MS = 10_000;

/** What to claim: up to `limit` to be run at once, up to `each` of an owner, and up to `ahead` more; none of `except`. */
export interface Which {
  limit: number;
  each: number;
  ahead: number;
  except: string[];
}

interface Work<T> {
  /** When no more is taken up, epoch milliseconds. */
  until: number;
  /** How many are worked on at a time: each may hold one of the six connections a Worker has. */
  atOnce: number;
  /** How many of one owner, so that one whose calls all hang leaves room for the others. */
  perOwner: number;
  /** How many more are claimed in one statement, to be run right after. */
  ahead?: number;
  ownerOf: (item: T) => string;
  /** Takes items that are due, every owner in turn; each goes to one taker. */
  claim: (which: Which) => Promise<T[]>;
  run: (item: T) => Promise<void>;
}

/** Works off what is due, every owner in turn, until nothing is left or time is up. An item that fails fails alone. */
export async function workOff<T>(
  { clock, log, sleep }: Pick<Ctx, 'clock' | 'log' | 'sleep'>,
  { until, atOnce, perOwner, ahead = 0, ownerOf, claim, run }: Work<T>,
): Promise<void> {
  const active = new Set<Promise<void>>();
  const running = new Map<string, number>();
  const count = (owner: string, by: 1 | -1) => running.set(owner, (running.get(owner) ?? 0) + by);
  const isFull = (owner: string) => (running.get(owner) ?? 0) >= perOwner;
  let waiting: { item: T; claimedAt: number }[] = [];
  const served = new Set<string>();
  let askAgainAt = 0;
  let aloneUntil = 0;

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

  function startWaiting(): void {
    const now = clock.now();
    waiting = waiting.filter(({ item, claimedAt }) => {
      if (claimedAt + AHEAD_FOR_MS <= now) return false;
      if (active.size >= atOnce || isFull(ownerOf(item))) return true;
      start(item);
      return false;
    });
  }

  /** Whoever was served in this round waits for the next; one owner alone need not wait for others at each item. */
  async function claimInTurn(except: string[], now: number): Promise<T[]> {
    const most = Math.max(0, ...[...running.values()].filter((n) => n < perOwner));
    const which = { limit: atOnce - active.size, each: perOwner - most, ahead };
    let items: T[] = [];
    if (served.size > 0 && now >= aloneUntil)
      items = await claim({ ...which, except: [...new Set([...except, ...served])] });
    if (items.length === 0) {
      if (served.size === 1 && now >= aloneUntil) aloneUntil = now + POLL_MS;
      served.clear();
      items = await claim({ ...which, except });
    }
    for (const item of items) served.add(ownerOf(item));
    if (served.size > 1) aloneUntil = 0;
    return items;
  }

  for (;;) {
    startWaiting();
    const now = clock.now();
    const owners = new Set([...running.keys(), ...waiting.map(({ item }) => ownerOf(item))]);
    const except = [...owners].filter((owner) => isFull(owner) || waiting.some(({ item }) => ownerOf(item) === owner));
    const mayAsk = now < until && active.size < atOnce && (except.length === 0 || now >= askAgainAt);
    const items = mayAsk ? await claimInTurn(except, now) : [];
    if (mayAsk && except.length > 0 && items.length === 0) askAgainAt = clock.now() + POLL_MS;
    waiting.push(...items.map((item) => ({ item, claimedAt: now })));
    startWaiting();
    if (active.size === 0) return;
    if (items.length === 0 || active.size >= atOnce) await Promise.race([...active, sleep(POLL_MS)]);
  }
}
