import { describe, expect, test } from 'vitest';
import { connectedPerson, freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const limit = (reason: string) => ({
  error: { errors: [{ domain: 'usageLimits', reason, message: '-' }], code: 403, message: '-' },
});

/** Makes every call that matches get this answer. Returns the number of calls that got it. */
const answering = (match: string, status: number, body: object) =>
  world.faults.add({ target: 'google', match: `${match}`, mode: 'status', status, body });

async function two() {
  const platform = await freshPlatform();
  const [ada, bob] = [
    await connectedPerson(platform, { name: 'ada' }),
    await connectedPerson(platform, { name: 'bob' }),
  ];
  return { platform, attendees: [ada.email, bob.email] };
}

const booking = (attendees: string[]) => ({
  attendees,
  start_time: new Date(world.clock.now() + 3 * 86_400_000).toISOString(),
  duration_minutes: 30,
  title: 'Intro',
});

describe('a free/busy answer of 200 with `busy: []` beside `errors`', () => {
  const body = (reason: string) => ({
    kind: 'calendar#freeBusy',
    timeMin: '2026-03-10T00:00:00.000Z',
    timeMax: '2026-03-11T00:00:00.000Z',
    calendars: { primary: { errors: [{ domain: 'global', reason }], busy: [] } },
  });

  test.each(['notFound', 'internalError', 'groupTooBig'])('with %s offers no time', async (reason) => {
    const { platform, attendees } = await two();
    answering('POST /calendar/v3/freeBusy', 200, body(reason));
    const { status, body: answer } = await platform.api.availability({ attendees, fresh: true });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(answer).not.toHaveProperty('slots');
  });
});

test('a spent quota is asked once, and the answer says when to come back', async () => {
  const { platform, attendees } = await two();
  const fault = answering('POST /calendar/v3/calendars/primary/events', 403, limit('quotaExceeded'));
  const { status, body, headers, text } = await platform.api.schedule(booking(attendees));
  expect([status, body]).toMatchObject([500, { error: { code: 'calendar_unavailable' } }]);
  expect(text).toContain('Nothing was booked.');
  expect(headers.get('retry-after')).toBe('3600');
  expect(fault.hits()).toBe(1);
});

test.each([
  ['holds nobody’s time', 'refused', 'Nothing was booked.', 0],
  ['after a call without an answer may be booked still', 'after', 'finish or undo the booking', 1],
])('a booking that Google refuses for a limit %s', async (_name, first, words, held) => {
  const { platform, attendees } = await two();
  const calls = { target: 'google', match: 'POST /calendar/v3/calendars/primary/events' } as const;
  if (first === 'after') world.faults.add({ ...calls, mode: first, times: 1 });
  world.faults.add({ ...calls, mode: 'status', status: 429 });
  expect((await platform.api.schedule(booking(attendees))).text).toContain(words);
  const holds = 'select 1 from holds h join users u on u.id = h.user_id where u.email = $1';
  expect(await world.neon.query(holds, [attendees[1]])).toHaveLength(held);
});

test('a rate limit is retried, so that the meeting is booked', async () => {
  const { platform, attendees } = await two();
  const match = 'POST /calendar/v3/calendars/primary/events';
  const body = limit('userRateLimitExceeded');
  const fault = world.faults.add({ target: 'google', match, mode: 'status', status: 403, body, times: 2 });
  expect((await platform.api.schedule(booking(attendees))).status).toBe(200);
  expect(fault.hits()).toBe(2);
});

test('a list of calendars that our own quota hides does not connect anybody with their main calendar alone', async () => {
  const platform = await freshPlatform();
  const { email } = freshPerson();
  answering('GET /calendar/v3/users/me/calendarList', 403, limit('dailyLimitExceeded'));
  await expect(world.connectCalendar(platform, email)).rejects.toThrow(email);
  world.faults.clear();
  await world.connectCalendar(platform, email);
});
