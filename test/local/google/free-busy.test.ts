import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GoogleWorld, openGoogleWorld, refusal } from './world.ts';

let world: GoogleWorld;
let n = 0;

beforeAll(async () => {
  world = await openGoogleWorld();
});
afterAll(() => world.close());

async function person(timezone = 'UTC') {
  n += 1;
  const email = `p${n}@example.com`;
  world.google.addUser({ email, timezone });
  return { email, ...(await world.connect(email)) };
}

type Api = Awaited<ReturnType<typeof person>>['api'];

async function busy(api: Api, id: string, day = '2026-03-10', timeZone?: string) {
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

const at = (time: string) => ({ dateTime: `2026-03-10T${time}:00Z` });
const hours = (start: string, end: string) => ({ start: `2026-03-10T${start}:00Z`, end: `2026-03-10T${end}:00Z` });

test('busy times are sorted, merged where they touch, and clipped to the window', async () => {
  const { api, email } = await person();
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

test('answers come in the zone asked for', async () => {
  const { api, email } = await person();
  world.google.addBusy({ email, ...hours('10:00', '11:00') });
  expect(await busy(api, email, '2026-03-10', 'Asia/Kolkata')).toEqual({
    busy: [{ start: '2026-03-10T15:30:00+05:30', end: '2026-03-10T16:30:00+05:30' }],
  });
});

test('an all-day event covers the day of the calendar, not of UTC', async () => {
  const { api } = await person('America/Los_Angeles');
  await api.events.insert({
    calendarId: 'primary',
    requestBody: { start: { date: '2026-03-10' }, end: { date: '2026-03-11' } },
  });
  expect(await busy(api, 'primary')).toEqual({ busy: [{ ...hours('07:00', '23:59') }] });
});

test('transparent, cancelled and declined events do not block; an unanswered invitation does', async () => {
  const host = await person();
  const guest = await person();
  await host.api.events.insert({
    calendarId: 'primary',
    requestBody: { start: at('08:00'), end: at('09:00'), transparency: 'transparent' },
  });
  const { data } = await host.api.events.insert({
    calendarId: 'primary',
    requestBody: { start: at('10:00'), end: at('11:00'), attendees: [{ email: guest.email }] },
  });
  const eventId = data.id ?? '';
  expect(await busy(guest.api, 'primary')).toEqual({ busy: [hours('10:00', '11:00')] });
  world.google.patchEvent({ email: guest.email, eventId, responseStatus: 'declined' });
  expect(await busy(guest.api, 'primary')).toEqual({ busy: [] });
  expect(await busy(host.api, 'primary')).toEqual({ busy: [hours('10:00', '11:00')] });
  await host.api.events.delete({ calendarId: 'primary', eventId });
  expect(await busy(host.api, 'primary')).toEqual({ busy: [] });
});

test('a calendar that does not exist or is not shared is an error inside a 200, until it is shared', async () => {
  const reader = await person();
  const owner = await person();
  const unknown = { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] };
  expect(await busy(reader.api, 'nobody@example.com')).toEqual(unknown);
  expect(await busy(reader.api, owner.email)).toEqual(unknown);
  world.google.share({ owner: owner.email, reader: reader.email });
  expect(await busy(reader.api, owner.email)).toEqual({ busy: [] });
});

test('a calendar told to fail answers with its reason and no busy times', async () => {
  const { api, email } = await person();
  world.google.addBusy({ email, ...hours('10:00', '11:00') });
  world.google.settings.calendarErrors.set(email, 'internalError');
  expect(await busy(api, email)).toEqual({ errors: [{ domain: 'global', reason: 'internalError' }], busy: [] });
});

test.each([
  ['a reversed window', '2026-03-10T00:00:00Z', '2026-03-09T00:00:00Z', 'timeRangeEmpty'],
  ['a window over 90 days', '2026-03-10T00:00:00Z', '2026-06-09T00:00:00Z', 'timeRangeTooLong'],
  ['a time without offset', '2026-03-10T00:00:00', '2026-06-09T00:00:00Z', 'badRequest'],
  ['no start', '', '2026-03-09T00:00:00Z', 'required'],
])('%s is 400', async (_name, timeMin, timeMax, reason) => {
  const { api } = await person();
  const call = api.freebusy.query({ requestBody: { timeMin, timeMax, items: [{ id: 'primary' }] } });
  expect(await refusal(call)).toMatchObject({ status: 400, reason });
});

test('a token without a calendar scope is refused', async () => {
  const { email } = await person();
  world.google.revoke(email);
  const { api } = await world.connect(email, ['openid', 'email']);
  const call = api.freebusy.query({
    requestBody: { timeMin: '2026-03-10T00:00:00Z', timeMax: '2026-03-11T00:00:00Z', items: [{ id: 'primary' }] },
  });
  expect(await refusal(call)).toMatchObject({ status: 403, reason: 'insufficientPermissions' });
});
