import { Hono } from 'hono';

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

/** Serves `/`: every call of the control server as a line to paste into a terminal. */
export const indexRoutes = () => new Hono().get('/', (c) => c.text(indexText(new URL(c.req.url).origin)));

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
