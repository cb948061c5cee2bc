import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createGoogleCalendar } from '../../../lib/adapters/google-calendar.ts';
import { createGoogleOAuth } from '../../../lib/adapters/google-oauth.ts';
import { retryTransient } from '../../../lib/calendars/calls.ts';
import { DAY } from '../../../lib/engine/time/dates.ts';
import { CalendarError } from '../../../lib/kit/calendar-ports.ts';
import type { Ctx } from '../../../lib/kit/context.ts';
import { CONTRACT, methodOf } from '../../local/google/contract/contract.ts';
import { SCOPE_PREFIX } from '../../local/google/contract/reduce.ts';
import { type GoogleWorld, openGoogleWorld, SCOPES } from '../../local/google/world.ts';

const calendar = createGoogleCalendar({ requestId: 'req_test' });

const consented = () => {
  const options = { clientId: 'c', clientSecret: 's', authorizeUrl: 'https://a.test/', now: Date.now, requestId: 'r' };
  const asked = { redirectUri: 'https://b.test/', state: '', loginHint: '', codeChallenge: '' };
  return new URL(createGoogleOAuth(options).consentUrl(asked)).searchParams.get('scope')?.split(' ') ?? [];
};

let world: GoogleWorld;
let called: { name: string; status: number }[] = [];
const machineFetch = globalThis.fetch;

beforeAll(async () => {
  world = await openGoogleWorld();
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).hostname !== 'www.googleapis.com') return machineFetch(input, init);
    const response = await world.google.fetch(request.clone());
    called.push({ name: methodOf(request)?.name ?? request.url, status: response.status });
    return response;
  };
});
afterAll(async () => {
  globalThis.fetch = machineFetch;
  await world.close();
});

const now = () => world.clock.now();

const newEvent = (id: string, email: string) => ({
  id,
  meetingId: 'meet_1',
  title: 'Intro',
  description: 'Text',
  location: 'Google Meet',
  start: now() + DAY,
  end: now() + DAY + 1_800_000,
  attendees: [email, 'guest@example.com'],
});

/** Calls every method of the adapter once, with a token that has these scopes. Returns the answers. */
async function callAll(scopes: string[]) {
  const { email, tokens } = await world.join('Europe/Berlin', scopes);
  const token = tokens.access_token ?? '';
  const id = `event${email.replaceAll(/\D/g, '')}`;
  called = [];
  const [start, end] = [now(), now() + 100 * DAY];
  const freeBusy = await calendar.freeBusy(token, ['primary'], [{ start, end }]);
  const listed = await calendar.listCalendars(token);
  const zones = [await calendar.settingsTimeZone(token), await calendar.calendarTimeZone(token)];
  const inserted = await calendar.insertEvent(token, newEvent(id, email));
  const read = await calendar.getEvent(token, id);
  const events = await calendar.listEvents(token, start, end);
  const { events: all, token: syncToken } = await calendar.listChanges(token, { since: start });
  const moved = await calendar.patchEvent(token, id, {
    calendar: 'primary',
    etag: inserted.etag,
    start: inserted.start ?? 0,
    end: (inserted.end ?? 0) + 1_800_000,
    attendees: read.attendees,
  });
  const { events: changed } = await calendar.listChanges(token, { syncToken });
  const address = 'https://tandem.example.com/push';
  const channel = {
    calendar: 'primary',
    id: `channel-${email}`.replaceAll(/[^a-z0-9]/g, '-'),
    token: 't',
    address,
    lifeMs: DAY,
  };
  const { resourceId } = await calendar.watch(token, channel);
  await calendar.stopChannel(token, { id: channel.id, resourceId });
  await calendar.deleteEvent(token, id, { calendar: 'primary', etag: moved.etag });
  return { email, token, id, freeBusy, listed, zones, inserted, read, events, all, moved, changed };
}

describe('with exactly the scopes of our consent', () => {
  test("every call fits Google's contract, and is allowed", async () => {
    const answers = await callAll(consented());
    expect(answers.zones).toEqual(['Europe/Berlin', 'Europe/Berlin']);
    expect([...new Set(called.map(({ name }) => name))].sort()).toEqual([
      'calendarList.list',
      'channels.stop',
      'events.delete',
      'events.get',
      'events.insert',
      'events.list',
      'events.patch',
      'events.watch',
      'freebusy.query',
      'settings.get',
    ]);
    expect(called.filter(({ status }) => status >= 400)).toEqual([]);
  });

  test('the partial answers have every field that the adapter reads', async () => {
    const { inserted, events, listed, all, changed, moved } = await callAll(consented());
    expect(listed).toEqual([{ id: 'primary', name: expect.any(String), isOwned: true }]);
    expect(events).toEqual([{ id: inserted.id, start: inserted.start, end: inserted.end, takesTime: true }]);
    const { meetingId: _, ...told } = inserted;
    const brief = { email: expect.any(String), responseStatus: expect.any(String) };
    // A list of changes is there to find what changed. Its titles and places are not asked for.
    expect(all).toEqual([{ ...told, title: '', location: '', meetingId: undefined, attendees: [brief, brief] }]);
    expect(changed).toMatchObject([{ id: moved.id, etag: moved.etag, start: moved.start, end: moved.end }]);
  });

  test.each([
    [
      'calendar.events',
      ['events.insert', 'events.patch', 'events.delete', 'events.get', 'events.list', 'events.watch'],
    ],
    ['calendar.freebusy', ['freebusy.query']],
    ['calendar.settings.readonly', ['settings.get']],
    ['calendar.calendarlist.readonly', ['calendarList.list']],
  ])('%s is the only one that allows %s', (scope, methods) => {
    const held = consented().map((one) => one.replace(SCOPE_PREFIX, ''));
    for (const method of methods)
      expect(held.filter((one) => CONTRACT.methods[method]?.scopes.includes(one))).toEqual([scope]);
  });

  test('we ask for no scope that no call needs', () => {
    expect(consented()).toEqual([...SCOPES, `${SCOPE_PREFIX}calendar.calendarlist.readonly`]);
  });
});

test('the id of a deleted event is `duplicate`, and reads as cancelled', async () => {
  const { token, id, email } = await callAll(consented());
  const again = await calendar.insertEvent(token, newEvent(id, email)).catch((error: unknown) => error);
  expect(again instanceof CalendarError && again.kind).toBe('duplicate');
  expect((await calendar.getEvent(token, id)).status).toBe('cancelled');
});

afterEach(() => vi.restoreAllMocks());

/** Answers every call as Google, and counts the calls. */
function answering(status: number, body: unknown, headers: Record<string, string> = {}) {
  return vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(
      async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }),
    );
}

/** Reads an event with retries, on a clock that passes while nobody waits. Returns the error and the number of calls. */
async function retried(status: number, body: unknown, headers?: Record<string, string>) {
  let now = 0;
  const clock = { now: () => now };
  const sleep = async (ms: number) => {
    now += ms;
  };
  const calls = answering(status, body, headers);
  const error = await retryTransient({ clock, sleep } as unknown as Ctx, () =>
    calendar.getEvent('token', 'event'),
  ).catch((thrown: unknown) => thrown);
  if (!(error instanceof CalendarError)) throw error;
  return { kind: error.kind, calls: calls.mock.calls.length, retryAfter: error.retryAfterSeconds };
}

const calendarError = (code: number, domain: string, reason: string) => ({
  error: { errors: [{ domain, reason, message: reason }], code, message: reason },
});

const frontEndError = (code: number, reason: string, errors?: object[]) => ({
  error: {
    code,
    message: 'Refused.',
    ...(errors && { errors }),
    status: code === 401 ? 'UNAUTHENTICATED' : 'PERMISSION_DENIED',
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com', metadata: {} }],
  },
});

const OFTEN = { kind: 'unavailable', calls: 5, retryAfter: undefined };
const LATER = { kind: 'unavailable', calls: 1, retryAfter: 3_600 };
const FORBIDDEN = { kind: 'forbidden', calls: 1, retryAfter: undefined };

describe('a 403', () => {
  test.each([
    ['rate limit', calendarError(403, 'usageLimits', 'rateLimitExceeded'), OFTEN],
    ['user rate limit', calendarError(403, 'usageLimits', 'userRateLimitExceeded'), OFTEN],
    ['rate limit of the front end', frontEndError(403, 'RATE_LIMIT_EXCEEDED'), OFTEN],
    ['daily limit', calendarError(403, 'usageLimits', 'dailyLimitExceeded'), LATER],
    ['calendar usage limit', calendarError(403, 'usageLimits', 'quotaExceeded'), LATER],
    ['API not enabled', calendarError(403, 'usageLimits', 'accessNotConfigured'), LATER],
    ['API disabled, by the front end', frontEndError(403, 'SERVICE_DISABLED'), LATER],
    ['page of a proxy', '<html>403. We are sorry.</html>', LATER],
    ['no reason', { error: { code: 403, message: 'Forbidden' } }, LATER],
    ['scopes too narrow', frontEndError(403, 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'), FORBIDDEN],
    [
      'scopes too narrow, with both reasons',
      frontEndError(403, 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', [{ domain: 'global', reason: 'insufficientPermissions' }]),
      FORBIDDEN,
    ],
    ['not allowed', calendarError(403, 'global', 'forbidden'), FORBIDDEN],
    ['not the organizer', calendarError(403, 'calendar', 'forbiddenForNonOrganizer'), FORBIDDEN],
    ['role too low', calendarError(403, 'calendar', 'requiredAccessLevel'), FORBIDDEN],
  ])('%s', async (_name, body, expected) => {
    expect(await retried(403, body)).toEqual(expected);
  });

  test('honors Retry-After', async () => {
    const { calls, retryAfter } = await retried(403, calendarError(403, 'usageLimits', 'rateLimitExceeded'), {
      'Retry-After': '2',
    });
    expect([calls, retryAfter]).toEqual([4, 2]);
  });
});

test.each([
  [400, 'invalid', calendarError(400, 'calendar', 'timeRangeEmpty'), 1],
  [401, 'unauthorized', frontEndError(401, 'ACCESS_TOKEN_EXPIRED'), 1],
  [404, 'not_found', calendarError(404, 'global', 'notFound'), 1],
  [409, 'duplicate', calendarError(409, 'global', 'duplicate'), 1],
  [410, 'gone', calendarError(410, 'calendar', 'fullSyncRequired'), 1],
  [410, 'gone', { error: { code: 410, message: 'Gone' } }, 1],
  [412, 'changed', calendarError(412, 'global', 'conditionNotMet'), 1],
  [429, 'unavailable', calendarError(429, 'usageLimits', 'rateLimitExceeded'), 5],
  [500, 'unavailable', calendarError(500, 'global', 'backendError'), 5],
  [503, 'unavailable', '', 5],
])('a %i is %s', async (status, kind, body, calls) => {
  expect(await retried(status, body)).toMatchObject({ kind, calls });
});

test('a refused list of calendars without a reason is a failure, so nobody looks free by it', async () => {
  answering(403, calendarError(403, 'usageLimits', 'dailyLimitExceeded'));
  await expect(calendar.listCalendars('token')).rejects.toMatchObject({ kind: 'unavailable' });
});

test.each([
  ['no calendars', {}],
  ['another calendar', { calendars: { 'b@x.test': { busy: [] } } }],
  ['no `busy`', { calendars: { 'a@x.test': {} } }],
])('a read with %s leaves it unknown whether a person is free', async (_name, body) => {
  answering(200, body);
  const { busy, unknown } = await calendar.freeBusy('t', ['a@x.test'], [{ start: 0, end: DAY }]);
  expect([busy.size, unknown.get('a@x.test')?.kind]).toEqual([0, 'unavailable']);
});
