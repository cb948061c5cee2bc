import type { BenchSlot } from './search-input.ts';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;

export interface Span {
  start: number;
  end: number;
}

/** What the library baselines share once days have become numbers: cut out busy times, walk quarter hours, rank. */
export function rankSpans(
  work: Span[],
  busy: Span[],
  now: number,
  duration: number,
  localAt: (instant: number) => { minute: number; weekday: number },
): { start: number; product: number }[] {
  const ranked: { start: number; product: number }[] = [];
  for (const { start, end } of subtractAll(work, busy)) {
    const open = Math.max(start, now + QUARTER);
    for (let from = Math.ceil(open / QUARTER) * QUARTER; from + duration <= end; from += QUARTER)
      ranked.push({ start: from, product: productAt(localAt(from), duration, from - now) });
  }
  ranked.sort((a, b) => b.product - a.product || a.start - b.start);
  const taken: typeof ranked = [];
  for (const candidate of ranked) {
    if (taken.every(({ start }) => Math.abs(start - candidate.start) >= duration)) taken.push(candidate);
    if (taken.length === 5) break;
  }
  return taken;
}

/** The factors that can hold within both people's 08:00-18:00; weekday is 5 on Fridays. */
export function productAt({ minute, weekday }: { minute: number; weekday: number }, duration: number, ahead: number) {
  let product = 1;
  if (minute >= 600 && minute < 660) product *= 1.2;
  if (weekday === 5 && minute >= 840) product *= 0.7;
  if (minute < 780 && minute + duration / MINUTE > 720) product *= 0.8;
  if (ahead <= 3 * 86_400_000) product *= 1.1;
  return product;
}

/** A slot as the wire has it. */
export function toBenchSlot(startTime: string, endTime: string, product: number): BenchSlot {
  const score = Math.round(Math.min(1, product) * 10_000) / 10_000;
  return { start_time: startTime, end_time: endTime, score, timezone: 'America/New_York', reason: 'Free for both.' };
}

/** The spans of both lists, each in order. */
export function intersectSpans(a: Span[], b: Span[]): Span[] {
  const both: Span[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [left, right] = [a[i] as Span, b[j] as Span];
    const start = Math.max(left.start, right.start);
    const end = Math.min(left.end, right.end);
    if (start < end) both.push({ start, end });
    if (left.end < right.end) i++;
    else j++;
  }
  return both;
}

function subtractAll(work: Span[], busy: Span[]): Span[] {
  const merged = mergeSpans(busy);
  const free: Span[] = [];
  let next = 0;
  for (const { start, end } of work) {
    let from = start;
    while (next < merged.length && (merged[next] as Span).end <= start) next++;
    for (let i = next; i < merged.length && (merged[i] as Span).start < end; i++) {
      const taken = merged[i] as Span;
      if (taken.start > from) free.push({ start: from, end: taken.start });
      from = Math.max(from, taken.end);
    }
    if (from < end) free.push({ start: from, end });
  }
  return free;
}

function mergeSpans(spans: Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}
