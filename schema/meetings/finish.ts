import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { markMeetingDirty } from '../access/busy-snapshots.ts';
import { keepFromErasure } from '../access/people.ts';
import { isErased } from '../access/users.ts';
import type { MetadataChange } from '../api/metadata.ts';
import { isShown, LIVE_STATUSES } from '../api/states.ts';
import { at, isOneOf } from '../columns.ts';
import type { Db, Guard, Results, Statement } from '../db.ts';
import { type DayParts, meetingPeople, meetings } from '../tables/meetings.ts';
import { holds } from '../tables/proposals.ts';
import { users } from '../tables/users.ts';
import type { Interval } from '../units.ts';
import { freeEndedAccess } from './holds.ts';
import { isHeld, isHeldBy, type Lease } from './lease.ts';
import { countMeetings, uncountMeetings } from './meeting-months.ts';

type Ending = Partial<Omit<typeof meetings.$inferInsert, 'exclusive' | 'metadata' | 'version'>> & {
  exclusive?: SQL | false;
  metadata?: SQL;
  version?: SQL;
};

/** A null in the change removes the pair with that key. */
export const mergedMetadata = (metadata: AnyPgColumn | SQL, change: MetadataChange): SQL =>
  sql`jsonb_strip_nulls(${metadata} || ${JSON.stringify(change)}::jsonb)`;

const nextVersion = sql`${meetings.version} + 1`;

/** A meeting that was moved may overlap others, so it is no longer exclusive. */
const isStillExclusive = ({ start, end }: Interval) =>
  sql`${meetings.exclusive} and (${meetings.startsAt}, ${meetings.endsAt}) = (${at(start)}, ${at(end)})`;

interface Made extends Interval {
  dayParts: DayParts;
  meetLink: string | null;
  location?: string | undefined;
  /** Version tag of the calendar event, which has the values stored here. Null if it differs in anything. */
  etag: string | null;
  now: number;
}

interface Moved extends Omit<Made, 'meetLink' | 'location'> {
  keepsPeople: boolean;
  metadata?: MetadataChange | undefined;
  /** Fields as the calendar event shows them, set if a person changed one of them there. */
  shown?: { title: string; location: string; meetLink: string | null } | undefined;
}

/** New metadata was sent before the erasure and may name that person, so it is then dropped. */
const namesErased = sql`exists (
  select 1 from ${meetingPeople} p join ${users} on ${users.id} = p.user_id where p.meeting_id = ${meetings.id} and ${isErased})`;

export const ending = {
  unchanged: (): Ending => ({}),
  seen: ({ etag }: { etag: string | null }): Ending => ({ eventEtag: etag }),
  scheduled: ({ start, end, dayParts, meetLink, location, etag, now }: Made): Ending => ({
    status: 'scheduled',
    startsAt: start,
    endsAt: end,
    dayParts,
    meetLink,
    ...(location !== undefined && { location }),
    eventEtag: etag,
    updatedAt: now,
    exclusive: isStillExclusive({ start, end }),
  }),
  failed: ({ now }: { now: number }): Ending => ({ status: 'failed', updatedAt: now, failedAt: now, jobId: null }),
  updated: ({ start, end, dayParts, etag, keepsPeople, metadata, shown, now }: Moved): Ending => ({
    status: 'updated',
    startsAt: start,
    endsAt: end,
    dayParts,
    ...shown,
    eventEtag: etag,
    updatedAt: now,
    exclusive: keepsPeople && isStillExclusive({ start, end }),
    ...(metadata && {
      metadata: sql`case when ${namesErased} then ${meetings.metadata} else ${mergedMetadata(meetings.metadata, metadata)} end`,
    }),
    version: nextVersion,
  }),
  cancelled: ({ now }: { now: number }): Ending => ({
    status: 'cancelled',
    cancelledAt: now,
    updatedAt: now,
    version: nextVersion,
  }),
  rescheduled: ({ now }: { now: number }): Ending => ({ status: 'rescheduled', updatedAt: now, version: nextVersion }),
  linked: ({ meetLink, now }: { meetLink: string | null; now: number }): Ending => ({ meetLink, updatedAt: now }),
};

/** The process finished earlier in the batch. Later statements depend on it. */
export const isFinishedBy = ({ id, owner }: Lease): Guard =>
  sql`exists (select 1 from meetings m where m.id = ${id} and m.owner = ${owner} and m.lease_until is null)`;

/**
 * Keeps the people from being erased, changes the row and the monthly counters, runs `follow`, each guarded by
 * `isFinishedBy`, and frees the time of whoever has disconnected since the lease. `first` may take over the lease.
 * `last` is on the row of the quota, for which all batches of a platform wait. Returns undefined, and writes nothing,
 * if another process has taken over the lease.
 */
export async function finish<const T extends Statement[], const L extends Statement[] = []>(
  db: Db,
  lease: Lease,
  change: Ending,
  follow: readonly [...T],
  { first = [], last }: { first?: Statement[]; last?: readonly [...L] } = {},
): Promise<{ followed: Results<T>; last: Results<L> } | undefined> {
  const lock = db.select({ id: meetings.id }).from(meetings).where(isHeld(lease)).for('no key update');
  const row = db
    .update(meetings)
    .set({ ...change, leaseUntil: null })
    .where(isHeld(lease))
    .returning({ id: meetings.id });
  const { status, updatedAt } = change;
  const counted = { meetingIds: [lease.id] };
  // A status changes the event in both calendars and the meeting's part in the counters. A booking that ends was
  // `pending` before, and no counter counts such a meeting.
  const before =
    status === undefined || updatedAt == null
      ? []
      : [
          markMeetingDirty(db, { meetingId: lease.id, now: updatedAt, guard: isHeldBy(lease) }),
          ...(status === 'scheduled' || status === 'failed'
            ? []
            : [uncountMeetings(db, { ...counted, guard: isHeldBy(lease) })]),
        ];
  const guard = isFinishedBy(lease);
  const after = [
    freeEndedAccess(db, { meetingId: lease.id, guard }),
    ...(status === undefined || !isShown(status) ? [] : [countMeetings(db, { ...counted, guard })]),
  ];
  const kept = keepFromErasure(db, { meetingId: lease.id });
  const all = await db.batch([kept, ...first, lock, ...before, row, ...follow, ...after, ...(last ?? [])]);
  const [finished, ...rest] = all.slice(2 + first.length + before.length);
  if ((finished as unknown[]).length === 0) return undefined;
  // The type cannot express the order of results for a batch that begins with other statements.
  return {
    followed: rest.slice(0, follow.length) as unknown as Results<T>,
    last: rest.slice(follow.length + after.length) as unknown as Results<L>,
  };
}

export const replaceOther = (
  db: Db,
  { id, platformId, other, guard }: { id: string; platformId: string; other: string; guard: Guard },
) =>
  db.execute(sql`
    update ${meetingPeople} set user_id = held.user_id, email = ${other}, is_guest = false, guest_time_zone = null
    from (
      select h.user_id from ${holds} h join ${users} u on u.id = h.user_id join ${meetings} m on m.id = h.meeting_id
      where h.meeting_id = ${id} and m.platform_id = ${platformId} and u.email = ${other} limit 1) held
    where meeting_id = ${id} and position = 1 and ${guard}`);

type Reserved = { id: string; from: string; now: number; guard: Guard };

const isReserved = ({ id, from, guard }: Reserved) =>
  and(eq(meetings.id, id), eq(meetings.rescheduledFrom, from), eq(meetings.status, 'pending'), guard);

export const confirmReplacement = (db: Db, { start, end, dayParts, meetLink, etag, ...replacement }: Reserved & Made) =>
  db
    .update(meetings)
    .set(ending.scheduled({ start, end, dayParts, meetLink, etag, now: replacement.now }))
    .where(isReserved(replacement));

/** The reschedule was undone. The old meeting keeps its event and can be rescheduled again. */
export const abandonReplacement = (db: Db, replacement: Reserved) =>
  db
    .update(meetings)
    .set({ ...ending.failed(replacement), rescheduledFrom: null, providerEventId: replacement.id })
    .where(isReserved(replacement));

export const whileFailed = (id: string): Guard =>
  sql`exists (select 1 from meetings m where m.id = ${id} and m.status = 'failed')`;

export const whileLive = (id: string): Guard =>
  sql`exists (
    select 1 from meetings m join meetings own on own.provider_event_id = m.provider_event_id
    where own.id = ${id} and ${isOneOf(sql`m.status`, LIVE_STATUSES)})`;
