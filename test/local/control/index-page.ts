import { Hono } from 'hono';

/** Call of the control server, with a body that can be sent as it is. */
export interface IndexedCall {
  what: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: object;
}

const [ana, ben] = ['ana.silva@demo.test', 'ben.carter@demo.test'];
const morning = { start: '2030-01-08T09:00:00Z', end: '2030-01-08T10:30:00Z' };

/** Calls of the control server, in an order in which each finds what it needs in a new world. */
export const CALLS: IndexedCall[] = [
  {
    what: 'Connect a person. Any address of demo.test has a calendar.',
    method: 'POST',
    path: '/connect',
    body: { email: 'you@demo.test' },
  },
  {
    what: 'Make a webhook event happen. A call with another name lists the events.',
    method: 'POST',
    path: '/trigger',
    body: { event: 'meeting.scheduled' },
  },
  {
    what: 'Add a person who is not connected yet, or move somebody to another time zone.',
    method: 'POST',
    path: '/google/users',
    body: { email: 'kai@demo.test', timezone: 'Asia/Tokyo' },
  },
  { what: 'Make a person busy.', method: 'POST', path: '/google/busy', body: { email: ana, ...morning } },
  {
    what: 'Enter an event as a person does: a time or a day, once or as a series.',
    method: 'POST',
    path: '/google/events',
    body: { email: ana, summary: 'Gym', ...morning, recurrence: ['RRULE:FREQ=WEEKLY'] },
  },
  { what: 'See the events of a person.', method: 'GET', path: `/google/events?email=${ana}` },
  {
    what: 'Add a further calendar of a person.',
    method: 'POST',
    path: '/google/calendars',
    body: { owner: ana, summary: 'Team' },
  },
  {
    what: 'Share a calendar.',
    method: 'POST',
    path: '/google/shares',
    body: { calendar: ana, reader: ben, role: 'reader' },
  },
  { what: 'Stop sharing it.', method: 'DELETE', path: '/google/shares', body: { calendar: ana, reader: ben } },
  {
    what: "End a person's consent, as they do in their Google account.",
    method: 'POST',
    path: '/google/revoke',
    body: { email: 'you@demo.test' },
  },
  {
    what: 'Make the next two calendar calls fail. Also: delay, hold, hang, late, reset, after, kill, kill_after.',
    method: 'POST',
    path: '/faults',
    body: { target: 'google', match: 'POST /calendar/v3', mode: 'status', status: 500, times: 2 },
  },
  { what: 'See the faults and how often each was met.', method: 'GET', path: '/faults' },
  { what: 'End all faults.', method: 'DELETE', path: '/faults' },
  { what: 'Make a service slow, in milliseconds a call.', method: 'POST', path: '/latency', body: { google: 300 } },
  { what: 'Make it fast again.', method: 'POST', path: '/latency', body: { google: 0 } },
  { what: 'See every call that left the Worker.', method: 'GET', path: '/traffic' },
  { what: 'Forget those calls.', method: 'DELETE', path: '/traffic' },
  { what: 'See the webhooks that arrived.', method: 'GET', path: '/inbox' },
  {
    what: 'Choose what the webhook endpoint answers, the next three times.',
    method: 'POST',
    path: '/inbox/answer',
    body: { status: 503, times: 3 },
  },
  { what: 'Empty the inbox.', method: 'DELETE', path: '/inbox' },
  { what: 'Read the clock.', method: 'GET', path: '/clock' },
  { what: 'Move the clock of everybody forward.', method: 'POST', path: '/clock', body: { advance_seconds: 60 } },
  { what: 'Run the cron trigger of the minute.', method: 'POST', path: '/cron' },
  { what: 'Deliver the queue messages that are due.', method: 'POST', path: '/queue/deliver' },
  {
    what: 'Create another platform with its keys.',
    method: 'POST',
    path: '/platforms',
    body: { name: 'Second', plan: 'developer' },
  },
  { what: 'See what the language model was asked.', method: 'GET', path: '/model' },
];

/** Serves `/`: every call of the control server as a line to paste into a terminal. */
export const indexRoutes = () => new Hono().get('/', (c) => c.text(indexText(new URL(c.req.url).origin)));

function indexText(origin: string): string {
  const lines = CALLS.map(({ what, method, path, body }) => `${what}\n  ${curl(method, origin + path, body)}\n`);
  return [
    'This server controls the local world around Tandem. Each call can be pasted as it is.',
    'A call that prints nothing did what it says; an error is printed as JSON.\n',
    ...lines,
    `Open the dashboard of the platform in a browser.\n  ${origin}/dashboard\n`,
    'test/README.md explains the calls.\n',
  ].join('\n');
}

function curl(method: string, url: string, body: object | undefined): string {
  const sends = method === (body === undefined ? 'GET' : 'POST') ? '' : ` -X ${method}`;
  return `curl -s${sends} '${url}'${body === undefined ? '' : ` -d '${JSON.stringify(body)}'`}`;
}
