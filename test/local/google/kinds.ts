import { addressesOf } from './attendance.ts';
import { GoogleError, invalid } from './errors.ts';
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

/**
 * Refuses a kind of event that is unknown, or that the calendar cannot have. Out of office and focus time make the person
 * busy; a working location and a birthday do not.
 */
export function checkKind({ eventType }: EventResource, { isPrimary }: { isPrimary: boolean }): void {
  const kind = KINDS.find((known) => known === (eventType ?? 'default'));
  if (!kind) throw invalid('Invalid value for: eventType');
  if (kind === 'default' || isPrimary) return;
  throw new GoogleError(400, 'eventTypeRestriction', `Events of type ${kind} need a primary calendar.`, {
    domain: 'calendar',
  });
}

export type SendUpdates = 'all' | 'externalOnly' | 'none';

export function sendUpdatesOf(query: Record<string, string>): SendUpdates {
  const { sendUpdates } = query;
  return sendUpdates === 'all' || sendUpdates === 'externalOnly' ? sendUpdates : 'none';
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
