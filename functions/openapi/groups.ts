import * as z from 'zod';
import * as availability from '../../schema/api/availability.ts';
import * as calendarOauth from '../../schema/api/calendar-oauth.ts';
import * as calendars from '../../schema/api/calendars.ts';
import * as deliveries from '../../schema/api/deliveries.ts';
import * as errors from '../../schema/api/http-errors.ts';
import * as learning from '../../schema/api/learning.ts';
import * as meetings from '../../schema/api/meetings.ts';
import type { Operation } from '../../schema/api/operation.ts';
import * as schedule from '../../schema/api/schedule.ts';
import * as service from '../../schema/api/service.ts';
import * as slot from '../../schema/api/slot.ts';
import * as user from '../../schema/api/user.ts';
import * as userData from '../../schema/api/user-data.ts';
import * as users from '../../schema/api/users.ts';
import * as webhooks from '../../schema/api/webhooks.ts';

interface Group {
  tag: string;
  description: string;
  operations: readonly Operation[];
}

/** The document's groups, in the order of reading. */
export const GROUPS: readonly Group[] = [
  {
    tag: 'Scheduling',
    description: 'Finding mutual free time and booking it. The first attendee is the requester.',
    operations: [...availability.operations, ...schedule.operations],
  },
  {
    tag: 'Meetings',
    description: 'Meetings this platform made.',
    operations: meetings.operations,
  },
  {
    tag: 'People and calendars',
    description: 'Connecting calendars, and whose are connected.',
    operations: [...calendarOauth.operations, ...users.operations, ...calendars.operations],
  },
  {
    tag: 'User',
    description: "A user's own data, with their own key.",
    operations: [...user.operations, ...learning.operations, ...userData.operations],
  },
  {
    tag: 'Webhooks',
    description: "Where the platform's events go, and how each delivery went.",
    operations: [...webhooks.operations, ...deliveries.operations],
  },
  {
    tag: 'Service',
    description: 'The service itself; no key is needed.',
    operations: service.operations,
  },
];

const MODULES = [
  slot,
  availability,
  schedule,
  meetings,
  calendarOauth,
  users,
  calendars,
  user,
  userData,
  learning,
  webhooks,
  deliveries,
  errors,
];

/** The schemas with a name of their own in the contract, which they keep in the document. */
export const NAMED: readonly (readonly [name: string, schema: z.ZodType])[] = MODULES.flatMap((module) =>
  Object.entries<unknown>(module).flatMap(([name, value]) =>
    value instanceof z.ZodType && /^[A-Z]/.test(name) ? [[name, value] as const] : [],
  ),
);
