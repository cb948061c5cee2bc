import { afterAll, beforeEach, expect, test } from 'vitest';
import { openGoogleWorld, refusal } from './world.ts';

const world = await openGoogleWorld();
afterAll(() => world.close());
let api: Awaited<ReturnType<typeof world.connect>>['api'];
let email = '';
let n = 0;

beforeEach(async () => {
  n += 1;
  email = `s${n}@example.com`;
  world.google.addUser({ email, timezone: 'UTC' });
  api = (await world.connect(email)).api;
});

const calendarId = 'primary';

function add(day: number) {
  const date = `2026-03-${String(day).padStart(2, '0')}`;
  const [id = ''] = world.google.addBusy({ email, start: `${date}T10:00:00Z`, end: `${date}T11:00:00Z` });
  return id;
}

const ids = (items: { id?: string | null }[] | undefined) => items?.map(({ id }) => id);

test('pages follow each other and only the last carries a sync token', async () => {
  const all = [1, 2, 3, 4, 5].map(add);
  const first = await api.events.list({ calendarId, maxResults: 2 });
  expect(first.data.nextSyncToken).toBeUndefined();
  const second = await api.events.list({ calendarId, maxResults: 2, pageToken: first.data.nextPageToken ?? '' });
  const third = await api.events.list({ calendarId, maxResults: 2, pageToken: second.data.nextPageToken ?? '' });
  expect([first, second, third].flatMap(({ data }) => ids(data.items))).toEqual(all);
  expect(third.data.nextPageToken).toBeUndefined();
  expect(third.data.nextSyncToken).toBeTruthy();
});

test('a sync token brings what changed since, deletions as bare ids, and then nothing', async () => {
  const [one, two, three] = [add(1), add(2), add(3)];
  const { data } = await api.events.list({ calendarId });
  await api.events.delete({ calendarId, eventId: one });
  world.google.patchEvent({ email, eventId: two, start: '2026-03-02T10:30:00Z' });
  const four = add(4);
  const next = await api.events.list({ calendarId, syncToken: data.nextSyncToken ?? '' });
  expect(ids(next.data.items)).toEqual([one, two, four]);
  expect(next.data.items?.[0]).toEqual({
    kind: 'calendar#event',
    etag: expect.any(String),
    id: one,
    status: 'cancelled',
  });
  expect(ids(next.data.items)).not.toContain(three);
  const last = await api.events.list({ calendarId, syncToken: next.data.nextSyncToken ?? '' });
  expect(last.data.items).toEqual([]);
});

test('a change between two pages is not lost', async () => {
  const [one] = [add(1), add(2)];
  const first = await api.events.list({ calendarId, maxResults: 1 });
  world.google.patchEvent({ email, eventId: one, end: '2026-03-01T12:00:00Z' });
  const second = await api.events.list({ calendarId, maxResults: 1, pageToken: first.data.nextPageToken ?? '' });
  const next = await api.events.list({ calendarId, syncToken: second.data.nextSyncToken ?? '' });
  expect(ids(next.data.items)).toEqual([one]);
});

test("an organizer's cancellation reaches the guest's sync", async () => {
  const guest = `guest-${email}`;
  world.google.addUser({ email: guest, timezone: 'UTC' });
  const other = (await world.connect(guest)).api;
  const { data: before } = await other.events.list({ calendarId });
  const { data: event } = await api.events.insert({
    calendarId,
    requestBody: {
      start: { dateTime: '2026-03-10T10:00:00Z' },
      end: { dateTime: '2026-03-10T11:00:00Z' },
      attendees: [{ email: guest }],
    },
  });
  const { data: invited } = await other.events.list({ calendarId, syncToken: before.nextSyncToken ?? '' });
  expect(ids(invited.items)).toEqual([event.id]);
  await api.events.delete({ calendarId, eventId: event.id ?? '' });
  const { data: after } = await other.events.list({ calendarId, syncToken: invited.nextSyncToken ?? '' });
  expect(after.items).toMatchObject([{ id: event.id, status: 'cancelled' }]);
});

test.each([
  ['timeMin', { timeMin: '2026-03-01T00:00:00Z' }],
  ['orderBy', { orderBy: 'startTime' }],
])('a sync token together with %s is 400', async (_name, more) => {
  const { data } = await api.events.list({ calendarId });
  const call = api.events.list({ calendarId, syncToken: data.nextSyncToken ?? '', ...more });
  expect(await refusal(call)).toMatchObject({ status: 400 });
});

test('a page may be shorter than was asked for without being the last', async () => {
  const all = [1, 2, 3].map(add);
  world.google.settings.mostOnAPage = 2;
  const first = await api.events.list({ calendarId, maxResults: 250 });
  world.google.settings.mostOnAPage = 2500;
  expect(ids(first.data.items)).toEqual(all.slice(0, 2));
  const second = await api.events.list({ calendarId, pageToken: first.data.nextPageToken ?? '' });
  expect(ids(second.data.items)).toEqual(all.slice(2));
});

test('sync tokens that die between two pages are 410 on the second', async () => {
  const { data } = await api.events.list({ calendarId });
  for (const day of [1, 2, 3]) add(day);
  const syncToken = data.nextSyncToken ?? '';
  const first = await api.events.list({ calendarId, syncToken, maxResults: 2 });
  world.google.expireSyncTokens(email);
  const second = api.events.list({ calendarId, syncToken, maxResults: 2, pageToken: first.data.nextPageToken ?? '' });
  expect(await refusal(second)).toMatchObject({ status: 410, reason: 'fullSyncRequired' });
});

test('a sync token dies when what its reader may do changes', async () => {
  const reader = await world.join();
  world.google.share({ calendar: email, reader: reader.email, role: 'reader' });
  const { data } = await reader.api.events.list({ calendarId: email });
  const again = () => reader.api.events.list({ calendarId: email, syncToken: data.nextSyncToken ?? '' });
  expect((await again()).data.items).toEqual([]);
  world.google.share({ calendar: email, reader: reader.email, role: 'freeBusyReader' });
  expect(await refusal(again())).toMatchObject({ status: 410, reason: 'fullSyncRequired' });
  world.google.unshare({ calendar: email, reader: reader.email });
  expect(await refusal(again())).toMatchObject({ status: 404, reason: 'notFound' });
});

test('a sync token forgets the time bounds it began with', async () => {
  const bounds = { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-03-10T00:00:00Z' };
  const { data } = await api.events.list({ calendarId, ...bounds });
  const [inside, outside] = [add(5), add(15)];
  const next = await api.events.list({ calendarId, syncToken: data.nextSyncToken ?? '' });
  expect(ids(next.data.items)).toEqual([inside, outside]);
});

test('expired and foreign sync tokens ask for a full sync', async () => {
  const { data } = await api.events.list({ calendarId });
  world.google.expireSyncTokens(email);
  const gone = { status: 410, reason: 'fullSyncRequired' };
  expect(await refusal(api.events.list({ calendarId, syncToken: data.nextSyncToken ?? '' }))).toMatchObject(gone);
  expect(await refusal(api.events.list({ calendarId, syncToken: 'rubbish' }))).toMatchObject(gone);
});

test('deleted events show only on request', async () => {
  const [one, two] = [add(1), add(2)];
  await api.events.delete({ calendarId, eventId: one });
  expect(ids((await api.events.list({ calendarId })).data.items)).toEqual([two]);
  expect(ids((await api.events.list({ calendarId, showDeleted: true })).data.items)).toEqual([one, two]);
});

test('time bounds are half-open on both sides of the event, and startTime orders', async () => {
  const [three, one, two] = [add(3), add(1), add(2)];
  const list = async (timeMin: string, timeMax: string) =>
    ids((await api.events.list({ calendarId, timeMin, timeMax, singleEvents: true, orderBy: 'startTime' })).data.items);
  expect(await list('2026-03-01T00:00:00Z', '2026-03-04T00:00:00Z')).toEqual([one, two, three]);
  expect(await list('2026-03-01T11:00:00Z', '2026-03-03T10:00:00Z')).toEqual([two]);
  expect(await refusal(api.events.list({ calendarId, orderBy: 'startTime' }))).toMatchObject({ status: 400 });
});

beforeEach(async () => {
  n += 1;
  email = `r${n}@example.com`;
  world.google.addUser({ email, timezone: 'UTC' });
  api = (await world.connect(email)).api;
});

function addSeries() {
  const [start, end] = ['2026-03-10T10:00:00Z', '2026-03-10T11:00:00Z'];
  return world.google.addEvent({ email, start, end, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] });
}

async function synced(more: object = {}) {
  let { data } = await api.events.list({ calendarId, ...more });
  return async () => {
    ({ data } = await api.events.list({ calendarId, syncToken: data.nextSyncToken ?? '', ...more }));
    return data.items?.map(({ id, status }) => `${id} ${status}`);
  };
}

test('a series is synced as itself and what was changed alone; a cancelled instance says which it was', async () => {
  const series = addSeries();
  const changes = await synced();
  const [second, third] = [`${series}_20260317T100000Z`, `${series}_20260324T100000Z`];
  world.google.patchEvent({ email, eventId: second, summary: 'Once' });
  expect(await changes()).toEqual([`${second} confirmed`]);
  const { data: before } = await api.events.list({ calendarId });
  world.google.patchEvent({ email, eventId: third, deleted: true });
  const { data } = await api.events.list({ calendarId, syncToken: before.nextSyncToken ?? '' });
  expect(data.items).toEqual([
    {
      kind: 'calendar#event',
      etag: expect.any(String),
      id: third,
      status: 'cancelled',
      recurringEventId: series,
      originalStartTime: { dateTime: '2026-03-24T10:00:00Z', timeZone: 'UTC' },
    },
  ]);
  world.google.patchEvent({ email, eventId: series, deleted: true });
  await changes();
  expect((await api.events.list({ calendarId })).data.items).toEqual([]);
});

test('a series is synced as its instances when it was listed so, those it has no more as cancelled', async () => {
  const changes = await synced({ singleEvents: true });
  const series = addSeries();
  const [first, second, third, fourth] = ['10', '17', '24', '31'].map((day) => `${series}_202603${day}T100000Z`);
  expect(await changes()).toEqual([first, second, third, fourth].map((id) => `${id} confirmed`));
  world.google.patchEvent({ email, eventId: second ?? '', deleted: true });
  expect(await changes()).toEqual([`${second} cancelled`]);
  world.google.patchEvent({ email, eventId: third ?? '', following: true, deleted: true });
  expect(await changes()).toEqual([`${first} confirmed`, `${third} cancelled`, `${fourth} cancelled`]);
  world.google.patchEvent({ email, eventId: series, deleted: true });
  expect(await changes()).toEqual([`${first} cancelled`]);
  expect(await changes()).toEqual([]);
});

test('a calendar cannot be synced one way after it was listed the other', async () => {
  const { data } = await api.events.list({ calendarId, singleEvents: true });
  const other = api.events.list({ calendarId, syncToken: data.nextSyncToken ?? '' });
  expect(await refusal(other)).toMatchObject({ status: 400 });
});

test('a touched endless series brings hundreds of instances, far past the bounds of the first list', async () => {
  const [start, end] = ['2026-03-10T10:00:00Z', '2026-03-10T11:00:00Z'];
  const series = world.google.addEvent({ email, start, end, recurrence: ['RRULE:FREQ=WEEKLY'] });
  const ask = { calendarId, singleEvents: true, maxResults: 2500 };
  const { data } = await api.events.list({ ...ask, timeMin: start, timeMax: '2026-03-25T00:00:00Z' });
  expect(data.items).toHaveLength(3);
  world.google.patchEvent({ email, eventId: series, summary: 'Touched' });
  const next = await api.events.list({ ...ask, syncToken: data.nextSyncToken ?? '' });
  expect(next.data.items).toHaveLength(730);
  expect(next.data.items?.at(-1)?.start?.dateTime).toBe('2040-02-28T10:00:00Z');
});
