import { afterAll, beforeEach, expect, test } from 'vitest';
import { openGoogleWorld, refusal } from './world.ts';

const world = await openGoogleWorld();
afterAll(() => world.close());
let { api, email } = await world.join();
beforeEach(async () => {
  ({ api, email } = await world.join());
});

const calendarId = 'primary';

function add(day: number) {
  const date = `2026-03-${String(day).padStart(2, '0')}`;
  const [id = ''] = world.google.addBusy({ email, start: `${date}T10:00:00Z`, end: `${date}T11:00:00Z` });
  return id;
}

const ids = (items: { id?: string | null }[] | undefined) => items?.map(({ id }) => id);

test('a change between two pages is not lost', async () => {
  const [one] = [add(1), add(2)];
  const first = await api.events.list({ calendarId, maxResults: 1 });
  world.google.patchEvent({ email, eventId: one, end: '2026-03-01T12:00:00Z' });
  const second = await api.events.list({ calendarId, maxResults: 1, pageToken: first.data.nextPageToken ?? '' });
  const next = await api.events.list({ calendarId, syncToken: second.data.nextSyncToken ?? '' });
  expect(ids(next.data.items)).toEqual([one]);
});

test('a sync token forgets the time bounds it began with', async () => {
  const bounds = { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-03-10T00:00:00Z' };
  const { data } = await api.events.list({ calendarId, ...bounds });
  const [inside, outside] = [add(5), add(15)];
  const next = await api.events.list({ calendarId, syncToken: data.nextSyncToken ?? '' });
  expect(ids(next.data.items)).toEqual([inside, outside]);
});

test('sync tokens that die between two pages are 410 on the second, and foreign ones at once', async () => {
  const gone = { status: 410, reason: 'fullSyncRequired' };
  const { data } = await api.events.list({ calendarId });
  for (const day of [1, 2, 3]) add(day);
  const syncToken = data.nextSyncToken ?? '';
  const first = await api.events.list({ calendarId, syncToken, maxResults: 2 });
  world.google.expireSyncTokens(email);
  const second = api.events.list({ calendarId, syncToken, maxResults: 2, pageToken: first.data.nextPageToken ?? '' });
  expect(await refusal(second)).toMatchObject(gone);
  expect(await refusal(api.events.list({ calendarId, syncToken: 'rubbish' }))).toMatchObject(gone);
});

test('a cancelled instance of a series says which it was, and nothing else', async () => {
  const [start, end] = ['2026-03-10T10:00:00Z', '2026-03-10T11:00:00Z'];
  const series = world.google.addEvent({ email, start, end, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] });
  const { data: before } = await api.events.list({ calendarId });
  const id = `${series}_20260324T100000Z`;
  world.google.patchEvent({ email, eventId: id, deleted: true });
  const { data } = await api.events.list({ calendarId, syncToken: before.nextSyncToken ?? '' });
  expect(data.items).toEqual([
    {
      kind: 'calendar#event',
      etag: expect.any(String),
      id,
      status: 'cancelled',
      recurringEventId: series,
      originalStartTime: { dateTime: '2026-03-24T10:00:00Z', timeZone: 'UTC' },
    },
  ]);
});
