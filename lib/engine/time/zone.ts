import { DAY, formatDate, formatTime, MINUTE } from './dates.ts';
import { type OffsetSpan, readZone, spanOf, ZONES_KNOWN } from './zone-table.ts';

interface Zone {
  name: string;
  spans: readonly OffsetSpan[];
  /** The spans that were asked for: those of the table, and those beyond it that were asked for last. */
  asked: readonly OffsetSpan[];
  beyond: readonly OffsetSpan[];
}

/** Time around the asked one for which offsets beyond the table are kept, so that a search asks for them once. */
const KEPT_AROUND = 100 * DAY;
const zones = new Map<string, Zone>();

/** Returns the tz database's spelling of a zone's name, given in any letter case, or undefined for any other name. */
export const knownZone = (timeZone: string): string | undefined => zoneOf(timeZone)?.name;

/** In order, they cover at least [from, to]. Outside the table they are the runtime's, which may lack new rules. */
export function offsetSpans(timeZone: string, from: number, to: number): readonly OffsetSpan[] {
  const zone = zoneOf(timeZone);
  if (zone === undefined) throw new RangeError('The tz database has no such zone.');
  if (covers(zone.asked, from, to)) return zone.asked;
  if (ZONES_KNOWN.start <= from && to < ZONES_KNOWN.end) {
    const start = Math.min(from, zone.asked[0]?.start ?? from);
    const end = Math.max(to, zone.asked.at(-1)?.start ?? to);
    zone.asked = zone.spans.filter((span) => span.start <= end && start < span.end);
    return zone.asked;
  }
  if (!covers(zone.beyond, from, to)) zone.beyond = spansBeyond(zone, from - KEPT_AROUND, to + KEPT_AROUND);
  return zone.beyond;
}

function covers(spans: readonly OffsetSpan[], from: number, to: number): boolean {
  const [first, last] = [spans[0], spans[spans.length - 1]];
  return first !== undefined && last !== undefined && from >= first.start && to < last.end;
}

function spansBeyond({ name, spans }: Zone, from: number, to: number): OffsetSpan[] {
  const { start, end } = ZONES_KNOWN;
  return [
    ...(from < start ? runtimeSpans(name, from, Math.min(to, start), spans[0]) : []),
    ...spans.filter((span) => span.start < to && from < span.end),
    ...(to > end ? runtimeSpans(name, Math.max(from, end), to, spans.at(-1)) : []),
  ];
}

export function spanAt(spans: readonly OffsetSpan[], instant: number): OffsetSpan {
  for (let i = 0; i < spans.length; i++) {
    const span = spans[i];
    if (span && instant < span.end) return span;
  }
  throw new RangeError('The instant lies after the known spans.');
}

export function localDay(timeZone: string, instant: number): number {
  return Math.floor((instant + offsetAt(timeZone, instant)) / DAY);
}

export const offsetAt = (timeZone: string, instant: number): number =>
  spanAt(offsetSpans(timeZone, instant, instant), instant).offset;

/** Returns the local calendar date at an instant, as YYYY-MM-DD. */
export function localDate(timeZone: string, instant: number): string {
  return formatDate(localDay(timeZone, instant));
}

/** Returns the first instant at which the zone's clocks show this minute of this day, or the next that they show. */
export function instantAt(timeZone: string, day: number, minute: number): number {
  const wall = day * DAY + minute * MINUTE;
  for (const span of offsetSpans(timeZone, wall - DAY, wall + DAY)) {
    const instant = Math.max(span.start, wall - span.offset);
    if (instant < span.end) return instant;
  }
  throw new RangeError('The time does not come near its day.');
}

/** Returns the first instant at which the zone's clocks show the given day (days since 1970-01-01) or a later one. */
export const startOfDay = (timeZone: string, day: number): number => instantAt(timeZone, day, 0);

/** If the clocks go back over midnight, the day before shows a second time, and this is later than `startOfDay`. */
export function lastStartOfDay(timeZone: string, day: number): number {
  const midnight = day * DAY;
  let start = startOfDay(timeZone, day);
  for (const span of offsetSpans(timeZone, midnight - DAY, midnight + DAY))
    if (span.start + span.offset < midnight) start = Math.min(span.end, midnight - span.offset);
  return start;
}

/** A time that the clocks skip has no instant, and one that they repeat has two. */
export function instantsAt(timeZone: string, day: number, minute: number): number[] {
  const wall = day * DAY + minute * MINUTE;
  return offsetSpans(timeZone, wall - DAY, wall + DAY)
    .filter(({ start, end, offset }) => start <= wall - offset && wall - offset < end)
    .map(({ offset }) => wall - offset);
}

/** Formats an instant as ISO 8601 with the zone's own offset: 2026-03-29T10:00:00+02:00. */
export function formatInZone(timeZone: string, instant: number): string {
  const { offset, text } = spanAt(offsetSpans(timeZone, instant, instant), instant);
  const day = Math.floor((instant + offset) / DAY);
  return `${formatDate(day)}T${formatTime(instant + offset - day * DAY)}${text}`;
}

function zoneOf(timeZone: string): Zone | undefined {
  const known = zones.get(timeZone);
  if (known !== undefined) return known;
  const read = readZone(timeZone);
  if (read === undefined) return undefined;
  const zone = { ...read, asked: [], beyond: [] };
  zones.set(read.name, zone);
  return zone;
}

/** Asks the runtime about times outside the table. Its data can be older. `nearest` counts if it lacks the zone. */
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
