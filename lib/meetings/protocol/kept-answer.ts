import {
  isoUtc,
  type Shown as ShownProposal,
  toConflictAnswer,
  toProposalAnswer,
} from '../../../schema/answers/meeting-answers.ts';
import type { AcceptedBatch } from '../../../schema/api/batches.ts';
import { ERRORS } from '../../../schema/api/http-errors.ts';
import type { CancelledMeeting, RescheduledMeeting, UpdatedMeeting } from '../../../schema/api/meetings.ts';
import type { MadeProposal } from '../../../schema/api/proposals.ts';
import type { AcceptedJob, BookedMeeting } from '../../../schema/api/schedule.ts';
import type { Guard } from '../../../schema/db.ts';
import {
  type Answered,
  claimAnsweredKey,
  deleteExpiredKey,
  findKey,
  finishKey,
  type IdempotentRequest,
} from '../../../schema/meetings/idempotency.ts';
import type { Conflict } from '../../../schema/meetings/list.ts';
import type { ReadWhen } from '../../availability/asked-times.ts';
import type { Ctx } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { KEPT_MS } from '../../kit/kept-for.ts';
import { type IntentOf, keyOf, type MeetingOperation } from './intents.ts';
import type { Meeting } from './meeting.ts';

const WINDOW_MS = KEPT_MS.answersUnderKeys;

export interface Request {
  idempotency?: IdempotentRequest | undefined;
  warnings?: string[] | undefined;
}

/** The first answer and its stored copy are both made here, so they cannot differ. */
export const inBytes = (status: number, answer: unknown): Answered => ({ status, body: JSON.stringify(answer) });

/** Returns undefined for an error that is not stored (`ERRORS`), because a retry of the same request may succeed. */
export function keptRefusal(error: unknown, render: (refusal: AppError) => object): Answered | undefined {
  if (!(error instanceof AppError)) return undefined;
  const row = ERRORS[error.code];
  return 'keeps' in row && row.keeps ? inBytes(row.status, render(error)) : undefined;
}

/** A crash cannot leave the answer without the change, or the change without the answer. */
export const keepAnswer = (ctx: Ctx, operation: MeetingOperation, answer: object, guard: Guard) =>
  finishKey(ctx.db, { ...keyOf(operation), guard, ...inBytes(200, answer) });

/** Serves a refusal, or an operation of only one batch. The batch fails if the key was used before. */
export const keepAtOnce = (ctx: Ctx, request: IdempotentRequest, answer: Answered, resourceId: string | null) =>
  claimAnsweredKey(ctx.db, { ...request, ...answer, resourceId, now: ctx.clock.now() });

export async function remember(ctx: Ctx, request: IdempotentRequest, answer: Answered, since: number): Promise<void> {
  const ttlSeconds = Math.floor((since + WINDOW_MS - ctx.clock.now()) / 1_000);
  if (ttlSeconds > 0)
    await ctx.answers.keep(nameOf(request), { fingerprint: request.fingerprint, ...answer }, ttlSeconds);
}

/** The lease of the request with the idempotency key ends at `leaseUntil`, in epoch milliseconds. */
interface Writer {
  meetingId: string | null;
  leaseUntil: number | null;
}

/**
 * Returns undefined if nobody used the key, or without an answer. Throws `idempotency_key_reused` for a different
 * request, and the errors of `waitForIt`.
 */
export async function replay(ctx: Ctx, request: IdempotentRequest, waitForIt: (writer: Writer) => Promise<void>) {
  const remembered = await ctx.answers.find(nameOf(request));
  if (remembered !== undefined) return matching(request, remembered);
  for (;;) {
    const now = ctx.clock.now();
    const row = await findKey(ctx.db, request);
    if (row === undefined) return undefined;
    if (row.state === 'done' && row.createdAt <= now - WINDOW_MS) {
      await deleteExpiredKey(ctx.db, { ...request, before: now - WINDOW_MS + 1 });
      return undefined;
    }
    matching(request, row);
    if (row.status !== null && row.body !== null) {
      const answer = { status: row.status, body: row.body };
      ctx.later(remember(ctx, request, answer, row.createdAt));
      return answer;
    }
    await waitForIt({ meetingId: row.resourceId, leaseUntil: row.leaseUntil });
  }
}

function matching<T extends { fingerprint: string }>(request: IdempotentRequest, found: T): T {
  if (found.fingerprint === request.fingerprint) return found;
  throw new AppError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for a different request. Use a new Idempotency-Key for each new request.',
  );
}

const nameOf = ({ platformId, operation, key }: IdempotentRequest) => `${platformId}:${operation}:${key}`;

type Warnings = readonly string[] | undefined;

const withWarnings = <Body extends object>(body: Body, warnings: Warnings) =>
  warnings === undefined || warnings.length === 0 ? body : { ...body, warnings: [...warnings] };

type Updated = Pick<Meeting, 'id' | 'start' | 'end' | 'attendees' | 'metadata'>;
type Scheduled = Updated & Pick<Meeting, 'title' | 'location' | 'meetLink'> & { conflicts: Conflict[] };

export const toScheduledAnswer = (meeting: Scheduled, warnings: Warnings): BookedMeeting =>
  withWarnings(
    {
      success: true,
      meeting_id: meeting.id,
      start_time: isoUtc(meeting.start),
      end_time: isoUtc(meeting.end),
      title: meeting.title,
      attendees: meeting.attendees,
      location: meeting.location,
      meet_link: meeting.meetLink,
      metadata: meeting.metadata,
      conflicts: meeting.conflicts.map(toConflictAnswer),
    },
    warnings,
  );

export const toProposedAnswer = (proposal: ShownProposal, url: string, warnings: Warnings): MadeProposal =>
  withWarnings(toProposalAnswer(proposal, url), warnings);

export const toReadWhen = (read: ReadWhen | undefined) =>
  read === undefined ? {} : { understood: read.understood, not_understood: read.notUnderstood };

const ESTIMATED_SECONDS = 10;

export const toAcceptedAnswer = (jobId: string, read: ReadWhen | undefined, warnings: Warnings): AcceptedJob =>
  withWarnings(
    {
      job_id: jobId,
      status: 'processing',
      message: 'Tandem is choosing a time. The result arrives by webhook and at GET /v1/jobs/{job_id}.',
      estimated_completion_seconds: ESTIMATED_SECONDS,
      webhook_event: 'meeting.scheduling.completed',
      ...toReadWhen(read),
    },
    [...(warnings ?? []), ...(read?.warnings ?? [])],
  );

export const toAcceptedBatch = ({ id, total }: { id: string; total: number }, warnings: Warnings): AcceptedBatch =>
  withWarnings({ batch_id: id, status: 'processing', total }, warnings);

export const toUpdatedAnswer = (meeting: Updated, warnings: Warnings): UpdatedMeeting =>
  withWarnings(
    {
      success: true,
      meeting_id: meeting.id,
      start_time: isoUtc(meeting.start),
      end_time: isoUtc(meeting.end),
      attendees: meeting.attendees,
      metadata: meeting.metadata,
      status: 'updated',
    },
    warnings,
  );

export const toCancelledAnswer = (id: string, calendarEvent: CancelledMeeting['calendar_event']): CancelledMeeting => ({
  success: true,
  meeting_id: id,
  status: 'cancelled',
  calendar_event: calendarEvent,
});

export const toRescheduledAnswer = (intent: IntentOf<'reschedule'>): RescheduledMeeting => {
  const { newId, start, fairness, warnings } = intent;
  const { reasoning, ...read } = toReadReason(intent);
  const moved = { success: true as const, new_meeting_id: newId, new_meeting_time: isoUtc(start) };
  return withWarnings({ ...moved, reasoning, fairness, ...read }, warnings);
};

type ReadReason = Pick<IntentOf<'reschedule'>, 'reasoning' | 'learnedFrom' | 'understood' | 'notUnderstood'>;

export const toReadReason = ({ reasoning, learnedFrom, understood, notUnderstood }: ReadReason) => ({
  reasoning,
  learned_from: learnedFrom,
  understood,
  not_understood: notUnderstood,
});
