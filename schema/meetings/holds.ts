import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { connectedUser, isConnectedTo, mayTakeTime, takesTime } from '../access/people.ts';
import { LIVE_STATUSES } from '../api/states.ts';
import { at, isOneOf } from '../columns.ts';
import { type Db, type Guard, orRefuse } from '../db.ts';
import { isCurrent, m, meetingPeople, meetings } from '../tables/meetings.ts';
import { holds, proposals } from '../tables/proposals.ts';
import { users } from '../tables/users.ts';
import { DAY, type Interval, MINUTE } from '../units.ts';
import type { Lease } from './lease.ts';

export interface Limits {
  bufferMinutes: number;
  maxMeetingsPerDay: number;
  /** Local day of the person on which the meeting starts, as its start and end in epoch milliseconds. */
  day: { start: number; end: number };
}

export const conflictsOf = ({ userId, during, eventId }: Record<'userId' | 'during' | 'eventId', SQL>): SQL => sql`(
  select count(*) from ${holds} h where h.user_id = ${userId} and h.during && ${during} and h.event_id <> ${eventId})`;

const span = (start: number, end: number) => sql`tstzrange(${at(start)}, ${at(end)})`;

interface NewHolds extends Interval {
  id: string;
  /** The requester's are first. Only `lockPeople` earlier in the batch makes certain that they are respected. */
  limits: [Limits, Limits] | undefined;
}

/**
 * For the meeting `id`, which has this time. With `limits` it fails by `hold_is_free` if the time overlaps another
 * reserved one or its buffer, and by `hold_within_day` if a person accepts no more meetings that day.
 */
export function insertHolds(db: Db, { id: meetingId, start, end, limits }: NewHolds) {
  if (limits === undefined) return insertOwnHolds(db, { meetingId, guard: sql`true` });
  const others = sql`h.user_id = p.user_id and h.event_id <> m.provider_event_id`;
  return db.execute(sql`
    insert into ${holds} (meeting_id, user_id, event_id, during, exclusive, conflicts, left_on_day)
    select m.id, p.user_id, m.provider_event_id, l.during, true, ${countsAgainst(others, sql`m.platform_id`)}
    from ${meetings} m join ${meetingPeople} p on p.meeting_id = m.id
    join ${limitRows([{ start, end, limits }])} on l.position = p.position
    where m.id = ${meetingId} and ${takesTime} order by p.user_id`);
}

type LimitedTime = Interval & { limits: [Limits, Limits] };

/** Queries call the table `l`. Each time has one row for the requester, and one for the other person. */
function limitRows(times: LimitedTime[]): SQL {
  const rows = times.flatMap(({ start, end, limits }) =>
    limits.map(({ bufferMinutes, maxMeetingsPerDay, day }, position) => {
      const bufferMs = bufferMinutes * MINUTE;
      return sql`(${position}::int, ${span(start, end)}, ${span(start - bufferMs, end + bufferMs)}, ${maxMeetingsPerDay}::int, ${span(day.start, day.end)})`;
    }),
  );
  return sql`(values ${sql.join(rows, sql`, `)}) l (position, during, reach, most, day)`;
}

/**
 * Counts the reserved times that overlap the time or its buffer, and the further meetings that the person accepts that
 * day: what all platforms' meetings leave, or what the meetings and open proposals of `platformId` leave, whichever is
 * less. `others` selects the reserved times that count.
 */
const countsAgainst = (others: SQL, platformId: SQL): SQL => sql`
  (select count(*) from ${holds} h where ${others} and h.during && l.reach),
  l.most - 1 - (
    select greatest(
      count(distinct h.event_id) filter (where h.meeting_id is not null),
      count(distinct h.event_id) filter (where exists (
        select 1 from ${meetings} o where o.id = h.meeting_id and o.platform_id = ${platformId}
        union all select 1 from ${proposals} o where o.id = h.proposal_id and o.platform_id = ${platformId})))
    from ${holds} h where ${others} and h.during && l.day and lower(h.during) <@ l.day)`;

/**
 * Reserves for the requester, and for the other person if connected. Fails as `insertHolds` does if a time is not free,
 * for certain only with `lockPeople` earlier in the batch. The proposal's own times never conflict with each other, or
 * with a meeting that it moves, and count as one meeting of each day, together with that.
 */
export const insertProposalHolds = (db: Db, { proposalId, times }: { proposalId: string; times: LimitedTime[] }) =>
  db.execute(sql`
    insert into ${holds} (proposal_id, user_id, event_id, during, exclusive, conflicts, left_on_day)
    select r.id, p.user_id, e.id, l.during, true, ${countsAgainst(sql`h.user_id = p.user_id and h.event_id <> e.id`, sql`r.platform_id`)}
    from ${proposals} r left join ${meetings} m on m.id = r.moves_meeting_id
    cross join lateral (select coalesce(m.provider_event_id, r.id)) e (id)
    cross join lateral (values (0, r.requester_id), (1, r.other_id)) p (position, user_id)
    join ${limitRows(times)} on l.position = p.position
    where r.id = ${proposalId} and (p.position = 0 or ${isConnectedTo(sql`p.user_id`, sql`r.platform_id`)})
    order by p.user_id`);

/**
 * Covers all platforms. `isOwn` is true for those of the meeting's platform. `lockPeople` runs earlier, so that of two
 * acceptances at once the second one sees the first.
 */
export const listMeetingsAround = (db: Db, { meetingId, start }: { meetingId: string; start: number }) =>
  db
    .select({
      userId: holds.userId,
      takenBy: holds.eventId,
      start: sql`extract(epoch from lower(${holds.during})) * 1000`.mapWith(Number),
      end: sql`extract(epoch from upper(${holds.during})) * 1000`.mapWith(Number),
      isOwn: sql<boolean>`exists (
        select 1 from ${meetings} m join ${meetings} own on own.platform_id = m.platform_id
        where m.id = ${holds.meetingId} and own.id = ${meetingId})`,
    })
    .from(holds)
    .where(
      and(
        sql`${holds.userId} in (select user_id from ${meetingPeople} where meeting_id = ${meetingId})`,
        sql`${holds.during} && ${span(start - 2 * DAY, start + 2 * DAY)}`,
        isNotNull(holds.meetingId),
        sql`${holds.eventId} not in (select h.event_id from ${holds} h where h.meeting_id = ${meetingId})`,
      ),
    );

export type OtherMeeting = Awaited<ReturnType<typeof listMeetingsAround>>[number];

/** Leaves a time that a meeting has taken over. */
export const deleteProposalHolds = (db: Db, { proposalId, guard }: { proposalId: string; guard: Guard }) =>
  db.delete(holds).where(and(eq(holds.proposalId, proposalId), isNull(holds.meetingId), guard));

export const deleteHolds = (db: Db, { meetingId, guard }: { meetingId: string; guard: Guard }) =>
  db.delete(holds).where(and(eq(holds.meetingId, meetingId), guard));

const ITS_TIME = sql`tstzrange(m.starts_at, m.ends_at)`;

/** Times are reserved even if they are taken. */
const reserveOwnTimes = sql`
    insert into ${holds} (meeting_id, user_id, event_id, during, exclusive, conflicts)
    select m.id, p.user_id, m.provider_event_id, ${ITS_TIME}, false,
      ${conflictsOf({ userId: sql`p.user_id`, during: ITS_TIME, eventId: sql`m.provider_event_id` })}
    from ${meetings} m join ${meetingPeople} p on p.meeting_id = m.id
    where m.starts_at < m.ends_at and ${takesTime}`;

/** The time may be taken, for example because a person moved the meeting there in the calendar. */
export const insertOwnHolds = (db: Db, { meetingId, guard }: { meetingId: string; guard: Guard }) =>
  db.execute(sql`
    ${reserveOwnTimes} and m.id = ${meetingId} and ${guard} order by p.user_id
    on conflict do nothing`);

/**
 * Frees the time of people who declined or were taken off the event, and reserves it again for those who accept again,
 * unless it is taken. An answer belongs to the event, so the times are those of the meeting that has it now: another
 * one than `meetingId` after a reschedule.
 */
export const followAnswers = (db: Db, { meetingId, guard }: { meetingId: string; guard: Guard }) => {
  const people = sql`${meetings} own join ${meetings} m on m.provider_event_id = own.provider_event_id and ${isCurrent(m)}
    join ${meetingPeople} p on p.meeting_id = m.id where own.id = ${meetingId} and ${guard}`;
  return [
    db.execute(sql`
      delete from ${holds} where (meeting_id, user_id) in (select p.meeting_id, p.user_id from ${people} and not ${takesTime})`),
    db.execute(sql`
      insert into ${holds} (meeting_id, user_id, event_id, during, exclusive, conflicts)
      select m.id, p.user_id, m.provider_event_id, tstzrange(m.starts_at, m.ends_at), false, 0
      from ${people} and ${isOneOf(sql`m.status`, ['pending', ...LIVE_STATUSES])} and m.starts_at < m.ends_at and ${takesTime}
        and not exists (
          select 1 from ${holds} h where h.user_id = p.user_id and h.during && tstzrange(m.starts_at, m.ends_at))
      order by p.user_id
      on conflict do nothing`),
  ];
};

/** Frees all except the meeting's current time for its current two people. */
export const trimHolds = (db: Db, { meetingId, guard }: { meetingId: string; guard: Guard }) =>
  db.delete(holds).where(
    and(
      eq(holds.meetingId, meetingId),
      guard,
      sql`not exists (
        select 1 from ${meetings} m join ${meetingPeople} p on p.meeting_id = m.id
        where m.id = ${holds.meetingId} and ${takesTime} and p.user_id = ${holds.userId} and ${holds.during} = tstzrange(m.starts_at, m.ends_at))`,
    ),
  );

/** The caller must have leased the meeting. Fails as `not_connected` if a new second attendee is not connected. */
export function insertMoveHolds(
  db: Db,
  { lease, platformId, other, start, end }: Interval & { lease: Lease; platformId: string; other: string | undefined },
) {
  const during = span(start, end);
  const second = (isOther: SQL) =>
    sql`(select p.user_id from ${meetingPeople} p where p.meeting_id = ${lease.id} and p.position = 1 and ${isOther})`;
  const attendee =
    other === undefined
      ? second(sql`true`)
      : orRefuse(
          sql`coalesce(${second(sql`p.email = ${other}`)}, ${connectedUser(platformId, other)})`,
          'not_connected',
        );
  return db.execute(sql`
    insert into ${holds} (meeting_id, user_id, event_id, during, exclusive, conflicts)
    select m.id, invited.user_id, m.provider_event_id, ${during}, false,
      ${conflictsOf({ userId: sql`invited.user_id`, during, eventId: sql`m.provider_event_id` })}
    from ${meetings} m, (
      select user_id from ${meetingPeople} where meeting_id = ${lease.id} and position = 0
      union all
      select ${attendee}
    ) invited
    where m.id = ${lease.id} and m.owner = ${lease.owner} and m.lease_until is not null
      and not exists (select 1 from ${meetingPeople} p where p.meeting_id = m.id and p.user_id = invited.user_id and not ${takesTime})
    order by invited.user_id
    on conflict do nothing`);
}

interface Connecting {
  platformId: string;
  userId: string;
  /** Nothing is reserved for a meeting that began before. */
  since: number;
}

const ownMeetings = ({ platformId, userId, since }: Connecting) => sql`(
  select o.meeting_id from ${meetingPeople} o
  where o.user_id = ${userId} and o.platform_id = ${platformId} and o.starts_at > ${at(since)})`;

/** Nobody's access ends between the look at it and the end of the batch. The person must be locked already. */
export const keepTheirAccess = (db: Db, connecting: Connecting) =>
  db.execute(sql`
    select u.id from ${users} u
    where u.id in (select p.user_id from ${meetingPeople} p where p.meeting_id in ${ownMeetings(connecting)})
    order by u.id for key share`);

/**
 * Reserves the person's own time, and that of the people whom they invited, even if it is taken, because the calendar
 * has these meetings already. Must follow `keepTheirAccess` and the statement that connects the person. The consent
 * makes a read due, so that what the calendar shows differently is followed at once.
 */
export const holdMeetings = (db: Db, connecting: Connecting) =>
  db.execute(sql`
    ${reserveOwnTimes} and m.id in ${ownMeetings(connecting)}
      and m.status in ('pending', 'scheduled', 'updated')
      and not exists (select 1 from ${holds} h where h.meeting_id = m.id and h.user_id = p.user_id)
    order by m.id, p.user_id
    on conflict do nothing`);

/**
 * Must follow the statement that ends the connections. Also frees the time of those whom the person invited. A meeting
 * that is being booked or changed keeps its times until `finish`, so that nothing else is booked over it.
 */
export const freeMeetings = (db: Db, { userId, since }: Pick<Connecting, 'userId' | 'since'>) =>
  db.execute(sql`
    delete from ${holds} where ctid = any(array(
      select h.ctid from (
        select own.meeting_id as id from ${holds} own where own.user_id = ${userId}
        union select o.id from ${meetings} o where o.organizer_id = ${userId} and o.ends_at > ${at(since)}) theirs
      join ${meetings} m using (id) join ${meetingPeople} p on p.meeting_id = m.id
      join ${holds} h on h.meeting_id = m.id and h.user_id = p.user_id
      where m.status <> 'pending' and m.lease_until is null and not ${mayTakeTime}
      order by h.meeting_id, h.user_id for update of h))`);

/** Somebody's access ended while the meeting, or its replacement, was being booked or changed. */
export const freeEndedAccess = (db: Db, { meetingId, guard }: { meetingId: string; guard: Guard }) =>
  db.execute(sql`
    delete from ${holds} h using ${meetingPeople} p
    where p.meeting_id in (
        select e.id from ${meetings} m join ${meetings} e on e.provider_event_id = m.provider_event_id where m.id = ${meetingId})
      and h.meeting_id = p.meeting_id and h.user_id = p.user_id and not ${mayTakeTime} and ${guard}`);
