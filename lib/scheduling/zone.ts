import { DAY, formatDate, formatTime, MINUTE, twoDigits } from './dates.ts';

/** A span of instants over which a zone's offset from UTC stays the same; all in ms. */
export interface OffsetSpan {
  start: number;
  end: number;
  offset: number;
  /** The offset as ISO 8601 writes it, +02:00. */
  text: string;
}

interface Zone {
  format: Intl.DateTimeFormat;
  from: number;
  to: number;
  spans: OffsetSpan[];
}

const CHUNK = 32 * DAY;
const LONGEST_KNOWN = 1200 * DAY;
const zones = new Map<string, Zone>();

/** Whether the name is an IANA zone this runtime knows; bare offsets such as +05:30 are not. */
export function isTimeZone(timeZone: string): boolean {
  if (!/^[A-Za-z]/.test(timeZone)) return false;
  try {
    zoneOf(timeZone);
    return true;
  } catch {
    return false;
  }
}

/** The zone's constant-offset spans, in order, covering at least [from, to]; asked of Intl once and then kept. */
export function offsetSpans(timeZone: string, from: number, to: number): readonly OffsetSpan[] {
  const zone = zoneOf(timeZone);
  if (from >= zone.from && to < zone.to) return zone.spans;
  let first = Math.floor(from / CHUNK) * CHUNK;
  let last = (Math.floor(to / CHUNK) + 1) * CHUNK;
  const isNear = Math.max(last, zone.to) - Math.min(first, zone.from) <= LONGEST_KNOWN;
  if (zone.spans.length > 0 && isNear) {
    first = Math.min(first, zone.from);
    last = Math.max(last, zone.to);
  }
  zone.spans = readSpans(zone.format, first, last);
  zone.from = first;
  zone.to = last;
  return zone.spans;
}

/** The span an instant lies in. */
export function spanAt(spans: readonly OffsetSpan[], instant: number): OffsetSpan {
  for (let i = 0; i < spans.length; i++) {
    const span = spans[i];
    if (span && instant < span.end) return span;
  }
  throw new RangeError('The instant lies after the known spans.');
}

/** The local calendar day at an instant, as days since 1970-01-01. */
export function localDay(timeZone: string, instant: number): number {
  const { offset } = spanAt(offsetSpans(timeZone, instant, instant), instant);
  return Math.floor((instant + offset) / DAY);
}

/** The local calendar date at an instant, YYYY-MM-DD. */
export function localDate(timeZone: string, instant: number): string {
  return formatDate(localDay(timeZone, instant));
}

/** The first instant at which the zone's clocks show the given day (days since 1970-01-01) or a later one. */
export function startOfDay(timeZone: string, day: number): number {
  const midnight = day * DAY;
  for (const span of offsetSpans(timeZone, midnight - DAY, midnight + DAY)) {
    const start = Math.max(span.start, midnight - span.offset);
    if (start < span.end) return start;
  }
  throw new RangeError('The day does not begin near its midnight.');
}

/**
 * The first instant from which on the zone's clocks never again show a day before the given one: where they go back over
 * midnight, the day before comes a second time.
 */
export function lastStartOfDay(timeZone: string, day: number): number {
  const midnight = day * DAY;
  let start = startOfDay(timeZone, day);
  for (const span of offsetSpans(timeZone, midnight - DAY, midnight + DAY))
    if (span.start + span.offset < midnight) start = Math.min(span.end, midnight - span.offset);
  return start;
}

/** The instants at which the zone's clocks show a time: none in an hour that is left out, two in one that comes twice. */
export function instantsAt(timeZone: string, day: number, minute: number): number[] {
  const wall = day * DAY + minute * MINUTE;
  return offsetSpans(timeZone, wall - DAY, wall + DAY)
    .filter(({ start, end, offset }) => start <= wall - offset && wall - offset < end)
    .map(({ offset }) => wall - offset);
}

/** ISO 8601 with the zone's own offset: 2026-03-29T10:00:00+02:00. */
export function formatInZone(timeZone: string, instant: number): string {
  const { offset, text } = spanAt(offsetSpans(timeZone, instant, instant), instant);
  const day = Math.floor((instant + offset) / DAY);
  return `${formatDate(day)}T${formatTime(instant + offset - day * DAY)}${text}`;
}

function zoneOf(timeZone: string): Zone {
  const known = zones.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const zone = { format, from: 0, to: 0, spans: [] };
  zones.set(timeZone, zone);
  return zone;
}

function readSpans(format: Intl.DateTimeFormat, from: number, to: number): OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  let start = from;
  let offset = askOffset(format, from);
  for (let probe = from + DAY; probe <= to; probe += DAY) {
    const next = askOffset(format, probe);
    if (next === offset) continue;
    const change = findChange(format, probe - DAY, probe, offset);
    spans.push({ start, end: change, offset, text: offsetText(offset) });
    start = change;
    offset = next;
  }
  spans.push({ start, end: to, offset, text: offsetText(offset) });
  return spans;
}

function findChange(format: Intl.DateTimeFormat, from: number, to: number, offset: number): number {
  let before = from / 1000;
  let after = to / 1000;
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

function offsetText(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / MINUTE);
  return `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

// The first formatter of a process takes some ten milliseconds, each later one a fraction: the first is made at start-up.
askOffset(zoneOf('UTC').format, 0);
