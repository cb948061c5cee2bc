import { app } from '../../../functions/app.ts';
import { freshStock } from '../fuzz/stock.ts';
import { message } from '../people/agents.ts';
import { freshPlatform } from '../people/factories.ts';
import { strangersAddress } from '../people/proposing.ts';
import { world } from '../worlds/world.ts';
import { PLATFORM_READS, USER_READS } from './plain-reads.ts';

export const own = await freshStock({ meetings: 4, users: 2 });
export const stranger = await freshStock({ meetings: 0, users: 1 });
export const revoked = await freshPlatform();
await world.neon.query('update api_keys set revoked_at = now() where platform_id = $1', [revoked.id]);
export const forgotten = await freshPlatform();
await world.neon.query('delete from api_keys where platform_id = $1', [forgotten.id]);

const [ada = '', bob = ''] = own.attendees;
export const [user, leaver] = own.users;
const pair = { attendees: own.attendees };
const guest = strangersAddress();
await own.platform.api.send('POST', '/v1/proposals', {
  ...{ attendees: [ada, guest], duration_minutes: 15, title: 'A guest to erase', count: 1 },
});

/** A request to a route and the expected answers. */
export interface Row {
  /** Owner of the keys the route takes. `both`: either kind, each for its own data. `any`: keys make no difference. */
  for: 'platform' | 'user' | 'both' | 'any';
  path?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Status for the owner, or for everybody if keys make no difference. */
  status: number;
  /** True if the route looks up the token in its address, whatever it is. */
  looksUp?: boolean;
  /**
   * Refusal for a stranger with a key of the right kind. Without one, they get a success that shows only their own data.
   */
  foreign?: [status: number, error: string];
  /** Key of the owner, if it is not the usual one. */
  key?: string | undefined;
}

const forAny = (status: number): Row => ({ for: 'any', status });
const forPlatform = (status: number, row: Partial<Row> = {}): Row => ({ for: 'platform', status, ...row });
const forUser = (status: number, row: Partial<Row> = {}): Row => ({ for: 'user', status, ...row });

const NO_ATTENDEE: Row['foreign'] = [404, 'user_not_found'];
const NO_PROPOSAL: Row['foreign'] = [404, 'proposal_not_found'];
const NO_JOB: Row['foreign'] = [404, 'job_not_found'];
const NO_BATCH: Row['foreign'] = [404, 'batch_not_found'];
const NO_PERSON: Row['foreign'] = [404, 'User not found'];
const NO_DELIVERY: Row['foreign'] = [404, 'Delivery not found'];
const NOT_THEIRS: Row['foreign'] = [403, 'Forbidden'];
const proposal = (n: number) => `/v1/proposals/${own.proposals[n]}`;
const planned = own.batches[0] ?? '';

const inDays = (days: number) => new Date(world.clock.now() + days * 86_400_000).toISOString();
const meeting = (place: number) => `/v1/meetings/${own.meetings[place]}`;
const person = (email: string) => `/v1/users/${encodeURIComponent(email)}`;
const delivery = `/v1/platform/webhook/logs/${own.deliveries[0]}`;

const listsMeetings: Row = {
  for: 'both',
  status: 200,
  ...message('tools/call', { name: 'list_meetings', arguments: { email: ada } }),
};

export const ROUTES = new Set(
  app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`),
);
/** Pages that want a session, whatever key a request has. */
const PAGES = [...ROUTES].filter((route) => /^\w+ \/(?:me|dashboard)(?:\/|$)/.test(route));

/** Requests for every route. Those that end something come last. */
export const ROWS: Record<string, Row> = {
  ...Object.fromEntries(PAGES.map((page) => [page, forAny(401)])),
  ...Object.fromEntries(PLATFORM_READS.map((path) => [`GET ${path}`, forPlatform(200)])),
  ...Object.fromEntries(USER_READS.map((path) => [`GET ${path}`, forUser(200)])),
  'GET /health': forAny(200),
  'GET /health/ready': forAny(401),
  'GET /openapi.json': forAny(200),
  'GET /': forAny(200),
  'GET /docs': forAny(200),
  'GET /docs.md': forAny(200),
  'GET /docs/changelog.xml': forAny(200),
  'GET /docs/places.json': forAny(200),
  'GET /docs/time': forAny(301),
  'GET /docs/time.md': forAny(301),
  'GET /docs/quickstart': forAny(301),
  'GET /docs/quickstart.md': forAny(301),
  'GET /docs/*': forAny(404),
  'GET /llms.txt': forAny(200),
  'GET /favicon.svg': forAny(200),
  'GET /card.png': forAny(200),
  'GET /client/:file': forAny(404),
  'GET /privacy': forAny(200),
  'GET /terms': forAny(200),
  'GET /.well-known/security.txt': forAny(200),
  'GET /v1/auth/calendar/authorize': forAny(400),
  'POST /oauth/authorize': forAny(400),
  'GET /oauth/login': forAny(400),
  'GET /oauth/callback': forAny(400),
  'GET /oauth/connected': forAny(200),
  'GET /oauth/agent': forAny(401),
  'POST /oauth/agent': forAny(400),
  'POST /oauth/token': forAny(400),
  'GET /.well-known/oauth-authorization-server': forAny(200),
  'GET /.well-known/oauth-authorization-server/mcp': forAny(200),
  'GET /.well-known/oauth-protected-resource': forAny(200),
  'GET /.well-known/oauth-protected-resource/mcp': forAny(200),
  'GET /.well-known/oauth-protected-resource/mcp/': forAny(200),
  'GET /p/:token': { ...forAny(404), looksUp: true },
  'GET /p/:token{[\\w-]+[^\\w-]+}': { ...forAny(302), path: '/p/token.' },
  'POST /p/:token': { ...forAny(404), looksUp: true },
  'GET /p/:token/zone': { ...forAny(404), looksUp: true },
  'GET /p/:token/meeting.ics': { ...forAny(404), looksUp: true },
  'GET /p/*': { ...forAny(404), path: '/p/token/other' },
  'GET /dashboard/enter': forAny(400),
  'POST /dashboard/enter': forAny(400),
  'POST /internal/deliver-webhook': forAny(401),
  'POST /internal/run-job': forAny(401),
  'POST /internal/run-batch': forAny(401),
  'POST /internal/sync-calendars': forAny(401),
  'POST /internal/calendar-push': forAny(404),
  'POST /mcp': listsMeetings,
  'POST /mcp/': listsMeetings,
  'POST /v1/availability': forPlatform(200, { body: pair, foreign: NO_ATTENDEE }),
  'POST /v1/availability/explain': forPlatform(200, { body: { ...pair, start_time: inDays(2) }, foreign: NO_ATTENDEE }),
  'POST /v1/schedule': forPlatform(200, {
    body: { ...pair, start_time: inDays(40), duration_minutes: 30, title: 'Tea' },
    foreign: NO_ATTENDEE,
  }),
  'POST /v1/schedule/auto': forPlatform(202, { body: pair, foreign: NO_ATTENDEE }),
  'GET /v1/jobs/:job_id': forPlatform(200, { path: `/v1/jobs/${own.jobs[0]}`, foreign: NO_JOB }),
  'DELETE /v1/jobs/:job_id': forPlatform(200, { path: `/v1/jobs/${own.jobs[1]}`, foreign: NO_JOB }),
  'POST /v1/schedule/batch': forPlatform(202, { body: { meetings: [{ reference: 'one', ...pair }], dry_run: true } }),
  'GET /v1/batches/:batch_id': forPlatform(200, { path: `/v1/batches/${planned}`, foreign: NO_BATCH }),
  'POST /v1/batches/:batch_id/commit': forPlatform(202, { path: `/v1/batches/${planned}/commit`, foreign: NO_BATCH }),
  'DELETE /v1/batches/:batch_id': forPlatform(200, { path: `/v1/batches/${own.batches[1]}`, foreign: NO_BATCH }),
  'POST /v1/proposals': forPlatform(201, {
    body: { ...pair, times: [inDays(41)], duration_minutes: 30, title: 'Tea' },
    foreign: NO_ATTENDEE,
  }),
  'GET /v1/proposals/:proposal_id': forPlatform(200, { path: proposal(0), foreign: NO_PROPOSAL }),
  'POST /v1/proposals/:proposal_id/accept': forPlatform(200, {
    path: `${proposal(2)}/accept`,
    body: { time_id: own.times[2] },
    foreign: NO_PROPOSAL,
  }),
  'POST /v1/proposals/:proposal_id/decline': forPlatform(200, { path: `${proposal(3)}/decline`, foreign: NO_PROPOSAL }),
  'DELETE /v1/proposals/:proposal_id': forPlatform(200, { path: proposal(1), foreign: NO_PROPOSAL }),
  'GET /v1/meetings/:meeting_id': forPlatform(200, { path: meeting(0), foreign: NOT_THEIRS }),
  'PUT /v1/meetings/:meeting_id': forPlatform(200, {
    path: meeting(1),
    body: { start_time: inDays(30), end_time: inDays(30.02) },
    foreign: NOT_THEIRS,
  }),
  'DELETE /v1/meetings/:meeting_id': forPlatform(200, { path: meeting(2), foreign: NOT_THEIRS }),
  'POST /v1/meetings/:meeting_id/reschedule': forPlatform(200, {
    path: `${meeting(3)}/reschedule`,
    body: { meeting_id: own.meetings[3], requested_by: bob, reason: 'Another day is better.' },
    foreign: NOT_THEIRS,
  }),
  'DELETE /v1/users/:email': forPlatform(200, { path: person(guest), foreign: NO_PERSON }),
  'GET /v1/users/:email/meetings': forPlatform(200, { path: `${person(ada)}/meetings`, foreign: NO_PERSON }),
  'GET /v1/users/:email/availability': forPlatform(200, { path: `${person(ada)}/availability`, foreign: NO_PERSON }),
  'GET /v1/users/:email/status': forPlatform(200, { path: `${person(ada)}/status` }),
  'GET /v1/platform/oauth-url': forPlatform(200, { path: '/v1/platform/oauth-url?user_email=someone@people.test' }),
  'DELETE /v1/calendars/:email': forPlatform(200, {
    path: `/v1/calendars/${encodeURIComponent(own.leaving[0] ?? '')}`,
    foreign: [404, 'Connection not found'],
  }),
  'GET /v1/platform/users/status': forPlatform(200, {
    path: `/v1/platform/users/status?email=${encodeURIComponent(ada)}`,
  }),
  'POST /v1/platform/dashboard-link': forPlatform(200),
  'PUT /v1/platform/settings': forPlatform(200, { body: { on_decline: 'cancel' } }),
  'PUT /v1/platform/webhook': forPlatform(200, { body: { max_retries: 2 } }),
  'POST /v1/platform/webhook/rotate-secret': forPlatform(200),
  'POST /v1/platform/webhook/test': forPlatform(200),
  'GET /v1/platform/webhook/logs/:id': forPlatform(200, { path: delivery, foreign: NO_DELIVERY }),
  'POST /v1/platform/webhook/logs/:id/replay': forPlatform(202, { path: `${delivery}/replay`, foreign: NO_DELIVERY }),
  'POST /v1/platform/webhook/replay': forPlatform(202, { body: { since: inDays(-1) } }),
  'PUT /v1/user/preferences': forUser(200, { body: { buffer_minutes: 15 } }),
  'POST /v1/user/learning/:id/undo': forUser(200, {
    path: `/v1/user/learning/${own.learned[0]}/undo`,
    foreign: [404, 'Not found'],
  }),
  'DELETE /v1/user/learning': forUser(200),
  'POST /v1/platform/regenerate-key': forPlatform(200),
  'POST /v1/user/api-key/regenerate': forUser(200),
  'DELETE /v1/user': forUser(200, { key: leaver?.key }),
};
