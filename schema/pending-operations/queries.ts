import { and, eq, gt, inArray, notInArray, sql } from 'drizzle-orm';
import { type MetadataChange, MOST_PAIRS } from '../api/metadata.ts';
import { at } from '../columns.ts';
import { connections } from '../connections/table.ts';
import type { Db, Guard } from '../db.ts';
import { mergedMetadata } from '../meetings/finish-queries.ts';
import { meetingPeople, meetings } from '../meetings/table.ts';
import { AFTERWARDS, type CHANGES, type PendingKind, pendingOperations } from './table.ts';

interface Name {
  meetingId: string;
  kind: PendingKind;
}

const named = ({ meetingId, kind }: Name) =>
  and(eq(pendingOperations.meetingId, meetingId), eq(pendingOperations.kind, kind));

interface Pending {
  intent?: Record<string, unknown> | undefined;
  dueAt: number;
  now: number;
}

/** The operation of a meeting that the same batch inserts. */
export function insertPendingOperation(
  db: Db,
  { meetingId, platformId, kind, intent = {}, dueAt, now }: Name & Pending & { platformId: string },
) {
  return db.insert(pendingOperations).values({ meetingId, platformId, kind, intent, dueAt, createdAt: now });
}

interface Change extends Pending {
  lease: { id: string; owner: string };
  kind: (typeof CHANGES)[number];
  requester?: string | undefined;
  /** What is to be merged into its metadata. */
  metadata?: MetadataChange | undefined;
  /** Whose connection with the meeting's platform it needs: both people's, or of the second only that of this address. */
  connected?: { other: string | undefined } | undefined;
}

/**
 * A change of a meeting that this writer has just claimed. Not claimed, its requester is not the one named, its metadata
 * would become too much, or somebody it needs is not connected now: the batch fails, as `meeting_id` is null.
 */
export function insertPendingChange(
  db: Db,
  { lease, kind, intent, requester, metadata, connected, dueAt, now }: Change,
) {
  const keys = metadata && sql`jsonb_object_keys(${mergedMetadata(sql`m.metadata`, metadata)})`;
  const isNeeded = connected?.other === undefined ? sql`true` : sql`(q.position = 0 or q.email = ${connected.other})`;
  const allConnected = sql`not exists (
        select 1 from meeting_people q where q.meeting_id = m.id and ${isNeeded} and not exists (
          select 1 from ${connections} c
          where c.user_id = q.user_id and c.platform_id = m.platform_id and c.disconnected_at is null))`;
  return db.execute(sql`
    insert into ${pendingOperations} (meeting_id, platform_id, kind, intent, due_at, created_at)
    values ((
      select m.id from meetings m join meeting_people p on p.meeting_id = m.id and p.position = 0
      where m.id = ${lease.id} and m.owner = ${lease.owner} and m.lease_until is not null
        and ${requester === undefined ? sql`true` : sql`p.email = ${requester}`}
        and ${keys === undefined ? sql`true` : sql`(select count(*) from ${keys}) <= ${MOST_PAIRS}::int`}
        and ${connected === undefined ? sql`true` : allConnected}
    ), (select m.platform_id from meetings m where m.id = ${lease.id}), ${kind}::text, ${JSON.stringify(intent)}::jsonb, ${at(dueAt)}, ${at(now)})`);
}

/** What a meeting is to be looked after for, where the guard holds; merged into what is there already. */
export function insertAfterwards(
  db: Db,
  { meetingId, kind, intent = {}, dueAt, now, guard }: Name & Pending & { guard: Guard },
) {
  return db.execute(sql`
    insert into ${pendingOperations} (meeting_id, platform_id, kind, intent, due_at, created_at)
    select ${meetings.id}, ${meetings.platformId}, ${kind}::text, ${JSON.stringify(intent)}::jsonb, ${at(dueAt)}, ${at(now)}
    from ${meetings} where ${meetings.id} = ${meetingId} and ${guard}
    on conflict (meeting_id, kind) do update
      set intent = ${pendingOperations.intent} || excluded.intent, due_at = excluded.due_at`);
}

/** When the unfinished change of a meeting is taken up again, epoch ms; undefined when there is none. */
export async function findChangeDue(db: Db, { meetingId }: { meetingId: string }): Promise<number | undefined> {
  const [row] = await db
    .select({ dueAt: pendingOperations.dueAt })
    .from(pendingOperations)
    .where(and(eq(pendingOperations.meetingId, meetingId), notInArray(pendingOperations.kind, [...AFTERWARDS])));
  return row?.dueAt;
}

/** When the first booking that took a quota's place and is not done is taken up again, epoch ms; undefined without one. */
export async function findReservationDue(
  db: Db,
  { platformId, month }: { platformId: string; month: string },
): Promise<number | undefined> {
  const [row] = await db
    .select({ dueAt: sql<number | null>`min(${pendingOperations.dueAt})`.mapWith(pendingOperations.dueAt) })
    .from(pendingOperations)
    .innerJoin(meetings, eq(meetings.id, pendingOperations.meetingId))
    .where(
      and(eq(pendingOperations.kind, 'book'), eq(meetings.platformId, platformId), eq(meetings.usageMonth, month)),
    );
  return row?.dueAt ?? undefined;
}

/** All work on a meeting that is no more. */
export const deletePendingOperations = (db: Db, { meetingId, guard }: { meetingId: string; guard: Guard }) =>
  db.delete(pendingOperations).where(and(eq(pendingOperations.meetingId, meetingId), guard));

/** The work is done, or undone. */
export const deletePendingOperation = (db: Db, { guard, ...name }: Name & { guard: Guard }) =>
  db.delete(pendingOperations).where(and(named(name), guard));

/** What was looked after is done, unless it is to be done once more: then it has been due anew since it was claimed. */
export const deleteAfterwards = (db: Db, { guard, dueAt, ...name }: Name & { dueAt: number; guard: Guard }) =>
  db.delete(pendingOperations).where(and(named(name), eq(pendingOperations.dueAt, dueAt), guard));

/** The work could not be done yet; it is due then, unless it has been due anew since it was claimed. */
export const postponePendingOperation = (
  db: Db,
  { dueAt, until, guard, ...name }: Name & { dueAt: number; until: number; guard: Guard },
) =>
  db
    .update(pendingOperations)
    .set({ dueAt: until, attempts: sql`${pendingOperations.attempts} + 1` })
    .where(and(named(name), eq(pendingOperations.dueAt, dueAt), guard));

/** Statement: work on this requester's calendar that had to wait is due, as they have just consented again. */
export const wakePendingOperations = (db: Db, { userId, now }: { userId: string; now: number }) =>
  db
    .update(pendingOperations)
    .set({ dueAt: now })
    .where(
      and(
        gt(pendingOperations.attempts, 0),
        gt(pendingOperations.dueAt, now),
        sql`${pendingOperations.meetingId} in (
          select p.meeting_id from ${meetingPeople} p where p.user_id = ${userId} and p.position = 0)`,
      ),
    );

/** What is still to be looked after goes over to the meeting that takes the place. */
export const passOnPendingOperations = (db: Db, { id, from, guard }: { id: string; from: string; guard: Guard }) =>
  db
    .update(pendingOperations)
    .set({ meetingId: id })
    .where(and(eq(pendingOperations.meetingId, from), inArray(pendingOperations.kind, [...AFTERWARDS]), guard));
