import type { TrafficEntry } from '../local/traffic.ts';

/**
 * The longest chain of a request's calls of which each began when the one before had its answer. What follows the last of
 * Postgres or a calendar is work after the answer.
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
