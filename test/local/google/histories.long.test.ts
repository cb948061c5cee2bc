import type { calendar_v3 } from '@googleapis/calendar';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { GoogleError } from './errors.ts';
import { type Joined, openGoogleWorld } from './world.ts';

type Event = calendar_v3.Schema$Event;

const { CALENDAR_RUNS = '12', CALENDAR_SEED } = process.env;
const seed = CALENDAR_SEED === undefined ? {} : { seed: Number(CALENDAR_SEED) };
const CHANGES = 12;
const calendarId = 'primary';
const window = { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-04-15T00:00:00Z' };

const change = fc.record({
  kind: fc.constantFrom(
    'add',
    'add',
    'series',
    'series',
    'days',
    'move',
    'move',
    'delete',
    'answer',
    'rename',
    'free',
    'next',
  ),
  who: fc.nat(1),
  which: fc.nat(),
  hour: fc.nat(24 * 30),
  isInvited: fc.boolean(),
  isWhole: fc.boolean(),
  answer: fc.constantFrom('accepted', 'declined', 'tentative'),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const world = await openGoogleWorld();
afterAll(() => world.close());

test('after any history a synced copy is the full list, and free/busy is what the list says', {
  timeout: 600_000,
}, async () => {
  const history = fc.array(change, { minLength: CHANGES, maxLength: CHANGES });
  await fc.assert(
    fc.asyncProperty(history, async (changes) => {
      const people = [await world.join('Europe/Berlin'), await world.join('America/New_York')];
      const copies = await Promise.all(people.map(copyOf));
      for (const [n, step] of changes.entries()) {
        await make(people, step);
        if (n % 3 < 2) continue;
        for (const copy of copies) expect(await copy.synced()).toEqual(await copy.full());
        for (const person of people) expect(await busyOf(person)).toEqual(await listedBusyOf(person));
      }
    }),
    { ...seed, numRuns: Number(CALENDAR_RUNS), endOnFailure: true },
  );
});

/** Keeps a copy of a calendar by sync tokens alone. */
async function copyOf({ api }: Joined) {
  const copy = new Map<string, Event>();
  let token: string | undefined;

  async function pages(query: object) {
    const items: Event[] = [];
    let pageToken: string | undefined;
    do {
      const { data } = await api.events.list({ calendarId, maxResults: 60, ...query, ...(pageToken && { pageToken }) });
      items.push(...(data.items ?? []));
      pageToken = data.nextPageToken ?? undefined;
      token = data.nextSyncToken ?? token;
    } while (pageToken);
    return items;
  }

  async function synced() {
    for (const item of await pages(token ? { syncToken: token } : {})) {
      if (item.status === 'cancelled') copy.delete(item.id ?? '');
      else copy.set(item.id ?? '', item);
    }
    return sorted([...copy.values()]);
  }

  async function full() {
    const known = token;
    const items = await pages({});
    token = known;
    return sorted(items.filter(({ status }) => status !== 'cancelled'));
  }

  await synced();
  return { synced, full };
}

const sorted = (events: Event[]) => events.sort((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1));

async function busyOf({ api }: Joined) {
  const { data } = await api.freebusy.query({ requestBody: { ...window, items: [{ id: 'primary' }] } });
  return data.calendars?.primary?.busy?.map(({ start, end }) => [Date.parse(start ?? ''), Date.parse(end ?? '')]);
}

/** Returns the busy quarters of an hour according to the listed instances. */
async function listedBusyOf({ api, email }: Joined) {
  const { data } = await api.events.list({ calendarId, singleEvents: true, maxResults: 2500, ...window });
  const blocking = (data.items ?? []).filter(
    ({ transparency, attendees }) =>
      transparency !== 'transparent' &&
      attendees?.find((attendee) => attendee.email === email)?.responseStatus !== 'declined',
  );
  const zone = data.timeZone ?? 'UTC';
  const spans = blocking.map(({ start, end }) => [instant(start, zone), instant(end, zone)] as const);
  const [from, to] = [Date.parse(window.timeMin), Date.parse(window.timeMax)];
  const busy: number[][] = [];
  for (let at = from; at < to; at += 900_000) {
    if (!spans.some(([start, end]) => start <= at && at < end)) continue;
    const last = busy.at(-1);
    if (last?.[1] === at) last[1] = at + 900_000;
    else busy.push([at, at + 900_000]);
  }
  return busy;
}

function instant(time: calendar_v3.Schema$EventDateTime | undefined, zone: string): number {
  if (time?.dateTime) return Date.parse(time.dateTime);
  // The zones of this test change their clocks in the small hours, not at midnight.
  const noon = new Date(`${time?.date}T12:00:00Z`);
  const shown = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  const offset = (at: number) => Date.parse(`${shown.format(at).replace(' ', 'T')}Z`) - at;
  const midnight = noon.getTime() - 43_200_000;
  return midnight - offset(midnight - offset(noon.getTime()));
}

async function make(people: Joined[], step: Change): Promise<void> {
  const [host, guest] = step.who === 0 ? people : [...people].reverse();
  if (!host || !guest) return;
  const { email } = host;
  const start = Date.parse('2026-03-05T00:00:00Z') + step.hour * 3_600_000;
  const iso = (at: number) => new Date(at).toISOString();
  const times = { start: iso(start), end: iso(start + 5_400_000) };
  const days = { start: times.start.slice(0, 10), end: iso(start + 2 * 86_400_000).slice(0, 10) };
  const more = step.isInvited ? { attendees: [email, guest.email] } : {};
  const rule = step.isWhole ? 'FREQ=DAILY;INTERVAL=2;COUNT=6' : 'FREQ=WEEKLY;COUNT=20';
  if (step.kind === 'add') world.google.addEvent({ email, ...times, ...more });
  if (step.kind === 'days') world.google.addEvent({ email, ...days, ...more });
  if (step.kind === 'series') {
    world.google.addEvent({ email, ...(step.which % 3 ? times : days), ...more, recurrence: [`RRULE:${rule}`] });
  }
  const target = await pick(host, step);
  if (!target?.id) return;
  const shared = {
    move: step.which % 5 ? times : days,
    delete: { deleted: true },
    answer: { responseStatus: step.answer },
    rename: { summary: `Name ${step.hour}` },
    free: { transparency: step.isInvited ? ('transparent' as const) : ('opaque' as const) },
    next: { following: true, ...(step.isInvited ? times : { deleted: true }) },
  };
  if (!(step.kind in shared)) return;
  const wanted = shared[step.kind as keyof typeof shared];
  const isOrganizer = target.organizer?.email === email;
  const isAllowed =
    step.kind === 'answer'
      ? target.attendees?.some((one) => one.email === email)
      : isOrganizer || step.kind === 'delete';
  if (!isAllowed || (step.kind === 'next' && !target.recurringEventId)) return;
  try {
    world.google.patchEvent({ email, eventId: target.id, ...wanted });
  } catch (error) {
    // A series cannot have a rule that ends before the series begins, and dates cannot have a rule with a clock time.
    if (!(error instanceof GoogleError && error.status === 400)) throw error;
  }
}

/** Picks one event of a calendar: a whole series or an instance. */
async function pick({ api }: Joined, { which, isWhole }: Change): Promise<Event | undefined> {
  const { data } = await api.events.list({ calendarId, singleEvents: !isWhole, ...window });
  const live = (data.items ?? []).filter(({ status }) => status !== 'cancelled');
  return live[which % live.length];
}
