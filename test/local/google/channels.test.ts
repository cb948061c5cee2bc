import { afterAll, beforeEach, expect, test } from 'vitest';
import { openGoogleWorld, refusal } from './world.ts';

const world = await openGoogleWorld();
afterAll(() => world.close());
let { api, email } = await world.join();
let n = 0;
beforeEach(async () => {
  n += 1;
  world.pushes.length = 0;
  ({ api, email } = await world.join());
});

const calendarId = 'primary';

function watch(id: string, more: object = {}) {
  const requestBody = { id, type: 'web_hook', address: 'https://tandem.test/push', token: 't=1', ...more };
  return api.events.watch({ calendarId, requestBody });
}

const states = () => world.pushes.map(({ headers }) => headers.get('x-goog-resource-state'));
const times = { start: '2026-03-10T10:00:00Z', end: '2026-03-10T11:00:00Z' };
const busy = () => world.google.addBusy({ email, ...times });

test('a channel is greeted with sync and then told of each change', async () => {
  const { data } = await watch(`ch-${n}`);
  const expiration = world.clock.now() + 7 * 86_400_000;
  expect(data).toMatchObject({ kind: 'api#channel', id: `ch-${n}`, token: 't=1', expiration: String(expiration) });
  const [eventId = ''] = busy();
  world.google.patchEvent({ email, eventId, deleted: true });
  expect(states()).toEqual(['sync', 'exists', 'exists']);
  const push = world.pushes[2];
  expect([push?.method, push?.url, await push?.text()]).toEqual(['POST', 'https://tandem.test/push', '']);
  expect(Object.fromEntries(push?.headers ?? [])).toMatchObject({
    'x-goog-channel-id': `ch-${n}`,
    'x-goog-channel-token': 't=1',
    'x-goog-channel-expiration': new Date(expiration).toUTCString(),
    'x-goog-resource-id': data.resourceId,
    'x-goog-resource-uri': data.resourceUri,
    'x-goog-message-number': '5',
  });
});

type Opened = Awaited<ReturnType<typeof watch>>['data'];

test.each<[string, (opened: Opened) => unknown]>([
  ['is stopped', ({ id = '', resourceId = '' }) => api.channels.stop({ requestBody: { id, resourceId } })],
  ['is a week old', () => world.clock.advance(7 * 86_400_000)],
  ['has lost its grant', () => world.google.revoke(email)],
])('a channel that %s tells nobody, and neither does another zone', async (_how, end) => {
  const { data } = await watch(`ch-${n}`, { params: { ttl: '9000000' } });
  world.google.setZone({ calendar: email, timezone: 'Asia/Tokyo' });
  await end(data);
  busy();
  expect(states()).toEqual(['sync']);
});

test('several channels on one calendar are told each for itself, one on another is not', async () => {
  const team = world.google.addCalendar({ owner: email, summary: 'Team' });
  const [one, two] = [(await watch(`ch-${n}-1`)).data, (await watch(`ch-${n}-2`, { token: 't=2' })).data];
  const requestBody = { id: `ch-${n}-3`, type: 'web_hook', address: 'https://tandem.test/push' };
  const { data: three } = await api.events.watch({ calendarId: team, requestBody });
  expect(two.resourceId).toBe(one.resourceId);
  expect(three.resourceId).not.toBe(one.resourceId);
  world.pushes.length = 0;
  busy();
  const told = world.pushes.map(({ headers }) => [
    headers.get('x-goog-channel-id'),
    headers.get('x-goog-channel-token'),
  ]);
  expect(told).toEqual([
    [one.id, 't=1'],
    [two.id, 't=2'],
  ]);
  const live = world.google.channels().filter(({ id }) => id.startsWith(`ch-${n}-`));
  expect(live.map(({ id, calendarId: of }) => [id, of])).toEqual([
    [one.id, email],
    [two.id, email],
    [three.id, team],
  ]);
});

test('a channel on a shared calendar ends with the sharing', async () => {
  const owner = await world.join();
  world.google.share({ calendar: owner.email, reader: email, role: 'reader' });
  const requestBody = { id: `ch-${n}`, type: 'web_hook', address: 'https://tandem.test/push' };
  await api.events.watch({ calendarId: owner.email, requestBody });
  world.google.addBusy({ email: owner.email, ...times });
  world.google.unshare({ calendar: owner.email, reader: email });
  world.google.addBusy({ email: owner.email, ...times });
  expect(states()).toEqual(['sync', 'exists']);
});

test('a channel id is unique', async () => {
  await watch(`ch-${n}`);
  expect(await refusal(watch(`ch-${n}`))).toMatchObject({ status: 400, reason: 'channelIdNotUnique' });
});
