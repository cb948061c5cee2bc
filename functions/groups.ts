import type { Hono } from 'hono';
import * as auditLogApi from '../schema/api/audit-log.ts';
import * as availabilityApi from '../schema/api/availability.ts';
import * as batchesApi from '../schema/api/batches.ts';
import * as calendarOauthApi from '../schema/api/calendar-oauth.ts';
import * as calendarsApi from '../schema/api/calendars.ts';
import * as keysApi from '../schema/api/keys.ts';
import * as learningApi from '../schema/api/learning.ts';
import * as meetingChangesApi from '../schema/api/meeting-changes.ts';
import * as meetingsApi from '../schema/api/meetings.ts';
import type { Operation } from '../schema/api/operation.ts';
import * as ownUserApi from '../schema/api/own-user.ts';
import * as platformApi from '../schema/api/platform.ts';
import * as platformUsersApi from '../schema/api/platform-users.ts';
import * as preferencesApi from '../schema/api/preferences.ts';
import * as proposalEndsApi from '../schema/api/proposal-ends.ts';
import * as proposalsApi from '../schema/api/proposals.ts';
import * as scheduleApi from '../schema/api/schedule.ts';
import * as serviceApi from '../schema/api/service.ts';
import * as usersByEmailApi from '../schema/api/users-by-email.ts';
import * as webhookDeliveriesApi from '../schema/api/webhook-deliveries.ts';
import * as webhookEndpointApi from '../schema/api/webhook-endpoint.ts';
import type { AppEnv } from './env.ts';
import { auditLog } from './v1/audit-log.ts';
import { availability } from './v1/availability.ts';
import { batches } from './v1/batches.ts';
import { calendarOauth } from './v1/calendar-oauth.ts';
import { calendars } from './v1/calendars.ts';
import { keys } from './v1/keys.ts';
import { learning } from './v1/learning.ts';
import { meetingChanges } from './v1/meeting-changes.ts';
import { meetings } from './v1/meetings.ts';
import { ownUser } from './v1/own-user.ts';
import { platform } from './v1/platform.ts';
import { platformUsers } from './v1/platform-users.ts';
import { preferences } from './v1/preferences.ts';
import { proposalEnds } from './v1/proposal-ends.ts';
import { proposals } from './v1/proposals.ts';
import { schedule } from './v1/schedule.ts';
import { usersByEmail } from './v1/users-by-email.ts';
import { webhookDeliveries } from './v1/webhook-deliveries.ts';
import { webhookEndpoint } from './v1/webhook-endpoint.ts';

interface Endpoints {
  api: { operations: readonly Operation[] };
  /** Handlers of the endpoints in `api`. Absent if the app serves these endpoints before it checks any API key. */
  routes?: Hono<AppEnv>;
}

interface Group {
  tag: string;
  description: string;
  endpoints: readonly Endpoints[];
}

/** Groups of endpoints with their contracts and handlers, in the order in which the documentation lists them. */
const GROUPED: readonly Group[] = [
  {
    tag: 'Scheduling',
    description:
      'Find times when two people are both free, and book a meeting. In a request, the first attendee is called the requester.',
    endpoints: [
      { api: availabilityApi, routes: availability },
      { api: scheduleApi, routes: schedule },
      { api: batchesApi, routes: batches },
      { api: proposalsApi, routes: proposals },
      { api: proposalEndsApi, routes: proposalEnds },
    ],
  },
  {
    tag: 'Meetings',
    description: 'Read, change and cancel the meetings your platform created.',
    endpoints: [
      { api: meetingsApi, routes: meetings },
      { api: meetingChangesApi, routes: meetingChanges },
    ],
  },
  {
    tag: 'People and calendars',
    description: 'Connect calendars and see who has connected a calendar.',
    endpoints: [
      { api: calendarOauthApi, routes: calendarOauth },
      { api: usersByEmailApi, routes: usersByEmail },
      { api: calendarsApi, routes: calendars },
    ],
  },
  {
    tag: 'Platform',
    description: "Your platform's usage, people and settings.",
    endpoints: [
      { api: platformApi, routes: platform },
      { api: platformUsersApi, routes: platformUsers },
      { api: auditLogApi, routes: auditLog },
    ],
  },
  {
    tag: 'User',
    description: "A user's own data, read and changed with the user's own key.",
    endpoints: [
      { api: preferencesApi, routes: preferences },
      { api: learningApi, routes: learning },
      { api: ownUserApi, routes: ownUser },
    ],
  },
  {
    tag: 'Keys',
    description: 'Replace the API key that sends the request with a new API key.',
    endpoints: [{ api: keysApi, routes: keys }],
  },
  {
    tag: 'Webhooks',
    description: 'Set the URL to which Tandem sends webhook events, and see if each delivery succeeded.',
    endpoints: [
      { api: webhookEndpointApi, routes: webhookEndpoint },
      { api: webhookDeliveriesApi, routes: webhookDeliveries },
    ],
  },
  {
    tag: 'Service',
    description: 'Health and documentation of the service. These endpoints require no key.',
    endpoints: [{ api: serviceApi }],
  },
];

/** Groups of endpoints in the form that the OpenAPI document uses. */
export const GROUPS = GROUPED.map(({ tag, description, endpoints }) => ({
  tag,
  description,
  operations: endpoints.flatMap(({ api }) => api.operations),
}));

/**
 * When Postgres checks the API key of a request, if this isolate has seen the key before: before the handler (`first`),
 * while the handler reads (`beside_read`), or as the operation's `keyCheck` says.
 */
type KeyCheck = 'first' | 'beside_read' | NonNullable<Operation['keyCheck']>;

/** Operations other than GET whose handlers may begin before the check of the API key. */
const EARLY = GROUPS.flatMap(({ operations }) => operations).flatMap(({ method, path, changesNothing, keyCheck }) => {
  const check: KeyCheck | undefined = changesNothing ? 'beside_read' : keyCheck;
  const call = new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return check === undefined ? [] : [{ call, check }];
});

/** Returns when Postgres checks the API key of a request with this method and path. */
export function keyCheckOf({ method, path }: { method: string; path: string }): KeyCheck {
  if (method === 'GET' || method === 'HEAD') return 'beside_read';
  return EARLY.find(({ call }) => call.test(`${method} ${path}`))?.check ?? 'first';
}

const ENDPOINTS = GROUPED.flatMap(({ endpoints }) => endpoints);

export const APIS = ENDPOINTS.map(({ api }) => api);

/** Handlers of endpoints that require an API key. The app mounts them behind the check of that key. */
export const ROUTES = ENDPOINTS.flatMap(({ routes }) => routes ?? []);
