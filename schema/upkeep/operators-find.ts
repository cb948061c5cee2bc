import { sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';

export interface Found extends Record<string, string | null> {
  what: string;
  id: string;
  platform_id: string | null;
  state: string;
  at: string;
}

const utc = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`);

const OF_MEETING = sql`
  select 'meeting' as what, m.id, m.platform_id, m.status || coalesce(', waits for ' || (
      select string_agg(o.kind, ', ') from pending_operations o where o.event_id = m.provider_event_id), '') as state,
    ${utc('m.created_at')} as at from meetings m`;
const OF_JOB = sql`select 'job' as what, j.id, j.platform_id, j.status as state, ${utc('j.created_at')} as at from jobs j`;
const OF_DELIVERY = sql`
  select 'delivery' as what, d.id, d.platform_id, d.event_type || ', ' || d.status || coalesce(', ' || d.error, '') as state,
    ${utc('d.created_at')} as at from deliveries d`;
const OF_PROPOSAL = sql`
  select 'proposal' as what, r.id, r.platform_id, r.status as state, ${utc('r.created_at')} as at from proposals r`;

const STATE_OF_PERSON = sql`case when u.ended_at is not null then 'deleted' when u.guest_of is not null then 'guest'
    else coalesce(a.status, 'never connected') end`;
/** SQL for the address of a person, a row of `users` called `u`. The row of a guest has a made-up one in `email`. */
const ADDRESS_OF_PERSON = sql`coalesce(u.guest_email, u.email)`;

const OF_PERSON = sql`
  select 'person' as what, u.id, u.guest_of as platform_id, ${STATE_OF_PERSON} as state,
    ${utc('u.created_at')} as at from users u left join calendar_accounts a on a.user_id = u.id`;
const OF_AUDIT = sql`
  select 'change' as what, a.id, a.platform_id, a.action || ' by ' || a.actor_kind || ' ' || a.actor as state,
    ${utc('a.at')} as at from audit_log a`;

/**
 * Takes an id or an address of anything, or a request's id to find its changes. Also finds the job, proposals and
 * deliveries of a meeting. Returns at most 200 rows.
 */
export async function findAnything(db: Db, text: string): Promise<Found[]> {
  const email = text.toLowerCase();
  const { rows } = await db.execute<Found>(sql`
    select found.* from (
      ${OF_MEETING} where m.id = ${text} or m.job_id = ${text} or m.provider_event_id = ${text}
        or m.id in (select p.meeting_id from meeting_people p where p.email = ${email})
      union all ${OF_JOB} where j.id = ${text} or j.id in (select m.job_id from meetings m where m.id = ${text})
      union all ${OF_PROPOSAL} where ${text} in (r.id, r.meeting_id, r.moves_meeting_id)
        or ${email} in (r.requester_email, r.other_email)
      union all ${OF_DELIVERY} where d.id = ${text} or d.event_id = ${text} or d.meeting_id = ${text}
      union all ${OF_PERSON} where u.id = ${text} or ${ADDRESS_OF_PERSON} = ${email}
      union all select 'platform', p.id, p.id, p.name || case when p.ended_at is not null then ', deleted'
        when p.suspended_at is not null then ', suspended' else '' end, ${utc('p.created_at')} from platforms p
        where p.id = ${text} or p.email = ${email}
      union all ${OF_AUDIT} where a.request_id = ${text} or a.id = ${text} or a.actor = ${text}) found
    order by found.at desc, found.id limit 200`);
  return rows;
}

export interface Pending extends Record<string, string | number | null> {
  what: string;
  id: string;
  platform_id: string | null;
  since: string;
  next: string | null;
  attempts: number | null;
  why: string;
}

const SUSPENDED = sql`exists (select 1 from platforms s where s.id = w.platform_id and s.suspended_at is not null)`;

/** Id of the meeting that an event belongs to now: the last one that was neither replaced nor given up. */
const MEETING_OF_EVENT = sql`coalesce((
  select m.id from meetings m where m.provider_event_id = w.event_id
  order by m.status in ('rescheduled', 'failed'), m.created_at desc limit 1), w.event_id)`;

export async function listPending(db: Db, { now, limit }: { now: number; limit: number }): Promise<Pending[]> {
  const isLeased = sql`w.lease_until > ${at(now)}`;
  const { rows } = await db.execute<Pending>(sql`
    select pending.* from (
      select w.kind as what, ${MEETING_OF_EVENT} as id, w.platform_id, ${utc('w.created_at')} as since, ${utc('w.due_at')} as next,
        w.attempts, case w.kind
          when 'book' then 'the calendar has not confirmed the booking'
          when 'move' then 'the calendar has not confirmed the new time'
          when 'cancel' then 'the calendar has not confirmed the cancellation'
          when 'link' then 'Google has not made the meeting link yet'
          else 'the calendar is checked once more for a late change' end as why
      from pending_operations w
      union all
      select 'job', w.id, w.platform_id, ${utc('w.created_at')}, ${utc('w.next_run_at')}, w.attempts, case
          when ${SUSPENDED} then 'its platform is suspended'
          when ${isLeased} then 'a run is at work'
          when exists (select 1 from meetings m where m.job_id = w.id) then 'its booking is not confirmed'
          when w.attempts = 0 then 'no run has begun' else 'an earlier run failed' end
      from jobs w where w.status = 'processing'
      union all
      select 'delivery', w.id, w.platform_id, ${utc('w.created_at')}, ${utc('w.next_attempt_at')}, w.attempts, case
          when ${SUSPENDED} then 'its platform is suspended'
          when ${isLeased} then 'an attempt is being made' else coalesce(w.error, 'no attempt was made yet') end
      from deliveries w where w.status = 'pending'
      union all
      select 'revocation', w.user_id, null, ${utc('w.created_at')}, ${utc('w.due_at')}, w.attempts, case
          when w.held_until > ${at(now)} then 'the person is just giving another consent'
          when w.attempts = 0 then 'Google was not asked yet' else 'Google did not accept the revocation' end
      from revocations w
      union all
      select 'decline', ${MEETING_OF_EVENT}, w.platform_id, ${utc('w.responded_at')}, ${utc('w.decline_due_at')}, null,
        'an attendee declined, and the platform''s on_decline is to be done'
      from event_answers w where w.decline_due_at is not null
      union all
      select 'proposal', w.id, w.platform_id, ${utc('w.expires_at')}, ${utc('w.due_at')}, null, case w.on_expiry
          when 'book_first' then 'it has expired, and its first free time is not booked yet'
          else 'it has expired and is not ended yet' end
      from proposals w where w.status = 'open' and w.expires_at <= ${at(now)}
      union all
      select 'reconnection', w.user_id, null, ${utc('w.reauthorization_needed_since')}, null, null,
        'the person must give their consent again'
      from calendar_accounts w where w.status = 'needs_reauthorization') pending
    order by pending.since, pending.id limit ${limit}::int`);
  return rows;
}

export async function searchUsers(db: Db, text: string) {
  const { rows } = await db.execute<{
    id: string;
    email: string;
    status: string;
    guest_of: string | null;
    connected: number;
    created_at: string;
  }>(sql`
    select u.id, ${ADDRESS_OF_PERSON} as email, ${STATE_OF_PERSON} as status, u.guest_of,
      (select count(*)::int from connections c where c.user_id = u.id and c.disconnected_at is null) as connected,
      ${utc('u.created_at')} as created_at
    from users u left join calendar_accounts a on a.user_id = u.id
    where u.id = ${text} or strpos(${ADDRESS_OF_PERSON}, lower(${text})) > 0 order by 2, u.guest_of nulls first limit 200`);
  return rows;
}

type UserFacts = Record<string, string | number | null> & { id: string; email: string; guest_of: string | null };

/** One address can belong to a person with an account, who comes first, and to a guest of each platform. */
export async function listUserFacts(db: Db, { text, now }: { text: string; now: number }): Promise<UserFacts[]> {
  const { rows } = await db.execute<UserFacts>(sql`
    select u.id, ${ADDRESS_OF_PERSON} as email, ${STATE_OF_PERSON} as status, u.guest_of,
      ${utc('u.created_at')} as created_at, ${utc('u.ended_at')} as ended_at,
      ${utc('a.reauthorization_needed_since')} as needs_consent_since,
      (select string_agg(p.id || ' ' || p.name, ', ' order by p.id) from connections c join platforms p on p.id = c.platform_id
        where c.user_id = u.id and c.disconnected_at is null) as platforms,
      (select string_agg(k.masked, ', ' order by k.created_at) from api_keys k
        where k.user_id = u.id and (k.revoked_at is null or k.revoked_at > ${at(now)})) as api_keys,
      (select count(*)::int from sessions s where s.user_id = u.id and s.ended_at is null and s.expires_at > ${at(now)}) as open_sessions,
      (select count(*)::int from meeting_people m where m.user_id = u.id) as meetings,
      (select count(*)::int from proposals r where u.id in (r.requester_id, r.other_id)) as proposals
    from users u left join calendar_accounts a on a.user_id = u.id
    where u.id = ${text} or ${ADDRESS_OF_PERSON} = lower(${text}) order by u.guest_of nulls first`);
  return rows;
}
