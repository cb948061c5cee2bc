import { type Context, Hono } from 'hono';
import { type Access, accessTo, type GoogleEnv, jsonBody } from './bearer.ts';
import { settleConference } from './conference.ts';
import { conditionNotMet, notFound } from './errors.ts';
import { etagOf, viewEvent } from './event-view.ts';
import { changeEvent, deleteEvent, insertEvent } from './event-write.ts';
import { listEvents, listInstances } from './events-list.ts';
import { sendUpdatesOf } from './kinds.ts';
import { findEvent } from './series.ts';
import type { EventResource, Role, Store, StoredEvent } from './store.ts';

const PATH = '/calendars/:calendarId/events';

/** Serves `events`: list, instances, insert, get, patch, update, delete. */
export function eventRoutes(store: Store) {
  const app = new Hono<GoogleEnv>();

  app.get(PATH, (c) =>
    c.json(listEvents(store, accessTo(c, store, 'freeBusyReader'), new URL(c.req.url).searchParams)),
  );

  app.post(PATH, async (c) => {
    const access = accessTo(c, store, 'writer');
    const options = { ...writeOptions(c), creator: c.var.session.person.email };
    const event = insertEvent(store, access.calendar.id, await jsonBody<EventResource>(c), options);
    return show(c, event, access);
  });

  app.get(`${PATH}/:eventId`, (c) => {
    const { event, access } = find(c, 'freeBusyReader');
    if (!event.instance) settleConference(store, event, { isRead: true });
    if (c.req.header('if-none-match') === etagOf(event)) return c.body(null, 304);
    return show(c, event, access);
  });

  app.get(`${PATH}/:eventId/instances`, (c) => {
    const { event, access } = find(c, 'freeBusyReader');
    return c.json(listInstances(store, access, event, new URL(c.req.url).searchParams));
  });

  app.on(['PATCH', 'PUT'], `${PATH}/:eventId`, async (c) => {
    const { event, access } = find(c, 'writer');
    const body = await jsonBody<EventResource>(c);
    checkEtag(c, event);
    changeEvent(store, event, access.calendar.id, body, { ...writeOptions(c), isMerge: c.req.method === 'PATCH' });
    return show(c, event, access);
  });

  app.delete(`${PATH}/:eventId`, (c) => {
    const { event, access } = find(c, 'writer');
    checkEtag(c, event);
    deleteEvent(store, event, access.calendar.id, sendUpdatesOf(c.req.query()));
    return c.body(null, 204);
  });

  function find(c: Context<GoogleEnv>, needed: Role): { event: StoredEvent; access: Access } {
    const access = accessTo(c, store, needed);
    const event = findEvent(store, access.calendar.id, c.req.param('eventId') ?? '');
    if (!event) throw notFound();
    return { event, access };
  }

  function show(c: Context<GoogleEnv>, event: StoredEvent, { calendar, role }: Access): Response {
    c.header('ETag', etagOf(event));
    return c.json(viewEvent(store, event, calendar.id, role));
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
