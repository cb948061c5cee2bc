import { Hono } from 'hono';
import { blocks } from './attendance.ts';
import { badRequest, required, timeRangeEmpty, timeRangeTooLong } from './errors.ts';
import { isoOf, parseInstant, spanOf } from './event-view.ts';
import type { Window } from './recurrence.ts';
import { eventsWithin } from './series.ts';
import { type Store, zoneOf } from './store.ts';
import { findAccess, type GoogleEnv, jsonBody } from './token.ts';

interface Question {
  timeMin: string;
  timeMax: string;
  items: { id?: unknown }[];
}

const LONGEST_WINDOW_MS = 90 * 86_400_000;
const MOST_CALENDARS = 50;

export function freeBusyRoutes(store: Store) {
  const app = new Hono<GoogleEnv>();

  app.post('/freeBusy', async (c) => {
    const { timeMin, timeMax, items = [] } = await jsonBody<Question>(c);
    if (!timeMin) throw required('Missing timeMin parameter.');
    if (!timeMax) throw required('Missing timeMax parameter.');
    if (!Array.isArray(items)) throw badRequest();
    const ids = items.map((item) => (typeof item?.id === 'string' ? item.id : ''));
    if (ids.includes('')) throw required('Missing calendar identifier.');
    const window = { start: parseInstant(timeMin), end: parseInstant(timeMax) };
    if (window.end <= window.start) throw timeRangeEmpty();
    if (window.end - window.start > LONGEST_WINDOW_MS) throw timeRangeTooLong();

    const calendars = ids.flatMap((id, index) => {
      const failed = (reason: string) => [[id, { errors: [{ domain: 'global', reason }], busy: [] }]];
      if (index >= MOST_CALENDARS) return failed('tooManyCalendarsRequested');
      const calendarId = findAccess(store, c.var.session.person, id)?.calendar.id;
      if (calendarId === undefined) return failed('notFound');
      if (store.settings.calendarsLeftOut.has(calendarId)) return [];
      const reason = store.settings.calendarErrors.get(calendarId);
      if (reason) return failed(reason);
      const frozen = store.frozen.get(calendarId);
      const seen = frozen ? { ...store, events: new Map([[calendarId, frozen]]) } : store;
      const busy = busyTimes(seen, calendarId, window);
      return [[id, { busy: busy.map(({ start, end }) => ({ start: isoOf(start), end: isoOf(end) })) }]];
    });
    return c.json({
      kind: 'calendar#freeBusy',
      timeMin: new Date(window.start).toISOString(),
      timeMax: new Date(window.end).toISOString(),
      calendars: Object.fromEntries(calendars),
    });
  });

  return app;
}

/** Returns a calendar's busy times in a window: sorted, merged if they touch, and clipped. */
export function busyTimes(store: Store, calendarId: string, window: Window): Window[] {
  const zone = zoneOf(store, calendarId);
  const spans = eventsWithin(store, calendarId, window)
    .filter((event) => blocks(event, calendarId))
    .map(({ fields }) => spanOf(fields, zone))
    .map(({ start, end }) => ({ start: Math.max(start, window.start), end: Math.min(end, window.end) }))
    .filter(({ start, end }) => start < end);
  return merge(spans.sort((a, b) => a.start - b.start));
}

function merge(sorted: Window[]): Window[] {
  const merged: Window[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}
