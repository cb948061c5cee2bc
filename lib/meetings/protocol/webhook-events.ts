import { slotAt, wholeMinutes } from '../../../schema/answers/meeting-answers.ts';
import type { WebhookEvents } from '../../../schema/answers/render.ts';
import type { Guard } from '../../../schema/db.ts';
import { bookInBatch, failInBatch, wakeBatch } from '../../../schema/meetings/batches-run.ts';
import { endJob } from '../../../schema/meetings/jobs.ts';
import { acceptProposal } from '../../../schema/meetings/proposals-accept.ts';
import { type FoundProposal, selectProposal } from '../../../schema/meetings/proposals-list.ts';
import type { Ctx } from '../../kit/context.ts';
import { insertEvent } from '../../webhooks/outbox.ts';
import { inBatch, SUGGESTIONS } from './failure.ts';
import type { BatchIntent, JobIntent, ProposalIntent } from './intents.ts';
import type { Meeting } from './meeting.ts';

type About<Type extends keyof WebhookEvents> = Omit<WebhookEvents[Type], 'meetingId' | 'at'> & {
  id: string;
  platformId: string;
};

export const scheduledEvent = (ctx: Ctx, meeting: About<'meeting.scheduled'>, guard: Guard) =>
  insertEvent(ctx, 'meeting.scheduled', { ...meeting, meetingId: meeting.id, at: ctx.clock.now() }, guard);

export const MOVED_IN_CALENDAR = { by: 'calendar', reason: 'moved_in_calendar' };

export const CHANGED_IN_CALENDAR = { by: 'calendar', reason: 'changed_in_calendar' };

/** `old` is the time the meeting had. `conflicts` are other meetings that it overlaps after a person moved it. */
export const updatedEvent = (ctx: Ctx, meeting: About<'meeting.updated'>, guard: Guard) =>
  insertEvent(ctx, 'meeting.updated', { ...meeting, meetingId: meeting.id, at: ctx.clock.now() }, guard);

export type CalledOff =
  | { by: 'platform'; reason: 'cancelled_by_platform' }
  | { by: 'attendee'; reason: 'cancelled_by_attendee' }
  | { by: 'calendar'; reason: 'cancelled_in_calendar' }
  | { by: 'tandem'; reason: 'outcome_unknown' };

const BY_PLATFORM: CalledOff = { by: 'platform', reason: 'cancelled_by_platform' };
export const BY_ATTENDEE: CalledOff = { by: 'attendee', reason: 'cancelled_by_attendee' };

type Cancelled = Omit<About<'meeting.cancelled'>, 'by' | 'reason'> & { calledOff?: CalledOff | undefined };

export function cancelledEvent(ctx: Ctx, { calledOff = BY_PLATFORM, ...meeting }: Cancelled, guard: Guard) {
  const { id: meetingId, platformId } = meeting;
  const { by, reason } = calledOff;
  const party = by === 'platform' ? platformId : by;
  const event = { ...meeting, meetingId, at: ctx.clock.now(), by: party, reason };
  return insertEvent(ctx, 'meeting.cancelled', event, guard);
}

type Booked = Omit<Meeting, 'eventEtag'>;

/** They update the job and store its `meeting.scheduling.completed`, in the batch that confirms the meeting. */
export function completedJob(ctx: Ctx, meeting: Booked, { jobId, ...job }: JobIntent, guard: Guard) {
  const now = ctx.clock.now();
  const chosenSlot = slotAt(job.chosenSlot, meeting);
  const made = { ...meeting, ...job, jobId, meetingId: meeting.id, chosenSlot, endedAt: now };
  const { statement, deliveryId, data } = insertEvent(ctx, 'meeting.scheduling.completed', made, guard);
  return { statements: [endJob(ctx.db, { id: jobId, result: data, now, guard }), statement], deliveryId };
}

type FailedJob = WebhookEvents['meeting.scheduling.failed'] & { platformId: string };

/** `data` is the result that the job's row gets in the same batch. */
export const failedJob = (ctx: Ctx, job: Omit<FailedJob, 'endedAt'>, guard: Guard) =>
  insertEvent(ctx, 'meeting.scheduling.failed', { ...job, endedAt: ctx.clock.now() }, guard);

/** Tells that Tandem did not learn within a day whether the meeting was booked. */
const notConfirmed = ({ attendees: [requester] }: Pick<Meeting, 'attendees'>) => ({
  code: 'GOOGLE_API_ERROR' as const,
  message: `The calendar of ${requester} did not confirm the booking within 24 hours, so no meeting was booked.`,
  suggestions: SUGGESTIONS.GOOGLE_API_ERROR,
});

/** They update the job's row and store its event, in the batch that ends the booking. */
export function lostJob(ctx: Ctx, meeting: Meeting, { jobId, acceptedAt }: JobIntent, guard: Guard) {
  const { platformId, attendees, metadata } = meeting;
  const lost = { jobId, platformId, attendees, metadata, acceptedAt, ...notConfirmed(meeting) };
  const event = failedJob(ctx, lost, guard);
  const result = { id: jobId, result: event.data, now: ctx.clock.now(), guard };
  return [{ statement: endJob(ctx.db, result) }, event];
}

/** They count the meeting as booked, in the batch that confirms it, and wake the other. */
export const bookedInBatch = ({ db, clock }: Ctx, { id: meetingId, start, end }: Booked, id: string, guard: Guard) => [
  bookInBatch(db, { meetingId, start, end, guard }),
  wakeBatch(db, { id, now: clock.now(), guard }),
];

/** Runs after the undo of the booking, in the same transaction. */
export function lostInBatch(ctx: Ctx, meeting: Meeting, place: BatchIntent, guard: Guard) {
  const { suggestions, ...failure } = notConfirmed(meeting);
  const reason = { ...failure, suggestions: inBatch(suggestions), relaxations: [] };
  return failInBatch(ctx.db, { ...place, reason, guard });
}

/** They store `proposal.accepted` in the batch that confirms the meeting. `ended` selects the proposal after them. */
export function acceptedProposal(ctx: Ctx, meeting: Booked, { proposalId, timeId }: ProposalIntent, guard: Guard) {
  const now = ctx.clock.now();
  const { id: meetingId, platformId } = meeting;
  const made = { ...meeting, proposalId, meetingId, durationMinutes: wholeMinutes(meeting), at: now };
  const { statement, deliveryId } = insertEvent(ctx, 'proposal.accepted', made, guard);
  return {
    statements: [...acceptProposal(ctx.db, { proposalId, timeId, meetingId, now, guard }), statement],
    ended: selectProposal(ctx.db, { platformId, id: proposalId }),
    deliveryId,
  };
}

export function acceptedIn(results: readonly unknown[]): FoundProposal | undefined {
  // The batch's type cannot say which statement comes last, because most of them are conditional.
  const [proposal] = results.at(-1) as FoundProposal[];
  return proposal;
}
