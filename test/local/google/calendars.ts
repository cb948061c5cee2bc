import type { calendar_v3 } from '@googleapis/calendar';
import { type Context, Hono } from 'hono';
import { allows, findCalendar } from './accounts.ts';
import { accessTo, findAccess, type GoogleEnv } from './bearer.ts';
import { badRequest, notFound } from './errors.ts';
import { type Person, ROLES, type Role, type Store } from './store.ts';

type CalendarListEntry = calendar_v3.Schema$CalendarListEntry;

/** Serves the settings, the calendar list and the calendars. */
export function calendarRoutes(store: Store) {
  const app = new Hono<GoogleEnv>();

  app.get('/users/me/settings', (c) =>
    c.json({
      kind: 'calendar#settings',
      items: Object.keys(settingsOf(c.var.session.person)).map((id) => setting(c, id)),
    }),
  );
  app.get('/users/me/settings/:setting', (c) => c.json(setting(c, c.req.param('setting'))));

  app.get('/users/me/calendarList', (c) => {
    const { minAccessRole, maxResults = '100', pageToken = '0', ...shows } = c.req.query();
    const least = ROLES.find((role) => role === (minAccessRole ?? 'freeBusyReader'));
    const [size, from] = [Math.min(Number(maxResults), 250), Number(pageToken)];
    if (!least || !(size >= 1) || !Number.isInteger(from)) throw badRequest();
    const { person } = c.var.session;
    const isShown = ({ deleted, hidden, accessRole }: CalendarListEntry) =>
      deleted
        ? shows.showDeleted === 'true'
        : (!hidden || shows.showHidden === 'true') && allows(accessRole as Role, least);
    const entries = [...person.listed.keys()].map((id) => listEntry(store, person, id)).filter(isShown);
    return c.json({
      kind: 'calendar#calendarList',
      items: entries.slice(from, from + size),
      ...(entries.length > from + size ? { nextPageToken: String(from + size) } : {}),
    });
  });
  app.get('/users/me/calendarList/:calendarId', (c) => {
    const { person } = c.var.session;
    const { calendar } = accessTo(c, store, 'freeBusyReader');
    const entry = person.listed.has(calendar.id) && listEntry(store, person, calendar.id);
    if (!entry || entry.deleted) throw notFound();
    return c.json(entry);
  });

  app.get('/calendars/:calendarId', (c) => {
    const { id, summary, timezone, canMeet } = accessTo(c, store, 'freeBusyReader').calendar;
    const conferenceProperties = { allowedConferenceSolutionTypes: canMeet ? ['hangoutsMeet'] : [] };
    return c.json({ kind: 'calendar#calendar', id, summary, timeZone: timezone, conferenceProperties });
  });

  return app;
}

function settingsOf(person: Person): Record<string, string> {
  return { timezone: person.timezone, locale: 'en', weekStart: '1', format24HourTime: 'false' };
}

function setting(c: Context<GoogleEnv>, id: string) {
  const value = settingsOf(c.var.session.person)[id];
  if (value === undefined) throw notFound();
  return { kind: 'calendar#setting', id, value };
}

function listEntry(store: Store, person: Person, id: string): CalendarListEntry {
  const kind = 'calendar#calendarListEntry';
  const access = findAccess(store, person, id);
  const { name, isHidden, isDeleted } = person.listed.get(id) ?? {};
  if (!access || isDeleted) return { kind, id, deleted: true };
  const { summary, timezone } = findCalendar(store, id);
  return {
    kind,
    id,
    summary,
    ...(name === undefined ? {} : { summaryOverride: name }),
    timeZone: timezone,
    accessRole: access.role,
    ...(id === person.email ? { primary: true } : {}),
    ...(isHidden ? { hidden: true } : { selected: true }),
  };
}
