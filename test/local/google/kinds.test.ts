import { afterAll, expect, test } from 'vitest';
import { createGoogle } from './index.ts';
import { CLIENT_ID, CLIENT_SECRET, openGoogleWorld, refusal } from './world.ts';

const world = await openGoogleWorld();
afterAll(() => world.close());
const calendarId = 'primary';
const hour = { start: { dateTime: '2026-03-10T10:00:00Z' }, end: { dateTime: '2026-03-10T11:00:00Z' } };
const day = { start: { date: '2026-03-10' }, end: { date: '2026-03-11' } };
const office = {
  eventType: 'workingLocation',
  transparency: 'transparent',
  visibility: 'public',
  workingLocationProperties: { type: 'homeOffice', homeOffice: {} },
};
const birthday = {
  eventType: 'birthday',
  transparency: 'transparent',
  visibility: 'private',
  recurrence: ['RRULE:FREQ=YEARLY'],
};

function busy(email: string) {
  return world.google.busy({ calendar: email, start: '2026-03-10T00:00:00Z', end: '2026-03-12T00:00:00Z' }).length > 0;
}

test.each([
  ['an event without a kind blocks', { ...hour }, true],
  ['a default event blocks', { ...hour, eventType: 'default' }, true],
  ['a transparent event does not block', { ...hour, transparency: 'transparent' }, false],
  ['a private event blocks', { ...hour, visibility: 'private' }, true],
  ['an opaque day blocks', { ...day }, true],
  ['a transparent day does not block', { ...day, transparency: 'transparent' }, false],
  ['time out of office blocks', { ...hour, eventType: 'outOfOffice' }, true],
  ['focus time blocks', { ...hour, eventType: 'focusTime' }, true],
  ['a working location for a day does not block', { ...day, ...office }, false],
  ['a working location for hours does not block', { ...hour, ...office }, false],
  ['a birthday does not block', { ...day, ...birthday }, false],
])('%s', async (_name, requestBody, isBusy) => {
  const { api, email } = await world.join();
  const { data } = await api.events.insert({ calendarId, requestBody });
  expect(data.eventType).toBe('eventType' in requestBody ? requestBody.eventType : 'default');
  expect(busy(email)).toBe(isBusy);
});

test.each([
  ['time out of office for a whole day', { ...day, eventType: 'outOfOffice' }, 'malformedOutOfOfficeEvent'],
  [
    'transparent focus time',
    { ...hour, eventType: 'focusTime', transparency: 'transparent' },
    'malformedFocusTimeEvent',
  ],
  ['an opaque working location', { ...day, ...office, transparency: 'opaque' }, 'malformedWorkingLocationEvent'],
  ['a working location nowhere', { ...day, ...office, workingLocationProperties: {} }, 'malformedWorkingLocationEvent'],
  [
    'a working location of two days',
    { ...day, ...office, end: { date: '2026-03-12' } },
    'malformedWorkingLocationEvent',
  ],
  ['a birthday that happens once', { ...day, ...birthday, recurrence: [] }, 'malformedBirthdayEvent'],
  ['a public birthday', { ...day, ...birthday, visibility: 'public' }, 'malformedBirthdayEvent'],
  ['a kind that is none', { ...hour, eventType: 'party' }, 'invalid'],
  ['an event from an e-mail', { ...hour, eventType: 'fromGmail' }, 'invalid'],
])('%s is refused', async (_name, requestBody, reason) => {
  const { api } = await world.join();
  expect(await refusal(api.events.insert({ calendarId, requestBody }))).toMatchObject({ status: 400, reason });
});

test.each([
  ['default', true],
  ['outOfOffice', true],
  ['focusTime', true],
  ['workingLocation', false],
  ['birthday', false],
] as const)('a person enters an event of kind %s by its times alone', async (eventType, isBusy) => {
  const { email } = await world.join();
  const isDay = eventType === 'birthday';
  const [start, end] = isDay ? [day.start.date, day.end.date] : [hour.start.dateTime, hour.end.dateTime];
  world.google.addEvent({ email, start, end, eventType });
  expect(world.google.events(email)).toMatchObject([{ eventType }]);
  expect(busy(email)).toBe(isBusy);
});

test('a kind never changes, and belongs on a primary calendar', async () => {
  const { api, email } = await world.join();
  const { data } = await api.events.insert({ calendarId, requestBody: { ...hour, eventType: 'focusTime' } });
  const patch = api.events.patch({ calendarId, eventId: data.id ?? '', requestBody: { eventType: 'default' } });
  const restricted = { status: 400, reason: 'eventTypeRestriction' };
  expect(await refusal(patch)).toMatchObject(restricted);
  const other = world.google.addCalendar({ owner: email, summary: 'Team' });
  const insert = api.events.insert({ calendarId: other, requestBody: { ...hour, eventType: 'outOfOffice' } });
  expect(await refusal(insert)).toMatchObject(restricted);
});

test('a kind outlasts an update that does not name it, with the conditions it has', async () => {
  const { api, email } = await world.join();
  const { data } = await api.events.insert({ calendarId, requestBody: { ...day, ...office } });
  const eventId = data.id ?? '';
  const { eventType: _kind, ...rest } = office;
  const update = (more: object) =>
    api.events.update({ calendarId, eventId, requestBody: { ...day, ...rest, ...more } });
  expect((await update({ summary: 'At home' })).data).toMatchObject({
    eventType: 'workingLocation',
    summary: 'At home',
  });
  expect(await refusal(update({ transparency: 'opaque' }))).toMatchObject({ reason: 'malformedWorkingLocationEvent' });
  expect(busy(email)).toBe(false);
});

test('a list can be of some kinds only', async () => {
  const { api, email } = await world.join();
  world.google.addBusy({ email, start: hour.start.dateTime, end: hour.end.dateTime });
  for (const eventType of ['focusTime', 'outOfOffice'])
    await api.events.insert({ calendarId, requestBody: { ...hour, eventType } });
  const kinds = async (...eventTypes: string[]) =>
    (await api.events.list({ calendarId, eventTypes })).data.items?.map(({ eventType }) => eventType);
  expect(await kinds('default', 'outOfOffice')).toEqual(['default', 'outOfOffice']);
  expect(await kinds()).toEqual(['default', 'focusTime', 'outOfOffice']);
});

test('every address of the newcomers’ domain has an account, and no other has', async () => {
  const newcomers = { domain: 'demo.test', timezone: 'Asia/Tokyo' };
  const options = { clock: world.clock, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, newcomers };
  const google = createGoogle(options);
  const page = async (hint: string) => {
    const query = { client_id: CLIENT_ID, redirect_uri: 'https://a.test/', response_type: 'code', scope: 'openid' };
    const asked = new URLSearchParams({ ...query, login_hint: hint });
    return (await google.fetch(new Request(`https://accounts.google.com/o/oauth2/v2/auth?${asked}`))).text();
  };
  expect(await page('New.Person@demo.test')).toContain('value="new.person@demo.test"');
  expect(google.users()).toMatchObject([{ email: 'new.person@demo.test', timezone: 'Asia/Tokyo' }]);
  await page('somebody@other.test');
  await page('somebody@xdemo.test');
  await page('@demo.test');
  expect(google.users()).toHaveLength(1);
});
