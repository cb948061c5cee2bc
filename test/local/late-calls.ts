import type { WorldClock } from './stand-in.ts';

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
