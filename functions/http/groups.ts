import * as availabilityApi from '../../schema/api/availability.ts';
import * as batchesApi from '../../schema/api/batches.ts';
import * as calendarsApi from '../../schema/api/calendars.ts';
import * as keysApi from '../../schema/api/keys.ts';
import * as meetingsApi from '../../schema/api/meetings.ts';
import type { Operation } from '../../schema/api/operation.ts';
import * as ownUserApi from '../../schema/api/own-user.ts';
import * as platformApi from '../../schema/api/platform.ts';
import * as preferencesApi from '../../schema/api/preferences.ts';
import * as proposalsApi from '../../schema/api/proposals.ts';
import * as scheduleApi from '../../schema/api/schedule.ts';
import * as serviceApi from '../../schema/api/service.ts';
import * as webhooksApi from '../../schema/api/webhooks.ts';

interface Group {
  tag: string;
  description: string;
  apis: readonly { operations: Readonly<Record<string, Operation>> }[];
}

const GROUPED: readonly Group[] = [
  {
    tag: 'Scheduling',
    description:
      'Find times when two people are both free, and book a meeting. In a request, the first attendee is called the requester.',
    apis: [availabilityApi, scheduleApi, batchesApi, proposalsApi],
  },
  { tag: 'Meetings', description: 'Read, change and cancel the meetings your platform created.', apis: [meetingsApi] },
  {
    tag: 'People and calendars',
    description: 'Connect calendars and see who has connected a calendar.',
    apis: [calendarsApi],
  },
  { tag: 'Platform', description: "Your platform's usage, people and settings.", apis: [platformApi] },
  {
    tag: 'User',
    description: "A user's own data, read and changed with the user's own key.",
    apis: [preferencesApi, ownUserApi],
  },
  { tag: 'Keys', description: 'Replace the API key that sends the request with a new API key.', apis: [keysApi] },
  {
    tag: 'Webhooks',
    description: 'Set the URL to which Tandem sends webhook events, and see if each delivery succeeded.',
    apis: [webhooksApi],
  },
  {
    tag: 'Service',
    description: 'Health and documentation of the service. These endpoints require no key.',
    apis: [serviceApi],
  },
];

export const GROUPS = GROUPED.map(({ tag, description, apis }) => ({
  tag,
  description,
  operations: apis.flatMap(({ operations }) =>
    Object.entries(operations).map(([id, operation]) => ({ id, ...operation })),
  ),
}));

export type NamedOperation = (typeof GROUPS)[number]['operations'][number];

/** `first` is before the handler, `beside_read` while it reads, and otherwise the operation's `keyCheck` decides. */
type KeyCheck = 'first' | 'beside_read' | NonNullable<Operation['keyCheck']>;

const EARLY = GROUPS.flatMap(({ operations }) => operations).flatMap(({ method, path, changesNothing, keyCheck }) => {
  const check: KeyCheck | undefined = changesNothing ? 'beside_read' : keyCheck;
  const call = new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return check === undefined ? [] : [{ call, check }];
});

export function keyCheckOf({ method, path }: { method: string; path: string }): KeyCheck {
  if (method === 'GET' || method === 'HEAD') return 'beside_read';
  return EARLY.find(({ call }) => call.test(`${method} ${path}`))?.check ?? 'first';
}

export const APIS = GROUPED.flatMap(({ apis }) => apis);
