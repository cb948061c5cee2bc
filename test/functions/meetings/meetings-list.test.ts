import { expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { wholeError } from '../../support/checks/errors.ts';
import { LAST_PAGE } from '../../support/checks/paging.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { booked, callsOf, freshPair, inHours, iso, type Pair } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const list = ({ platform }: Pick<Pair, 'platform'>, query = '') => platform.api.send('GET', `/v1/meetings${query}`);

async function idsOf(pair: Pick<Pair, 'platform'>, query = ''): Promise<string[]> {
  const { body } = await list(pair, query);
  return (body as { meetings: { meeting_id: string }[] }).meetings.map(({ meeting_id }) => meeting_id);
}

test('lists what the platform made, whole and in order of their start, in one question to Postgres beside the check of the key', async () => {
  const pair = await freshPair();
  const later = await booked({ pair, start: inHours(51) });
  const sooner = await booked({ pair, start: inHours(50) });
  const { body: whole } = await pair.platform.api.send('GET', `/v1/meetings/${sooner.id}`);
  const answer = await list(pair);
  expect(callsOf(answer, 'neon')).toBe(2);
  expect(answer.body).toEqual({
    meetings: [whole, expect.objectContaining({ meeting_id: later.id })],
    pagination: LAST_PAGE,
  });
});

test("the list leaves out another platform's meetings, even of the same two people", async () => {
  const made = await booked();
  const stranger = { platform: await freshPlatform({ plan: 'enterprise' }) };
  for (const { email } of [made.ada, made.bob]) await world.connectCalendar(stranger.platform, email);
  expect(await idsOf(stranger)).toEqual([]);
  expect(await idsOf(stranger, `?attendee=${made.ada.email}`)).toEqual([]);
});

test('narrows by start, `from` included and `to` not, by status and by attendee', async () => {
  const pair = await freshPair();
  const third = await connectedPerson(pair.platform, { name: 'cleo' });
  const start = inHours(24);
  const first = await booked({ pair, start });
  const second = await booked({ pair, start: start + HOUR });
  const other = await booked({ pair: { ...pair, bob: third }, start: start + 2 * HOUR });
  await pair.platform.api.send('DELETE', `/v1/meetings/${second.id}`);
  expect(await idsOf(pair)).toEqual([first.id, second.id, other.id]);
  expect(await idsOf(pair, `?from=${iso(start)}&to=${iso(start + HOUR)}`)).toEqual([first.id]);
  expect(await idsOf(pair, `?from=${iso(start + 1)}`)).toEqual([second.id, other.id]);
  expect(await idsOf(pair, '?status=cancelled')).toEqual([second.id]);
  expect(await idsOf(pair, `?attendee=${third.email.toUpperCase()}`)).toEqual([other.id]);
  expect(await idsOf(pair, `?attendee=${pair.bob.email}&status=scheduled`)).toEqual([first.id]);
});

test('the list leaves out bookings that failed', async () => {
  const pair = await freshPair();
  const made = await booked({ pair });
  for (const [status, failedAt] of [
    ['pending', null],
    ['failed', new Date().toISOString()],
  ]) {
    await world.neon.query('update meetings set status = $2, failed_at = $3 where id = $1', [
      made.id,
      status,
      failedAt,
    ]);
    expect(await idsOf(pair)).toEqual([]);
  }
});

test('the list has 50 meetings per page by default', async () => {
  const { platform, id: like } = await booked();
  await world.neon.query(
    `with copies as (
       insert into meetings (id, platform_id, organizer_id, status, title, location, starts_at, ends_at,
         provider_event_id, exclusive, created_at, updated_at)
       select 'meet_copy' || lpad(n::text, 3, '0'), platform_id, organizer_id, status, title, location, starts_at, ends_at,
         provider_event_id, exclusive, created_at, updated_at from meetings, generate_series(1, 60) n where id = $1
       returning id)
     insert into meeting_people (meeting_id, platform_id, starts_at, user_id, email, position)
     select copies.id, p.platform_id, p.starts_at, p.user_id, p.email, p.position
     from meeting_people p, copies where p.meeting_id = $1`,
    [like],
  );
  const { body } = await list({ platform });
  const { meetings, pagination } = body as {
    meetings: unknown[];
    pagination: { next_cursor: string; has_more: boolean };
  };
  expect([meetings.length, pagination.has_more]).toEqual([50, true]);
  expect(await idsOf({ platform }, `?cursor=${pagination.next_cursor}`)).toHaveLength(11);
});

test.each([
  [
    'attendee=nobody',
    400,
    'invalid_request',
    { message: '`attendee` must be an email address, such as ada@example.com.', field: 'attendee' },
  ],
  [
    'status=pending',
    400,
    'invalid_request',
    { message: expect.stringMatching(/^`status` must be one of /), field: 'status' },
  ],
  ['from=tomorrow', 400, 'invalid_request', { message: expect.stringMatching(/^`from` must be /), field: 'from' }],
  [
    'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
    400,
    'invalid_request',
    { message: '`to` must be later than `from`.', field: 'to' },
  ],
  [
    'attendee=stranger@people.test',
    404,
    'user_not_found',
    {
      message:
        'stranger@people.test has no calendar connected to this platform. Send them the link from GET /v1/platform/oauth-url.',
      field: 'attendee',
      email: 'stranger@people.test',
    },
  ],
])('refuses %s with %i %s', async (query, status, code, facts) => {
  const answer = await list({ platform: await freshPlatform() }, `?${query}`);
  expect([answer.status, answer.body]).toEqual([status, wholeError({ error: { code, ...facts } })]);
});
