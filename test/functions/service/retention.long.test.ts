import { beforeEach, describe, expect, test } from 'vitest';
import { tick } from '../../support/people/calendars.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import {
  type Booked,
  bookedPair,
  count,
  daysAgo,
  insertFailed,
  insertJobs,
  rows,
  userIdOf,
} from '../../support/people/person-data.ts';
import { metAsGuest, openInvitation } from '../../support/people/proposing.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Clears what earlier tests and files left, which would be due in the same tick. */
beforeEach(async () => {
  for (let left = -1, now = await everything(); left !== now; now = await everything()) {
    left = now;
    await tick();
  }
});
const everything = async () =>
  (
    await Promise.all(
      ['deliveries', 'jobs', 'idempotency_keys', 'holds', 'meetings', 'api_keys', 'learning_ledger', 'users'].map(
        (table) => count(table, 'true'),
      ),
    )
  ).reduce((sum, one) => sum + one);

const ofPlatform = ({ platform }: Booked) => platform.id;
const ofAda = ({ ada }: Booked) => userIdOf(ada.email);

/** Returns a function that inserts a row of an owner, $1, which is as old as `at`, $2, and returns its `id`. */
const inserting = (ownerOf: (of: Booked) => string | Promise<string>, sql: string) => async (of: Booked, at: string) =>
  String((await rows(sql, await ownerOf(of), at))[0]?.id);

/** Kinds of rows with a retention period. `put` inserts a row and returns what its column at `place` has. */
const KINDS: [name: string, days: number, place: string, put: (of: Booked, at: string) => Promise<string>][] = [
  [
    'a job that has ended',
    30,
    'jobs.id',
    async ({ platform }, at) => String((await insertJobs(platform, 'failed', at))[0]?.id),
  ],
  [
    'an answer under an idempotency key',
    1,
    'idempotency_keys.key',
    inserting(
      ofPlatform,
      `insert into idempotency_keys (platform_id, operation, key, fingerprint, state, owner, lease_until, status, body, created_at)
       values ($1, 'schedule', 'aged' || $1, 'f', 'done', '', $2::timestamptz, 200, '{}', $2::timestamptz) returning key as id`,
    ),
  ],
  [
    'a session that expired',
    1,
    'sessions.id',
    inserting(
      ofPlatform,
      `insert into sessions (id, platform_id, created_at, expires_at)
       values ('sess_aged' || $1, $1, $2::timestamptz, $2::timestamptz) returning id`,
    ),
  ],
  [
    'a row of the audit log',
    400,
    'audit_log.id',
    inserting(
      ofPlatform,
      `insert into audit_log (id, at, platform_id, action, actor_kind, actor, request_id)
       values ('audit_aged' || $1, $2::timestamptz, $1, 'settings.changed', 'key', 'sk_live_…aged', 'aged') returning id`,
    ),
  ],
  [
    'a hold of time that is over',
    30,
    'holds.event_id',
    inserting(
      ({ meetingId }) => meetingId,
      `insert into holds (meeting_id, user_id, event_id, during, exclusive, conflicts)
       select meeting_id, user_id, 'aged' || $1, tstzrange($2::timestamptz - interval '1 hour', $2::timestamptz), false, 0
       from meeting_people where meeting_id = $1 and position = 0 returning event_id as id`,
    ),
  ],
  [
    'a delivery that has ended',
    30,
    'deliveries.id',
    inserting(
      ofPlatform,
      `insert into deliveries (id, event_id, platform_id, event_type, body, url, status, max_attempts, created_at, finished_at)
       values ('wh_del_' || replace(gen_random_uuid()::text, '-', ''), 'wh_1', $1, 'meeting.cancelled', '{}',
         'https://a.test', 'failed', 3, $2::timestamptz, $2::timestamptz) returning id`,
    ),
  ],
  ['a meeting that never came to be', 7, 'meetings.id', insertFailed],
  [
    'an API key that has ended',
    30,
    'api_keys.hash',
    inserting(
      ofAda,
      `insert into api_keys (hash, kind, user_id, masked, created_at, revoked_at)
       values ('aged' || $1, 'user', $1, 'sk_user_…aged', $2::timestamptz, $2::timestamptz) returning hash as id`,
    ),
  ],
  [
    'a lesson that was taken back',
    365,
    'learning_ledger.id',
    inserting(
      ofAda,
      `insert into learning_ledger (id, user_id, source, pattern, weight, before, after, created_at, undone_at)
       values ('learn_' || $1, $1, 'reschedule', 'too early', 'buffer_importance', 1, 1, $2::timestamptz, $2::timestamptz)
       returning id`,
    ),
  ],
  [
    'a grant whose end the provider never accepted',
    30,
    'revocations.provider_id',
    inserting(
      ofAda,
      `insert into revocations (provider_id, user_id, email, turn_of, generation, token, due_at, held_until, created_at)
       values ('aged' || $1, $1, 'a@people.test', $1, 1, 'k1.a.b', '2100-01-01', '2100-01-01', $2::timestamptz)
       returning provider_id as id`,
    ),
  ],
];

const isKept = async (place: string, value: string) => {
  const [table = '', column] = place.split('.');
  return (await count(table, `${column} = $1`, value)) === 1;
};

test.each(KINDS)('%s is kept for %i days after its end and no longer', async (_name, days, place, put) => {
  const of = await bookedPair();
  const old = await put(of, daysAgo(days));
  expect(await isKept(place, old)).toBe(true);
  await world.advance(60_000);
  await tick();
  expect(await isKept(place, old)).toBe(false);
  const young = await put(of, daysAgo(days - 0.01));
  await tick();
  expect(await isKept(place, young)).toBe(true);
});

describe('what is at work has no age', () => {
  test('a job under way, a failed meeting to be looked after, a key that works', async () => {
    const of = await bookedPair();
    const [job] = await insertJobs(of.platform, 'processing', daysAgo(400));
    const failed = await insertFailed(of, daysAgo(400));
    await rows(
      "insert into pending_operations (event_id, platform_id, kind, due_at, created_at) select provider_event_id, $2, 'verify', '2100-01-01', now() from meetings where id = $1",
      failed,
      of.platform.id,
    );
    await world.connect(of.platform, of.ada.email);
    await rows("update api_keys set created_at = '2020-01-01' where user_id = $1", await userIdOf(of.ada.email));
    await tick();
    expect(await count('jobs', 'id = $1', String(job?.id))).toBe(1);
    expect(await count('meetings', 'id = $1', failed)).toBe(1);
    expect(await count('api_keys', 'user_id = $1', await userIdOf(of.ada.email))).toBe(1);
  });

  test('an accepted proposal whose meeting is still to come, or was not long ago', async () => {
    const { platform, meetingId } = await bookedPair();
    const put = async (status: string, endsAt: string) => {
      await rows(
        "update meetings set status = $2, starts_at = $3::timestamptz - interval '1 hour', ends_at = $3::timestamptz where id = $1",
        meetingId,
        status,
        endsAt,
      );
      await rows('delete from proposals where platform_id = $1', platform.id);
      await rows(
        `insert into proposals (id, platform_id, requester_id, other_id, requester_email, other_email, status, duration_minutes, title,
           location, expires_at, meeting_id, created_at, ended_at)
         select 'prop_aged', $2, p.user_id, o.user_id, p.email, o.email, 'accepted', 30, 'Aged', 'Here', $3::timestamptz, $1, $3::timestamptz, $3::timestamptz
         from meeting_people p join meeting_people o on o.meeting_id = p.meeting_id and o.position = 1
         where p.meeting_id = $1 and p.position = 0`,
        meetingId,
        platform.id,
        daysAgo(31),
      );
      await tick();
      return count('proposals', "id = 'prop_aged' and platform_id = $1", platform.id);
    };
    expect(await put('scheduled', daysAgo(-60))).toBe(1);
    expect(await put('scheduled', daysAgo(29))).toBe(1);
    expect(await put('scheduled', daysAgo(30.1))).toBe(0);
    expect(await put('cancelled', daysAgo(-60))).toBe(0);
  });

  test('a meeting stays when its job goes', async () => {
    const { platform, meetingId } = await bookedPair();
    const [job] = await insertJobs(platform, 'completed', daysAgo(31));
    await rows('update meetings set job_id = $1 where id = $2', String(job?.id), meetingId);
    await tick();
    expect((await platform.api.send('GET', `/v1/jobs/${job?.id}`)).status).toBe(404);
    const { body } = await platform.api.send('GET', `/v1/meetings/${meetingId}`);
    expect(body).toMatchObject({ meeting_id: meetingId, status: 'scheduled' });
    expect(body).not.toHaveProperty('job_id');
  });
});

test('a platform with a great many does not keep the others waiting, and a tick does no more than it may', async () => {
  const [greedy, modest] = [await freshPlatform(), await freshPlatform()];
  await insertJobs(greedy, 'failed', daysAgo(40), 2_500);
  await insertJobs(modest, 'failed', daysAgo(31), 3);
  const left = async () => [
    await count('jobs', 'platform_id = $1', greedy.id),
    await count('jobs', 'platform_id = $1', modest.id),
  ];
  await tick();
  expect(await left()).toEqual([1_503, 0]);
  await tick();
  await tick();
  expect(await left()).toEqual([0, 0]);
});

test('a kind of row whose deletion fails does not stop the deletion of the others', async () => {
  const of = await bookedPair();
  await insertJobs(of.platform, 'failed', daysAgo(31));
  const [name, , place = '', put] = KINDS[1] ?? [];
  const answer = (await put?.(of, daysAgo(2))) ?? '';
  world.faults.add({ target: 'neon', body_match: 'delete from .{2}jobs', mode: 'status', status: 500 });
  await tick();
  expect([name, await isKept(place, answer)]).toEqual(['an answer under an idempotency key', false]);
  expect(await count('jobs', 'platform_id = $1', of.platform.id)).toBe(1);
});

describe('somebody whose address went to another', () => {
  async function recycled() {
    const of = await bookedPair();
    const userId = await userIdOf(of.ada.email);
    const before = of.ada.email;
    world.google.passOn(before);
    await world.connectCalendar(of.platform, before);
    await rows('update users set preferences = \'{"buffer_minutes": 30}\' where id = $1', userId);
    return { ...of, userId, before };
  }
  const aged = (userId: string, days: number) =>
    rows('update users set ended_at = $2::timestamptz where id = $1', userId, daysAgo(days));
  const kept = (userId: string) =>
    rows(
      "select preferences, email like 'former-user-%' as former, (select count(*)::int from calendar_accounts where user_id = $1) as accounts from users where id = $1",
      userId,
    );

  test('can come back for thirty days', async () => {
    const { userId } = await recycled();
    await aged(userId, 29);
    await tick();
    expect(await kept(userId)).toEqual([{ preferences: { buffer_minutes: 30 }, former: true, accounts: 1 }]);
  });

  test('is then erased like one who asked for it, and the one who has the address now is not', async () => {
    const { platform, bob, meetingId, userId, before } = await recycled();
    await aged(userId, 31);
    await tick();
    expect(await kept(userId)).toEqual([{ preferences: {}, former: true, accounts: 0 }]);
    expect((await platform.api.send('GET', `/v1/meetings/${meetingId}`)).body).toMatchObject({
      attendees: [expect.stringMatching(/^former-user-\w{12}@former\.invalid$/), bob.email],
    });
    expect((await platform.api.status(before)).body).toMatchObject({ calendar_connected: true });
  });

  test('leaves no row once no meeting names them', async () => {
    const platform = await freshPlatform();
    const { email } = await connectedPerson(platform, { name: 'ada' });
    const userId = await userIdOf(email);
    world.google.passOn(email);
    await world.connectCalendar(platform, email);
    await aged(userId, 31);
    await tick();
    // The consent for the same address can delay the revocation by up to a minute.
    await world.advance(61_000);
    await tick();
    await tick();
    expect(await count('users', 'id = $1', userId)).toBe(0);
    expect(await count('connections', 'user_id = $1', userId)).toBe(0);
  });
});

test('a platform that was deleted thirty days ago keeps no address of a guest, and in the end no proposal', async () => {
  const [open, met] = [await openInvitation(), await metAsGuest()];
  const ended = (at: string) =>
    Promise.all(
      [open, met].map(({ platform: { id } }) =>
        rows('update platforms set suspended_at = $2::timestamptz, ended_at = $2::timestamptz where id = $1', id, at),
      ),
    );
  const kept = async (email: string) => [
    await count('users', '$1 in (email, guest_email)', email),
    await count('meeting_people', 'email = $1', email),
    await count('proposals', 'other_email = $1', email),
  ];
  await ended(daysAgo(29));
  await tick();
  expect([...(await kept(open.guest)), ...(await kept(met.guest))]).toEqual([1, 0, 1, 1, 1, 1]);
  await ended(daysAgo(30.1));
  await tick();
  await tick();
  expect([...(await kept(open.guest)), ...(await kept(met.guest))]).toEqual([0, 0, 0, 0, 0, 0]);
  const statusOf = async (id: string) => (await rows('select status from proposals where id = $1', id))[0]?.status;
  expect([await statusOf(open.id), await statusOf(met.id)]).toEqual(['withdrawn', 'accepted']);
  for (const { id } of [open, met])
    await rows('update proposals set ended_at = $2::timestamptz where id = $1', id, daysAgo(30.1));
  await rows(
    "update meetings set starts_at = $2::timestamptz - interval '1 hour', ends_at = $2::timestamptz where id = $1",
    met.meetingId,
    daysAgo(30.1),
  );
  await tick();
  expect([await statusOf(open.id), await statusOf(met.id)]).toEqual([undefined, undefined]);
});
