import { DateTime } from 'luxon';
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { DAY } from '../../../lib/engine/time/dates.ts';
import { invalid, required } from './errors.ts';
import { instantOf, isoOf } from './event-view.ts';
import type { EventResource, EventTime } from './store.ts';

/** Half-open span in epoch ms. */
export interface Window {
  start: number;
  end: number;
}

const BASIC = "yyyyMMdd'T'HHmmss";
const MOST_SERIES = 500;
const MOST_INSTANCES = 730;
const parsed = new Map<string, RRuleTemporal<Temporal.ZonedDateTime>>();

export const isSeries = ({ recurrence }: EventResource) => (recurrence?.length ?? 0) > 0;

/** Refuses a recurrence unless it is one RRULE and has a zone. */
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
  const rule = parse(fields);
  const margin = fields.start?.date ? 2 * DAY : 0;
  const [after, before] = [start - margin, end + margin];
  const found = Number.isFinite(end)
    ? rule.between(new Date(Math.max(after, 0)), new Date(before), true)
    : rule.all((_time, index) => index < MOST_INSTANCES);
  return found
    .map(({ epochMilliseconds: at }) => ({ original: startAt(fields, at), at }))
    .map(({ original, at }) => ({ original, at: original.date ? instantOf(original, calendarZone) : at }))
    .filter(({ at }) => at >= start && at < end)
    .map(({ original }) => original);
}

/** Returns true if the series has a start at or after `instant`. */
export const startsFrom = (fields: EventResource, instant: number): boolean =>
  parse(fields).next(new Date(instant), true) !== null;

// Timed events recur in the event's own zone, and dates as midnights in UTC.
function parse({ start = {}, recurrence = [] }: EventResource): RRuleTemporal<Temporal.ZonedDateTime> {
  const key = JSON.stringify([start, recurrence]);
  const known = parsed.get(key);
  if (known) return known;
  const [line = '', ...others] = recurrence ?? [];
  if (!/^RRULE:/i.test(line) || others.length > 0 || /(COUNT|INTERVAL)=(?![1-9]\d*(;|$))/i.test(line))
    throw new Error();
  const first = start.date
    ? `DTSTART;TZID=UTC:${start.date.replaceAll('-', '')}T000000`
    : `DTSTART;TZID=${start.timeZone}:${wallOf(start)}`;
  const rule = new RRuleTemporal<Temporal.ZonedDateTime>({
    rruleString: `${first}\n${line}`,
    temporal: Temporal,
    includeDtstart: true,
    strict: !start.date,
  });
  rule.next(new Date(0), true);
  if (parsed.size >= MOST_SERIES) parsed.clear();
  parsed.set(key, rule);
  return rule;
}

function wallOf({ dateTime, timeZone }: EventTime): string {
  return DateTime.fromISO(dateTime ?? '', { zone: timeZone ?? 'UTC' }).toFormat(BASIC);
}

function startAt({ start }: EventResource, time: number): EventTime {
  const utc = isoOf(time);
  return start?.date ? { date: utc.slice(0, 10) } : { dateTime: utc, timeZone: start?.timeZone ?? 'UTC' };
}
