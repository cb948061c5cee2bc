import { sql } from 'drizzle-orm';
import { mayTakeTime } from '../access/people-guest.ts';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { holds } from '../tables/holds.ts';
import { meetingPeople, meetings } from '../tables/meetings.ts';
import { users } from '../tables/users.ts';
import { reserveOwnTimes } from './holds.ts';

interface Connecting {
  platformId: string;
  /** The person who connects to the platform. */
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
 * Builds a statement that reserves the time of a person's meetings on a platform to which the person connects: their own
 * time, and that of the people whom they invited. It must follow `keepTheirAccess` and the statement that connects the
 * person. The time is reserved even if it is taken, because the calendar has these meetings already. What the calendar
 * shows differently is followed at once, for which the consent makes it due.
 */
export const holdMeetings = (db: Db, connecting: Connecting) =>
  db.execute(sql`
    ${reserveOwnTimes} and m.id in ${ownMeetings(connecting)}
      and m.status in ('pending', 'scheduled', 'updated')
      and not exists (select 1 from ${holds} h where h.meeting_id = m.id and h.user_id = p.user_id)
    order by m.id, p.user_id
    on conflict do nothing`);

/**
 * Follows the statement that ends the connections, and frees the time of whom the person invited too. A meeting that is
 * being booked or changed keeps its times until `finish`, so that nothing else is booked over it.
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
