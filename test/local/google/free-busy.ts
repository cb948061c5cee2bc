import { Hono } from 'hono';
import { blocks } from './attendance.ts';
import { type GoogleEnv, jsonBody, needs } from './bearer.ts';
import { badRequest, required, timeRangeEmpty, timeRangeTooLong } from './errors.ts';
import { isoIn, parseInstant, spanOf } from './event-time.ts';
import { calendarOf, type Person, type Store } from './store.ts';

interface Interval {
  start: number;
  end: number;
}

interface Question {
  timeMin: string;
  timeMax: string;
  timeZone: string;
  items: { id: string }[];
}

const LONGEST_WINDOW_MS = 90 * 86_400_000;
const MOST_CALENDARS = 50;

/** `POST /freeBusy`, computed from the stored events. */
export function freeBusyRoutes(store: Store) {
  const app = new Hono<GoogleEnv>();
  const reads = needs('calendar', 'calendar.readonly', 'calendar.freebusy', 'calendar.events.freebusy');

  app.post('/freeBusy', reads, async (c) => {
    const { timeMin, timeMax, timeZone = 'UTC', items = [] } = await jsonBody<Question>(c);
    if (!timeMin) throw required('Missing timeMin parameter.');
    if (!timeMax) throw required('Missing timeMax parameter.');
    if (!Array.isArray(items)) throw badRequest();
    const window = { start: parseInstant(timeMin), end: parseInstant(timeMax) };
    if (window.end <= window.start) throw timeRangeEmpty();
    if (window.end - window.start > LONGEST_WINDOW_MS) throw timeRangeTooLong();

    const calendars = items.map(({ id }, index) => {
      const failed = (reason: string) => [id, { errors: [{ domain: 'global', reason }], busy: [] }];
      if (index >= MOST_CALENDARS) return failed('tooManyCalendarsRequested');
      const owner = readable(store, c.var.session.person, id);
      if (!owner) return failed('notFound');
      const reason = store.settings.calendarErrors.get(owner.email);
      if (reason) return failed(reason);
      const busy = busyTimes(store, owner, window);
      return [
        id,
        { busy: busy.map(({ start, end }) => ({ start: isoIn(start, timeZone), end: isoIn(end, timeZone) })) },
      ];
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

function readable(store: Store, reader: Person, id: string): Person | undefined {
  if (id === 'primary') return reader;
  const owner = store.people.get(id.toLowerCase());
  return owner && (owner === reader || owner.readers.has(reader.email)) ? owner : undefined;
}

function busyTimes(store: Store, owner: Person, window: Interval): Interval[] {
  const spans: Interval[] = [];
  for (const event of calendarOf(store, owner.email).values()) {
    if (!blocks(event, owner.email)) continue;
    const span = spanOf(event.fields, owner.timezone);
    const start = Math.max(span.start, window.start);
    const end = Math.min(span.end, window.end);
    if (start < end) spans.push({ start, end });
  }
  return merge(spans.sort((a, b) => a.start - b.start));
}

function merge(sorted: Interval[]): Interval[] {
  const merged: Interval[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}
