const minute = (ms: number) => new Date(ms).toISOString().slice(0, 16);

/** Cuts edges to a span and returns them as readable pairs of minutes. */
export function clipped(edges: number[], { start, end }: { start: number; end: number }): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < edges.length; at += 2) {
    const [from, until] = [Math.max(edges[at] ?? 0, start), Math.min(edges[at + 1] ?? 0, end)];
    if (from < until) pairs.push([minute(from), minute(until)]);
  }
  return pairs;
}

/** Turns spans into edges. Spans that touch or overlap become one. */
export function merged(spans: [number, number][]): number[] {
  const edges: number[] = [];
  for (const [start, end] of spans.sort(([a], [b]) => a - b)) {
    const last = edges.at(-1) ?? Number.NEGATIVE_INFINITY;
    if (start > last) edges.push(start, end);
    else if (end > last) edges[edges.length - 1] = end;
  }
  return edges;
}
