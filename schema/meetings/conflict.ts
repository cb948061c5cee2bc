import { and, asc, eq, gt, inArray, lt, ne, sql } from 'drizzle-orm';
import { LIVE_STATUSES } from '../api/states.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { holds } from '../tables/holds.ts';
import { meetings } from '../tables/meetings.ts';
import { users } from '../tables/users.ts';

interface Booking {
  platformId: string;
  /** It is left out, because a meeting does not conflict with itself. */
  id: string;
  attendees: [string, string];
  start: number;
  end: number;
}

/** Lists only live ones of the same platform, by start time, with the address of the person whose meeting it is. */
export const listConflicts = (db: Db, { platformId, id, attendees, start, end }: Booking) =>
  db
    .selectDistinct({ email: users.email, meetingId: meetings.id, start: meetings.startsAt, end: meetings.endsAt })
    .from(users)
    .innerJoin(holds, and(eq(holds.userId, users.id), sql`${holds.during} && tstzrange(${at(start)}, ${at(end)})`))
    .innerJoin(meetings, eq(meetings.id, holds.meetingId))
    .where(
      and(
        inArray(users.email, attendees),
        eq(meetings.platformId, platformId),
        ne(meetings.id, id),
        inArray(meetings.status, LIVE_STATUSES),
        lt(meetings.startsAt, end),
        gt(meetings.endsAt, start),
      ),
    )
    .orderBy(asc(meetings.startsAt), asc(meetings.id), asc(users.email));

export type Conflict = Awaited<ReturnType<typeof listConflicts>>[number];
