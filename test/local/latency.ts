import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { TARGETS, type Target } from './targets.ts';

/** Milliseconds each party takes before it answers, by target. */
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
    async wait(target: Target) {
      const ms = table[target] ?? 0;
      if (ms > 0) await sleep(ms);
    },
  };
}
