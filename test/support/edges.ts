const minute = (ms: number) => new Date(ms).toISOString().slice(0, 16);

/** Edges within a span, as pairs of minutes one can read. */
export function clipped(edges: number[], { start, end }: { start: number; end: number }): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < edges.length; at += 2) {
    const [from, until] = [Math.max(edges[at] ?? 0, start), Math.min(edges[at + 1] ?? 0, end)];
    if (from < until) pairs.push([minute(from), minute(until)]);
  }
  return pairs;
}

/** Spans as edges, those that touch or overlap as one. */
export function merged(spans: [number, number][]): number[] {
  const edges: number[] = [];
  for (const [start, end] of spans.sort(([a], [b]) => a - b)) {
    const last = edges.at(-1) ?? Number.NEGATIVE_INFINITY;
    if (start > last) edges.push(start, end);
    else if (end > last) edges[edges.length - 1] = end;
  }
  return edges;
}
