import type { WorldClock } from './stand-in.ts';

export type LateCalls = ReturnType<typeof createLateCalls>;

/** Calls that their sender has given up and that arrive all the same, at a time on the world's clock. */
export function createLateCalls(clock: Pick<WorldClock, 'now'>) {
  let waiting: { at: number; work: () => unknown }[] = [];
  return {
    add(afterMs: number, work: () => unknown) {
      waiting.push({ at: clock.now() + afterMs, work });
    },
    /** Does the work of all whose time has come, in the order they were sent. */
    async arrive(): Promise<void> {
      const due = waiting.filter(({ at }) => at <= clock.now());
      waiting = waiting.filter((call) => !due.includes(call));
      for (const { work } of due) await work();
    },
    /** Lets those that are still under way get lost. */
    forget() {
      waiting = [];
    },
  };
}
