import { listMeetingPeople } from '../../schema/meetings/book-queries.ts';
import { isFailed, isFinishedBy, isLive, type Overdue, releaseMeeting } from '../../schema/meetings/claim-queries.ts';
import type { ConnectedPerson } from '../../schema/people/queries.ts';
import { deleteSettlement, insertSettlement } from '../../schema/settlements/queries.ts';
import { retryTransient, withCalendar } from '../calendars/calls.ts';
import type { Ctx } from '../context.ts';
import { CalendarError } from '../ports.ts';
import { confirmCancel } from './confirm-cancel.ts';
import type { Intent } from './intent.ts';
import { lookUp } from './look-up.ts';
import { moveOnCalendar, shows } from './move-on-calendar.ts';
import { twoPeople } from './two-people.ts';
import type { Change } from './undo-change.ts';

/** A call that its sender gave up can reach the calendar this much later. */
export const RECHECK_AFTER_MS = 5 * 60_000;
/** Somebody whose grant has ended can consent again; after that long nobody waits for them. */
const GIVE_UP_AFTER_MS = 7 * 86_400_000;

/** A booking whose event must not stand: the calendar is looked at again, and an event found is deleted. */
export async function scheduleRecheck(ctx: Ctx, meetingId: string, dueAt: number): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.batch([
    insertSettlement(ctx.db, { meetingId, kind: 'recheck', dueAt, now, onlyIf: isFailed(meetingId) }),
  ]);
}

/** A change that may have been undone while its call was on the way: the calendar is looked at again. */
export async function scheduleSecondLook(ctx: Ctx, { hold, intent }: Change, dueAt: number): Promise<void> {
  const { id: meetingId, owner } = hold;
  const about = { meetingId, kind: 'recheck' as const, intent: { [owner]: intent }, onlyIf: isLive(meetingId) };
  await ctx.db.batch([insertSettlement(ctx.db, { ...about, dueAt, now: ctx.clock.now() })]);
}

/** Takes back what a late call did to the calendar of a booking that was given up or a change that was undone. */
export async function settleRecheck(ctx: Ctx, owner: string, meeting: Overdue): Promise<void> {
  const isOver = meeting.settlementCreatedAt <= ctx.clock.now() - GIVE_UP_AFTER_MS;
  if (isOver) ctx.log('warn', 'a calendar could not be looked at again', { meeting_id: meeting.id });
  else if (await wasCancelled(ctx, owner, meeting)) return;
  const hold = { id: meeting.id, owner };
  await ctx.db.batch([
    releaseMeeting(ctx.db, hold),
    deleteSettlement(ctx.db, { meetingId: meeting.id, kind: 'recheck', onlyIf: isFinishedBy(hold) }),
  ]);
}

/** Takes back what is found; true when the meeting itself turned out cancelled. */
async function wasCancelled(ctx: Ctx, owner: string, meeting: Overdue): Promise<boolean> {
  const people = twoPeople(meeting.id, await listMeetingPeople(ctx.db, { meetingId: meeting.id }));
  if (meeting.status === 'failed') await deleteLateEvent(ctx, people[0], meeting.providerEventId);
  const isLive = meeting.status === 'scheduled' || meeting.status === 'updated';
  return isLive && takeBack(ctx, owner, meeting, people);
}

async function deleteLateEvent(ctx: Ctx, requester: ConnectedPerson, eventId: string): Promise<void> {
  await retryTransient(ctx, () =>
    withCalendar(ctx, requester, (token) => ctx.calendar.deleteEvent(token, eventId)),
  ).catch((error: unknown) => {
    if (!(error instanceof CalendarError) || !['not_found', 'gone'].includes(error.kind)) throw error;
  });
}

/** True when the meeting was found cancelled after all; a late deletion cannot be taken back. */
async function takeBack(
  ctx: Ctx,
  owner: string,
  meeting: Overdue,
  [requester, other]: [ConnectedPerson, ConnectedPerson],
): Promise<boolean> {
  const undone = Object.values(meeting.intent) as Intent[];
  const event = await lookUp(ctx, requester, meeting.providerEventId);
  if (event === 'closed') return false;
  if (event === 'gone') {
    if (!undone.some(({ kind }) => kind === 'cancel')) return false;
    await confirmCancel(ctx, { ...meeting, owner, attendees: [requester.email, other.email] });
    return true;
  }
  for (const intent of undone) {
    if (intent.kind === 'cancel' || !shows(event, { ...intent, instead: undefined })) continue;
    const instead = intent.kind === 'update' ? intent.other : undefined;
    const due = { start: meeting.start, end: meeting.end, other: other.email, instead };
    await moveOnCalendar(ctx, requester, meeting.providerEventId, due, { isSent: false });
    return false;
  }
  return false;
}
