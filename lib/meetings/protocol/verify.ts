import type { WebhookEvents } from '../../../schema/answers/render.ts';
import { isLive } from '../../../schema/api/states.ts';
import type { Guard } from '../../../schema/db.ts';
import { saveRemoval, switchEvent } from '../../../schema/meetings/event-answers.ts';
import { ending, finish, isFinishedBy } from '../../../schema/meetings/finish.ts';
import { followAnswers } from '../../../schema/meetings/holds.ts';
import type { Lease, Overdue } from '../../../schema/meetings/lease.ts';
import { listConflicts } from '../../../schema/meetings/list.ts';
import { deleteAfterwards, insertAfterwards } from '../../../schema/meetings/pending-operations.ts';
import { expireMove } from '../../../schema/meetings/proposals-accept.ts';
import { DAY } from '../../engine/time/dates.ts';
import type { Interval } from '../../engine/types.ts';
import type { CalendarEvent } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { dayPartsAt } from '../../person/person.ts';
import { publishEvents } from '../../webhooks/outbox.ts';
import {
  deleteEvent,
  differences,
  invites,
  isAsWanted,
  lookUpEvent,
  putBack,
  readEvent,
  shownIn,
  shownTime,
  tagOf,
} from './calendar-event.ts';
import { commitCancel } from './commit.ts';
import { type Intent, type IntentOf, type MeetingOperation, UndoneIntents } from './intents.ts';
import type { Meeting, WithPeople } from './meeting.ts';
import { CalendarClosed, followHolds, NotYet, undo, VERIFY_AFTER_MS } from './operation.ts';
import {
  CHANGED_IN_CALENDAR,
  cancelledEvent,
  lostInBatch,
  lostJob,
  MOVED_IN_CALENDAR,
  updatedEvent,
} from './webhook-events.ts';

/** Until then Tandem deletes the event, if the deletion had to wait for a person to connect their calendar again. */
const KEPT_FOR_MS = 7 * DAY;

/**
 * Some time after an operation, undoes a delayed call of a booking that was given up or a change that was undone, and
 * deletes the event of a cancelled meeting if Tandem had no access then. Takes over what a person changed in the event
 * meanwhile. Throws `CalendarClosed` while the calendar's owner must connect again, and the calendar's errors.
 */
export async function verify(ctx: Ctx, lease: Lease, meeting: WithPeople<Overdue>): Promise<void> {
  const { id: meetingId } = meeting;
  const undone = Object.values(UndoneIntents.parse(meeting.intent));
  const isKept = meeting.status === 'cancelled' && undone.length === 0;
  if (isKept && meeting.pendingSince <= ctx.clock.now() - KEPT_FOR_MS)
    ctx.log('warn', 'an event was left on a calendar that stayed closed', { meeting_id: meetingId });
  else if (isLive(meeting.status)) {
    if (await isFollowed(ctx, lease, meeting, undone)) return;
  } else if (meeting.status === 'failed' || meeting.status === 'cancelled') {
    await deleteEvent(ctx, meeting.people[0], { ...meeting, id: meeting.providerEventId });
  }
  await finish(ctx.db, lease, ending.unchanged(), [
    deleteAfterwards(ctx.db, { meetingId, kind: 'verify', dueAt: meeting.dueAt, guard: isFinishedBy(lease) }),
  ]);
}

/** A deleted event cancels the meeting. If a delayed call moved it after its undo, moves it back and returns false. */
async function isFollowed(ctx: Ctx, lease: Lease, meeting: WithPeople<Overdue>, undone: Intent[]): Promise<boolean> {
  const [requester, other] = meeting.people;
  const event = await lookUpEvent(ctx, requester, { ...meeting, id: meeting.providerEventId });
  if (event === 'closed') throw new CalendarClosed();
  if (event === 'gone') {
    const ours = undone.find((intent) => intent.kind === 'cancel');
    const calledOff = ours ? undefined : ({ by: 'calendar', reason: 'cancelled_in_calendar' } as const);
    const cancelled = { ...meeting, ...(calledOff && { calledOff }) };
    await commitCancel(ctx, { lease, intent: ours ?? { kind: 'cancel' } }, cancelled, 'deleted');
    return true;
  }
  const late = undone.find(
    (intent) =>
      intent.kind !== 'cancel' && intent.kind !== 'book' && isAsWanted(event, { ...intent, instead: undefined }),
  );
  if (late !== undefined) {
    const instead = late.kind === 'update' ? late.other : undefined;
    const due = { start: meeting.start, end: meeting.end, other: other.email, instead };
    if (!isAsWanted(event, due)) await putBack(ctx, requester, event, due);
    return false;
  }
  await commitFollowed(ctx, lease, meeting, event);
  return true;
}

/**
 * Decided in schema/DECISIONS.md, "Unknown outcomes". The platform had got a 500 for the booking, so an event tells it:
 * a job's own, or for a batch the meeting's result. Once the calendar can be read again, a check corrects a wrong end.
 */
export async function endUnknown(ctx: Ctx, { lease, intent }: MeetingOperation, meeting: Meeting): Promise<void> {
  const { kind } = intent;
  ctx.log('error', 'an outcome stayed unknown and was ended on our side', { meeting_id: meeting.id, kind });
  if (intent.kind === 'cancel') await commitCancel(ctx, { lease, intent }, meeting, 'unknown');
  else await undoUnknown(ctx, { lease, intent }, meeting);
}

async function undoUnknown(ctx: Ctx, operation: MeetingOperation, meeting: Meeting): Promise<void> {
  const { lease, intent } = operation;
  const verifyAt = ctx.clock.now() + VERIFY_AFTER_MS;
  const told = intent.kind === 'book' ? bookingLost(ctx, intent, meeting, isFinishedBy(lease)) : [];
  const isUndone = await undo(ctx, operation, { verifyAt, also: told.map(({ statement }) => statement) });
  if (isUndone) publishEvents(ctx, ...told.filter((one) => 'deliveryId' in one));
}

function bookingLost(ctx: Ctx, { job, batch }: IntentOf<'book'>, meeting: Meeting, guard: Guard) {
  if (job !== undefined) return lostJob(ctx, meeting, job, guard);
  if (batch !== undefined) return [{ statement: lostInBatch(ctx, meeting, batch, guard) }];
  const calledOff = { by: 'tandem', reason: 'outcome_unknown' } as const;
  return [cancelledEvent(ctx, { ...meeting, calendarEvent: 'unknown', calledOff }, guard)];
}

/** The meeting keeps the time that the person chose even if it now overlaps another meeting. */
async function commitFollowed(ctx: Ctx, lease: Lease, meeting: WithPeople<Overdue>, event: CalendarEvent) {
  const { id, people, attendees, providerEventId: from } = meeting;
  const now = ctx.clock.now();
  const guard = isFinishedBy(lease);
  const { start, end } = shownTime(event, meeting, people[0].timeZone);
  const shown = shownIn(event, meeting);
  const changed = differences(meeting, shown);
  const isMoved = start !== meeting.start || end !== meeting.end;
  const isInvited = invites(event, attendees[1]);
  const isOtherNews = isInvited === meeting.isOtherRemoved;
  const reason = isInvited ? 'attendee_added' : 'attendee_removed';
  const toTell = [
    ...(isMoved || changed.length > 0 ? [await changedEvent()] : []),
    // Another event tells a move that came with it.
    ...(isOtherNews ? [told({ by: 'calendar', reason, attendee: attendees[1] }, { start, end })] : []),
  ];
  const isAnyChanged = toTell.length > 0;
  const etag = tagOf(event);
  const change = isAnyChanged
    ? ending.updated({ start, end, shown, now, etag, keepsPeople: true, dayParts: dayPartsAt(people, start) })
    : ending.seen({ etag });
  const finished = await finish(ctx.db, lease, change, [
    ...(isOtherNews ? [saveRemoval(ctx.db, { meetingId: id, removed: !isInvited, guard })] : []),
    ...(isMoved ? [...followHolds(ctx, id, guard), expireMove(ctx.db, { meetingId: id, now, guard })] : []),
    ...(isAnyChanged ? followAnswers(ctx.db, { meetingId: id, guard }) : []),
    ...toTell.map(({ statement }) => statement),
    deleteAfterwards(ctx.db, { meetingId: id, kind: 'verify', dueAt: meeting.dueAt, guard }),
    ...(event.id === from ? [] : switchEvent(ctx.db, { id, from, to: event.id, guard })),
  ]);
  if (finished !== undefined) publishEvents(ctx, ...toTell);

  function told(
    change: Pick<WebhookEvents['meeting.updated'], 'by' | 'reason' | 'attendee' | 'changed' | 'conflicts'>,
    old: Interval = meeting,
  ) {
    return updatedEvent(ctx, { ...meeting, start, end, old, ...change }, guard);
  }

  async function changedEvent() {
    const [only, ...others] = changed;
    if (isMoved) {
      const conflicts = await listConflicts(ctx.db, { ...meeting, start, end });
      return told({ ...MOVED_IN_CALENDAR, changed, conflicts });
    }
    // A link that the calendar made after the booking is no change by a person. If the booking waits for none, it is.
    if (meeting.isLinkPending && only?.name === 'meetLink' && only.before === null && others.length === 0)
      return told({ by: 'calendar', reason: 'meet_link_ready' });
    return told({ ...CHANGED_IN_CALENDAR, changed });
  }
}

/** From this age of a booking on Tandem no longer asks the calendar for the video link. */
const GIVE_UP_AFTER_MS = DAY;

/** The calendar created the link only after the booking. Stores it and notifies the platform. */
export async function reconcileLink(ctx: Ctx, lease: Lease, meeting: WithPeople<Overdue>): Promise<void> {
  const now = ctx.clock.now();
  const guard = isFinishedBy(lease);
  const done = deleteAfterwards(ctx.db, { meetingId: meeting.id, kind: 'link', dueAt: meeting.dueAt, guard });
  // `done` deletes only this run's row. One that a read of the calendar writes meanwhile, with the link, stays.
  const isKnown = meeting.meetLink !== null;
  if (isKnown || !isLive(meeting.status) || meeting.pendingSince < now - GIVE_UP_AFTER_MS) {
    await finish(ctx.db, lease, ending.unchanged(), [done]);
    return;
  }
  const own = { ...meeting, id: meeting.providerEventId };
  const { meetLink, linkPending } = await readEvent(ctx, meeting.people[0], own);
  if (meetLink === null && linkPending) throw new NotYet();
  const event = updatedEvent(ctx, { ...meeting, old: meeting, by: 'calendar', reason: 'meet_link_ready' }, guard);
  // A meeting for which the calendar makes no link is not in a video call either, which a check of the event finds.
  const more =
    meetLink === null
      ? insertAfterwards(ctx.db, { meetingId: meeting.id, kind: 'verify', dueAt: now, now, guard })
      : event.statement;
  const finished = await finish(ctx.db, lease, ending.linked({ meetLink, now }), [more, done]);
  if (finished !== undefined && meetLink !== null) publishEvents(ctx, event);
}
