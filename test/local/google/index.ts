import { Hono } from 'hono';
import type { StandIn, WorldClock } from '../targets.ts';
import { allowedByScopes, bearer, type GoogleEnv, tokenOf } from './bearer.ts';
import { calendarRoutes } from './calendars.ts';
import { type Channel, createChannels, type Push } from './channels.ts';
import { consentRoutes } from './consent.ts';
import { keepContract, partialAnswers } from './contract/keep.ts';
import { createControl, type GoogleControl } from './control.ts';
import { notFound, renderError } from './errors.ts';
import { eventRoutes } from './events.ts';
import { freeBusyRoutes } from './free-busy.ts';
import { createGrants, type KeptGrants } from './grants.ts';
import { habitualTrouble } from './habits.ts';
import { createStore, type KeptStore, keepStore } from './store.ts';
import { identityRoutes, tokenRoutes } from './token.ts';

export type { GoogleControl } from './control.ts';

export interface GoogleOptions {
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

/** State of the Google stand-in as plain data. */
export interface KeptGoogle {
  store: KeptStore;
  grants: KeptGrants;
  channels: Map<string, Channel>;
}

export interface Google extends StandIn, GoogleControl {
  /** Returns the state to save. */
  keep(): KeptGoogle;
}

/** Creates Google's OAuth and Calendar v3 in memory, for requests to any of Google's hosts. */
export function createGoogle({
  clock,
  clientId,
  clientSecret,
  push,
  newcomers,
  kept,
  report = console.error,
}: GoogleOptions): Google {
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
  app.route('/', identityRoutes({ store, grants }));
  app.route('/calendar/v3', calendar);
  app.notFound(() => renderError(notFound()));
  app.onError((error) => renderError(error));

  return {
    ...createControl(store, grants, channels),
    fetch: (request) =>
      keepContract(request, {
        serve: (given) => app.fetch(given),
        scopes: grants.findAccessToken(tokenOf(request))?.scopes,
        report,
      }),
    keep: () => ({ store: keepStore(store), grants: grants.keep(), channels: channels.keep() }),
    close: async () => {},
  };
}
