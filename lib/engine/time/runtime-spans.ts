import { DAY } from './dates.ts';
import { type OffsetSpan, spanOf } from './zone-table.ts';

/**
 * Covers times outside the table. The runtime's data can be older than it. If the runtime does not know the zone, the
 * offset is that of `nearest`, the span at the table's edge.
 */
export function runtimeSpans(timeZone: string, from: number, to: number, nearest?: OffsetSpan): OffsetSpan[] {
  const format = formatOf(timeZone);
  if (format === undefined) return [spanOf({ start: from, end: to, offset: nearest?.offset ?? 0 })];
  const spans: OffsetSpan[] = [];
  let start = from;
  let offset = askOffset(format, from);
  for (let probe = from; probe < to; probe += DAY) {
    const next = askOffset(format, probe + DAY);
    if (next === offset) continue;
    const change = findChange(format, probe, probe + DAY, offset);
    if (change >= to) break;
    spans.push(spanOf({ start, end: change, offset }));
    start = change;
    offset = next;
  }
  spans.push(spanOf({ start, end: to, offset }));
  return spans;
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
}

function findChange(format: Intl.DateTimeFormat, from: number, to: number, offset: number): number {
  let before = Math.floor(from / 1000);
  let after = Math.ceil(to / 1000);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (askOffset(format, middle * 1000) === offset) before = middle;
    else after = middle;
  }
  return after * 1000;
}

function askOffset(format: Intl.DateTimeFormat, instant: number): number {
  const match = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(format.format(instant));
  if (!match?.[1]) return 0;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
  return (match[1] === '-' ? -seconds : seconds) * 1000;
}
