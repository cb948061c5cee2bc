import { and, eq, gt, notInArray, type SQL, sql } from 'drizzle-orm';
import { isConnectedTo, mayBeAbsent } from '../access/people.ts';
import { type MetadataChange, MOST_PAIRS } from '../api/metadata.ts';
import { at } from '../columns.ts';
import { type Db, type Guard, type Guarded, orRefuse } from '../db.ts';
import {
  AFTERWARDS,
  type CHANGES,
  isCurrent,
  meetings,
  type PendingKind,
  pendingOperations,
} from '../tables/meetings.ts';
import { mergedMetadata } from './finish.ts';

type Name = { meetingId: string; kind: PendingKind };

const isOfEvent = (meetingId: string): SQL =>
  sql`${pendingOperations.eventId} = (select m.provider_event_id from meetings m where m.id = ${meetingId})`;

const named = ({ meetingId, kind }: Name) => and(isOfEvent(meetingId), eq(pendingOperations.kind, kind));

type Pending = { intent?: Record<string, unknown> | undefined; dueAt: number; now: number };

export interface Needs {
  /** Address of the person who must still be the meeting's requester. */
  requester?: string | undefined;
  /** The meeting may not have more pairs than allowed afterwards. */
  metadata?: MetadataChange | undefined;
  /**
   * Attendees who must be connected with the platform now: both, or with `other` the requester, and the second if
   * `other` is their address. A guest need not be.
   */
  connected?: { other: string | undefined } | undefined;
}

interface Change extends Pending, Needs {
  lease: { id: string; owner: string };
  kind: (typeof CHANGES)[number];
  /** If that is another person than before, the change uses the quota of the month `usageMonth`. */
  pair?: { other: string; usageMonth: string } | undefined;
}

export const usesQuota = ({ meetingId, usageMonth }: { meetingId: string; usageMonth: string }): Guard =>
  sql`exists (select 1 from ${pendingOperations} where ${named({ meetingId, kind: 'move' })}
    and ${pendingOperations.intent} ->> 'usageMonth' = ${usageMonth})`;

/**
 * This process has just leased the meeting. Fails as `not_in_hand` without the lease, for another `requester`, for too
 * many pairs of metadata, or if a needed person is not connected. A change that replaces an attendee uses one meeting
 * of the quota, whose month the record has.
 */
export function insertPendingChange(db: Db, { requester, metadata, connected, pair, ...change }: Change) {
  const { lease, kind, intent, dueAt, now } = change;
  const keys = metadata && sql`jsonb_object_keys(${mergedMetadata(sql`m.metadata`, metadata)})`;
  const isNeeded = connected?.other === undefined ? sql`true` : sql`(q.position = 0 or q.email = ${connected.other})`;
  const allConnected = sql`not exists (
        select 1 from meeting_people q where q.meeting_id = m.id and ${isNeeded} and not ${mayBeAbsent('q')}
          and not ${isConnectedTo(sql`q.user_id`, sql`m.platform_id`)})`;
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

/** Work of the same kind that is already planned gets the new due time, and the stored goals are merged. */
export const insertAfterwards = (db: Db, { meetingId, kind, intent, dueAt, now, guard }: Name & Pending & Guarded) =>
  db.execute(sql`
    insert into ${pendingOperations} (event_id, platform_id, kind, intent, due_at, created_at)
    select ${meetings.providerEventId}, ${meetings.platformId}, ${kind}::text, ${JSON.stringify(intent ?? {})}::jsonb, ${at(dueAt)}, ${at(now)}
    from ${meetings} where ${meetings.id} = ${meetingId} and ${guard}
    on conflict (event_id, kind) do update
      set intent = ${pendingOperations.intent} || excluded.intent, due_at = excluded.due_at`);

/** Returns epoch ms, or undefined if there is none. */
export async function findChangeDue(db: Db, { meetingId }: { meetingId: string }): Promise<number | undefined> {
  const [row] = await db
    .select({ dueAt: pendingOperations.dueAt })
    .from(pendingOperations)
    .where(and(isOfEvent(meetingId), notInArray(pendingOperations.kind, [...AFTERWARDS])));
  return row?.dueAt;
}

/** It uses the month's quota. Returns epoch ms, or undefined if there is none. */
export async function findReservationDue(db: Db, { platformId, month }: { platformId: string; month: string }) {
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

export const deletePendingOperations = (db: Db, { meetingId, guard }: { meetingId: string; guard: Guard }) =>
  db.delete(pendingOperations).where(and(isOfEvent(meetingId), guard));

/** Belongs in the batch that finishes or undoes the booking, move or cancellation. */
export const deletePendingOperation = (db: Db, { guard, ...name }: Name & { guard: Guard }) =>
  db.delete(pendingOperations).where(and(named(name), guard));

type Taken = Name & Guarded & { dueAt: number };

/** Keeps work that was planned anew since this process took it, because such work must run again. */
export const deleteAfterwards = (db: Db, { guard, dueAt, ...name }: Taken) =>
  db.delete(pendingOperations).where(and(named(name), eq(pendingOperations.dueAt, dueAt), guard));

/** Leaves work that was planned anew since the caller took it. */
export const postponePendingOperation = (db: Db, { dueAt, until, guard, ...name }: Taken & { until: number }) =>
  db
    .update(pendingOperations)
    .set({ dueAt: until, attempts: sql`${pendingOperations.attempts} + 1` })
    .where(and(named(name), eq(pendingOperations.dueAt, dueAt), guard));

/** The requester has just connected their calendar again. */
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
