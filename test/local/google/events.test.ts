import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openGoogleWorld, refusal } from './world.ts';

const world = await openGoogleWorld();
afterAll(() => world.close());

const times = { start: { dateTime: '2026-03-10T10:00:00Z' }, end: { dateTime: '2026-03-10T10:30:00Z' } };
const calendarId = 'primary';

async function meeting() {
  const host = await world.join();
  const guest = await world.join();
  const { data } = await host.api.events.insert({
    calendarId,
    sendUpdates: 'all',
    requestBody: {
      ...times,
      summary: 'Intro',
      attendees: [{ email: host.email, responseStatus: 'accepted' }, { email: guest.email }],
      extendedProperties: { private: { meeting: 'm1' } },
    },
  });
  return { host, guest, eventId: data.id ?? '', etag: data.etag ?? '' };
}

describe('insert', () => {
  test('times come back in the zone of the calendar', async () => {
    const { api, email } = await world.join('Europe/Berlin');
    const { data } = await api.events.insert({ calendarId, requestBody: { ...times, summary: 'One' } });
    expect(data).toMatchObject({
      kind: 'calendar#event',
      status: 'confirmed',
      summary: 'One',
      organizer: { email, self: true },
      start: { dateTime: '2026-03-10T11:00:00+01:00', timeZone: 'Europe/Berlin' },
      iCalUID: `${data.id}@google.com`,
      sequence: 0,
    });
    expect((await api.events.get({ calendarId: email, eventId: data.id ?? '' })).data).toEqual(data);
  });

  test('a wall time in a named zone is understood', async () => {
    const { api } = await world.join();
    const { data } = await api.events.insert({
      calendarId,
      requestBody: {
        start: { dateTime: '2026-03-10T09:00:00', timeZone: 'America/New_York' },
        end: { dateTime: '2026-03-10T10:00:00', timeZone: 'America/New_York' },
      },
    });
    expect(data.start).toEqual({ dateTime: '2026-03-10T13:00:00Z', timeZone: 'America/New_York' });
  });

  test.each([
    ['a bad attendee', { attendees: [{ email: 'nobody' }] }, 'invalid', 'Invalid attendee email.'],
    ['no end', { end: {} }, 'required', 'Missing end time.'],
    ['a zone-less start', { start: { dateTime: '2026-03-10T09:00:00' } }, 'required', undefined],
    ['an end before the start', { end: { dateTime: '2026-03-10T09:00:00Z' } }, 'timeRangeEmpty', undefined],
  ])('%s is 400', async (_name, more, reason, message) => {
    const { api } = await world.join();
    const answer = await refusal(api.events.insert({ calendarId, requestBody: { ...times, ...more } }));
    expect(answer).toMatchObject({ status: 400, reason, ...(message ? { message } : {}) });
  });

  test("another person's calendar is not found", async () => {
    const [one, other] = [await world.join(), await world.join()];
    const call = one.api.events.insert({ calendarId: other.email, requestBody: times });
    expect(await refusal(call)).toEqual({ status: 404, reason: 'notFound', message: 'Not Found' });
  });
});

describe('a shared event', () => {
  test('stands on both calendars under one id; private properties stay with their writer', async () => {
    const { host, guest, eventId } = await meeting();
    const { data } = await guest.api.events.get({ calendarId, eventId });
    expect(data).toMatchObject({ summary: 'Intro', organizer: { email: host.email } });
    expect(data.attendees).toEqual([
      { email: host.email, responseStatus: 'accepted', organizer: true },
      { email: guest.email, responseStatus: 'needsAction', self: true },
    ]);
    expect(data.extendedProperties).toBeUndefined();
    const own = await host.api.events.get({ calendarId, eventId });
    expect(own.data.extendedProperties).toEqual({ private: { meeting: 'm1' } });
  });

  test("a guest's answer reaches the organizer's copy", async () => {
    const { host, guest, eventId } = await meeting();
    await guest.api.events.patch({
      calendarId,
      eventId,
      sendUpdates: 'all',
      requestBody: { attendees: [{ email: host.email }, { email: guest.email, responseStatus: 'tentative' }] },
    });
    const { data } = await host.api.events.get({ calendarId, eventId });
    expect(data.attendees?.map(({ responseStatus }) => responseStatus)).toEqual(['accepted', 'tentative']);
    expect(world.google.mails().at(-1)).toMatchObject({ to: host.email, from: guest.email, kind: 'response' });
  });

  test("the organizer's delete cancels it for all, and again is 410", async () => {
    const { host, guest, eventId } = await meeting();
    const response = await host.api.events.delete({ calendarId, eventId, sendUpdates: 'all' });
    expect(response.status).toBe(204);
    expect((await guest.api.events.get({ calendarId, eventId })).data.status).toBe('cancelled');
    expect(await refusal(host.api.events.delete({ calendarId, eventId }))).toEqual({
      status: 410,
      reason: 'deleted',
      message: 'Resource has been deleted',
    });
    const mails = world.google.mails().filter((mail) => mail.eventId === eventId);
    expect(mails.map(({ to, kind }) => [to, kind])).toEqual([
      [guest.email, 'invitation'],
      [guest.email, 'cancellation'],
    ]);
  });
});

describe('changing', () => {
  test('a patch keeps what it does not name and raises etag and sequence', async () => {
    const { host, eventId, etag } = await meeting();
    const { data } = await host.api.events.patch({
      calendarId,
      eventId,
      requestBody: {
        start: { dateTime: '2026-03-11T10:00:00Z' },
        end: { dateTime: '2026-03-11T10:30:00Z' },
        extendedProperties: { private: { generation: '2' } },
      },
    });
    expect(data).toMatchObject({ summary: 'Intro', sequence: 1, start: { dateTime: '2026-03-11T10:00:00Z' } });
    expect(data.extendedProperties?.private).toEqual({ meeting: 'm1', generation: '2' });
    expect(data.attendees).toHaveLength(2);
    expect(data.etag).not.toBe(etag);
  });

  test('a patch of the attendees replaces them all: answers are lost, the dropped are cancelled', async () => {
    const { host, guest, eventId } = await meeting();
    const third = await world.join();
    const { data } = await host.api.events.patch({
      calendarId,
      eventId,
      sendUpdates: 'all',
      requestBody: { attendees: [{ email: host.email }, { email: third.email }] },
    });
    expect(data.attendees?.map(({ responseStatus }) => responseStatus)).toEqual(['needsAction', 'needsAction']);
    expect((await guest.api.events.get({ calendarId, eventId })).data.status).toBe('cancelled');
    expect((await third.api.events.get({ calendarId, eventId })).data.status).toBe('confirmed');
    const mails = world.google.mails().filter((mail) => mail.eventId === eventId);
    expect(mails.slice(1).map(({ to, kind }) => [to, kind])).toEqual([
      [third.email, 'invitation'],
      [guest.email, 'cancellation'],
    ]);
  });

  test('an unknown event is 404', async () => {
    const { api } = await world.join();
    const eventId = 'nosuchevent';
    const lost = { status: 404, reason: 'notFound' };
    expect(await refusal(api.events.get({ calendarId, eventId }))).toMatchObject(lost);
    expect(await refusal(api.events.patch({ calendarId, eventId, requestBody: {} }))).toMatchObject(lost);
    expect(await refusal(api.events.delete({ calendarId, eventId }))).toMatchObject(lost);
  });

  test('without sendUpdates nobody is told', async () => {
    const { host, eventId } = await meeting();
    const before = world.google.mails().length;
    await host.api.events.patch({ calendarId, eventId, requestBody: { summary: 'Quiet' } });
    expect(world.google.mails()).toHaveLength(before);
  });
});

beforeEach(() => {
  world.google.settings.meetPending = { gets: 0, ms: 0 };
});

const withMeet = {
  start: { dateTime: '2026-03-10T10:00:00Z' },
  end: { dateTime: '2026-03-10T10:30:00Z' },
  conferenceData: { createRequest: { requestId: 'r1', conferenceSolutionKey: { type: 'hangoutsMeet' } } },
};

test('a createRequest brings a Meet link', async () => {
  const { api } = await world.join();
  const { data } = await api.events.insert({ calendarId, conferenceDataVersion: 1, requestBody: withMeet });
  expect(data.hangoutLink).toMatch(/^https:\/\/meet\.google\.com\/[a-z]{3}-[a-z]{4}-[a-z]{3}$/);
  expect(data.conferenceData).toMatchObject({
    createRequest: { requestId: 'r1', status: { statusCode: 'success' } },
    entryPoints: [{ entryPointType: 'video', uri: data.hangoutLink }],
  });
});

test('the link can stay pending for some reads', async () => {
  const { api } = await world.join();
  world.google.settings.meetPending = { gets: 2, ms: 0 };
  const { data } = await api.events.insert({ calendarId, conferenceDataVersion: 1, requestBody: withMeet });
  const states = [data.conferenceData?.createRequest?.status?.statusCode];
  for (let read = 0; read < 3; read += 1) {
    const again = await api.events.get({ calendarId, eventId: data.id ?? '' });
    states.push(again.data.conferenceData?.createRequest?.status?.statusCode);
    expect(Boolean(again.data.hangoutLink)).toBe(states.at(-1) === 'success');
  }
  expect(states).toEqual(['pending', 'pending', 'pending', 'success']);
});

test('the link can stay pending for some time, and changes the etag when it comes', async () => {
  const { api } = await world.join();
  world.google.settings.meetPending = { gets: 0, ms: 5_000 };
  const { data } = await api.events.insert({ calendarId, conferenceDataVersion: 1, requestBody: withMeet });
  const read = async () => (await api.events.get({ calendarId, eventId: data.id ?? '' })).data;
  expect((await read()).hangoutLink).toBeUndefined();
  world.clock.advance(5_000);
  const ready = await read();
  expect(ready.hangoutLink).toMatch(/^https:/);
  expect(ready.etag).not.toBe(data.etag);
});

test('a repeated request id keeps the link, another makes a new one, null removes it', async () => {
  const { api } = await world.join();
  const { data } = await api.events.insert({ calendarId, conferenceDataVersion: 1, requestBody: withMeet });
  const patch = async (conferenceData: object | null, conferenceDataVersion = 1) => {
    const answer = await api.events.patch({
      calendarId,
      eventId: data.id ?? '',
      conferenceDataVersion,
      requestBody: { conferenceData } as typeof withMeet,
    });
    return answer.data.hangoutLink;
  };
  expect(await patch(withMeet.conferenceData)).toBe(data.hangoutLink);
  expect(await patch(null, 0)).toBe(data.hangoutLink);
  const renewed = await patch({ createRequest: { ...withMeet.conferenceData.createRequest, requestId: 'r2' } });
  expect(renewed).not.toBe(data.hangoutLink);
  expect(await patch(null)).toBeUndefined();
});

test('moving the event keeps its link, with or without conferenceDataVersion', async () => {
  const { api } = await world.join();
  const { data } = await api.events.insert({ calendarId, conferenceDataVersion: 1, requestBody: withMeet });
  for (const version of [0, 1]) {
    const moved = await api.events.patch({
      calendarId,
      eventId: data.id ?? '',
      conferenceDataVersion: version,
      requestBody: { end: { dateTime: '2026-03-10T11:00:00Z' } },
    });
    expect(moved.data.hangoutLink).toBe(data.hangoutLink);
  }
});
