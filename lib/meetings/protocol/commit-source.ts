import { slotAt, wholeMinutes } from '../../../schema/answers/meeting-answers.ts';
import type { Guard } from '../../../schema/db.ts';
import { bookInBatch, failInBatch, wakeBatch } from '../../../schema/meetings/batches-booking.ts';
import { completeJob, failJobOfMeeting } from '../../../schema/meetings/jobs.ts';
import { acceptProposal } from '../../../schema/meetings/proposals-accept.ts';
import { type FoundProposal, selectProposal } from '../../../schema/meetings/proposals-list.ts';
import type { Interval } from '../../engine/types.ts';
import type { Ctx } from '../../kit/context.ts';
import { insertEvent } from '../../webhooks/outbox.ts';
import { ADVICE, SUGGESTIONS } from './failure.ts';
import type { BatchIntent, JobIntent, ProposalIntent } from './intents.ts';
import type { Meeting } from './meeting.ts';

type Lost = Pick<Meeting, 'platformId' | 'attendees' | 'metadata'>;
type Booked = Lost & Pick<Meeting, 'id' | 'providerEventId' | 'meetLink' | 'start' | 'end'>;

/** They update the job and store its `meeting.scheduling.completed`, in the batch that confirms the meeting. */
export function completedJob(ctx: Ctx, meeting: Booked, job: JobIntent, guard: Guard) {
  const now = ctx.clock.now();
  const { id: meetingId, platformId, attendees, metadata, providerEventId, meetLink } = meeting;
  const { jobId, acceptedAt, reasoning, fairness } = job;
  const chosenSlot = slotAt(job.chosenSlot, meeting);
  const made = { meetingId, providerEventId, meetLink, chosenSlot, reasoning, fairness };
  const { statement, deliveryId, data } = insertEvent(ctx, {
    platformId,
    type: 'meeting.scheduling.completed',
    event: { jobId, attendees, metadata, acceptedAt, endedAt: now, ...made },
    guard,
  });
  return { statements: [completeJob(ctx.db, { id: jobId, result: data, now, guard }), statement], deliveryId };
}

/** They update the job's row and store its event, in the batch that ends the booking. */
export function lostJob(ctx: Ctx, meeting: Lost, { jobId, acceptedAt }: JobIntent, guard: Guard) {
  const now = ctx.clock.now();
  const { platformId, attendees, metadata } = meeting;
  const failure = {
    code: 'GOOGLE_API_ERROR' as const,
    message: `The calendar of ${attendees[0]} did not confirm the booking within 24 hours, so no meeting was booked.`,
    suggestions: SUGGESTIONS.GOOGLE_API_ERROR,
  };
  const { statement, deliveryId, data } = insertEvent(ctx, {
    platformId,
    type: 'meeting.scheduling.failed',
    event: { jobId, attendees, metadata, acceptedAt, endedAt: now, ...failure },
    guard,
  });
  return { statements: [failJobOfMeeting(ctx.db, { id: jobId, result: data, now, guard }), statement], deliveryId };
}

interface Cancelled extends Omit<Lost, 'attendees'> {
  id: string;
  attendees: string[];
  acceptedAt: number;
  booking: 'none' | 'withdrawn';
}

/** Has the result, `meeting.scheduling.failed`, and the statement for the batch that undoes the job's booking. */
export function cancelledJob(ctx: Ctx, { id: jobId, platformId, ...job }: Cancelled, guard: Guard) {
  const message =
    job.booking === 'none'
      ? 'The job was cancelled before it booked a meeting.'
      : 'The job was cancelled while it was booking a meeting, so the booking was withdrawn.';
  const event = insertEvent(ctx, {
    platformId,
    type: 'meeting.scheduling.failed',
    event: { ...job, jobId, endedAt: ctx.clock.now(), code: 'CANCELLED', message, suggestions: SUGGESTIONS.CANCELLED },
    guard,
  });
  const result = event.data;
  return { result, event, statement: (now: number) => failJobOfMeeting(ctx.db, { id: jobId, result, now, guard }) };
}

/** They count the meeting as booked, in the batch that confirms it, and wake the other. */
export const bookedInBatch = (
  { db, clock }: Ctx,
  { id: meetingId, start, end }: Interval & { id: string },
  { batchId: id }: BatchIntent,
  guard: Guard,
) => [bookInBatch(db, { meetingId, start, end, guard }), wakeBatch(db, { id, now: clock.now(), guard })];

/** Nobody learned within a day whether it was booked. Runs after the undo of the booking, in the same transaction. */
export const lostInBatch = (
  ctx: Ctx,
  { attendees: [requester] }: { attendees: [string, string] },
  place: BatchIntent,
  guard: Guard,
) =>
  failInBatch(ctx.db, {
    ...place,
    reason: {
      code: 'GOOGLE_API_ERROR',
      message: `The calendar of ${requester} did not confirm the booking within 24 hours, so no meeting was booked.`,
      suggestions: ADVICE.GOOGLE_API_ERROR,
      relaxations: [],
    },
    guard,
  });

type Accepted = Pick<
  Meeting,
  'id' | 'platformId' | 'attendees' | 'details' | 'title' | 'location' | 'metadata' | 'meetLink' | 'start' | 'end'
>;

/** They store `proposal.accepted` in the batch that confirms the meeting. `ended` selects the proposal after them. */
export function acceptedProposal(ctx: Ctx, meeting: Accepted, { proposalId, timeId }: ProposalIntent, guard: Guard) {
  const now = ctx.clock.now();
  const { id: meetingId, platformId, ...about } = meeting;
  const { attendees, details, title, location, metadata, meetLink, start, end } = about;
  const { statement, deliveryId } = insertEvent(ctx, {
    platformId,
    type: 'proposal.accepted',
    event: {
      ...{ proposalId, meetingId, attendees, details, title, location, metadata, meetLink, start, end },
      durationMinutes: wholeMinutes(meeting),
      at: now,
    },
    guard,
  });
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
