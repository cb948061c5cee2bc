import { afterAll, describe, expect, test } from 'vitest';
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
  test("another person's calendar is not found", async () => {
    const [one, other] = [await world.join(), await world.join()];
    const call = one.api.events.insert({ calendarId: other.email, requestBody: times });
    expect(await refusal(call)).toEqual({ status: 404, reason: 'notFound', message: 'Not Found' });
  });
});

test('a shared event stands on both calendars under one id; private properties stay with their writer', async () => {
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

test('a patch of the attendees loses their answers, cancels for the dropped, and mails whoever it concerns', async () => {
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
  await host.api.events.patch({ calendarId, eventId, requestBody: { summary: 'Quiet' } });
  const mails = world.google.mails().filter((mail) => mail.eventId === eventId);
  expect(mails.map(({ to, kind }) => [to, kind])).toEqual([
    [guest.email, 'invitation'],
    [third.email, 'invitation'],
    [guest.email, 'cancellation'],
  ]);
});

const withMeet = {
  start: { dateTime: '2026-03-10T10:00:00Z' },
  end: { dateTime: '2026-03-10T10:30:00Z' },
  conferenceData: { createRequest: { requestId: 'r1', conferenceSolutionKey: { type: 'hangoutsMeet' } } },
};

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
