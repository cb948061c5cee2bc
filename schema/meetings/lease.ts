import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { LIVE_STATUSES } from '../api/states.ts';
import { at, pick, unleased } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { AFTERWARDS, isCurrent, m, meetings, pendingOperations, SPAN } from '../tables/meetings.ts';
import { platforms } from '../tables/platforms.ts';
import { ID_AND_PLATFORM, type Line, listInTurn } from '../tables/turns.ts';

/** Until `lease_until`, no other process changes the meeting. */
export type Lease = { id: string; owner: string };

/** A write under this condition changes nothing once another process has taken over the meeting. */
export const isHeld = ({ id, owner }: Lease): SQL =>
  sql`${meetings.id} = ${id} and ${meetings.owner} = ${owner} and ${meetings.leaseUntil} is not null`;

/** Guards statements on other tables than `meetings`. */
export const isHeldBy = ({ id, owner }: Lease): Guard =>
  sql`exists (select 1 from meetings m where m.id = ${id} and m.owner = ${owner} and m.lease_until is not null)`;

/** Needs a live one that nobody is changing, of `version` if given. Otherwise `insertPendingChange` refuses later. */
export const leaseMeeting = (db: Db, { id, owner, platformId, leaseUntil, version }: ToChange) =>
  db
    .update(meetings)
    .set({ owner, leaseUntil })
    .where(
      and(
        eq(meetings.id, id),
        eq(meetings.platformId, platformId),
        inArray(meetings.status, LIVE_STATUSES),
        isNull(meetings.leaseUntil),
        version === undefined ? undefined : eq(meetings.version, version),
      ),
    )
    .returning({
      ...pick(meetings, 'id', 'platformId', 'title', 'location', 'meetLink', 'metadata'),
      ...pick(meetings, 'providerEventId', 'eventEtag'),
      ...SPAN,
    });

type Taking = Lease & { leaseUntil: number };
type ToChange = Taking & { platformId: string; version?: number | undefined };
export type Leasing = Taking & { now: number };

export type LeasedMeeting = Awaited<ReturnType<typeof leaseMeeting>>[number];

/** Follow-up work, such as a later check of the event, waits while a change of the meeting is unfinished. */
const isNext = (work: { eventId: SQL | AnyPgColumn; kind: SQL | AnyPgColumn }): SQL =>
  sql`(${work.kind} not in ${AFTERWARDS} or not exists (
    select 1 from ${pendingOperations} o where o.event_id = ${work.eventId} and o.kind not in ${AFTERWARDS}))`;

/** No process has leased them. Every platform's longest waiting meeting comes first, then every platform's second. */
export function listOverdue(db: Db, line: Line) {
  const meeting = sql`from ${meetings} m where m.provider_event_id = w.event_id and ${isCurrent(m)}`;
  return listInTurn(db, line, {
    table: pendingOperations,
    where: sql`w.due_at <= ${at(line.now)}`,
    open: sql`exists (select 1 ${meeting} and ${unleased(sql`m.lease_until`, line.now)})
      and ${isNext({ eventId: sql`w.event_id`, kind: sql`w.kind` })}`,
    since: sql`w.due_at`,
    columns: { ...ID_AND_PLATFORM, id: sql`(select m.id ${meeting})` },
  });
}

interface Takeover extends Leasing {
  /** A request waits for the meeting, so it may take over an unfinished change even before that is due. */
  isAwaited: boolean;
}

/** Of several concurrent callers only one gets the lease, and the others get undefined. */
export function leaseOverdue(db: Db, { id, owner, now, leaseUntil, isAwaited }: Takeover) {
  const isDue = sql`${pendingOperations.dueAt} <= ${at(now)}`;
  // The work is locked with its meeting and read under that lock: a writer may finish it during the search.
  const taken = db.$with('taken').as(
    db
      .select({
        meetingId: meetings.id,
        ...pick(pendingOperations, 'kind', 'intent', 'attempts', 'dueAt', 'createdAt'),
      })
      .from(pendingOperations)
      .innerJoin(meetings, eq(meetings.providerEventId, pendingOperations.eventId))
      .where(
        and(
          eq(meetings.id, id),
          isCurrent(meetings),
          unleased(meetings.leaseUntil, now),
          isAwaited ? sql`(${pendingOperations.kind} not in ${AFTERWARDS} or ${isDue})` : isDue,
          isNext(pendingOperations),
        ),
      )
      .orderBy(pendingOperations.dueAt)
      .limit(1)
      .for('update', { of: [pendingOperations, meetings], skipLocked: true }),
  );
  return db
    .with(taken)
    .update(meetings)
    .set({ owner, leaseUntil })
    .from(taken)
    .innerJoin(platforms, sql`true`)
    .where(and(eq(meetings.id, taken.meetingId), eq(platforms.id, meetings.platformId)))
    .returning({
      ...pick(meetings, 'id', 'platformId', 'status', 'title', 'location', 'meetLink', 'metadata'),
      ...pick(meetings, 'providerEventId', 'eventEtag', 'usageMonth'),
      ...SPAN,
      plan: platforms.plan,
      ...pick(taken, 'kind', 'intent', 'attempts', 'dueAt'),
      pendingSince: taken.createdAt,
      /** True if a person took the second attendee off the event, and the platform was told. */
      isOtherRemoved: sql<boolean>`exists (
        select 1 from event_answers a join meeting_people p on p.user_id = a.user_id
        where a.event_id = ${meetings.providerEventId} and p.meeting_id = ${meetings.id} and p.position = 1 and a.removed)`,
      /** True if the calendar has yet to make the video link that the booking asked for. */
      isLinkPending: sql<boolean>`exists (
        select 1 from ${pendingOperations} o where o.event_id = ${meetings.providerEventId} and o.kind = 'link')`,
    });
}

export type Overdue = Awaited<ReturnType<typeof leaseOverdue>>[number];

/**
 * Takes over the booking of a job that is being cancelled, even from a process at work: what that stores later has no
 * effect. Matches nothing if the booking was already stored or undone.
 */
export const takeOverBooking = (db: Db, { id, owner, jobId, leaseUntil }: Taking & { jobId: string }) =>
  db
    .update(meetings)
    .set({ owner, leaseUntil })
    .where(and(eq(meetings.id, id), eq(meetings.jobId, jobId), eq(meetings.status, 'pending')));

/** Another process may take over at once. The owner stays, so `isHeldBy` holds for the rest of the batch. */
export const endLease = (db: Db, { now, ...lease }: Lease & { now: number }) =>
  db.update(meetings).set({ leaseUntil: now }).where(isHeld(lease));
