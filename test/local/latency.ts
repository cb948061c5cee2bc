import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { TARGETS, type Target } from './targets.ts';

/** Milliseconds after a call at which its answer comes, or later where the work takes longer, by target. */
export const Latencies = z.partialRecord(z.enum(TARGETS), z.int().min(0).max(60_000));
export type Latencies = z.infer<typeof Latencies>;

export type Latency = ReturnType<typeof createLatency>;

/** How slow each party is; none at first. */
export function createLatency() {
  let table: Latencies = {};
  return {
    set(changes: Latencies) {
      table = { ...table, ...changes };
    },
    list: () => table,
    /** A call on its way, for half of the time; it answers what the way back waits with. */
    async travel(target: Target): Promise<() => Promise<void>> {
      const answersAt = performance.now() + (table[target] ?? 0);
      const waitUntil = async (time: number) => {
        const ms = time - performance.now();
        if (ms > 0) await sleep(Math.ceil(ms));
      };
      await waitUntil((performance.now() + answersAt) / 2);
      return () => waitUntil(answersAt);
    },
  };
}
