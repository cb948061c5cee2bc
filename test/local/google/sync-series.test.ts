import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type GoogleWorld, openGoogleWorld, refusal } from './world.ts';

let world: GoogleWorld;
let api: Awaited<ReturnType<GoogleWorld['connect']>>['api'];
let email = '';
let n = 0;

beforeAll(async () => {
  world = await openGoogleWorld();
});
beforeEach(async () => {
  n += 1;
  email = `r${n}@example.com`;
  world.google.addUser({ email, timezone: 'UTC' });
  api = (await world.connect(email)).api;
});
afterAll(() => world.close());

const calendarId = 'primary';

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
