import type { TrafficEntry } from '../../local/traffic.ts';

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
