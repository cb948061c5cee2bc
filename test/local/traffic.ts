import type { Target } from './targets.ts';

/**
 * Outbound call of the Worker. `end` and `status` are null while it is open, and `status` stays null if it got no
 * answer.
 */
export interface TrafficEntry {
  target: Target;
  method: string;
  path: string;
  start: number;
  end: number | null;
  status: number | null;
  request_id: string | null;
}

const KEPT = 20_000;
export type Traffic = ReturnType<typeof createTraffic>;

/** Creates the list of all calls that left the Worker, in order of departure. */
export function createTraffic() {
  let entries: TrafficEntry[] = [];
  let [opened, closed] = [0, 0];
  return {
    open(call: Pick<TrafficEntry, 'target' | 'method' | 'path' | 'request_id'>): TrafficEntry {
      const entry = { ...call, start: wallClock(), end: null, status: null };
      entries.push(entry);
      opened += 1;
      if (entries.length > KEPT) entries = entries.slice(-KEPT / 2);
      return entry;
    },
    close(entry: TrafficEntry, status: number | null) {
      if (entry.end === null) closed += 1;
      entry.end = wallClock();
      entry.status = status;
    },
    list: () => entries,
    count: () => ({ opened, closed }),
    clear() {
      entries = [];
    },
  };
}

function wallClock(): number {
  return performance.timeOrigin + performance.now();
}

/**
 * Returns the length of the longest chain of a request's calls, each of which began after the previous one was
 * answered. Calls after the last one to Postgres or a calendar are work after the answer.
 */
export function hopsOf(calls: readonly TrafficEntry[]): number {
  const last = calls.findLastIndex(({ target }) => target === 'neon' || target === 'google');
  const sorted = calls.slice(0, last + 1).sort((a, b) => a.start - b.start);
  const longest: number[] = [];
  for (const [at, call] of sorted.entries()) {
    const before = sorted
      .slice(0, at)
      .flatMap((one, index) => ((one.end ?? Infinity) <= call.start ? [longest[index] ?? 0] : []));
    longest.push(1 + Math.max(0, ...before));
  }
  return Math.max(0, ...longest);
}
