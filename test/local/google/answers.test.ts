import { afterAll, expect, test } from 'vitest';
import { type Joined, openGoogleWorld, refusal } from './world.ts';

const world = await openGoogleWorld();
afterAll(() => world.close());
const calendarId = 'primary';

/** Creates a series of three days at 10:00Z and invites a guest. */
async function invited() {
  const [host, guest] = [await world.join(), await world.join()];
  const seriesId = world.google.addEvent({
    email: host.email,
    start: '2026-03-10T10:00:00Z',
    end: '2026-03-10T11:00:00Z',
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
    attendees: [host.email, guest.email],
  });
  return { host, guest, seriesId, second: `${seriesId}_20260311T100000Z` };
}

function busyDays(email: string) {
  const window = { start: '2026-03-01T00:00:00Z', end: '2026-04-01T00:00:00Z' };
  return world.google.busy({ calendar: email, ...window }).map(({ start }) => start.slice(8, 10));
}

const answers = async ({ api }: Joined, eventId: string) =>
  (await api.events.get({ calendarId, eventId })).data.attendees?.map(({ responseStatus }) => responseStatus);

test('unanswered and tentative are busy, declined is free, and accepted again is busy', async () => {
  const { guest, seriesId } = await invited();
  const answer = (responseStatus: string) =>
    world.google.patchEvent({ email: guest.email, eventId: seriesId, responseStatus });
  expect(busyDays(guest.email)).toEqual(['10', '11', '12']);
  answer('tentative');
  expect(busyDays(guest.email)).toEqual(['10', '11', '12']);
  answer('declined');
  expect(busyDays(guest.email)).toEqual([]);
  answer('accepted');
  expect(busyDays(guest.email)).toEqual(['10', '11', '12']);
});

test('an answer to one instance is to that one alone, and outlives an answer to all', async () => {
  const { host, guest, seriesId, second } = await invited();
  world.google.patchEvent({ email: guest.email, eventId: second, responseStatus: 'declined' });
  expect(busyDays(guest.email)).toEqual(['10', '12']);
  expect(busyDays(host.email)).toEqual(['10', '11', '12']);
  expect(await answers(host, second)).toEqual(['needsAction', 'declined']);
  expect(await answers(host, seriesId)).toEqual(['needsAction', 'needsAction']);
  world.google.patchEvent({ email: guest.email, eventId: seriesId, responseStatus: 'accepted' });
  expect(await answers(host, second)).toEqual(['needsAction', 'declined']);
  expect(await answers(host, `${seriesId}_20260312T100000Z`)).toEqual(['needsAction', 'accepted']);
  world.google.patchEvent({ email: guest.email, eventId: second, responseStatus: 'accepted' });
  expect(busyDays(guest.email)).toEqual(['10', '11', '12']);
});

test('a guest answers one instance through the API, naming only themselves', async () => {
  const { host, guest, second } = await invited();
  await guest.api.events.patch({
    calendarId,
    eventId: second,
    requestBody: { attendeesOmitted: true, attendees: [{ email: guest.email, responseStatus: 'declined' }] },
  });
  expect(await answers(host, second)).toEqual(['needsAction', 'declined']);
  expect(busyDays(guest.email)).toEqual(['10', '12']);
});

test('a guest may move neither the series nor an instance', async () => {
  const { guest, seriesId, second } = await invited();
  const requestBody = { start: { dateTime: '2026-03-11T10:10:00Z' } };
  const denied = { status: 403, reason: 'forbiddenForNonOrganizer' };
  for (const eventId of [seriesId, second])
    expect(await refusal(guest.api.events.patch({ calendarId, eventId, requestBody }))).toMatchObject(denied);
});

test("a guest's delete of one instance, then of all, leaves the organizer's standing", async () => {
  const { host, guest, seriesId, second } = await invited();
  await guest.api.events.delete({ calendarId, eventId: second });
  expect(busyDays(guest.email)).toEqual(['10', '12']);
  await guest.api.events.delete({ calendarId, eventId: seriesId });
  expect(busyDays(guest.email)).toEqual([]);
  expect(busyDays(host.email)).toEqual(['10', '11', '12']);
  expect(await answers(host, seriesId)).toEqual(['needsAction', 'declined']);
});

test('somebody invited to one instance has that one only', async () => {
  const { host, guest, second } = await invited();
  const third = await world.join();
  const attendees = [host, guest, third].map(({ email }) => ({ email }));
  await host.api.events.patch({ calendarId, eventId: second, requestBody: { attendees } });
  expect(busyDays(third.email)).toEqual(['11']);
  expect((await third.api.events.list({ calendarId })).data.items?.map(({ id }) => id)).toEqual([second]);
  expect(busyDays(guest.email)).toEqual(['10', '11', '12']);
});

test('somebody who is added to the series comes to the instances that were changed alone, who leaves it goes from them', async () => {
  const { host, guest, seriesId, second } = await invited();
  const third = await world.join();
  const noon = { start: '2026-03-11T12:00:00Z', end: '2026-03-11T13:00:00Z' };
  world.google.patchEvent({ email: host.email, eventId: second, ...noon });
  const attendees = [host, third].map(({ email }) => ({ email }));
  await host.api.events.patch({ calendarId, eventId: seriesId, requestBody: { attendees } });
  expect(busyDays(third.email)).toEqual(['10', '11', '12']);
  expect(busyDays(guest.email)).toEqual([]);
});
