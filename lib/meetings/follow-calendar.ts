import type { ClaimedSnapshot } from '../../schema/busy-snapshots/queries.ts';
import { batch, type Guard, type Statement } from '../../schema/db.ts';
import { countMeetings, uncountMeetings } from '../../schema/meeting-months/queries.ts';
import {
  hasNotDeclined,
  isTokenSaved,
  listOnCalendar,
  markDeclined,
  type OnCalendar,
  saveEventToken,
  saveResponse,
} from '../../schema/meetings/follow-queries.ts';
import { insertAfterwards } from '../../schema/pending-operations/queries.ts';
import { withCalendar } from '../calendars/calls.ts';
import type { Ctx } from '../context.ts';
import { CalendarError, type CalendarEvent, type EventList } from '../ports.ts';
import { publishDelivery } from '../webhooks/outbox.ts';
import { lookUpEvent, shownTime } from './calendar-event.ts';
import { reconcileMeeting } from './reconcile.ts';
import { updatedEvent } from './webhook-events.ts';

const DAY = 86_400_000;

/**
 * Brings back what people did to our meetings in the calendar they stand on, by what changed there since the last time:
 * answers go in at once, with the token that says how far was read; a meeting that was moved or deleted, or has its link now, is marked and
 * then looked up under its lease, as whoever changes it meanwhile goes first. Our own changes show what is known already.
 */
export async function followCalendar(ctx: Ctx, account: ClaimedSnapshot): Promise<void> {
  const { id: userId, eventToken: former } = account;
  const { isWhole, events, token } = await listChanges(ctx, account);
  const now = ctx.clock.now();
  const meetings = events.length === 0 && !isWhole ? [] : await listOnCalendar(ctx.db, { userId, now });
  const guard = isTokenSaved({ userId, token });
  const changes: Change[] = [];
  for (const meeting of meetings) {
    const listed = events.find(({ id }) => id === meeting.eventId);
    // A whole list holds nothing that was deleted.
    const event = listed ?? (isWhole ? await lookUpEvent(ctx, account, meeting.eventId) : undefined);
    if (event !== undefined) changes.push(changesOf(ctx, meeting, event, guard));
  }
  const answered = { meetingIds: changes.flatMap((change) => change.answered ?? []), guard };
  // Nobody else changes them meanwhile: whoever does marks this calendar first, whose row the token's statement holds.
  const hasAnswers = answered.meetingIds.length > 0;
  const { saved } = await batch(ctx.db, {
    saved: saveEventToken(ctx.db, { userId, former, token }),
    ...(hasAnswers && { uncounted: uncountMeetings(ctx.db, answered) }),
    ...Object.fromEntries(changes.flatMap(({ statements }) => statements).map((one, at) => [`change${at}`, one])),
    ...(hasAnswers && { counted: countMeetings(ctx.db, answered) }),
  });
  if (saved.length === 0) return;
  for (const { deliveryIds, toReconcile } of changes) {
    for (const id of deliveryIds) ctx.later(publishDelivery(ctx, id));
    if (toReconcile !== undefined) await reconcileMeeting(ctx, toReconcile);
  }
}

/** What changed since the token; everything where there is none, or it has run out. */
async function listChanges(ctx: Ctx, account: ClaimedSnapshot): Promise<EventList & { isWhole: boolean }> {
  const { eventToken } = account;
  const list = (from: { syncToken: string } | { since: number }) =>
    withCalendar(ctx, account, (accessToken) => ctx.calendar.listChanges(accessToken, from));
  const whole = async () => ({ ...(await list({ since: ctx.clock.now() - DAY })), isWhole: true });
  if (eventToken === null) return whole();
  try {
    return { ...(await list({ syncToken: eventToken })), isWhole: false };
  } catch (error) {
    if (!(error instanceof CalendarError) || error.kind !== 'gone') throw error;
    return whole();
  }
}

interface Change {
  statements: Statement[];
  deliveryIds: string[];
  /** The meeting, if an answer to its invitation is another. */
  answered?: string;
  toReconcile?: string;
}

/** What of an event is not as the meeting has it; one that may not be looked at now is looked up once it may. */
function changesOf(ctx: Ctx, meeting: OnCalendar, event: CalendarEvent | 'gone' | 'closed', guard: Guard): Change {
  const { id: meetingId } = meeting;
  const now = ctx.clock.now();
  const after = (kind: 'verify' | 'link') => ({
    statements: [insertAfterwards(ctx.db, { meetingId, kind, dueAt: now, now, guard })],
    deliveryIds: [],
    toReconcile: meetingId,
  });
  if (typeof event === 'string' || event.status === 'cancelled') return after('verify');
  const shown = shownTime(event, meeting);
  const isMoved = shown.start !== meeting.start || shown.end !== meeting.end;
  const isLinked = meeting.meetLink === null && event.meetLink !== null;
  const answers = meeting.people.map((person) => answerOf(ctx, meeting, person, event, guard));
  const looked = isMoved ? after('verify') : isLinked ? after('link') : undefined;
  return {
    statements: [...answers.flatMap(({ statements }) => statements), ...(looked?.statements ?? [])],
    deliveryIds: answers.flatMap(({ deliveryIds }) => deliveryIds),
    ...(answers.some(({ statements }) => statements.length > 0) && { answered: meetingId }),
    ...(looked && { toReconcile: meetingId }),
  };
}

const RESPONSES = ['needsAction', 'accepted', 'declined', 'tentative'] as const;

/** A person's answer, where it is another; a decline is told to the platform, once. */
function answerOf(
  ctx: Ctx,
  meeting: OnCalendar,
  { email, response: former }: OnCalendar['people'][number],
  event: CalendarEvent,
  guard: Guard,
): Change {
  const given = event.attendees.find((one) => one.email.toLowerCase() === email)?.responseStatus;
  const response = RESPONSES.find((one) => one === given);
  if (response === undefined || response === former) return { statements: [], deliveryIds: [] };
  const now = ctx.clock.now();
  const answered = { meetingId: meeting.id, email, guard };
  const respondedAt = response === 'needsAction' ? null : Math.min(now, event.updatedAt ?? now);
  const saved = saveResponse(ctx.db, { ...answered, response, respondedAt });
  if (response !== 'declined') return { statements: [saved], deliveryIds: [] };
  const attendees = meeting.people.map((one) => one.email) as [string, string];
  const declined = { by: 'calendar', reason: 'attendee_declined', attendee: email };
  const isNew = hasNotDeclined(answered);
  const told = updatedEvent(ctx, { ...meeting, attendees, old: meeting, ...declined }, isNew);
  return {
    statements: [told.statement, markDeclined(ctx.db, { meetingId: meeting.id, now, guard: isNew }), saved],
    deliveryIds: [told.deliveryId],
  };
}
