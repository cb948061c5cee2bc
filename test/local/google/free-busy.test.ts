import { afterAll, expect, test } from 'vitest';
import { createGoogle } from './index.ts';
import { CLIENT_ID, CLIENT_SECRET, type Joined, openGoogleWorld, refusal } from './world.ts';

const world = await openGoogleWorld();
afterAll(() => world.close());

async function busy(api: Joined['api'], id: string, day = '2026-03-10', timeZone?: string) {
  const { data } = await api.freebusy.query({
    requestBody: {
      timeMin: `${day}T00:00:00Z`,
      timeMax: `${day}T23:59:00Z`,
      items: [{ id }],
      ...(timeZone ? { timeZone } : {}),
    },
  });
  return data.calendars?.[id];
}

const hours = (start: string, end: string) => ({ start: `2026-03-10T${start}:00Z`, end: `2026-03-10T${end}:00Z` });

test('busy times are sorted, merged where they touch, and clipped to the window', async () => {
  const { api, email } = await world.join();
  world.google.addBusy([
    { email, ...hours('14:00', '15:00') },
    { email, ...hours('10:00', '11:00') },
    { email, ...hours('10:30', '12:00') },
    { email, ...hours('12:00', '12:30') },
    { email, start: '2026-03-09T22:00:00Z', end: '2026-03-10T01:00:00Z' },
  ]);
  expect(await busy(api, 'primary')).toEqual({
    busy: [hours('00:00', '01:00'), hours('10:00', '12:30'), hours('14:00', '15:00')],
  });
});

test('an all-day event covers the day of the calendar, not of UTC', async () => {
  const { api } = await world.join('America/Los_Angeles');
  await api.events.insert({
    calendarId: 'primary',
    requestBody: { start: { date: '2026-03-10' }, end: { date: '2026-03-11' } },
  });
  expect(await busy(api, 'primary')).toEqual({ busy: [{ ...hours('07:00', '23:59') }] });
});

test('an all-day event follows its calendar into another zone, without any change of its own', async () => {
  const { api, email } = await world.join('Europe/Berlin');
  const eventId = world.google.addEvent({ email, start: '2026-03-10', end: '2026-03-11' });
  const { etag } = (await api.events.get({ calendarId: 'primary', eventId })).data;
  expect(await busy(api, 'primary')).toEqual({ busy: [hours('00:00', '23:00')] });
  world.google.setZone({ calendar: email, timezone: 'Pacific/Kiritimati' });
  expect(await busy(api, 'primary')).toEqual({ busy: [hours('00:00', '10:00')] });
  expect((await api.events.get({ calendarId: 'primary', eventId })).data.etag).toBe(etag);
});

test('a vacation that began before the window and ends after it fills it', async () => {
  const { api, email } = await world.join();
  world.google.addEvent({ email, start: '2026-03-01', end: '2026-03-20' });
  expect(await busy(api, 'primary')).toEqual({ busy: [hours('00:00', '23:59')] });
});

test('days across a change of the clocks begin and end at midnight, or after it where there is none', async () => {
  const email = (await world.join('America/Santiago')).email;
  // On 6 September 2026 Santiago's clocks go from 24:00 to 01:00.
  world.google.addEvent({ email, start: '2026-09-05', end: '2026-09-07', recurrence: ['RRULE:FREQ=MONTHLY;COUNT=2'] });
  const window = { start: '2026-09-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
  expect(world.google.busy({ calendar: email, ...window })).toEqual([
    { start: '2026-09-05T04:00:00.000Z', end: '2026-09-07T03:00:00.000Z' },
    { start: '2026-10-05T03:00:00.000Z', end: '2026-10-07T03:00:00.000Z' },
  ]);
  world.google.addEvent({ email, start: '2027-09-05', end: '2027-09-06' });
  const later = { start: '2027-09-01T00:00:00Z', end: '2027-10-01T00:00:00Z' };
  expect(world.google.busy({ calendar: email, ...later })).toEqual([
    { start: '2027-09-05T04:00:00.000Z', end: '2027-09-06T03:00:00.000Z' },
  ]);
});

test('free/busy can lag behind the events', async () => {
  const { api, email } = await world.join();
  world.google.freeze(email);
  const [eventId = ''] = world.google.addBusy({ email, ...hours('10:00', '11:00') });
  expect((await api.events.get({ calendarId: 'primary', eventId })).data.status).toBe('confirmed');
  expect(await busy(api, 'primary')).toEqual({ busy: [] });
  world.google.thaw(email);
  expect(await busy(api, 'primary')).toEqual({ busy: [hours('10:00', '11:00')] });
});

test('a calendar that does not exist or is not shared is an error inside a 200, until it is shared', async () => {
  const reader = await world.join();
  const owner = await world.join();
  const unknown = { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] };
  expect(await busy(reader.api, 'nobody@example.com')).toEqual(unknown);
  expect(await busy(reader.api, owner.email)).toEqual(unknown);
  world.google.share({ calendar: owner.email, reader: reader.email });
  expect(await busy(reader.api, owner.email)).toEqual({ busy: [] });
});

test.each([
  ['a zone that is none', { timeZone: 'Mars/Base' }, 'badRequest'],
  ['an item without an id', { items: [{}] }, 'required'],
  ['no start', { timeMin: '' }, 'required'],
])('%s is 400', async (_name, more, reason) => {
  const { api } = await world.join();
  const window = { timeMin: '2026-03-10T00:00:00Z', timeMax: '2026-03-11T00:00:00Z' };
  const call = api.freebusy.query({ requestBody: { ...window, items: [{ id: 'primary' }], ...more } });
  expect(await refusal(call)).toMatchObject({ status: 400, reason });
});

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

function isBusyOn(email: string) {
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
  expect(isBusyOn(email)).toBe(isBusy);
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
  expect(isBusyOn(email)).toBe(isBusy);
});

test('a kind must be known, and belongs on a primary calendar', async () => {
  const { api, email } = await world.join();
  const unknown = api.events.insert({ calendarId, requestBody: { ...hour, eventType: 'party' } });
  expect(await refusal(unknown)).toMatchObject({ status: 400, reason: 'invalid' });
  const restricted = { status: 400, reason: 'eventTypeRestriction' };
  const other = world.google.addCalendar({ owner: email, summary: 'Team' });
  const insert = api.events.insert({ calendarId: other, requestBody: { ...hour, eventType: 'outOfOffice' } });
  expect(await refusal(insert)).toMatchObject(restricted);
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
