import type { Interval } from './types.ts';

/** A set of instants as sorted edges: start, end, start, end …; the spans are half-open and never touch. */
export type Edges = readonly number[];

/** The edge at a position the caller's loop keeps in bounds. */
export function edgeAt(edges: ArrayLike<number>, index: number): number {
  return edges[index] as number;
}

/** Adds a span that starts no earlier than the last one did, joining it when they touch. */
export function append(edges: number[], start: number, end: number): void {
  if (end <= start) return;
  const last = edges.length - 1;
  if (last < 0 || start > edgeAt(edges, last)) edges.push(start, end);
  else if (end > edgeAt(edges, last)) edges[last] = end;
}

/** The instants of any of the intervals, each widened on both sides. */
export function union(intervals: readonly Interval[], widenBy = 0): number[] {
  const edges: number[] = [];
  for (const { start, end } of inOrder(intervals)) if (start < end) append(edges, start - widenBy, end + widenBy);
  return edges;
}

/** The instants of `from` that are not in `taken`. */
export function subtract(from: Edges, taken: Edges): number[] {
  const edges: number[] = [];
  let t = 0;
  for (let f = 0; f < from.length; f += 2) {
    let start = edgeAt(from, f);
    const end = edgeAt(from, f + 1);
    while (t < taken.length && edgeAt(taken, t + 1) <= start) t += 2;
    for (let i = t; i < taken.length && edgeAt(taken, i) < end; i += 2) {
      if (edgeAt(taken, i) > start) edges.push(start, edgeAt(taken, i));
      start = edgeAt(taken, i + 1);
    }
    if (start < end) edges.push(start, end);
  }
  return edges;
}

/** The instants in both. */
export function intersect(a: Edges, b: Edges): number[] {
  const edges: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const start = Math.max(edgeAt(a, i), edgeAt(b, j));
    const end = Math.min(edgeAt(a, i + 1), edgeAt(b, j + 1));
    if (start < end) edges.push(start, end);
    if (edgeAt(a, i + 1) < edgeAt(b, j + 1)) i += 2;
    else j += 2;
  }
  return edges;
}

/** Whether any instant of the span is in the set. */
export function overlaps(edges: Edges, span: Interval): boolean {
  const index = firstEndingAfter(edges, span.start);
  return index < edges.length && edgeAt(edges, index) < span.end;
}

/** Whether every instant of the span is in the set. */
export function covers(edges: Edges, span: Interval): boolean {
  const index = firstEndingAfter(edges, span.start);
  return index < edges.length && edgeAt(edges, index) <= span.start && span.end <= edgeAt(edges, index + 1);
}

/** The set's spans as intervals. */
export function toIntervals(edges: Edges): Interval[] {
  const intervals: Interval[] = [];
  for (let i = 0; i < edges.length; i += 2) intervals.push({ start: edgeAt(edges, i), end: edgeAt(edges, i + 1) });
  return intervals;
}

function firstEndingAfter(edges: Edges, instant: number): number {
  let low = 0;
  let high = edges.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (edgeAt(edges, 2 * middle + 1) <= instant) low = middle + 1;
    else high = middle;
  }
  return 2 * low;
}

function inOrder(intervals: readonly Interval[]): readonly Interval[] {
  let last = Number.NEGATIVE_INFINITY;
  for (const { start } of intervals) {
    if (start < last) return intervals.toSorted((a, b) => a.start - b.start);
    last = start;
  }
  return intervals;
}
