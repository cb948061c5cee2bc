import { and, eq, isNotNull, lte, ne, type SQL, sql } from 'drizzle-orm';
import { busySnapshots } from '../busy-snapshots/table.ts';
import { at, isOneOf } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { holds } from '../holds/table.ts';
import { platforms } from '../platforms/table.ts';
import { LIVE_STATUSES } from './status.ts';
import { meetingPeople, meetings } from './table.ts';

const DAY = 86_400_000;
/** What became of a meeting in the calendar is of interest until a day after it. */
const upcoming = (now: number) => sql`tstzrange(${at(now - DAY)}, null)`;

/** Whether a meeting of ours stands on the user's calendar that is not long over. */
export const hasUpcoming = (userId: SQL | typeof busySnapshots.userId, now: number): SQL<boolean> => sql`exists (
  select 1 from ${ownHolds(userId, now)} h join meetings m on m.id = h.meeting_id where m.organizer_id = h.user_id)`;

/** The offset keeps the planner from reading all holds there are, as it would where it hopes to meet one of this person's soon. */
const ownHolds = (userId: SQL | typeof busySnapshots.userId, now: number) =>
  sql`(select h.user_id, h.meeting_id from holds h where h.user_id = ${userId} and h.during && ${upcoming(now)} offset 0)`;

type Response = (typeof meetingPeople.$inferSelect)['responseStatus'];

/** The live meetings that stand on a user's calendar and are not long over, with both people's answers. */
export const listOnCalendar = (db: Db, { userId, now }: { userId: string; now: number }) =>
  db
    .select({
      id: meetings.id,
      platformId: meetings.platformId,
      eventId: meetings.providerEventId,
      start: meetings.startsAt,
      end: meetings.endsAt,
      meetLink: meetings.meetLink,
      metadata: meetings.metadata,
      people: sql<{ email: string; response: Response }[]>`(
        select jsonb_agg(jsonb_build_object('email', p.email, 'response', p.response_status) order by p.position)
        from ${meetingPeople} p where p.meeting_id = ${meetings.id})`,
    })
    .from(meetings)
    .where(
      and(
        sql`${meetings.id} in (
          select h.meeting_id from ${holds} h where h.user_id = ${userId} and h.during && ${upcoming(now)})`,
        eq(meetings.organizerId, userId),
        isOneOf(meetings.status, LIVE_STATUSES),
      ),
    );

export type OnCalendar = Awaited<ReturnType<typeof listOnCalendar>>[number];

/** Statement, first in its batch: what came before this token is dealt with, unless another dealt with it. */
export const saveEventToken = (
  db: Db,
  { userId, former, token }: { userId: string; former: string | null; token: string },
) =>
  db
    .update(busySnapshots)
    .set({ eventToken: token })
    .where(and(eq(busySnapshots.userId, userId), sql`${busySnapshots.eventToken} is not distinct from ${former}`))
    .returning({ userId: busySnapshots.userId });

/** True behind `saveEventToken` exactly when it went in. */
export const isTokenSaved = ({ userId, token }: { userId: string; token: string }): Guard =>
  sql`exists (select 1 from busy_snapshots s where s.user_id = ${userId} and s.event_token = ${token})`;

interface Answered {
  meetingId: string;
  email: string;
  guard: Guard;
}

/** While this person of the meeting has not declined it. */
export const hasNotDeclined = ({ meetingId, email, guard }: Answered): Guard => sql`${guard} and exists (
  select 1 from meeting_people p where p.meeting_id = ${meetingId} and p.email = ${email} and p.response_status <> 'declined')`;

/** Statement: what a person answered to the invitation, and when. */
export const saveResponse = (
  db: Db,
  { meetingId, email, guard, response, respondedAt }: Answered & { response: Response; respondedAt: number | null },
) =>
  db
    .update(meetingPeople)
    .set({ responseStatus: response, respondedAt })
    .where(
      and(
        eq(meetingPeople.meetingId, meetingId),
        eq(meetingPeople.email, email),
        ne(meetingPeople.responseStatus, response),
        guard,
      ),
    );

/** Statement, behind a decline: it is to be answered as the platform chose, where it chose more than to hear of it. */
export const markDeclined = (db: Db, { meetingId, now, guard }: { meetingId: string; now: number; guard: Guard }) =>
  db
    .update(meetings)
    .set({ declineDueAt: now })
    .where(
      and(
        eq(meetings.id, meetingId),
        guard,
        sql`exists (select 1 from ${platforms} p where p.id = ${meetings.platformId} and p.on_decline <> 'notify')`,
      ),
    );

/** Takes the declined meeting that has waited longest for its platform's choice; tried again by `again`, if it is still there. */
export async function claimDeclined(db: Db, { now, again }: { now: number; again: number }) {
  const [claimed] = await db
    .update(meetings)
    .set({ declineDueAt: again })
    .from(platforms)
    .where(
      and(
        eq(platforms.id, meetings.platformId),
        sql`${meetings.id} = (
          select m.id from meetings m where m.decline_due_at <= ${at(now)}
          order by m.decline_due_at limit 1 for update skip locked)`,
      ),
    )
    .returning({
      id: meetings.id,
      status: meetings.status,
      start: meetings.startsAt,
      updatedAt: meetings.updatedAt,
      isReplacement: sql<boolean>`${isNotNull(meetings.rescheduledFrom)}`,
      declinedBy: sql<string | null>`(
        select p.email from ${meetingPeople} p
        where p.meeting_id = ${meetings.id} and p.response_status = 'declined' order by p.position desc limit 1)`,
      onDecline: platforms.onDecline,
      platform: {
        id: platforms.id,
        name: platforms.name,
        email: platforms.email,
        plan: platforms.plan,
        redirectUris: platforms.redirectUris,
      },
    });
  return claimed;
}

/** The decline of a meeting is answered. */
export const endDecline = (db: Db, { id, now }: { id: string; now: number }) =>
  db
    .update(meetings)
    .set({ declineDueAt: null })
    .where(and(eq(meetings.id, id), lte(sql`${at(now)}`, meetings.declineDueAt)));
