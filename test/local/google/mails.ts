import { addressesOf } from './attendance.ts';
import type { Mail, Store, StoredEvent } from './store.ts';

export type SendUpdates = 'all' | 'none';

export const sendUpdatesOf = ({ sendUpdates }: Record<string, string>): SendUpdates =>
  sendUpdates === 'all' ? 'all' : 'none';

/** Records the mails that Google would send. `to` defaults to everyone invited. The person who acts gets none. */
export function sendMails(
  store: Store,
  event: StoredEvent,
  input: { from: string; kind: Mail['kind']; sendUpdates: SendUpdates; to?: string[] },
): void {
  const { from, kind, sendUpdates, to = addressesOf(event.fields) } = input;
  if (sendUpdates === 'none') return;
  for (const address of new Set(to))
    if (address !== from) store.mails.push({ to: address, from, kind, eventId: event.id, at: store.clock.now() });
}
