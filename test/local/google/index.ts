import { Hono } from 'hono';
import type { StandIn, WorldClock } from '../stand-in.ts';
import { bearer, type GoogleEnv } from './bearer.ts';
import { calendarRoutes } from './calendars.ts';
import { type Channel, createChannels, type Push } from './channels.ts';
import { consentRoutes } from './consent.ts';
import { createControl, type GoogleControl } from './control.ts';
import { notFound, renderError } from './errors.ts';
import { eventRoutes } from './events.ts';
import { freeBusyRoutes } from './free-busy.ts';
import { createGrants, type KeptGrants } from './grants.ts';
import { createStore, type KeptStore, keepStore } from './store.ts';
import { tokenRoutes } from './token.ts';
import { identityRoutes } from './userinfo.ts';

export type { GoogleControl } from './control.ts';

export interface GoogleOptions {
  clock: WorldClock;
  clientId: string;
  clientSecret: string;
  /** Carries a watch channel's push to its address; without it pushes are dropped. */
  push?: Push;
  /** What an earlier start kept. */
  kept?: KeptGoogle | undefined;
}

/** What Google knows, as plain data. */
export interface KeptGoogle {
  store: KeptStore;
  grants: KeptGrants;
  channels: Map<string, Channel>;
}

export interface Google extends StandIn, GoogleControl {
  /** What it knows, to be kept; nothing when another server plays Google. */
  keep(): KeptGoogle | undefined;
}

/** Google's OAuth and Calendar v3 in memory, on whichever of its hosts a request was meant for. */
export function createGoogle({ clock, clientId, clientSecret, push, kept }: GoogleOptions): Google {
  const store = createStore(clock, kept?.store);
  const grants = createGrants(clock, kept?.grants);
  const channels = createChannels(store, push, kept?.channels);

  const calendar = new Hono<GoogleEnv>();
  calendar.use(bearer(store, grants));
  calendar.route('/', calendarRoutes(store));
  calendar.route('/', freeBusyRoutes(store));
  calendar.route('/', channels.app);
  calendar.route('/', eventRoutes(store));

  const app = new Hono();
  app.route('/', consentRoutes({ store, grants, clientId }));
  app.route('/', tokenRoutes({ store, grants, clientId, clientSecret }));
  app.route('/', identityRoutes({ store, grants }));
  app.route('/calendar/v3', calendar);
  app.notFound(() => renderError(notFound()));
  app.onError((error) => renderError(error));

  return {
    ...createControl(store, grants, channels),
    fetch: (request) => app.fetch(request),
    keep: () => ({ store: keepStore(store), grants: grants.keep(), channels: channels.keep() }),
    close: async () => {},
  };
}
