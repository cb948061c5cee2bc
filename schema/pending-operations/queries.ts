import { and, eq, gt, notInArray, type SQL, sql } from 'drizzle-orm';
import { type MetadataChange, MOST_PAIRS } from '../api/metadata.ts';
import { at } from '../columns.ts';
import { connections } from '../connections/table.ts';
import type { Db, Guard } from '../db.ts';
import { mergedMetadata } from '../meetings/finish-queries.ts';
import { isCurrent } from '../meetings/status.ts';
import { meetings } from '../meetings/table.ts';
import { orRefuse } from '../refusals.ts';
import { AFTERWARDS, type CHANGES, type PendingKind, pendingOperations } from './table.ts';

interface Name {
  meetingId: string;
  kind: PendingKind;
}

/** Returns an SQL condition for the pending calendar work on the event of this meeting. */
const isOfEvent = (meetingId: string): SQL =>
  sql`${pendingOperations.eventId} = (select m.provider_event_id from meetings m where m.id = ${meetingId})`;

const named = ({ meetingId, kind }: Name) => and(isOfEvent(meetingId), eq(pendingOperations.kind, kind));

interface Pending {
  intent?: Record<string, unknown> | undefined;
  dueAt: number;
  now: number;
}

/** Builds a statement that inserts the pending calendar work of a meeting that the same batch inserts. */
export function insertPendingOperation(
  db: Db,
  {
    eventId,
    platformId,
    kind,
    intent = {},
    dueAt,
    now,
  }: Omit<Name, 'meetingId'> & Pending & { eventId: string; platformId: string },
) {
  return db.insert(pendingOperations).values({ eventId, platformId, kind, intent, dueAt, createdAt: now });
}

interface Change extends Pending {
  lease: { id: string; owner: string };
  kind: (typeof CHANGES)[number];
  requester?: string | undefined;
  /** Metadata pairs to merge into the meeting's metadata. */
  metadata?: MetadataChange | undefined;
  /**
   * People who must be connected to the meeting's platform. Without `other`, both attendees must be connected. With
   * `other`, the requester must be, and so must the second attendee if `other` is their address.
   */
  connected?: { other: string | undefined } | undefined;
  /** Second attendee after the change, and the month whose quota the change uses if it replaces the second attendee. */
  pair?: { other: string; usageMonth: string } | undefined;
}

/** Returns an SQL condition that is true if the meeting's pending change uses a meeting of the month's quota. */
export const usesQuota = ({ meetingId, usageMonth }: { meetingId: string; usageMonth: string }): Guard =>
  sql`exists (select 1 from ${pendingOperations} where ${named({ meetingId, kind: 'move' })}
    and ${pendingOperations.intent} ->> 'usageMonth' = ${usageMonth})`;

/**
 * Builds a statement that inserts a pending change of a meeting that this writer has just leased. It refuses the batch
 * as `not_in_hand` in four cases: the lease is missing, the meeting's requester is not `requester`, the metadata would
 * have too many pairs, or a needed person is not connected. If the change replaces an attendee, it uses a meeting of
 * the quota, and the stored intent also has the month of that quota.
 */
export function insertPendingChange(
  db: Db,
  { lease, kind, intent, requester, metadata, connected, pair, dueAt, now }: Change,
) {
  const keys = metadata && sql`jsonb_object_keys(${mergedMetadata(sql`m.metadata`, metadata)})`;
  const isNeeded = connected?.other === undefined ? sql`true` : sql`(q.position = 0 or q.email = ${connected.other})`;
  const allConnected = sql`not exists (
        select 1 from meeting_people q where q.meeting_id = m.id and ${isNeeded} and not exists (
          select 1 from ${connections} c
          where c.user_id = q.user_id and c.platform_id = m.platform_id and c.disconnected_at is null))`;
  const claimed = sql`(
      select m.provider_event_id from meetings m join meeting_people p on p.meeting_id = m.id and p.position = 0
      where m.id = ${lease.id} and m.owner = ${lease.owner} and m.lease_until is not null
        and ${requester === undefined ? sql`true` : sql`p.email = ${requester}`}
        and ${keys === undefined ? sql`true` : sql`(select count(*) from ${keys}) <= ${MOST_PAIRS}::int`}
        and ${connected === undefined ? sql`true` : allConnected})`;
  const isChanged = sql`exists (
      select 1 from meeting_people p where p.meeting_id = ${lease.id} and p.position = 1 and p.email <> ${pair?.other})`;
  const uses =
    pair &&
    sql` || case when ${isChanged} then ${JSON.stringify({ usageMonth: pair.usageMonth })}::jsonb else '{}'::jsonb end`;
  return db.execute<{ month: string | null }>(sql`
    insert into ${pendingOperations} (event_id, platform_id, kind, intent, due_at, created_at)
    values (${orRefuse(claimed, 'not_in_hand')}, (select m.platform_id from meetings m where m.id = ${lease.id}), ${kind}::text, ${JSON.stringify(intent)}::jsonb${uses}, ${at(dueAt)}, ${at(now)})
    returning intent ->> 'usageMonth' as month`);
}

/**
 * Builds a statement that inserts follow-up calendar work for a meeting, such as a delayed check of its event, if the
 * condition `guard` holds. If the meeting already has follow-up work of the same kind, the statement merges the new
 * intent into that work.
 */
export function insertAfterwards(
  db: Db,
  { meetingId, kind, intent = {}, dueAt, now, guard }: Name & Pending & { guard: Guard },
) {
  return db.execute(sql`
    insert into ${pendingOperations} (event_id, platform_id, kind, intent, due_at, created_at)
    select ${meetings.providerEventId}, ${meetings.platformId}, ${kind}::text, ${JSON.stringify(intent)}::jsonb, ${at(dueAt)}, ${at(now)}
    from ${meetings} where ${meetings.id} = ${meetingId} and ${guard}
    on conflict (event_id, kind) do update
      set intent = ${pendingOperations.intent} || excluded.intent, due_at = excluded.due_at`);
}

/** Finds the time at which a meeting's unfinished change is due, in epoch ms. Returns undefined if there is none. */
export async function findChangeDue(db: Db, { meetingId }: { meetingId: string }): Promise<number | undefined> {
  const [row] = await db
    .select({ dueAt: pendingOperations.dueAt })
    .from(pendingOperations)
    .where(and(isOfEvent(meetingId), notInArray(pendingOperations.kind, [...AFTERWARDS])));
  return row?.dueAt;
}

/**
 * Finds the time at which the first unfinished booking or change that uses the month's quota is due, in epoch ms.
 * Returns undefined if there is none.
 */
export async function findReservationDue(
  db: Db,
  { platformId, month }: { platformId: string; month: string },
): Promise<number | undefined> {
  const [row] = await db
    .select({ dueAt: sql<number | null>`min(${pendingOperations.dueAt})`.mapWith(pendingOperations.dueAt) })
    .from(pendingOperations)
    .innerJoin(meetings, and(eq(meetings.providerEventId, pendingOperations.eventId), isCurrent(meetings)))
    .where(
      and(
        eq(meetings.platformId, platformId),
        sql`case ${pendingOperations.kind} when 'book' then ${meetings.usageMonth}
          when 'move' then ${pendingOperations.intent} ->> 'usageMonth' end = ${month}`,
      ),
    );
  return row?.dueAt ?? undefined;
}

/** Builds a statement that deletes all pending calendar work on a meeting that no longer exists. */
export const deletePendingOperations = (db: Db, { meetingId, guard }: { meetingId: string; guard: Guard }) =>
  db.delete(pendingOperations).where(and(isOfEvent(meetingId), guard));

/** Builds a statement that deletes pending calendar work on a meeting after it was finished or undone. */
export const deletePendingOperation = (db: Db, { guard, ...name }: Name & { guard: Guard }) =>
  db.delete(pendingOperations).where(and(named(name), guard));

/**
 * Builds a statement that deletes follow-up calendar work that is finished. The statement keeps work that was
 * rescheduled since this writer leased it, because such work must run again.
 */
export const deleteAfterwards = (db: Db, { guard, dueAt, ...name }: Name & { dueAt: number; guard: Guard }) =>
  db.delete(pendingOperations).where(and(named(name), eq(pendingOperations.dueAt, dueAt), guard));

/**
 * Builds a statement that postpones calendar work that could not be done yet, unless the work was rescheduled after it
 * was leased.
 */
export const postponePendingOperation = (
  db: Db,
  { dueAt, until, guard, ...name }: Name & { dueAt: number; until: number; guard: Guard },
) =>
  db
    .update(pendingOperations)
    .set({ dueAt: until, attempts: sql`${pendingOperations.attempts} + 1` })
    .where(and(named(name), eq(pendingOperations.dueAt, dueAt), guard));

/**
 * Builds a statement that makes postponed calendar work on this requester's meetings due now, because the requester has
 * just consented again.
 */
export const wakePendingOperations = (db: Db, { userId, now }: { userId: string; now: number }) =>
  db
    .update(pendingOperations)
    .set({ dueAt: now })
    .where(
      and(
        gt(pendingOperations.attempts, 0),
        gt(pendingOperations.dueAt, now),
        sql`exists (
          select 1 from ${meetings} where ${meetings.providerEventId} = ${pendingOperations.eventId}
            and ${meetings.organizerId} = ${userId})`,
      ),
    );
