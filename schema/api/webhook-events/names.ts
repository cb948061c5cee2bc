import { choiceOf } from '../fields.ts';
import { EVENT_TYPES, type EventType } from './schemas.ts';

/** Event types that a webhook endpoint receives only if it subscribes to them by name. */
export const BY_NAME: readonly EventType[] = [
  'proposal.accepted',
  'proposal.declined',
  'proposal.countered',
  'proposal.expired',
  'proposal.withdrawn',
  'batch.completed',
  'platform.security_changed',
];
/** Event types that an endpoint receives if it set no list of events. */
export const DEFAULT_EVENTS = EVENT_TYPES.filter((type) => !BY_NAME.includes(type));
export const DEFAULTS_PHRASE = `all event types except ${BY_NAME.map((type) => `\`${type}\``).join(', ')}`;

export const TEST_EVENT = 'webhook.test';

/** It subscribes to `meeting.updated`, and to `meeting.scheduled` with `rescheduled_from`. */
export const RESCHEDULED = 'meeting.rescheduled';

export const SUBSCRIBED_EVENTS = [...EVENT_TYPES, RESCHEDULED] as const;
export type SubscribedEvent = (typeof SUBSCRIBED_EVENTS)[number];

/** Decided in schema/DECISIONS.md, "Event subscriptions". */
const CONNECTED = 'user.calendar_connected';
const NAMES = [...SUBSCRIBED_EVENTS, CONNECTED] as const;

const dotted = <Name extends string>(name: Name) => (name === CONNECTED ? 'user.calendar.connected' : name);

/** An event name to subscribe to. Accepts both spellings of `user.calendar.connected` and returns the dotted one. */
export const EventName = choiceOf(NAMES).transform((name): SubscribedEvent => dotted(name) as SubscribedEvent);

/** A moved meeting is reported as an update, or as a new meeting that replaces it. */
export const subscriptionsOf = (name: SubscribedEvent): SubscribedEvent[] =>
  name === RESCHEDULED ? ['meeting.updated', RESCHEDULED] : [name];

/** An event name to filter the delivery log by: any name a platform can subscribe to, or the test event. */
export const AnyEventName = choiceOf([...NAMES, TEST_EVENT]).transform((name) => dotted(name));

/** `meeting.rescheduled` becomes `meeting.updated`, the type of its sample. */
export const SampleName = AnyEventName.transform((name) => (name === RESCHEDULED ? 'meeting.updated' : name));
