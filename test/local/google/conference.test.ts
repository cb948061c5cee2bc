import { afterAll, beforeEach, expect, test } from 'vitest';
import { openGoogleWorld, refusal } from './world.ts';

const world = await openGoogleWorld();
afterAll(() => world.close());
let api: Awaited<ReturnType<typeof world.connect>>['api'];
let n = 0;
let email = '';

beforeEach(async () => {
  n += 1;
  email = `c${n}@example.com`;
  world.google.settings.meetPending = { gets: 0, ms: 0 };
  world.google.addUser({ email, timezone: 'UTC' });
  api = (await world.connect(email)).api;
});

const calendarId = 'primary';
const requestBody = {
  start: { dateTime: '2026-03-10T10:00:00Z' },
  end: { dateTime: '2026-03-10T10:30:00Z' },
  conferenceData: { createRequest: { requestId: 'r1', conferenceSolutionKey: { type: 'hangoutsMeet' } } },
};

test('a createRequest brings a Meet link', async () => {
  const { data } = await api.events.insert({ calendarId, conferenceDataVersion: 1, requestBody });
  expect(data.hangoutLink).toMatch(/^https:\/\/meet\.google\.com\/[a-z]{3}-[a-z]{4}-[a-z]{3}$/);
  expect(data.conferenceData).toMatchObject({
    createRequest: { requestId: 'r1', status: { statusCode: 'success' } },
    entryPoints: [{ entryPointType: 'video', uri: data.hangoutLink }],
  });
});

test('the link can stay pending for some reads', async () => {
  world.google.settings.meetPending = { gets: 2, ms: 0 };
  const { data } = await api.events.insert({ calendarId, conferenceDataVersion: 1, requestBody });
  const states = [data.conferenceData?.createRequest?.status?.statusCode];
  for (let read = 0; read < 3; read += 1) {
    const again = await api.events.get({ calendarId, eventId: data.id ?? '' });
    states.push(again.data.conferenceData?.createRequest?.status?.statusCode);
    expect(Boolean(again.data.hangoutLink)).toBe(states.at(-1) === 'success');
  }
  expect(states).toEqual(['pending', 'pending', 'pending', 'success']);
});

test('the link can stay pending for some time, and changes the etag when it comes', async () => {
  world.google.settings.meetPending = { gets: 0, ms: 5_000 };
  const { data } = await api.events.insert({ calendarId, conferenceDataVersion: 1, requestBody });
  const read = async () => (await api.events.get({ calendarId, eventId: data.id ?? '' })).data;
  expect((await read()).hangoutLink).toBeUndefined();
  world.clock.advance(5_000);
  const ready = await read();
  expect(ready.hangoutLink).toMatch(/^https:/);
  expect(ready.etag).not.toBe(data.etag);
});

test('a repeated request id keeps the link, another makes a new one, null removes it', async () => {
  const { data } = await api.events.insert({ calendarId, conferenceDataVersion: 1, requestBody });
  const patch = async (conferenceData: object | null, conferenceDataVersion = 1) => {
    const answer = await api.events.patch({
      calendarId,
      eventId: data.id ?? '',
      conferenceDataVersion,
      requestBody: { conferenceData } as typeof requestBody,
    });
    return answer.data.hangoutLink;
  };
  expect(await patch(requestBody.conferenceData)).toBe(data.hangoutLink);
  expect(await patch(null, 0)).toBe(data.hangoutLink);
  const renewed = await patch({ createRequest: { ...requestBody.conferenceData.createRequest, requestId: 'r2' } });
  expect(renewed).not.toBe(data.hangoutLink);
  expect(await patch(null)).toBeUndefined();
});

test('moving the event keeps its link, with or without conferenceDataVersion', async () => {
  const { data } = await api.events.insert({ calendarId, conferenceDataVersion: 1, requestBody });
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

test('a calendar without Meet refuses the request and stores nothing', async () => {
  world.google.noMeet(email);
  const call = api.events.insert({ calendarId, conferenceDataVersion: 1, requestBody });
  expect(await refusal(call)).toEqual({ status: 400, reason: 'invalid', message: 'Invalid conference type value.' });
  expect(world.google.events(email)).toEqual([]);
});
