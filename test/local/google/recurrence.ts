import { DateTime } from 'luxon';
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { invalid, required } from './errors.ts';
import { instantOf, isoOf } from './event-view.ts';
import type { EventResource, EventTime } from './store.ts';

/** Half-open span in epoch ms. */
export interface Window {
  start: number;
  end: number;
}

interface Series {
  rule: RRuleTemporal<Temporal.ZonedDateTime>;
  added: number[];
  left: Set<number>;
}

const DAY_MS = 86_400_000;
const BASIC = "yyyyMMdd'T'HHmmss";
const MOST_SERIES = 500;
const MOST_INSTANCES = 730;
const parsed = new Map<string, Series>();

export const isSeries = ({ recurrence }: EventResource) => (recurrence?.length ?? 0) > 0;

/** Refuses a recurrence unless it is a list of one RRULE with EXDATEs and RDATEs, and has a zone. */
export function checkRecurrence(fields: EventResource): void {
  if (!isSeries(fields)) return;
  if (fields.start?.dateTime && !fields.start.timeZone) throw required('Missing time zone definition for start time.');
  try {
    parse(fields);
  } catch {
    throw invalid('Invalid recurrence rule.');
  }
}

/**
 * Returns the starts of a series between two instants. An instance that was moved or cancelled on its own counts at its
 * original time. A series without an end has its first 730 instances. All-day events recur by date and start at
 * midnight in `calendarZone`.
 */
export function startsWithin(fields: EventResource, calendarZone: string, { start, end }: Window): EventTime[] {
  const { rule, added, left } = parse(fields);
  const margin = fields.start?.date ? 2 * DAY_MS : 0;
  const [after, before] = [start - margin, end + margin];
  const found = Number.isFinite(end)
    ? rule.between(new Date(Math.max(after, 0)), new Date(before), true)
    : rule.all((_time, index) => index < MOST_INSTANCES);
  const wanted = new Set([
    ...found.map((time) => time.epochMilliseconds),
    ...added.filter((time) => time >= after && time < before),
  ]);
  return [...wanted]
    .filter((time) => !left.has(time))
    .sort((a, b) => a - b)
    .map((time) => ({ original: startAt(fields, time), at: time }))
    .map(({ original, at }) => ({ original, at: original.date ? instantOf(original, calendarZone) : at }))
    .filter(({ at }) => at >= start && at < end)
    .map(({ original }) => original);
}

/** Returns true if the series has a start at or after `instant`. */
export function startsFrom(fields: EventResource, instant: number): boolean {
  const { rule, added, left } = parse(fields);
  if (added.some((time) => time >= instant && !left.has(time))) return true;
  let next = rule.next(new Date(instant), true);
  while (next && left.has(next.epochMilliseconds)) next = rule.next(new Date(next.epochMilliseconds), false);
  return next !== null;
}

// Timed events recur in the event's own zone, and dates as midnights in UTC.
function parse(fields: EventResource): Series {
  const { start = {}, recurrence } = fields;
  const key = JSON.stringify([start, recurrence]);
  const known = parsed.get(key);
  if (known) return known;
  const lines = recurrence ?? [];
  const rules = lines.filter((line) => /^RRULE:/i.test(line));
  if (rules.length !== 1 || rules.some((line) => /(COUNT|INTERVAL)=(?![1-9]\d*(;|$))/i.test(line))) throw new Error();
  const first = start.date
    ? `DTSTART;TZID=UTC:${start.date.replaceAll('-', '')}T000000`
    : `DTSTART;TZID=${start.timeZone}:${wallOf(start)}`;
  const series: Series = {
    rule: new RRuleTemporal<Temporal.ZonedDateTime>({
      rruleString: `${first}\n${rules[0]}`,
      temporal: Temporal,
      includeDtstart: true,
      strict: !start.date,
    }),
    added: [],
    left: new Set(),
  };
  series.rule.next(new Date(0), true);
  for (const line of lines.filter((other) => !rules.includes(other))) {
    const [, name = '', parameters = '', values = ''] = /^(EXDATE|RDATE)((?:;[^:;]+)*):(.+)$/i.exec(line) ?? [];
    const times = values.split(',').map((value) => dateTimeOf(value, parameters, start.timeZone ?? 'UTC'));
    if (name.toUpperCase() === 'RDATE') series.added.push(...times);
    else for (const time of times) series.left.add(time);
  }
  if (parsed.size >= MOST_SERIES) parsed.clear();
  parsed.set(key, series);
  return series;
}

function wallOf({ dateTime, timeZone }: EventTime): string {
  return DateTime.fromISO(dateTime ?? '', { zone: timeZone ?? 'UTC' }).toFormat(BASIC);
}

function dateTimeOf(value: string, parameters: string, zone: string): number {
  const [, named] = /;TZID=([^;]+)/i.exec(parameters) ?? [];
  const isUtc = /Z$/i.test(value) || !value.includes('T');
  const time = DateTime.fromISO(value, { zone: isUtc ? 'UTC' : (named ?? zone) });
  if (!time.isValid) throw new Error();
  return time.toMillis();
}

function startAt({ start }: EventResource, time: number): EventTime {
  const utc = isoOf(time);
  return start?.date ? { date: utc.slice(0, 10) } : { dateTime: utc, timeZone: start?.timeZone ?? 'UTC' };
}
