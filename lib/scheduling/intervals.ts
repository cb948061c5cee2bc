import type { BusyTimes, Interval } from './types.ts';

/** Spans as their edges, start, end, start, end …: half-open, in order of their starts. A set's spans never touch. */
export type Edges = ArrayLike<number>;

/** The edge at a position the caller's loop keeps in bounds. */
export function edgeAt(edges: Edges, index: number): number {
  return edges[index] as number;
}

/** Adds a span that starts no earlier than the last one did, joining it when they touch. */
export function append(edges: number[], start: number, end: number): void {
  if (end <= start) return;
  const last = edges.length - 1;
  if (last < 0 || start > edgeAt(edges, last)) edges.push(start, end);
  else if (end > edgeAt(edges, last)) edges[last] = end;
}

/** The edges of any intervals, in order of their starts; they may overlap. */
export function inOrder(times: BusyTimes): Edges {
  const edges = times instanceof Float64Array ? times : pack(times);
  for (let i = 2; i < edges.length; i += 2) if (edgeAt(edges, i) < edgeAt(edges, i - 2)) return sort(edges);
  return edges;
}

/** The set of the instants of any of the spans, each widened on both sides. */
export function union(spans: Edges, widenBy = 0): number[] {
  const edges: number[] = [];
  for (let i = 0; i < spans.length; i += 2) {
    const start = edgeAt(spans, i);
    const end = edgeAt(spans, i + 1);
    if (start < end) append(edges, start - widenBy, end + widenBy);
  }
  return edges;
}

/** The instants of a set that are in none of the spans, each widened on both sides; the spans may overlap. */
export function subtract(set: Edges, spans: Edges, widenBy = 0): number[] {
  const edges: number[] = [];
  let first = 0;
  for (let i = 0; i < set.length; i += 2) {
    let start = edgeAt(set, i);
    const end = edgeAt(set, i + 1);
    while (first < spans.length && edgeAt(spans, first + 1) + widenBy <= start) first += 2;
    for (let j = first; j < spans.length && edgeAt(spans, j) - widenBy < end; j += 2) {
      const taken = edgeAt(spans, j) - widenBy;
      const until = edgeAt(spans, j + 1) + widenBy;
      if (until <= start || until - taken <= 2 * widenBy) continue;
      if (taken > start) edges.push(start, taken);
      start = until;
    }
    if (start < end) edges.push(start, end);
  }
  return edges;
}

/** The instants in both sets. */
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
export function overlaps(set: Edges, span: Interval): boolean {
  const index = firstEndingAfter(set, span.start);
  return index < set.length && edgeAt(set, index) < span.end;
}

/** Whether every instant of the span is in the set. */
export function covers(set: Edges, span: Interval): boolean {
  const index = firstEndingAfter(set, span.start);
  return index < set.length && edgeAt(set, index) <= span.start && span.end <= edgeAt(set, index + 1);
}

/** The set's spans as intervals. */
export function toIntervals(set: Edges): Interval[] {
  const intervals: Interval[] = [];
  for (let i = 0; i < set.length; i += 2) intervals.push({ start: edgeAt(set, i), end: edgeAt(set, i + 1) });
  return intervals;
}

function firstEndingAfter(set: Edges, instant: number): number {
  let low = 0;
  let high = set.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (edgeAt(set, 2 * middle + 1) <= instant) low = middle + 1;
    else high = middle;
  }
  return 2 * low;
}

function pack(intervals: readonly Interval[]): Float64Array {
  const edges = new Float64Array(2 * intervals.length);
  intervals.forEach(({ start, end }, i) => {
    edges[2 * i] = start;
    edges[2 * i + 1] = end;
  });
  return edges;
}

function sort(edges: Edges): Edges {
  const sorted = toIntervals(edges).sort((a, b) => a.start - b.start);
  return pack(sorted);
}
