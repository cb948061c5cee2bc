import { DateTime } from 'luxon';
import { addressesOf } from './attendance.ts';
import { instantOf, isoOf, spanOf } from './event-view.ts';
import { isSeries, startsWithin, type Window } from './recurrence.ts';
import { type EventResource, type EventTime, eventsOf, type Store, type StoredEvent, touch, zoneOf } from './store.ts';

const INSTANCE_ID = /^(.+)_(\d{8})(T\d{6}Z)?$/;

/** Finds an event of a calendar by id: a stored event, or an instance of a series that nobody has changed. */
export function findEvent(store: Store, calendarId: string, eventId: string): StoredEvent | undefined {
  const events = eventsOf(store, calendarId);
  const stored = events.get(eventId);
  if (stored) return stored;
  const [, seriesId = '', date = '', time] = INSTANCE_ID.exec(eventId) ?? [];
  const series = events.get(seriesId);
  if (!series || !isSeries(series.fields)) return undefined;
  const zone = zoneOf(store, calendarId);
  const iso = DateTime.fromISO(`${date}${time ?? ''}`, { zone: 'UTC' });
  const sought = instantOf(time ? { dateTime: iso.toISO() } : { date: iso.toISODate() }, zone);
  if (Number.isNaN(sought)) return undefined;
  const found = startsWithin(series.fields, zone, { start: sought, end: sought + 1 });
  const instance = found.map((original) => instanceOf(series, original)).find(({ id }) => id === eventId);
  return structuredClone(instance);
}

/**
 * Returns every instance of a series in the window, including changed and cancelled ones. A window without an end has
 * as many instances as a calendar ever shows of one series.
 */
function instancesWithin(store: Store, calendarId: string, series: StoredEvent, window: Window): StoredEvent[] {
  const zone = zoneOf(store, calendarId);
  const exceptions = exceptionsOf(store, calendarId, series.id);
  const known = new Set(exceptions.map(({ id }) => id));
  const untouched = expand(series, zone, window).filter(({ id }) => !known.has(id));
  return [...untouched, ...exceptions.filter((event) => meets(event, zone, window))];
}

/** Returns all events of a calendar in a window, with each series as its instances. Includes cancelled ones. */
export function eventsWithin(store: Store, calendarId: string, window: Window): StoredEvent[] {
  const zone = zoneOf(store, calendarId);
  return [...eventsOf(store, calendarId).values()].flatMap((event) => {
    if (isSeries(event.fields)) return instancesWithin(store, calendarId, event, window);
    const isCounted = event.instance && eventsOf(store, calendarId).has(event.instance.seriesId);
    return !isCounted && meets(event, zone, window) ? [event] : [];
  });
}

export function exceptionsOf(store: Store, calendarId: string, seriesId: string): StoredEvent[] {
  return [...eventsOf(store, calendarId).values()].filter(({ instance }) => instance?.seriesId === seriesId);
}

/**
 * Applies a change of a series to the instances that were changed on their own. They keep their own changes and take
 * over the rest. Instances that the series no longer has are cancelled. `before` is the series before the change.
 */
export function followSeries(store: Store, series: StoredEvent, before: EventResource): void {
  if (!isSeries(before) && !isSeries(series.fields)) return;
  const zone = zoneOf(store, series.organizer);
  for (const event of exceptionsOf(store, series.organizer, series.id)) {
    const { original } = event.instance ?? {};
    if (event.cancelled || !original) continue;
    const start = instantOf(original, zone);
    const [still] = isSeries(series.fields) ? startsWithin(series.fields, zone, { start, end: start + 1 }) : [];
    if (still) {
      const next = keepOwn(fieldsAt(before, original), event.fields, fieldsAt(series.fields, original));
      if (JSON.stringify(next) === JSON.stringify(event.fields)) continue;
      event.fields = next;
      for (const address of addressesOf(next)) event.members.add(address);
    } else {
      event.cancelled = true;
    }
    touch(store, event);
  }
}

function meets(event: StoredEvent, zone: string, window: Window): boolean {
  const { start, end } = spanOf(event.fields, zone);
  return start < window.end && (end > window.start || (start === end && start >= window.start));
}

function expand(series: StoredEvent, zone: string, window: Window): StoredEvent[] {
  const { fields } = series;
  const { start, end } = spanOf(fields, zone);
  // An all-day event over a clock change is an hour longer than its first instance.
  const longest = end - start + (fields.start?.date ? 7_200_000 : 0);
  return startsWithin(fields, zone, { start: window.start - longest, end: window.end })
    .map((original) => instanceOf(series, original))
    .filter((instance) => meets(instance, zone, window));
}

function instanceOf(series: StoredEvent, original: EventTime): StoredEvent {
  return {
    ...series,
    id: instanceId(series.id, original),
    fields: fieldsAt(series.fields, original),
    instance: { seriesId: series.id, original },
  };
}

function instanceId(seriesId: string, { date, dateTime }: EventTime): string {
  return `${seriesId}_${(date ?? dateTime ?? '').replaceAll(/[-:]/g, '')}`;
}

// A timed instance lasts as many seconds as the first, and an all-day instance as many dates.
function fieldsAt(fields: EventResource, original: EventTime): EventResource {
  const { recurrence: _recurrence, ...rest } = fields;
  const { start = {}, end = {} } = fields;
  if (original.date) {
    const days = date(end).diff(date(start), 'days').days;
    return { ...rest, start: { ...original }, end: { date: date(original).plus({ days }).toISODate() } };
  }
  const until = isoOf(instantOf(original, 'UTC') + instantOf(end, 'UTC') - instantOf(start, 'UTC'));
  const timeZone = end.timeZone ?? original.timeZone ?? 'UTC';
  return { ...rest, start: { ...original }, end: { dateTime: until, timeZone } };
}

const date = (time: EventTime) => DateTime.fromISO(time.date ?? '', { zone: 'UTC' });

function keepOwn(before: EventResource, own: EventResource, next: EventResource): EventResource {
  const names = new Set([...Object.keys(own), ...Object.keys(next)]) as Set<keyof EventResource>;
  const kept = [...names].map((name) => {
    const isOwn = JSON.stringify(own[name]) !== JSON.stringify(before[name]);
    return [name, isOwn ? own[name] : next[name]];
  });
  const attendees = attendeesAfter(before, own, next);
  return Object.fromEntries([...kept, ['attendees', attendees]].filter(([, value]) => value !== undefined));
}

function attendeesAfter(before: EventResource, own: EventResource, next: EventResource): EventResource['attendees'] {
  const find = (fields: EventResource, email: string | null | undefined) =>
    fields.attendees?.find((attendee) => attendee.email === email);
  const added = next.attendees?.filter(({ email }) => !find(before, email) && !find(own, email)) ?? [];
  const stayed = (own.attendees ?? []).flatMap((attendee) => {
    const [was, is] = [find(before, attendee.email), find(next, attendee.email)];
    if (was && !is) return [];
    return [is && JSON.stringify(attendee) === JSON.stringify(was) ? is : attendee];
  });
  const all = [...stayed, ...added];
  return all.length > 0 ? structuredClone(all) : undefined;
}
