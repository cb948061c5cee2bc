import { type Context, Hono } from 'hono';
import { type GoogleEnv, needs, ownCalendar } from './bearer.ts';
import { notFound } from './errors.ts';
import type { Person } from './store.ts';

/** Settings, the calendar list and the calendar itself. */
export function calendarRoutes() {
  const app = new Hono<GoogleEnv>();
  const readsSettings = needs('calendar', 'calendar.readonly', 'calendar.settings.readonly');
  const readsList = needs('calendar', 'calendar.readonly', 'calendar.calendarlist', 'calendar.calendarlist.readonly');
  const readsCalendar = needs(
    'calendar',
    'calendar.readonly',
    'calendar.calendars',
    'calendar.calendars.readonly',
    'calendar.app.created',
  );

  app.get('/users/me/settings', readsSettings, (c) =>
    c.json({
      kind: 'calendar#settings',
      items: Object.keys(settingsOf(c.var.session.person)).map((id) => setting(c, id)),
    }),
  );
  app.get('/users/me/settings/:setting', readsSettings, (c) => c.json(setting(c, c.req.param('setting'))));
  app.get('/users/me/calendarList', readsList, (c) =>
    c.json({ kind: 'calendar#calendarList', items: [listEntry(c.var.session.person)] }),
  );
  app.get('/users/me/calendarList/:calendarId', readsList, (c) => {
    ownCalendar(c);
    return c.json(listEntry(c.var.session.person));
  });
  app.get('/calendars/:calendarId', readsCalendar, (c) => {
    const { email, timezone } = c.var.session.person;
    ownCalendar(c);
    return c.json({ kind: 'calendar#calendar', id: email, summary: email, timeZone: timezone, ...conferencing(c) });
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

function listEntry({ email, timezone }: Person) {
  return {
    kind: 'calendar#calendarListEntry',
    id: email,
    summary: email,
    timeZone: timezone,
    accessRole: 'owner',
    primary: true,
    selected: true,
  };
}

function conferencing(c: Context<GoogleEnv>) {
  const types = c.var.session.person.canMeet ? ['hangoutsMeet'] : [];
  return { conferenceProperties: { allowedConferenceSolutionTypes: types } };
}
