import { type Context, Hono } from 'hono';
import { jsonBody } from './bearer.ts';
import { duplicate, invalidCredentials, notFound } from './errors.ts';
import type { RemoteServer } from './remote-server.ts';
import type { EventResource } from './store.ts';

interface FreeBusy {
  items: { id: string }[];
  calendars: Record<string, unknown>;
}

type Env = { Variables: { email: string } };

const EVENTS = '/calendars/:calendarId/events';

/**
 * The Calendar API on a server that knows a calendar only as `primary`, gives events ids of its own and cannot read one
 * event: addresses and ids are translated, one event is found in the list, the zone setting comes from here.
 */
export function createRemoteCalendar(server: RemoteServer, timezoneOf: (email: string) => string | undefined) {
  const app = new Hono<Env>();
  const remoteIds = new Map<string, string>();
  const key = (email: string, id: string) => `${email} ${id}`;

  app.use(async (c, next) => {
    const token = c.req.header('authorization')?.match(/^bearer (.+)$/i)?.[1] ?? '';
    const email = await server.ownerOf(token);
    if (!email) throw invalidCredentials();
    c.set('email', email);
    await next();
  });

  app.get('/users/me/settings/timezone', async (c) => {
    const value = timezoneOf(c.var.email) ?? (await calendarZone(c));
    return c.json({ kind: 'calendar#setting', id: 'timezone', value });
  });

  app.get('/users/me/calendarList', (c) => server.forward(c.req.raw, '/calendar/v3/users/me/calendarList'));

  app.post('/freeBusy', async (c) => {
    const body = await jsonBody<FreeBusy>(c);
    const ids = (body.items ?? []).map(({ id }) => ({ id: isOwn(c, id) ? 'primary' : id }));
    const answer = await call(c, 'POST', '/calendar/v3/freeBusy', { ...body, items: ids });
    if (!answer.ok) return answer;
    const { calendars, ...rest } = (await answer.json()) as FreeBusy;
    const named = (body.items ?? []).flatMap(({ id }) => {
      const found = calendars[isOwn(c, id) ? 'primary' : id];
      return found === undefined ? [] : [[id, found]];
    });
    return c.json({ ...rest, calendars: Object.fromEntries(named) });
  });

  app.post(EVENTS, async (c) => {
    const body = await jsonBody<EventResource>(c);
    if (body.id && remoteIds.has(key(c.var.email, body.id))) throw duplicate();
    const answer = await call(c, 'POST', eventsPath(c), body);
    if (!answer.ok) return answer;
    const event = (await answer.json()) as EventResource;
    if (body.id && event.id) remoteIds.set(key(c.var.email, body.id), event.id);
    return c.json({ ...event, id: body.id ?? event.id });
  });

  app.get(EVENTS, (c) => server.forward(c.req.raw, eventsPath(c)));

  app.get(`${EVENTS}/:eventId`, async (c) => {
    const id = c.req.param('eventId');
    const answer = await call(c, 'GET', `${eventsPath(c)}?maxResults=2500`);
    const { items = [] } = (await answer.json()) as { items?: EventResource[] };
    const event = items.find((candidate) => candidate.id === remoteId(c, id));
    if (!event) throw notFound();
    return c.json({ ...event, id });
  });

  app.on(['PATCH', 'PUT', 'DELETE'], `${EVENTS}/:eventId`, (c) =>
    server.forward(c.req.raw, `${eventsPath(c)}/${remoteId(c, c.req.param('eventId'))}`),
  );

  const isOwn = (c: Context<Env>, id: string) => ['primary', c.var.email].includes(id.toLowerCase());
  const remoteId = (c: Context<Env>, id: string) => remoteIds.get(key(c.var.email, id)) ?? id;

  function eventsPath(c: Context<Env>): string {
    const id = c.req.param('calendarId') ?? '';
    return `/calendar/v3/calendars/${isOwn(c, id) ? 'primary' : encodeURIComponent(id)}/events`;
  }

  function call(c: Context<Env>, method: string, path: string, body?: object): Promise<Response> {
    return server.send(path, {
      method,
      headers: { authorization: c.req.header('authorization') ?? '', 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  }

  async function calendarZone(c: Context<Env>): Promise<string> {
    const answer = await call(c, 'GET', '/calendar/v3/users/me/calendarList');
    const { items = [] } = (await answer.json()) as { items?: { timeZone?: string; primary?: boolean }[] };
    return items.find(({ primary }) => primary)?.timeZone ?? 'UTC';
  }

  return app;
}
