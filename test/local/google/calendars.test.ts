import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GoogleWorld, openGoogleWorld, refusal, SCOPES } from './world.ts';

let world: GoogleWorld;
const email = 'ana@example.com';
const ALL = [...SCOPES, 'https://www.googleapis.com/auth/calendar.readonly'];

beforeAll(async () => {
  world = await openGoogleWorld();
  world.google.addUser({ email, timezone: 'Asia/Kolkata' });
});
afterAll(() => world.close());

test('the settings, the list and the calendar name the zone', async () => {
  const { api } = await world.connect(email, ALL);
  expect((await api.settings.get({ setting: 'timezone' })).data.value).toBe('Asia/Kolkata');
  expect((await api.calendarList.list()).data.items).toMatchObject([{ id: email, primary: true, accessRole: 'owner' }]);
  expect((await api.calendarList.get({ calendarId: 'primary' })).data.timeZone).toBe('Asia/Kolkata');
  expect((await api.calendars.get({ calendarId: 'primary' })).data).toMatchObject({
    id: email,
    timeZone: 'Asia/Kolkata',
  });
});

test('an unknown setting and a foreign calendar are not found', async () => {
  const { api } = await world.connect(email, ALL);
  expect(await refusal(api.settings.get({ setting: 'nope' }))).toMatchObject({ status: 404, reason: 'notFound' });
  expect(await refusal(api.calendars.get({ calendarId: 'ben@example.com' }))).toMatchObject({ status: 404 });
});

test('each call wants its own scope', async () => {
  world.google.revoke(email);
  const { api } = await world.connect(email, ['openid', 'email']);
  const denied = { status: 403, reason: 'insufficientPermissions' };
  expect(await refusal(api.settings.get({ setting: 'timezone' }))).toMatchObject(denied);
  expect(await refusal(api.calendarList.list())).toMatchObject(denied);
  expect(await refusal(api.events.list({ calendarId: 'primary' }))).toMatchObject(denied);
  expect(await refusal(api.events.delete({ calendarId: 'primary', eventId: 'abcde' }))).toMatchObject(denied);
});
