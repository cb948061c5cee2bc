import type { Hono } from 'hono';
import * as z from 'zod';
import * as availabilityApi from '../schema/api/availability.ts';
import * as calendarOauthApi from '../schema/api/calendar-oauth.ts';
import * as calendarsApi from '../schema/api/calendars.ts';
import * as errors from '../schema/api/http-errors.ts';
import * as keysApi from '../schema/api/keys.ts';
import * as learningApi from '../schema/api/learning.ts';
import * as meetingsApi from '../schema/api/meetings.ts';
import type { Operation } from '../schema/api/operation.ts';
import * as ownUserApi from '../schema/api/own-user.ts';
import * as paging from '../schema/api/paging.ts';
import * as platformApi from '../schema/api/platform.ts';
import * as platformUsersApi from '../schema/api/platform-users.ts';
import * as preferencesApi from '../schema/api/preferences.ts';
import * as scheduleApi from '../schema/api/schedule.ts';
import * as serviceApi from '../schema/api/service.ts';
import * as slot from '../schema/api/slot.ts';
import * as usersByEmailApi from '../schema/api/users-by-email.ts';
import * as webhookDeliveriesApi from '../schema/api/webhook-deliveries.ts';
import * as webhookEndpointApi from '../schema/api/webhook-endpoint.ts';
import type { AppEnv } from './env.ts';
import { availability } from './v1/availability.ts';
import { calendarOauth } from './v1/calendar-oauth.ts';
import { calendars } from './v1/calendars.ts';
import { keys } from './v1/keys.ts';
import { learning } from './v1/learning.ts';
import { meetings } from './v1/meetings.ts';
import { ownUser } from './v1/own-user.ts';
import { platform } from './v1/platform.ts';
import { platformUsers } from './v1/platform-users.ts';
import { preferences } from './v1/preferences.ts';
import { schedule } from './v1/schedule.ts';
import { usersByEmail } from './v1/users-by-email.ts';
import { webhookDeliveries } from './v1/webhook-deliveries.ts';
import { webhookEndpoint } from './v1/webhook-endpoint.ts';

interface Endpoints {
  api: { operations: readonly Operation[] };
  /** None where they are served before any key is asked for. */
  routes?: Hono<AppEnv>;
}

interface Group {
  tag: string;
  description: string;
  endpoints: readonly Endpoints[];
}

/** All endpoints, contract and handlers, in groups and in the order of reading. */
const GROUPED: readonly Group[] = [
  {
    tag: 'Scheduling',
    description: 'Finding mutual free time and booking it. The first attendee is the requester.',
    endpoints: [
      { api: availabilityApi, routes: availability },
      { api: scheduleApi, routes: schedule },
    ],
  },
  {
    tag: 'Meetings',
    description: 'Meetings this platform made.',
    endpoints: [{ api: meetingsApi, routes: meetings }],
  },
  {
    tag: 'People and calendars',
    description: 'Connecting calendars, and who has connected one.',
    endpoints: [
      { api: calendarOauthApi, routes: calendarOauth },
      { api: usersByEmailApi, routes: usersByEmail },
      { api: calendarsApi, routes: calendars },
    ],
  },
  {
    tag: 'Platform',
    description: 'The platform itself: its usage, people and settings.',
    endpoints: [
      { api: platformApi, routes: platform },
      { api: platformUsersApi, routes: platformUsers },
    ],
  },
  {
    tag: 'User',
    description: "A user's own data, with their own key.",
    endpoints: [
      { api: preferencesApi, routes: preferences },
      { api: learningApi, routes: learning },
      { api: ownUserApi, routes: ownUser },
    ],
  },
  {
    tag: 'Keys',
    description: 'Replacing the key the request is made with.',
    endpoints: [{ api: keysApi, routes: keys }],
  },
  {
    tag: 'Webhooks',
    description: "Where the platform's events go, and how each delivery went.",
    endpoints: [
      { api: webhookEndpointApi, routes: webhookEndpoint },
      { api: webhookDeliveriesApi, routes: webhookDeliveries },
    ],
  },
  {
    tag: 'Service',
    description: 'The service itself; no key is needed.',
    endpoints: [{ api: serviceApi }],
  },
];

/** The groups as the document has them. */
export const GROUPS = GROUPED.map(({ tag, description, endpoints }) => ({
  tag,
  description,
  operations: endpoints.flatMap(({ api }) => api.operations),
}));

/** Paths of what only reads, though its method does not say so. */
export const READING_PATHS: readonly string[] = GROUPS.flatMap(({ operations }) => operations)
  .filter(({ changesNothing }) => changesNothing)
  .map(({ path }) => path);

const ENDPOINTS = GROUPED.flatMap(({ endpoints }) => endpoints);

/** What the app mounts behind a key. */
export const ROUTES = ENDPOINTS.flatMap(({ routes }) => routes ?? []);

/** The schemas with a name of their own in the contract, which they keep in the document. */
export const NAMED: readonly (readonly [name: string, schema: z.ZodType])[] = [
  slot,
  paging,
  ...ENDPOINTS.map(({ api }) => api),
  errors,
].flatMap((module) =>
  Object.entries<unknown>(module).flatMap(([name, value]) =>
    value instanceof z.ZodType && /^[A-Z]/.test(name) ? [[name, value] as const] : [],
  ),
);
