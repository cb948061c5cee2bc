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
  email = `w${n}@example.com`;
  world.pushes.length = 0;
  world.google.addUser({ email, timezone: 'UTC' });
  api = (await world.connect(email)).api;
});
afterAll(() => world.close());

const calendarId = 'primary';

function watch(id: string, more: object = {}) {
  const requestBody = { id, type: 'web_hook', address: 'https://tandem.test/push', token: 't=1', ...more };
  return api.events.watch({ calendarId, requestBody });
}

const states = () => world.pushes.map(({ headers }) => headers.get('x-goog-resource-state'));
const busy = () => world.google.addBusy({ email, start: '2026-03-10T10:00:00Z', end: '2026-03-10T11:00:00Z' });

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
    'x-goog-message-number': '3',
  });
});

test("a guest's answer is told to the organizer's channel", async () => {
  const guest = `guest-${email}`;
  world.google.addUser({ email: guest, timezone: 'UTC' });
  const { data } = await api.events.insert({
    calendarId,
    requestBody: {
      start: { dateTime: '2026-03-10T10:00:00Z' },
      end: { dateTime: '2026-03-10T11:00:00Z' },
      attendees: [{ email: guest }],
    },
  });
  await watch(`ch-${n}`);
  world.google.patchEvent({ email: guest, eventId: data.id ?? '', responseStatus: 'accepted' });
  expect(states()).toEqual(['sync', 'exists']);
});

test('a stopped channel is silent, and stopping again is 404', async () => {
  const { data } = await watch(`ch-${n}`);
  const requestBody = { id: data.id ?? '', resourceId: data.resourceId ?? '' };
  expect((await api.channels.stop({ requestBody })).status).toBe(204);
  busy();
  expect(states()).toEqual(['sync']);
  expect(await refusal(api.channels.stop({ requestBody }))).toMatchObject({ status: 404, reason: 'notFound' });
});

test('a channel ends when its time is up', async () => {
  await watch(`ch-${n}`, { params: { ttl: '60' } });
  world.clock.advance(60_000);
  busy();
  expect(states()).toEqual(['sync']);
});

test('a channel ends when the user revokes the grant', async () => {
  await watch(`ch-${n}`);
  world.google.revoke(email);
  busy();
  expect(states()).toEqual(['sync']);
});

test.each([
  ['a plain http address', { address: 'http://tandem.test/push' }, 'push.webhookUrlNotHttps'],
  ['an id over 64 characters', { id: 'x'.repeat(65) }, 'invalid'],
  ['a token over 256 characters', { token: 'x'.repeat(257) }, 'invalid'],
  ['an unknown type', { type: 'pigeon' }, 'invalid'],
])('%s is 400', async (_name, more, reason) => {
  expect(await refusal(watch(`ch-${n}`, more))).toMatchObject({ status: 400, reason });
});

test('a channel id is unique', async () => {
  await watch(`ch-${n}`);
  expect(await refusal(watch(`ch-${n}`))).toMatchObject({ status: 400, reason: 'channelIdNotUnique' });
});
