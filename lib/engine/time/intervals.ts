import type { BusyTimes, Interval } from '../types.ts';

/** A flat array: start, end, start, end …, sorted by start, ends excluded. In a set, no two spans overlap or touch. */
export type Edges = readonly number[] | Float64Array;

/**
 * The caller's loop keeps the index in bounds. V8 compiles one read for all arrays that come here, and four kinds of
 * array, such as `Uint8Array`, make it several times as slow: so it takes only `Edges`, and the longest loops do
 * without it.
 */
export function edgeAt(edges: Edges, index: number): number {
  return edges[index] as number;
}

/** The span must start no earlier than the last one in the list, and the two are joined if they touch. */
export function append(edges: number[], start: number, end: number): void {
  if (end <= start) return;
  const last = edges.length - 1;
  if (last < 0 || start > (edges[last] as number)) edges.push(start, end);
  else if (end > (edges[last] as number)) edges[last] = end;
}

export function inOrder(times: BusyTimes): Edges {
  const edges = times instanceof Float64Array ? times : pack(times);
  for (let i = 2; i < edges.length; i += 2) if ((edges[i] as number) < (edges[i - 2] as number)) return sort(edges);
  return edges;
}

export function union(spans: Edges, widenBy = 0): Float64Array {
  const edges = new Float64Array(spans.length);
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < spans.length; i += 2) {
    if ((spans[i] as number) >= (spans[i + 1] as number)) continue;
    const start = (spans[i] as number) - widenBy;
    const end = (spans[i + 1] as number) + widenBy;
    if (count === 0 || start > last) {
      edges[count] = start;
      count += 2;
    } else if (end <= last) continue;
    edges[count - 1] = end;
    last = end;
  }
  return edges.subarray(0, count);
}

/** Each of the other `spans`, which may overlap, is widened on both sides first. */
export function subtract(set: Edges, spans: Edges, widenBy = 0): number[] {
  const edges: number[] = [];
  let first = 0;
  for (let i = 0; i < set.length; i += 2) {
    let start = set[i] as number;
    const end = set[i + 1] as number;
    while (first < spans.length && (spans[first + 1] as number) + widenBy <= start) first += 2;
    for (let j = first; j < spans.length && (spans[j] as number) - widenBy < end; j += 2) {
      const taken = (spans[j] as number) - widenBy;
      const until = (spans[j + 1] as number) + widenBy;
      if (until <= start || until - taken <= 2 * widenBy) continue;
      if (taken > start) edges.push(start, taken);
      start = until;
    }
    if (start < end) edges.push(start, end);
  }
  return edges;
}

export function intersect(a: Edges, b: Edges): number[] {
  const edges: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const start = Math.max(a[i] as number, b[j] as number);
    const end = Math.min(a[i + 1] as number, b[j + 1] as number);
    if (start < end) edges.push(start, end);
    if ((a[i + 1] as number) < (b[j + 1] as number)) i += 2;
    else j += 2;
  }
  return edges;
}

/** Returns the spans of a set that last at least a duration in milliseconds. Returns the set itself for 0. */
export function lasting(set: number[], duration: number): number[] {
  if (duration === 0) return set;
  const long: number[] = [];
  for (let i = 0; i < set.length; i += 2)
    if ((set[i + 1] as number) - (set[i] as number) >= duration) long.push(set[i] as number, set[i + 1] as number);
  return long;
}

/** The time it takes depends on the parts between and not on the size of the set. */
export function cut(set: Edges, start: number, end: number): number[] {
  const edges: number[] = [];
  for (let i = firstEndingAfter(set, start); i < set.length && edgeAt(set, i) < end; i += 2)
    edges.push(Math.max(edgeAt(set, i), start), Math.min(edgeAt(set, i + 1), end));
  return edges;
}

/** The span itself lies outside the set. */
export function joined(set: Edges, start: number, end: number): [start: number, end: number] {
  const before = firstEndingAfter(set, start) - 2;
  const after = firstEndingAfter(set, end);
  return [
    before >= 0 && edgeAt(set, before + 1) === start ? edgeAt(set, before) : start,
    after < set.length && edgeAt(set, after) === end ? edgeAt(set, after + 1) : end,
  ];
}

export function overlaps(set: Edges, span: Interval): boolean {
  const index = firstEndingAfter(set, span.start);
  return index < set.length && edgeAt(set, index) < span.end;
}

export function covers(set: Edges, span: Interval): boolean {
  const index = firstEndingAfter(set, span.start);
  return index < set.length && edgeAt(set, index) <= span.start && span.end <= edgeAt(set, index + 1);
}

export function toIntervals(set: Edges): Interval[] {
  const intervals: Interval[] = [];
  for (let i = 0; i < set.length; i += 2) intervals.push({ start: edgeAt(set, i), end: edgeAt(set, i + 1) });
  return intervals;
}

/** Returns the index of the first span of a set that ends after an instant, or the set's length if none does. */
export function firstEndingAfter(set: Edges, instant: number): number {
  let low = 0;
  let high = set.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((set[2 * middle + 1] as number) <= instant) low = middle + 1;
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
  return pack(toIntervals(edges).sort((a, b) => a.start - b.start));
}
