import { DateTime } from 'luxon';
import { addressesOf } from './attendance.ts';
import { GoogleError, invalid } from './errors.ts';
import { isSeries } from './recurrence.ts';
import type { EventResource, Mail, Store, StoredEvent } from './store.ts';

// Google also has events made from e-mails, but no client can create one.
export const KINDS = ['default', 'outOfOffice', 'focusTime', 'workingLocation', 'birthday'] as const;
export type Kind = (typeof KINDS)[number];

export const KIND_FIELDS: Partial<Record<Kind, EventResource>> = {
  workingLocation: {
    transparency: 'transparent',
    visibility: 'public',
    workingLocationProperties: { type: 'homeOffice', homeOffice: {} },
  },
  birthday: { transparency: 'transparent', visibility: 'private', recurrence: ['RRULE:FREQ=YEARLY'] },
};

const malformed = (kind: string, message: string) =>
  new GoogleError(400, `malformed${kind.charAt(0).toUpperCase()}${kind.slice(1)}Event`, message, {
    domain: 'calendar',
  });

/**
 * Refuses a kind of event that is unknown, that the calendar cannot have, or that breaks its own rules. Out of office
 * and focus time make the person busy; a working location and a birthday do not.
 */
export function checkKind(fields: EventResource, { isPrimary }: { isPrimary: boolean }): void {
  const { eventType, start, transparency, visibility } = fields;
  const kind = KINDS.find((known) => known === (eventType ?? 'default'));
  if (!kind) throw invalid('Invalid value for: eventType');
  if (kind === 'default') return;
  const refuse = (message: string) => malformed(kind, message);
  if (!isPrimary) {
    throw new GoogleError(400, 'eventTypeRestriction', `Events of type ${kind} need a primary calendar.`, {
      domain: 'calendar',
    });
  }
  if (kind === 'outOfOffice' || kind === 'focusTime') {
    if (start?.date) throw refuse(`An event of type ${kind} cannot be all-day.`);
    if (transparency === 'transparent') throw refuse(`An event of type ${kind} must be opaque.`);
    return;
  }
  if (transparency !== 'transparent') throw refuse(`An event of type ${kind} must be transparent.`);
  if (start?.date && daysOf(fields) !== 1) throw refuse(`An all-day event of type ${kind} lasts one day.`);
  if (kind === 'workingLocation') {
    if (visibility !== 'public') throw refuse('A working location must be public.');
    if (!fields.workingLocationProperties?.type) throw refuse('A working location needs its properties.');
    return;
  }
  if (visibility !== 'private') throw refuse('A birthday must be private.');
  if (!start?.date || !isSeries(fields)) throw refuse('A birthday is an all-day event that recurs each year.');
}

export function checkSameKind(before: EventResource, asked: EventResource): void {
  if (asked.eventType && asked.eventType !== (before.eventType ?? 'default')) {
    throw new GoogleError(400, 'eventTypeRestriction', 'The type of an event cannot be changed.', {
      domain: 'calendar',
    });
  }
}

function daysOf({ start, end }: EventResource): number {
  const date = (text: string | null | undefined) => DateTime.fromISO(text ?? '', { zone: 'UTC' });
  return date(end?.date).diff(date(start?.date), 'days').days;
}

export type SendUpdates = 'all' | 'externalOnly' | 'none';

export function sendUpdatesOf(query: Record<string, string>): SendUpdates {
  const { sendUpdates, sendNotifications } = query;
  if (sendUpdates === 'all' || sendUpdates === 'externalOnly') return sendUpdates;
  return sendUpdates === undefined && sendNotifications === 'true' ? 'all' : 'none';
}

/** Records the mails that Google would send. `to` defaults to everyone invited. The person who acts gets none. */
export function sendMails(
  store: Store,
  event: StoredEvent,
  input: { from: string; kind: Mail['kind']; sendUpdates: SendUpdates; to?: string[] },
): void {
  const { from, kind, sendUpdates, to = addressesOf(event.fields) } = input;
  if (sendUpdates === 'none') return;
  for (const address of new Set(to)) {
    const isExternal = !store.people.has(address);
    if (address === from || (sendUpdates === 'externalOnly' && !isExternal)) continue;
    store.mails.push({ to: address, from, kind, eventId: event.id, at: store.clock.now() });
  }
}
