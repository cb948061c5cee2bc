import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { TARGETS, type Target, type WorldClock } from './targets.ts';

/** Milliseconds from a call to its answer, by target. An answer takes longer if the work does. */
export const Latencies = z.partialRecord(z.enum(TARGETS), z.int().min(0).max(60_000));
export type Latencies = z.infer<typeof Latencies>;

export type Latency = ReturnType<typeof createLatency>;

/** Creates the latencies of all services, which are zero at first. */
export function createLatency() {
  let table: Latencies = {};
  return {
    set(changes: Latencies) {
      table = { ...table, ...changes };
    },
    list: () => table,
    /** Delays a call by half of the latency. Returns a function that delays the answer by the rest. */
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

export type LateCalls = ReturnType<typeof createLateCalls>;

/** Creates the list of calls that arrive at a given time on the world's clock although their sender gave them up. */
export function createLateCalls(clock: Pick<WorldClock, 'now'>) {
  let waiting: { at: number; work: () => unknown }[] = [];
  return {
    add(afterMs: number, work: () => unknown) {
      waiting.push({ at: clock.now() + afterMs, work });
    },
    /** Does the work of all calls whose time has come, in the order in which they were sent. */
    async arrive(): Promise<void> {
      const due = waiting.filter(({ at }) => at <= clock.now());
      waiting = waiting.filter((call) => !due.includes(call));
      for (const { work } of due) await work();
    },
    /** Drops the calls that have not arrived yet. */
    forget() {
      waiting = [];
    },
  };
}
