import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { isConnectedTo } from '../access/people.ts';
import type { AttendeeDetails } from '../api/fields.ts';
import type { Metadata } from '../api/metadata.ts';
import { LIVE_STATUSES } from '../api/states.ts';
import { at, isOneOf, pick, unleased } from '../columns.ts';
import type { Db, Guard, Guarded } from '../db.ts';
import { busySnapshots } from '../tables/calendar-accounts.ts';
import {
  CHANGES,
  eventAnswers,
  isCurrent,
  m,
  meetingPeople,
  meetings,
  pendingOperations,
  type Response,
  SPAN,
} from '../tables/meetings.ts';
import { PLATFORM, platforms } from '../tables/platforms.ts';
import { holds } from '../tables/proposals.ts';
import { type Line, listInTurn } from '../tables/turns.ts';
import { users } from '../tables/users.ts';
import { DAY } from '../units.ts';

export type AnswerKey = { eventId: string; userId: string };

const keyed = ({ eventId, userId }: AnswerKey) =>
  and(eq(eventAnswers.eventId, eventId), eq(eventAnswers.userId, userId));

interface Answer {
  meetingId: string;
  userId: string;
  email: string;
  platformId: string;
  response: Response;
  respondedAt: number | null;
  now: number;
  guard: Guard;
}

/**
 * Makes a decline due for the sweep, which notifies the platform and applies `on_decline`. If a guest has connected
 * since the calendar was read, the answer belongs to the person who took over the guest's meetings, and if the meeting
 * has got another event since, to that event.
 */
export const saveAnswer = (
  db: Db,
  { meetingId, email, platformId, response, respondedAt, now, guard, ...asked }: Answer,
) => {
  const isDeclined = response === 'declined';
  const userId = sql`coalesce((
    select p.user_id from ${meetingPeople} p join ${meetings} m on m.id = p.meeting_id
    where m.provider_event_id = own.provider_event_id and ${isCurrent(m)} and p.email = ${email}), ${asked.userId})`;
  return db.execute(sql`
    insert into ${eventAnswers} (event_id, user_id, platform_id, response_status, responded_at, untold, decline_due_at)
    select own.provider_event_id, ${users.id}, ${platformId}::text, ${response}::text,
      ${respondedAt === null ? null : at(respondedAt)}::timestamptz, ${isDeclined}::boolean, ${isDeclined ? at(now) : null}::timestamptz
    from ${meetings} own join ${users} on ${users.id} = ${userId} where own.id = ${meetingId} and ${guard}
    on conflict (event_id, user_id) do update set response_status = excluded.response_status,
      responded_at = excluded.responded_at, untold = excluded.untold, decline_due_at = excluded.decline_due_at
    where event_answers.response_status <> excluded.response_status`);
};

/** The person is invited again, as the meeting's new second attendee. */
export const forgetAnswer = (db: Db, { meetingId, email }: { meetingId: string; email: string }) =>
  db.execute(sql`
    delete from ${eventAnswers} a using ${users} u, ${meetings} m
    where m.id = ${meetingId} and a.event_id = m.provider_event_id and u.id = a.user_id and u.email = ${email}
      and not exists (select 1 from ${meetingPeople} p where p.meeting_id = m.id and p.user_id = u.id)`);

/** A person took the second attendee off the event, or invited them again. */
export const saveRemoval = (db: Db, { meetingId, removed, guard }: Guarded & { meetingId: string; removed: boolean }) =>
  db.execute(sql`
    insert into ${eventAnswers} (event_id, user_id, platform_id, response_status, untold, removed)
    select m.provider_event_id, p.user_id, m.platform_id, 'needsAction', false, ${removed}::boolean
    from ${meetings} m join ${meetingPeople} p on p.meeting_id = m.id and p.position = 1
    where m.id = ${meetingId} and ${guard}
    on conflict (event_id, user_id) do update set removed = excluded.removed`);

/** Queries call the meeting `m`. */
const meetingOf = (eventId: ReturnType<typeof sql>) =>
  sql`from ${meetings} m where m.provider_event_id = ${eventId} and ${isCurrent(m)}`;

const isSettled = (eventId: ReturnType<typeof sql>) => sql`not exists (
  select 1 from ${pendingOperations} o where o.event_id = ${eventId} and o.kind in ${CHANGES})`;

/** Leaves out meetings that somebody is changing. Every platform's longest waiting comes first, then its second. */
export const listDeclines = (db: Db, line: Line) =>
  listInTurn(db, line, {
    table: eventAnswers,
    indexed: sql`w.decline_due_at is not null`,
    where: sql`w.decline_due_at <= ${at(line.now)}`,
    open: sql`exists (select 1 ${meetingOf(sql`w.event_id`)} and ${unleased(sql`m.lease_until`, line.now)})
      and ${isSettled(sql`w.event_id`)}`,
    since: sql`w.decline_due_at`,
    columns: { eventId: sql`w.event_id`, userId: sql`w.user_id`, platformId: sql`w.platform_id` },
  });

/**
 * Returns the meeting that has the event now. The decline is due again at `again` if nobody finishes it. Of several
 * concurrent callers, only one gets it.
 */
export async function takeDecline(db: Db, { now, again, ...key }: AnswerKey & { now: number; again: number }) {
  const [taken] = await db
    .update(eventAnswers)
    .set({ declineDueAt: again })
    .from(meetings)
    .innerJoin(platforms, eq(platforms.id, meetings.platformId))
    .where(
      and(
        keyed(key),
        sql`${eventAnswers.declineDueAt} <= ${at(now)}`,
        eq(meetings.providerEventId, eventAnswers.eventId),
        isCurrent(meetings),
      ),
    )
    .returning({
      ...pick(meetings, 'id', 'status'),
      start: meetings.startsAt,
      untold: eventAnswers.untold,
      isReplacement: sql<boolean>`${meetings.rescheduledFrom} is not null`,
      declinedBy: sql<string | null>`(
        select p.email from ${meetingPeople} p
        where p.meeting_id = meetings.id and p.user_id = event_answers.user_id)`,
      onDecline: platforms.onDecline,
      platform: PLATFORM,
    });
  return taken;
}

/** The platform was not notified yet. The event is of this version of the meeting, which nobody is changing. */
const isUntold = ({ eventId, userId, id, version }: AnswerKey & { id: string; version: number }): Guard => sql`exists (
  select 1 from event_answers a join meetings m on m.provider_event_id = a.event_id
  where a.event_id = ${eventId} and a.user_id = ${userId} and a.untold and m.id = ${id} and m.version = ${version}
    and m.lease_until is null and ${isOneOf(sql`m.status`, LIVE_STATUSES)})`;

const isConnected = isConnectedTo(sql`q.user_id`, sql`q.platform_id`);

/** The notification must name it. Undefined if the platform was notified, or if somebody is changing the meeting. */
export async function findUntold(db: Db, { eventId, userId }: AnswerKey) {
  const { rows } = await db.execute<{
    id: string;
    platformId: string;
    version: number;
    start: string;
    end: string;
    metadata: Metadata;
    attendees: [string, string];
    details: AttendeeDetails;
    declinedBy: string;
  }>(sql`
    select m.id, m.platform_id as "platformId", m.version, m.metadata, extract(epoch from m.starts_at) * 1000 as start,
      extract(epoch from m.ends_at) * 1000 as end,
      (select jsonb_agg(q.email order by q.position) from ${meetingPeople} q where q.meeting_id = m.id) as attendees,
      (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('email', q.email, 'isConnected', ${isConnected},
        'timeZone', case when q.is_guest and not ${isConnected} then q.guest_time_zone end)) order by q.position)
        from ${meetingPeople} q where q.meeting_id = m.id) as details,
      p.email as "declinedBy"
    from ${eventAnswers} a join ${meetings} m on m.provider_event_id = a.event_id
    join ${meetingPeople} p on p.meeting_id = m.id and p.user_id = a.user_id
    where a.event_id = ${eventId} and a.user_id = ${userId} and a.untold and m.lease_until is null
      and ${isOneOf(sql`m.status`, LIVE_STATUSES)} and ${isSettled(sql`a.event_id`)}`);
  const [row] = rows;
  const guard = row && isUntold({ ...row, eventId, userId });
  return guard && { ...row, start: Number(row.start), end: Number(row.end), guard };
}

/** Comes first in the batch that reports a decline, so that the meeting keeps its id until the batch ends. */
export const lockMeeting = (db: Db, { id }: { id: string }) =>
  db.select({ id: meetings.id }).from(meetings).where(eq(meetings.id, id)).for('no key update');

/** Comes after the statement that stores the webhook event. */
export const markTold = (db: Db, { guard, ...key }: AnswerKey & { guard: Guard }) =>
  db
    .update(eventAnswers)
    .set({ untold: false })
    .where(and(keyed(key), guard))
    .returning({ userId: eventAnswers.userId });

export async function isTold(db: Db, key: AnswerKey): Promise<boolean> {
  const [answer] = await db.select({ untold: eventAnswers.untold }).from(eventAnswers).where(keyed(key));
  return answer?.untold === false;
}

/**
 * Ends the decline, or with `dueAt` makes it due again then. Does nothing if the person declined again since
 * `takeDecline`, because the new decline needs work of its own.
 */
export const endDecline = (db: Db, { again, dueAt, ...key }: AnswerKey & { again: number; dueAt?: number }) =>
  db
    .update(eventAnswers)
    .set(dueAt === undefined ? { untold: false, declineDueAt: null } : { declineDueAt: dueAt })
    .where(and(keyed(key), eq(eventAnswers.declineDueAt, again)));

/**
 * Leaves out platforms to which the user is not connected, which learn of no change. `people` are the two attendees,
 * and a person whom an unfinished update invites.
 */
export const listOnCalendar = (db: Db, { userId, now }: { userId: string; now: number }) =>
  db
    .select({
      ...pick(meetings, 'id', 'platformId', 'eventEtag'),
      eventId: meetings.providerEventId,
      isLive: sql<boolean>`${isOneOf(meetings.status, LIVE_STATUSES)}`,
      ...SPAN,
      people: sql<{ userId: string; email: string; response: Response }[]>`(
        select jsonb_agg(jsonb_build_object('userId', u.id, 'email', coalesce(p.email, u.email), 'response',
          coalesce(a.response_status, case when p.position = 0 then 'accepted' else 'needsAction' end)))
        from (
          select q.user_id from ${meetingPeople} q where q.meeting_id = meetings.id
          union select h.user_id from ${holds} h where h.meeting_id = meetings.id) invited
        join ${users} u on u.id = invited.user_id
        left join ${meetingPeople} p on p.meeting_id = meetings.id and p.user_id = u.id
        left join ${eventAnswers} a on a.event_id = meetings.provider_event_id and a.user_id = u.id)`,
    })
    .from(meetings)
    .where(
      and(
        eq(meetings.organizerId, userId),
        gt(meetings.endsAt, now - DAY),
        inArray(meetings.status, ['pending', ...LIVE_STATUSES]),
        isConnectedTo(sql`${meetings.organizerId}`, sql`${meetings.platformId}`),
        isCurrent(meetings),
      ),
    );

export type OnCalendar = Awaited<ReturnType<typeof listOnCalendar>>[number];

/**
 * A person made their event a series, and the meeting is one occurrence of it. The statements belong at the end of a
 * batch, because the other tables know the meeting by its event. The first one locks the calendar, as `saveEventToken`
 * does, so that nothing is stored under the former event meanwhile.
 */
export const switchEvent = (db: Db, { id, from, to, guard }: Guarded & Record<'id' | 'from' | 'to', string>) => [
  db.execute(sql`
    select 1 from ${busySnapshots} where user_id = (select m.organizer_id from ${meetings} m where m.id = ${id}) for update`),
  ...['event_answers', 'pending_operations', 'holds'].map((table) =>
    db.execute(sql`update ${sql.identifier(table)} set event_id = ${to} where event_id = ${from} and ${guard}`),
  ),
  db
    .update(meetings)
    .set({ providerEventId: to })
    .where(and(eq(meetings.providerEventId, from), guard)),
];

type Token = { userId: string; token: string };

/** Comes first in the batch that handled the changes. Does nothing if another process has stored a newer one. */
export const saveEventToken = (db: Db, { userId, former, token }: Token & { former: string | null }) =>
  db
    .update(busySnapshots)
    .set({ eventToken: token })
    .where(and(eq(busySnapshots.userId, userId), sql`${busySnapshots.eventToken} is not distinct from ${former}`))
    .returning({ userId: busySnapshots.userId });

/** Otherwise another process has read the changes, and the later statements do nothing. */
export const isTokenSaved = ({ userId, token }: Token): Guard =>
  sql`exists (select 1 from busy_snapshots s where s.user_id = ${userId} and s.event_token = ${token})`;
