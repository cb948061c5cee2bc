import { Hono, type MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as z from 'zod';
import { type EventType, RESCHEDULED, SUBSCRIBED_EVENTS } from '../../schema/api/webhook-events.ts';
import type { MovableClock } from './clock.ts';
import { googleRoutes, Timezone } from './control/google.ts';
import { readBody, refuse } from './control/input.ts';
import { Fault, type Faults, Latencies, type Latency } from './faults.ts';
import { type Inbox, InboxAnswer } from './inbox.ts';
import { type Llm, RecordedAnswers } from './llm.ts';
import type { PlatformKeys, Platforms } from './platforms.ts';
import type { Sleepers } from './sleepers.ts';
import type { Traffic } from './traffic.ts';
import type { WorkerProcess } from './worker-process.ts';

type ControlDeps = Parameters<typeof edgeRoutes>[0] &
  Parameters<typeof timeRoutes>[0] &
  Parameters<typeof peopleRoutes>[0] &
  Parameters<typeof triggerRoutes>[0] & {
    google: Parameters<typeof googleRoutes>[0];
    inbox: Parameters<typeof inboxRoutes>[0];
    llm: Parameters<typeof modelRoutes>[0];
    /** Serves Google's pages, so that a browser can open them at the loopback address. */
    pages: (request: Request) => Response | Promise<Response>;
  };

/** Creates the control server, which reads and changes the local world. It also serves Google's consent pages. */
export function createControl(deps: ControlDeps) {
  return new Hono()
    .use(endLines)
    .route('/', indexRoutes())
    .route('/', edgeRoutes(deps))
    .route('/', googleRoutes(deps.google))
    .route('/', inboxRoutes(deps.inbox))
    .route('/', modelRoutes(deps.llm))
    .route('/', peopleRoutes(deps))
    .route('/', timeRoutes(deps))
    .route('/', triggerRoutes(deps))
    .all('/o/*', (c) => deps.pages(c.req.raw))
    .notFound((c) => c.json({ error: 'not_found', message: `There is no ${c.req.method} ${c.req.path} here.` }, 404))
    .onError((error, c) => {
      if (error instanceof HTTPException) {
        const code = error.status === 400 ? 'invalid_request' : 'refused';
        return c.json({ error: code, message: error.message }, error.status);
      }
      return c.json({ error: 'internal', message: error.stack ?? error.message }, 500);
    });
}

/** Ends JSON with a newline, so that a terminal's prompt begins on a line of its own. */
const endLines: MiddlewareHandler = async (c, next) => {
  await next();
  if (!c.res.headers.get('content-type')?.startsWith('application/json')) return;
  c.res = new Response(`${await c.res.text()}\n`, c.res);
};

function edgeRoutes({ faults, latency, traffic }: { faults: Faults; latency: Latency; traffic: Traffic }) {
  return new Hono()
    .get('/faults', (c) => c.json({ faults: faults.list() }))
    .post('/faults', async (c) => {
      faults.add(await readBody(c, Fault));
      return c.json({ faults: faults.list() }, 201);
    })
    .delete('/faults', (c) => {
      faults.clear();
      return c.body(null, 204);
    })
    .get('/latency', (c) => c.json(latency.list()))
    .post('/latency', async (c) => {
      latency.set(await readBody(c, Latencies));
      return c.json(latency.list());
    })
    .get('/traffic', (c) => c.json({ traffic: traffic.list() }))
    .delete('/traffic', (c) => {
      traffic.clear();
      return c.body(null, 204);
    });
}

function inboxRoutes(inbox: Inbox) {
  return new Hono()
    .get('/inbox', (c) => c.json({ deliveries: inbox.deliveries() }))
    .delete('/inbox', (c) => {
      inbox.clear();
      return c.body(null, 204);
    })
    .post('/inbox/answer', async (c) => {
      const answer = await readBody(c, InboxAnswer);
      inbox.answer(answer);
      return c.json(answer);
    });
}

const Play = z.strictObject({ answers: RecordedAnswers });

const modelRoutes = (llm: Pick<Llm, 'play' | 'requests'>) =>
  new Hono()
    .get('/model', (c) => c.json({ requests: llm.requests() }))
    .post('/model', async (c) => {
      const { answers } = await readBody(c, Play);
      llm.play(answers);
      return c.json({ answers: answers.length });
    });

const NewPlatform = z.strictObject({
  name: z.string().min(1),
  plan: z.enum(['developer', 'starter', 'pro', 'growth', 'scale', 'enterprise']).default('pro'),
  webhook_url: z.url().optional(),
  redirect_uris: z.array(z.url()).max(5).optional(),
});
const Connection = z.strictObject({
  email: z.email(),
  timezone: Timezone.optional(),
  platform_id: z.string().optional(),
});

interface PeopleDeps {
  google: Pick<Parameters<typeof googleRoutes>[0], 'addUser'>;
  platforms: Platforms;
  connect(platform: PlatformKeys, email: string): Promise<{ email: string; api_key: string }>;
  dashboardLink(platform: PlatformKeys): Promise<string>;
}

function peopleRoutes({ google, platforms, connect, dashboardLink }: PeopleDeps) {
  const platformOf = (id: string | undefined) =>
    platforms.find(id) ?? refuse(404, id === undefined ? 'There is no platform yet.' : `There is no platform ${id}.`);
  return new Hono()
    .get('/dashboard', async (c) => c.redirect(await dashboardLink(platformOf(c.req.query('platform_id'))).catch(fail)))
    .post('/platforms', async (c) => c.json(await platforms.create(await readBody(c, NewPlatform)), 201))
    .post('/connect', async (c) => {
      const { email, timezone, platform_id } = await readBody(c, Connection);
      const platform = platformOf(platform_id);
      if (timezone !== undefined) google.addUser({ email, timezone });
      return c.json(await connect(platform, email).catch(fail));
    });
}

const fail = (error: unknown) => refuse(502, error instanceof Error ? error.message : String(error));

const Advance = z.strictObject({
  advance_seconds: z
    .number()
    .positive()
    .max(10 * 366 * 86_400),
});

const Sleep = z.strictObject({ ms: z.number().min(0) });

interface TimeDeps {
  clock: MovableClock;
  patience: number;
  moveClock: (ms: number) => Promise<void>;
  sleep: Sleepers['sleep'];
  deliverDue: () => Promise<number>;
  worker: () => Pick<WorkerProcess, 'runScheduled'>;
}

function timeRoutes({ clock, patience, moveClock, sleep, deliverDue, worker }: TimeDeps) {
  const reading = () => ({ now: new Date(clock.now()).toISOString(), offset_ms: clock.workerOffset(), patience });
  return new Hono()
    .get('/clock', (c) => c.json(reading()))
    .post('/clock', async (c) => {
      const { advance_seconds } = await readBody(c, Advance);
      await moveClock(advance_seconds * 1000);
      return c.json(reading());
    })
    .post('/sleep', async (c) => {
      const { ms } = await readBody(c, Sleep);
      await sleep(ms, c.req.raw.signal);
      return c.json(reading());
    })
    .post('/queue/deliver', async (c) => c.json({ delivered: await deliverDue() }))
    .post('/cron', async (c) => {
      await worker().runScheduled(clock.now());
      return c.json({ ran_at: new Date(clock.now()).toISOString() });
    });
}

/** A name that a webhook can subscribe to. A move arrives as `meeting.updated`, as the sample of a move does. */
const Trigger = z.strictObject({
  event: z
    .enum(SUBSCRIBED_EVENTS, `must be one of ${SUBSCRIBED_EVENTS.join(', ')}`)
    .transform((name): EventType => (name === RESCHEDULED ? 'meeting.updated' : name)),
});

interface TriggerRouteDeps {
  trigger(apiKey: string, event: EventType): Promise<string>;
  /** Returns the secret key of the world's first platform. Throws if it was replaced. */
  firstKey(): Promise<string | undefined>;
}

/** Serves `/trigger`, which makes an event happen for the platform whose secret key is the bearer token. */
export const triggerRoutes = ({ trigger, firstKey }: TriggerRouteDeps) =>
  new Hono().post('/trigger', async (c) => {
    const { event } = await readBody(c, Trigger);
    const given = c.req.header('authorization')?.match(/^bearer (.+)$/i)?.[1];
    try {
      const key = given ?? (await firstKey()) ?? refuse(404, 'There is no platform yet.');
      return c.json({ event, did: await trigger(key, event) });
    } catch (error) {
      if (error instanceof HTTPException) throw error;
      return fail(error);
    }
  });

const [ana, ben, kai, you, team] = ['ana.silva', 'ben.carter', 'kai', 'you', 'team'].map((name) => `${name}@demo.test`);
const morning = { start: '2030-01-08T09:00:00Z', end: '2030-01-08T10:30:00Z' };
const weekly = { ...morning, summary: 'Lunch', attendees: [ana, ben], recurrence: ['RRULE:FREQ=WEEKLY'] };
const evening = { start: '2030-01-08T19:00:00Z', end: '2030-01-08T20:00:00Z', summary: 'Dinner' };
const [lunch, no] = [{ email: ana, event_id: 'lunch' }, 'declined'];

/** In an order in which each call finds what it needs in a new world. A test compares them with the routes for people. */
export const CALLS: [what: string, call: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`, body?: object][] = [
  ['Connect a person of demo.test.', 'POST /connect', { email: you, timezone: 'Europe/Paris' }],
  ['Make a webhook event happen. Another name lists them.', 'POST /trigger', { event: 'meeting.scheduled' }],
  ['Add a person, or move one to another time zone.', 'POST /google/users', { email: kai, timezone: 'Asia/Tokyo' }],
  ['Make a person busy.', 'POST /google/busy', { email: ana, ...morning }],
  [
    'Enter an event as a person does: a time or a day, once or as a series.',
    'POST /google/events',
    { ...lunch, ...weekly },
  ],
  ['See the events of a person, with the IDs for the next calls.', `GET /google/events?email=${ana}`],
  [
    'Move or rename it. Also: location, attendees, conference, move_to.',
    'PATCH /google/events',
    { ...lunch, ...evening },
  ],
  [
    'Answer it: accepted, declined or tentative.',
    'PATCH /google/events',
    { ...lunch, email: ben, response_status: no },
  ],
  ['Delete it, which cancels it.', 'PATCH /google/events', { ...lunch, deleted: true }],
  ['Add a further calendar of a person.', 'POST /google/calendars', { owner: ana, id: team, summary: 'Team' }],
  ['Set its time zone.', 'PATCH /google/calendars', { id: team, timezone: 'Asia/Tokyo' }],
  ['Remove it.', 'DELETE /google/calendars', { id: team }],
  ['Share a calendar.', 'POST /google/shares', { calendar: ana, reader: ben, role: 'reader' }],
  ['Stop sharing it.', 'DELETE /google/shares', { calendar: ana, reader: ben }],
  ["End a person's consent, as they do in their Google account.", 'POST /google/revoke', { email: you }],
  [
    'Make the next two calendar calls fail. Also: delay, hold, hang, late, reset, after, kill, kill_after.',
    'POST /faults',
    { target: 'google', match: 'POST /calendar/v3', mode: 'status', status: 500, times: 2 },
  ],
  ['See the faults and how often each was met.', 'GET /faults'],
  ['End all faults.', 'DELETE /faults'],
  ['Make a service slow, in milliseconds a call.', 'POST /latency', { google: 300 }],
  ['See which are slow.', 'GET /latency'],
  ['Make it fast again.', 'POST /latency', { google: 0 }],
  ['See every call that left the Worker.', 'GET /traffic'],
  ['Forget those calls.', 'DELETE /traffic'],
  ['See the webhooks that arrived.', 'GET /inbox'],
  ['Choose what the webhook endpoint answers, the next three times.', 'POST /inbox/answer', { status: 503, times: 3 }],
  ['Empty the inbox.', 'DELETE /inbox'],
  ['Run the cron trigger of the minute.', 'POST /cron'],
  ['Deliver the queue messages that are due.', 'POST /queue/deliver'],
  ['Read the clock.', 'GET /clock'],
  ['Move the clock of everybody forward.', 'POST /clock', { advance_seconds: 60 }],
  ['Create another platform with its keys.', 'POST /platforms', { name: 'Second', plan: 'developer' }],
  ['See what the language model was asked.', 'GET /model'],
  ['Choose what it answers to a text.', 'POST /model', { answers: [{ text: 'whenever', answer: {} }] }],
];

const indexRoutes = () => new Hono().get('/', (c) => c.text(indexText(new URL(c.req.url).origin)));

function indexText(origin: string): string {
  const lines = CALLS.map(([what, call, body]) => `${what}\n  ${curl(call, origin, body)}\n`);
  return [
    'This server controls the local world around Tandem. Each call can be pasted as it is.',
    'A call that prints nothing did what it says; an error is printed as JSON.\n',
    ...lines,
    `Open the dashboard of the platform in a browser.\n  ${origin}/dashboard\n`,
    'test/README.md explains the faults.\n',
  ].join('\n');
}

function curl(call: string, origin: string, body: object | undefined): string {
  const [method, path] = call.split(' ');
  const sends = method === (body === undefined ? 'GET' : 'POST') ? '' : ` -X ${method}`;
  return `curl -s${sends} '${origin}${path}'${body === undefined ? '' : ` -d '${JSON.stringify(body)}'`}`;
}
