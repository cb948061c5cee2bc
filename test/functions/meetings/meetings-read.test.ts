import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { flatRefusal, refusal, refusals } from '../../support/checks/errors.ts';
import { LAST_PAGE } from '../../support/checks/rows.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { booked, callsOf, freshPair, inHours, iso, NOT_FOUND, type Pair, seen } from '../../support/people/meetings.ts';
import type { Answer } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const get = (platform: { api: { send(method: string, path: string): Promise<Answer> } }, path: string) =>
  platform.api.send('GET', path);

/** Times without milliseconds, so that the stored and the shown times are the same text. */
const [meeting, stranger] = await Promise.all([booked(), freshPlatform()]);
const { platform, ada, bob, id, start, end, link } = meeting;

const whole = {
  meeting_id: id,
  status: 'scheduled',
  title: 'Intro',
  description: null,
  start_time: iso(start),
  end_time: iso(end),
  duration_minutes: 30,
  attendees: [ada.email, bob.email],
  rsvps: [
    { email: ada.email, response_status: 'accepted', responded_at: null },
    { email: bob.email, response_status: 'needsAction', responded_at: null },
  ],
  location: 'Google Meet',
  meet_link: link,
  metadata: {},
  created_at: expect.stringMatching(/^\d{4}-.*Z$/),
  updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
};

/** Makes so many copies of a meeting, with its people. */
const copy = (id: string, count: number) =>
  world.neon.query(
    `with copies as (
       insert into meetings (id, platform_id, organizer_id, status, title, location, starts_at, ends_at,
         provider_event_id, exclusive, created_at, updated_at)
       select id || '_copy' || lpad(n::text, 3, '0'), platform_id, organizer_id, status, title, location, starts_at, ends_at,
         provider_event_id, exclusive, created_at, updated_at from meetings, generate_series(1, ${count}) n where id = $1
       returning id)
     insert into meeting_people (meeting_id, platform_id, starts_at, user_id, email, position)
     select copies.id, p.platform_id, p.starts_at, p.user_id, p.email, p.position
     from meeting_people p, copies where p.meeting_id = $1`,
    [id],
  );

describe('GET /v1/meetings/{id}', () => {
  test('shows the whole meeting in one question to Postgres beside the check of the key', async () => {
    const answer = await get(platform, `/v1/meetings/${id}`);
    expect(seen(answer)).toEqual({ status: 200, body: whole });
    expect(callsOf(answer, 'neon')).toBe(2);
  });

  test.each(['pending', 'failed'])('a %s one is not there', async (status) => {
    const other = await booked();
    await world.neon.query(
      "update meetings set status = $2, failed_at = case when $2 = 'failed' then updated_at end where id = $1",
      [other.id, status],
    );
    expect(seen(await get(other.platform, `/v1/meetings/${other.id}`))).toEqual(NOT_FOUND);
  });

  test.each(['meet_nobody', 'x%00', "'--", 'm'.repeat(2_000)])('%s is not there', async (path) => {
    expect(seen(await get(platform, `/v1/meetings/${path}`))).toEqual(NOT_FOUND);
  });
});

describe('GET /v1/users/{email}/meetings', () => {
  const list = (email: string, query = '') => get(platform, `/v1/users/${encodeURIComponent(email)}/meetings${query}`);

  test.each(['ada', 'bob'])(
    'lists what %s has, in one question to Postgres beside the check of the key',
    async (name) => {
      const { email } = name === 'ada' ? ada : bob;
      const answer = await list(email.toUpperCase());
      expect(seen(answer)).toEqual({
        status: 200,
        body: { email, meetings: [whole], total: 1, pagination: LAST_PAGE },
      });
      expect(callsOf(answer, 'neon')).toBe(2);
    },
  );

  test('is complete beyond one page of the database', async () => {
    const { platform: own, ada: busy, id: like } = await booked();
    await copy(like, 450);
    const { body } = await get(own, `/v1/users/${busy.email}/meetings`);
    const { meetings, total } = body as { meetings: { meeting_id: string }[]; total: number };
    expect(total).toBe(451);
    expect(new Set(meetings.map(({ meeting_id }) => meeting_id)).size).toBe(451);
  });

  test('keeps showing them after the person has disconnected', async () => {
    const gone = await booked();
    await gone.platform.api.disconnect(gone.bob.email);
    const { body } = await get(gone.platform, `/v1/users/${gone.bob.email}/meetings`);
    expect(body).toMatchObject({ total: 1, meetings: [{ meeting_id: gone.id, status: 'scheduled' }] });
  });

  test('a person who never connected with the platform is unknown', async () => {
    const elsewhere = await connectedPerson(stranger);
    expect(seen(await list(elsewhere.email))).toEqual(
      flatRefusal(404, 'User not found', {
        message: `${elsewhere.email} has no calendar connected to this platform. Send them the link from GET /v1/platform/oauth-url.`,
        field: 'email',
        email: elsewhere.email,
      }),
    );
  });

  const INSTANT = 'must be an ISO 8601 date-time with an offset or Z, such as 2026-12-01T14:00:00+01:00.';
  test.each([
    ['from=yesterday', 'from', `\`from\` ${INSTANT}`],
    ['to=2026-01-01T00:00:00', 'to', `\`to\` ${INSTANT}`],
    ['to=9999-12-31T23:59:59-01:00', 'to', '`to` must be a time in the years 1970 to 9998.'],
    ['from=0000-01-01T00:00:00Z', 'from', '`from` must be a time in the years 1970 to 9998.'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z', 'to', '`to` must be later than `from`.'],
    ['status=pending', 'status', '`status` must be one of scheduled, updated, cancelled, rescheduled.'],
  ])('?%s is refused by name', async (query, field, message) => {
    expect(seen(await list(ada.email, `?${query}`))).toEqual(flatRefusal(400, 'Invalid request', { message, field }));
  });

  test('an address that is none is refused by name', async () => {
    expect(seen(await list('nobody'))).toEqual(
      flatRefusal(400, 'Invalid request', {
        message: '`email` must be an email address, such as ada@example.com.',
        field: 'email',
      }),
    );
  });
});

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

test('the list has 50 meetings per page by default', async () => {
  const { platform, id: like } = await booked();
  await copy(like, 60);
  const { body } = await list({ platform });
  const { meetings, pagination } = body as {
    meetings: unknown[];
    pagination: { next_cursor: string; has_more: boolean };
  };
  expect([meetings.length, pagination.has_more]).toEqual([50, true]);
  expect(await idsOf({ platform }, `?cursor=${pagination.next_cursor}`)).toHaveLength(11);
});

test.each([
  ...refusals('invalid_request', 'attendee', [
    ['attendee=nobody', undefined, '`attendee` must be an email address, such as ada@example.com.'],
  ]),
  ...refusals('invalid_request', 'to', [
    ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', undefined, '`to` must be later than `from`.'],
  ]),
])('refuses %s', async (query, _body, answer) => {
  expect(seen(await list({ platform: stranger }, `?${query}`))).toEqual(answer);
});

test('the list refuses an attendee who never connected', async () => {
  const email = 'stranger@people.test';
  expect(seen(await list({ platform: stranger }, `?attendee=${email}`))).toEqual(
    refusal(404, 'user_not_found', {
      message: `${email} has no calendar connected to this platform. Send them the link from GET /v1/platform/oauth-url.`,
      field: 'attendee',
      email,
    }),
  );
});
