import { DAY, formatDate, formatTime, MINUTE, twoDigits } from './dates.ts';

/** A span of instants over which a zone's offset from UTC stays constant. All values are in ms. */
export interface OffsetSpan {
  start: number;
  end: number;
  offset: number;
  /** The offset from UTC in ISO 8601, such as +02:00. */
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

/** Returns true if the name is an IANA zone that this runtime knows. Bare offsets such as +05:30 are not zones. */
export function isTimeZone(timeZone: string): boolean {
  if (!/^[A-Za-z]/.test(timeZone)) return false;
  try {
    zoneOf(timeZone);
    return true;
  } catch {
    return false;
  }
}

/** Returns the zone name if it is an IANA zone that this runtime knows, else undefined. */
export const knownZone = (timeZone: string): string | undefined => (isTimeZone(timeZone) ? timeZone : undefined);

/**
 * Returns the zone's constant-offset spans in order, covering at least [from, to]. It caches the spans, so it asks Intl
 * again only for instants outside the cached ones.
 */
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

/** Returns the span of constant UTC offset in which an instant lies, one of the spans that `offsetSpans` returned. */
export function spanAt(spans: readonly OffsetSpan[], instant: number): OffsetSpan {
  for (let i = 0; i < spans.length; i++) {
    const span = spans[i];
    if (span && instant < span.end) return span;
  }
  throw new RangeError('The instant lies after the known spans.');
}

/** Returns the local calendar day at an instant, as days since 1970-01-01. */
export function localDay(timeZone: string, instant: number): number {
  return Math.floor((instant + offsetAt(timeZone, instant)) / DAY);
}

/** Returns the zone's offset from UTC at an instant, in ms. */
export const offsetAt = (timeZone: string, instant: number): number =>
  spanAt(offsetSpans(timeZone, instant, instant), instant).offset;

/** Returns the local calendar date at an instant, as YYYY-MM-DD. */
export function localDate(timeZone: string, instant: number): string {
  return formatDate(localDay(timeZone, instant));
}

/** Returns the first instant at which the zone's clocks show the given day (days since 1970-01-01) or a later one. */
export function startOfDay(timeZone: string, day: number): number {
  const midnight = day * DAY;
  for (const span of offsetSpans(timeZone, midnight - DAY, midnight + DAY)) {
    const start = Math.max(span.start, midnight - span.offset);
    if (start < span.end) return start;
  }
  throw new RangeError('The day does not begin near its midnight.');
}

/**
 * Returns the first instant from which on the zone's clocks never again show a day before the given one. If the clocks
 * go back over midnight, they show the day before a second time, and this instant is later than `startOfDay`.
 */
export function lastStartOfDay(timeZone: string, day: number): number {
  const midnight = day * DAY;
  let start = startOfDay(timeZone, day);
  for (const span of offsetSpans(timeZone, midnight - DAY, midnight + DAY))
    if (span.start + span.offset < midnight) start = Math.min(span.end, midnight - span.offset);
  return start;
}

/**
 * Returns the instants at which the zone's clocks show a given minute of a given day. A time that the clocks skip has
 * none, and a time that they repeat has two.
 */
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

// The first formatter of a process takes about ten milliseconds, and each later one a fraction of that. Creating one
// here moves that cost from the first request to start-up.
askOffset(zoneOf('UTC').format, 0);
