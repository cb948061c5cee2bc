import { type Context, Hono } from 'hono';
import { type GoogleEnv, jsonBody, ownCalendar, readsEvents, writesEvents } from './bearer.ts';
import { settleConference } from './conference.ts';
import { conditionNotMet, notFound } from './errors.ts';
import { etagOf, viewEvent } from './event-view.ts';
import { changeEvent, deleteEvent, insertEvent } from './event-write.ts';
import { listEvents } from './events-list.ts';
import { sendUpdatesOf } from './mails.ts';
import { calendarOf, type EventResource, type Store, type StoredEvent } from './store.ts';

const PATH = '/calendars/:calendarId/events';

/** `events`: list, insert, get, patch, update, delete. */
export function eventRoutes(store: Store) {
  const app = new Hono<GoogleEnv>();

  app.get(PATH, readsEvents, (c) => {
    const { items, ...page } = listEvents(store, ownCalendar(c), new URL(c.req.url).searchParams);
    return c.json({ ...page, items });
  });

  app.post(PATH, writesEvents, async (c) => {
    const email = ownCalendar(c);
    const event = insertEvent(store, email, await jsonBody<EventResource>(c), writeOptions(c));
    return show(c, event, email);
  });

  app.get(`${PATH}/:eventId`, readsEvents, (c) => {
    const { event, email } = find(c);
    settleConference(store, event, { isRead: true });
    if (c.req.header('if-none-match') === etagOf(event)) return c.body(null, 304);
    return show(c, event, email);
  });

  app.on(['PATCH', 'PUT'], `${PATH}/:eventId`, writesEvents, async (c) => {
    const { event, email } = find(c);
    const body = await jsonBody<EventResource>(c);
    checkEtag(c, event);
    changeEvent(store, event, email, body, { ...writeOptions(c), isMerge: c.req.method === 'PATCH' });
    return show(c, event, email);
  });

  app.delete(`${PATH}/:eventId`, writesEvents, (c) => {
    const { event, email } = find(c);
    checkEtag(c, event);
    deleteEvent(store, event, email, sendUpdatesOf(c.req.query()));
    return c.body(null, 204);
  });

  function find(c: Context<GoogleEnv>): { event: StoredEvent; email: string } {
    const email = ownCalendar(c);
    const event = calendarOf(store, email).get(c.req.param('eventId') ?? '');
    if (!event) throw notFound();
    return { event, email };
  }

  function show(c: Context<GoogleEnv>, event: StoredEvent, email: string): Response {
    c.header('ETag', etagOf(event));
    return c.json(viewEvent(store, event, email));
  }

  return app;
}

function checkEtag(c: Context, event: StoredEvent): void {
  const wanted = c.req.header('if-match');
  if (wanted && wanted !== '*' && wanted !== etagOf(event)) throw conditionNotMet();
}

function writeOptions(c: Context) {
  return {
    conferenceVersion: Number(c.req.query('conferenceDataVersion') ?? 0),
    sendUpdates: sendUpdatesOf(c.req.query()),
  };
}
