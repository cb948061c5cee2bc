import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { MetadataChange } from '../api/metadata.ts';
import { markMeetingDirty } from '../busy-snapshots/queries.ts';
import { at, isOneOf } from '../columns.ts';
import type { Db, Guard, Results, Statement } from '../db.ts';
import { holds } from '../holds/table.ts';
import { countMeetings, uncountMeetings } from '../meeting-months/queries.ts';
import { users } from '../users/table.ts';
import { isHeld, isHeldBy, type Lease } from './lease-queries.ts';
import { isShown, LIVE_STATUSES } from './status.ts';
import { type DayParts, meetingPeople, meetings } from './table.ts';

type Row = typeof meetings.$inferInsert;

/** What finishing work changes in the meeting's own row. */
type Ending = Partial<
  Pick<
    Row,
    'status' | 'startsAt' | 'endsAt' | 'dayParts' | 'meetLink' | 'updatedAt' | 'cancelledAt' | 'failedAt' | 'jobId'
  >
> & {
  exclusive?: SQL | false;
  metadata?: SQL;
  version?: SQL;
};

/** A meeting's metadata with a change merged in; what the change has a null for is gone. */
export const mergedMetadata = (metadata: AnyPgColumn | SQL, change: MetadataChange): SQL =>
  sql`jsonb_strip_nulls(${metadata} || ${JSON.stringify(change)}::jsonb)`;

const nextVersion = sql`${meetings.version} + 1`;

/** Moved, it is no longer one that overlaps nothing. */
const isStillExclusive = ({ start, end }: { start: number; end: number }) =>
  sql`${meetings.exclusive} and (${meetings.startsAt}, ${meetings.endsAt}) = (${at(start)}, ${at(end)})`;

interface Made {
  start: number;
  end: number;
  dayParts: DayParts;
  meetLink: string | null;
  now: number;
}

interface Moved {
  start: number;
  end: number;
  dayParts: DayParts;
  keepsPeople: boolean;
  metadata?: MetadataChange | undefined;
  now: number;
}

/** The ways in which work on a meeting can end. */
export const ending = {
  /** The meeting is as it should be. */
  unchanged: (): Ending => ({}),
  scheduled: ({ start, end, dayParts, meetLink, now }: Made): Ending => ({
    status: 'scheduled',
    startsAt: start,
    endsAt: end,
    dayParts,
    meetLink,
    updatedAt: now,
    exclusive: isStillExclusive({ start, end }),
  }),
  failed: ({ now }: { now: number }): Ending => ({ status: 'failed', updatedAt: now, failedAt: now, jobId: null }),
  updated: ({ start, end, dayParts, keepsPeople, metadata, now }: Moved): Ending => ({
    status: 'updated',
    startsAt: start,
    endsAt: end,
    dayParts,
    updatedAt: now,
    exclusive: keepsPeople && isStillExclusive({ start, end }),
    ...(metadata && { metadata: mergedMetadata(meetings.metadata, metadata) }),
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

/** True in a later statement of the same batch exactly when this writer's ending went in. */
export const isFinishedBy = ({ id, owner }: Lease): Guard =>
  sql`exists (select 1 from meetings m where m.id = ${id} and m.owner = ${owner} and m.lease_until is null)`;

/**
 * Ends what was begun under the lease, in one batch: the meeting's row is locked first, for this writer only, then changed,
 * counted in its month as what it is now, and followed by the rest, each statement guarded by `isFinishedBy`. Answers what followed, or undefined
 * when another writer has the meeting by now; then nothing was written.
 */
export async function finish<const T extends Statement[]>(
  db: Db,
  lease: Lease,
  change: Ending,
  follow: readonly [...T],
): Promise<Results<T> | undefined> {
  const lock = db.select({ id: meetings.id }).from(meetings).where(isHeld(lease)).for('no key update');
  const row = db
    .update(meetings)
    .set({ ...change, leaseUntil: null })
    .where(isHeld(lease))
    .returning({ id: meetings.id });
  const { status, updatedAt } = change;
  const counted = { meetingIds: [lease.id] };
  // A change of status is one of the event, in the calendars of both, and of what the meeting counts as.
  const before =
    status === undefined || updatedAt == null
      ? []
      : [
          markMeetingDirty(db, { meetingId: lease.id, now: updatedAt, guard: isHeldBy(lease) }),
          uncountMeetings(db, { ...counted, guard: isHeldBy(lease) }),
        ];
  const after =
    status === undefined || !isShown(status) ? [] : [countMeetings(db, { ...counted, guard: isFinishedBy(lease) })];
  const [, ...answers] = await db.batch([lock, ...before, row, ...follow, ...after]);
  const [finished, ...followed] = answers.slice(before.length, answers.length - after.length);
  // The results stand in the statements' order, which the type of a batch that begins with other ones cannot tell.
  return (finished as unknown[]).length === 0 ? undefined : (followed as unknown as Results<T>);
}

/** The second attendee is another connected person from now on, with no answer yet. */
export const replaceOther = (
  db: Db,
  { id, platformId, other, guard }: { id: string; platformId: string; other: string; guard: Guard },
) =>
  db.execute(sql`
    update ${meetingPeople} set user_id = held.user_id, email = ${other}, response_status = 'needsAction', responded_at = null
    from (
      select h.user_id from ${holds} h join ${users} u on u.id = h.user_id join ${meetings} m on m.id = h.meeting_id
      where h.meeting_id = ${id} and m.platform_id = ${platformId} and u.email = ${other} limit 1) held
    where meeting_id = ${id} and position = 1 and ${guard}`);

interface Reserved {
  id: string;
  from: string;
  now: number;
  guard: Guard;
}

const isReserved = ({ id, from, guard }: Reserved) =>
  and(eq(meetings.id, id), eq(meetings.rescheduledFrom, from), eq(meetings.status, 'pending'), guard);

/** The reserved replacement is `scheduled`, at the time its event has. */
export const confirmReplacement = (db: Db, { start, end, dayParts, meetLink, ...replacement }: Reserved & Made) =>
  db
    .update(meetings)
    .set(ending.scheduled({ start, end, dayParts, meetLink, now: replacement.now }))
    .where(isReserved(replacement));

/** The reserved replacement never came to be; another may take the old meeting's place. */
export const abandonReplacement = (db: Db, replacement: Reserved) =>
  db
    .update(meetings)
    .set({ ...ending.failed(replacement), rescheduledFrom: null })
    .where(isReserved(replacement));

/** True for a booking that was given up. */
export const whileFailed = (id: string): Guard =>
  sql`exists (select 1 from meetings m where m.id = ${id} and m.status = 'failed')`;

/** True for a meeting that takes place. */
export const whileLive = (id: string): Guard =>
  sql`exists (select 1 from meetings m where m.id = ${id} and ${isOneOf(sql`m.status`, LIVE_STATUSES)})`;
