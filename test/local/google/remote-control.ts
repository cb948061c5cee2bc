import { addPerson } from './accounts.ts';
import type { BusyTime, GoogleControl } from './control.ts';
import type { RemoteServer } from './remote-server.ts';
import { createStore } from './store.ts';

/** What can be asked of another server's people; busy times wait until their owner has connected. */
export function createRemoteControl(server: RemoteServer) {
  const store = createStore({ now: Date.now });
  let waiting: BusyTime[] = [];

  const impossible = (what: string) => (): never => {
    throw new Error(`${what} is not possible with another Google server`);
  };

  async function insert({ email, start, end }: BusyTime, accessToken: string) {
    await server.send('/calendar/v3/calendars/primary/events', {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ summary: `Busy ${email}`, start: { dateTime: start }, end: { dateTime: end } }),
    });
  }

  async function flush(email: string | undefined): Promise<void> {
    const tokens = email && server.tokensOf(email);
    if (!tokens) return;
    const due = waiting.filter((busy) => busy.email.toLowerCase() === email);
    waiting = waiting.filter((busy) => !due.includes(busy));
    await Promise.all(due.map((busy) => insert(busy, tokens.access_token)));
  }

  const control: GoogleControl = {
    settings: store.settings,
    addUser: (user) => addPerson(store, user),
    hasUser: (email) => store.people.has(email.toLowerCase()),
    users: () => [...store.people.values()].map(({ email, timezone, name, sub }) => ({ email, timezone, name, sub })),
    addBusy(busy) {
      const times = [busy].flat();
      waiting.push(...times);
      for (const email of new Set(times.map((time) => time.email.toLowerCase()))) flush(email).catch(() => undefined);
      return [];
    },
    revoke(email) {
      const tokens = server.tokensOf(email);
      const token = tokens?.refresh_token ?? tokens?.access_token ?? '';
      server.send('/oauth2/revoke', { method: 'POST', body: new URLSearchParams({ token }) }).catch(() => undefined);
    },
    addCalendar: impossible('Adding a calendar'),
    removeCalendar: impossible('Removing a calendar'),
    setZone: impossible("Changing a calendar's zone"),
    addEvent: impossible('Entering an event'),
    busy: impossible('Asking for busy times'),
    events: impossible('Listing events'),
    patchEvent: impossible('Changing an event'),
    passOn: impossible('Passing an address on'),
    rename: impossible('Renaming an account'),
    expireAccessTokens: impossible('Expiring tokens'),
    expireSyncTokens: impossible('Expiring sync tokens'),
    noMeet: impossible('Refusing Meet'),
    share: impossible('Sharing a calendar'),
    unshare: impossible('Sharing a calendar no more'),
    relist: impossible("Changing a person's list of calendars"),
    channels: () => [],
    takePushes: () => [],
    deliverPush: impossible('Delivering a push'),
    freeze: impossible('Freezing free/busy'),
    thaw: impossible('Freezing free/busy'),
    mails: () => [],
    settled: async () => {},
  };
  return { ...control, flush, timezoneOf: (email: string) => store.people.get(email)?.timezone };
}
