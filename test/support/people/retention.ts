import { DAY } from '../../../lib/engine/time/dates.ts';
import { world } from '../worlds/world.ts';
import { connectedPerson, freshPlatform, type TestPlatform } from './factories.ts';

/** Writes the instant this many days ago on the world's clock. */
export const iso = (daysAgo: number) => new Date(world.clock.now() - daysAgo * DAY).toISOString();
export const rows = (sql: string, ...values: string[]) => world.neon.query(sql, values);
export const count = async (table: string, where: string, ...values: string[]) =>
  Number((await rows(`select count(*)::int as n from ${table} where ${where}`, ...values))[0]?.n);

/** Books a meeting of two people of a new platform. */
export async function booked() {
  const platform = await freshPlatform();
  const [ada, bob] = [
    await connectedPerson(platform, { name: 'ada' }),
    await connectedPerson(platform, { name: 'bob' }),
  ];
  const start_time = new Date(world.clock.now() + 48 * 3_600_000).toISOString();
  const body = { attendees: [ada.email, bob.email], start_time, duration_minutes: 30, title: 'Coffee' };
  const { meeting_id } = (await platform.api.schedule(body)).body as { meeting_id: string };
  return { platform, ada, bob, body, meetingId: meeting_id };
}

export type Booked = Awaited<ReturnType<typeof booked>>;

export const insertJobs = (platform: Pick<TestPlatform, 'id'>, status: string, endedAt: string, many = 1) =>
  rows(
    `insert into jobs (id, platform_id, status, request, result, created_at, completed_at, next_run_at)
     select 'sched_' || gen_random_uuid(), $1, $2::text, '{}', case when $2::text = 'processing' then null else '{}'::jsonb end, $3::timestamptz,
       case when $2::text = 'processing' then null else $3::timestamptz + n * interval '1 ms' end, null
     from generate_series(1, ${many}) n returning id`,
    platform.id,
    status,
    endedAt,
  );

/** Inserts a failed meeting as a copy of the booked one. */
export async function insertFailed({ meetingId }: Booked, at: string): Promise<string> {
  const [failed] = await rows(
    `insert into meetings (id, platform_id, organizer_id, status, title, location, starts_at, ends_at, provider_event_id, exclusive, created_at, updated_at, failed_at)
     select 'meet_' || gen_random_uuid(), platform_id, organizer_id, 'failed', title, location, starts_at, ends_at, 'none' || gen_random_uuid(), false, $2::timestamptz, $2::timestamptz, $2::timestamptz
     from meetings where id = $1 returning id`,
    meetingId,
    at,
  );
  const id = String(failed?.id);
  await rows(
    'insert into meeting_people (meeting_id, platform_id, starts_at, user_id, email, position) select $2, platform_id, starts_at, user_id, email, position from meeting_people where meeting_id = $1',
    meetingId,
    id,
  );
  return id;
}

export const userIdOf = async (email: string) =>
  String((await rows('select id from users where email = $1', email))[0]?.id);
