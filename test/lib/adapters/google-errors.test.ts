import { afterEach, describe, expect, test, vi } from 'vitest';
import { createGoogleCalendar } from '../../../lib/adapters/google-calendar.ts';
import { retryTransient } from '../../../lib/calendars/calls.ts';
import { CalendarError } from '../../../lib/kit/calendar-ports.ts';
import type { Ctx } from '../../../lib/kit/context.ts';

afterEach(() => vi.restoreAllMocks());

const google = createGoogleCalendar({ requestId: 'req_test' });

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
  const error = await retryTransient({ clock, sleep } as unknown as Ctx, () => google.getEvent('token', 'event')).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CalendarError)) throw error;
  return { kind: error.kind, calls: calls.mock.calls.length, retryAfter: error.retryAfterSeconds };
}

/** Error in the calendar's own form. */
const calendarError = (code: number, domain: string, reason: string) => ({
  error: { errors: [{ domain, reason, message: reason }], code, message: reason },
});

/** Error in the form of Google's front end. */
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
  await expect(google.listCalendars('token')).rejects.toMatchObject({ kind: 'unavailable' });
});
