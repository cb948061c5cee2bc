import { type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { connections } from '../tables/connections.ts';
import { users } from '../tables/users.ts';

export interface Invited {
  platformId: string;
  email: string;
}

export const isConnectedTo = (userId: SQL, platformId: SQL | string): SQL => sql`exists (
  select 1 from ${connections} c where c.user_id = ${userId} and c.platform_id = ${platformId} and c.disconnected_at is null)`;

/**
 * A meeting may take the time of a person (row `p` of `meeting_people`) if they and the organizer are connected to its
 * platform now. A platform may not take the time of anybody else. And nobody follows the calendar of an organizer who
 * is not connected, so the event may be moved or gone, and only the other person's own calendar knows what stands. So
 * it does of an event that somebody stretched beyond a day, which is 25 hours when the clocks go back.
 */
export const mayTakeTime: SQL = sql`(${isConnectedTo(sql`p.user_id`, sql`p.platform_id`)} and exists (
  select 1 from meetings y where y.id = p.meeting_id and y.ends_at <= y.starts_at + interval '25 hours' and ${isConnectedTo(sql`y.organizer_id`, sql`y.platform_id`)}))`;

/**
 * SQL condition that is true if a meeting takes the time of one of its people, a row of `meeting_people` called `p`. It
 * takes no time of somebody who was taken off its event, or who declined it. Only their calendar takes that back: a
 * proposal that moves the meeting can be accepted by its platform, or by nobody when it expires.
 */
export const takesTime: SQL = sql`(${mayTakeTime} and not exists (
  select 1 from event_answers x join meetings y on y.provider_event_id = x.event_id
  where y.id = p.meeting_id and x.user_id = p.user_id and (x.removed or x.response_status = 'declined')))`;

/** A guest who was not erased: the meeting can be changed although they are not connected. */
export const mayBeAbsent = (p: 'q' | 'meeting_people'): SQL =>
  sql`(${sql.raw(p)}.is_guest and not exists (
    select 1 from ${users} e where e.id = ${sql.raw(p)}.user_id and e.ended_at is not null))`;

/** It is null if there is none. */
export const guestId = ({ platformId, email }: Invited): SQL => sql`(
  select g.id from ${users} g where g.guest_of = ${platformId} and g.guest_email = ${email})`;

/** It is null if they never connected to the platform. */
const everConnected = ({ platformId, email }: Invited): SQL => sql`(
  select u.id from ${users} u join ${connections} c on c.user_id = u.id and c.platform_id = ${platformId}
  where u.email = ${email})`;

/** Takes a person who ever connected to the platform, otherwise its guest, otherwise null. */
export const knownPerson = (invited: Invited): SQL => sql`coalesce(${everConnected(invited)}, ${guestId(invited)})`;

/** Somebody who ever connected to the platform is known, and so is its guest. */
export const selectKnown = (db: Db, invited: Invited) =>
  db.execute(sql`select 1 from ${users} u where u.id = ${knownPerson(invited)}`);

/** The row of `users` is called `u`. The platform means a person with the address, or its own guest. */
export const isInvited = ({ platformId, email }: Invited): SQL => sql`(u.ended_at is null and (
  u.email = ${email} or (u.guest_of = ${platformId} and u.guest_email = ${email})))`;

/**
 * Batches about one address on one platform run in turn: invitations of a person who is not connected, and that
 * person's consent, begin with it, so the later one sees the result of the earlier.
 */
export const lockInvited = (db: Db, { platformId, email }: Invited) =>
  db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`guest ${platformId} ${email}`}, 0))`);

/** Does nothing if the platform knows the person. `address` is the made-up one for the column `email`. */
export const insertGuest = (
  db: Db,
  { id, address, now, ...invited }: Invited & { id: string; address: string; now: number },
) =>
  db.execute(sql`
    insert into ${users} (id, email, guest_of, guest_email, created_at)
    select ${id}::text, ${address}::text, ${invited.platformId}::text, ${invited.email}::text, ${at(now)}
    where ${knownPerson(invited)} is null
    on conflict do nothing`);
