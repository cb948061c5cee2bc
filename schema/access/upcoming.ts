import { type SQL, sql } from 'drizzle-orm';
import { LIVE_STATUSES } from '../api/states.ts';
import { at, isOneOf } from '../columns.ts';
import type { busySnapshots } from '../tables/busy-snapshots.ts';
import { DAY } from '../units.ts';

/**
 * Returns an SQL condition that is true if a live or unfinished meeting that Tandem made is on the user's calendar and
 * did not end more than a day ago. Only such meetings follow changes that people make in the calendar.
 */
export const hasUpcoming = (userId: SQL | typeof busySnapshots.userId, now: number): SQL<boolean> => sql`exists (
  select 1 from meetings m where m.organizer_id = ${userId} and m.ends_at > ${at(now - DAY)}
    and ${isOneOf(sql`m.status`, ['pending', ...LIVE_STATUSES])})`;
