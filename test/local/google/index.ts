import type { calendar_v3 } from '@googleapis/calendar';
import { type Context, Hono } from 'hono';
import type { WorldClock } from '../targets.ts';
import { findCalendar } from './accounts.ts';
import { type Channel, createChannels, type Push } from './channels.ts';
import { settleConference } from './conference.ts';
import { consentRoutes } from './consent.ts';
import { keepContract, partialAnswers } from './contract/contract.ts';
import { createControl, habitualTrouble } from './control.ts';
import { conditionNotMet, notFound, renderError } from './errors.ts';
import { etagOf, viewEvent } from './event-view.ts';
import { changeEvent, deleteEvent, insertEvent, sendUpdatesOf } from './event-write.ts';
import { listEvents } from './events-list.ts';
import { freeBusyRoutes } from './free-busy.ts';
import { createGrants, type KeptGrants } from './grants.ts';
import { findEvent } from './series.ts';
import {
  createStore,
  type EventResource,
  type KeptStore,
  keepStore,
  type Person,
  type Role,
  type Store,
  type StoredEvent,
} from './store.ts';
import {
  type Access,
  accessTo,
  allowedByScopes,
  bearer,
  findAccess,
  type GoogleEnv,
  jsonBody,
  tokenRoutes,
} from './token.ts';

const PATH = '/calendars/:calendarId/events';

function eventRoutes(store: Store) {
  const app = new Hono<GoogleEnv>();

  app.get(PATH, (c) => c.json(listEvents(store, accessTo(c, store, 'reader'), new URL(c.req.url).searchParams)));

  app.post(PATH, async (c) => {
    const access = accessTo(c, store, 'writer');
    const options = { ...writeOptions(c), creator: c.var.session.person.email };
    const event = insertEvent(store, access.calendar.id, await jsonBody<EventResource>(c), options);
    return show(c, event, access);
  });

  app.get(`${PATH}/:eventId`, (c) => {
    const { event, access } = find(c, 'reader');
    if (!event.instance) settleConference(store, event, { isRead: true });
    return show(c, event, access);
  });

  app.patch(`${PATH}/:eventId`, async (c) => {
    const { event, access } = find(c, 'writer');
    const body = await jsonBody<EventResource>(c);
    checkEtag(c, event);
    changeEvent(store, event, access.calendar.id, body, writeOptions(c));
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

  function show(c: Context<GoogleEnv>, event: StoredEvent, { calendar }: Access): Response {
    c.header('ETag', etagOf(event));
    return c.json(viewEvent(store, event, calendar.id));
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

type CalendarListEntry = calendar_v3.Schema$CalendarListEntry;

function calendarRoutes(store: Store) {
  const app = new Hono<GoogleEnv>();

  app.get('/users/me/settings/timezone', (c) =>
    c.json({ kind: 'calendar#setting', id: 'timezone', value: c.var.session.person.timezone }),
  );

  app.get('/users/me/calendarList', (c) => {
    const { maxResults = '100', pageToken = '0', showHidden } = c.req.query();
    const [size, from] = [Math.min(Number(maxResults), 250), Number(pageToken)];
    const { person } = c.var.session;
    const entries = [...person.listed.keys()]
      .flatMap((id) => listEntry(store, person, id) ?? [])
      .filter(({ hidden }) => !hidden || showHidden === 'true');
    return c.json({
      kind: 'calendar#calendarList',
      items: entries.slice(from, from + size),
      ...(entries.length > from + size ? { nextPageToken: String(from + size) } : {}),
    });
  });

  return app;
}

function listEntry(store: Store, person: Person, id: string): CalendarListEntry | undefined {
  const access = findAccess(store, person, id);
  if (!access) return undefined;
  const { name, isHidden } = person.listed.get(id) ?? {};
  const { summary, timezone } = findCalendar(store, id);
  return {
    kind: 'calendar#calendarListEntry',
    id,
    summary,
    ...(name === undefined ? {} : { summaryOverride: name }),
    timeZone: timezone,
    accessRole: access.role,
    ...(id === person.email ? { primary: true } : {}),
    ...(isHidden ? { hidden: true } : { selected: true }),
  };
}

export type { GoogleControl } from './control.ts';

interface GoogleOptions {
  clock: WorldClock;
  clientId: string;
  clientSecret: string;
  /** Delivers a watch channel's push to its address. Without this function, pushes are dropped. */
  push?: Push;
  /** Domain of which every address gets an account once somebody consents with it, and the zone of their calendar. */
  newcomers?: { domain: string; timezone: string } | undefined;
  /** State that an earlier start saved. */
  kept?: KeptGoogle | undefined;
  /** Callback with each difference from Google's contract, after which the call gets 599. */
  report?: ((line: string) => void) | undefined;
}

export interface KeptGoogle {
  store: KeptStore;
  grants: KeptGrants;
  channels: Map<string, Channel>;
}

export type Google = ReturnType<typeof createGoogle>;

/** Creates Google's OAuth and Calendar v3 in memory, for requests to any of Google's hosts. */
export function createGoogle({
  clock,
  clientId,
  clientSecret,
  push,
  newcomers,
  kept,
  report = console.error,
}: GoogleOptions) {
  const store = createStore(clock, kept?.store);
  const grants = createGrants(clock, kept?.grants);
  const channels = createChannels(store, push, kept?.channels);

  const calendar = new Hono<GoogleEnv>();
  calendar.use(bearer(store, grants), allowedByScopes, habitualTrouble(store), partialAnswers);
  calendar.route('/', calendarRoutes(store));
  calendar.route('/', freeBusyRoutes(store));
  calendar.route('/', channels.app);
  calendar.route('/', eventRoutes(store));

  const app = new Hono();
  app.route('/', consentRoutes({ store, grants, clientId, newcomers }));
  app.route('/', tokenRoutes({ store, grants, clientId, clientSecret }));
  app.route('/calendar/v3', calendar);
  app.notFound(() => renderError(notFound()));
  app.onError((error) => renderError(error));

  return {
    ...createControl(store, grants, channels),
    fetch: (request: Request) => keepContract(request, { serve: (given) => app.fetch(given), report }),
    keep: (): KeptGoogle => ({ store: keepStore(store), grants: grants.keep(), channels: channels.keep() }),
  };
}
