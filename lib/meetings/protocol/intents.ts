import * as z from 'zod';
import type { Lease } from '../../../schema/meetings/lease.ts';
import type { IdempotentOperation } from '../../../schema/tables/idempotency.ts';
import type { PendingKind } from '../../../schema/tables/pending-operations.ts';

/**
 * Minutes that each person has spent in meetings outside 08:00-18:00 so far, keyed by email address. Absent if fairness
 * did not affect the choice of the time.
 */
const Fairness = z.object({ carried_minutes: z.record(z.string(), z.number()) }).optional();

/**
 * Time that a scheduling job chose for a meeting, with the reasons. It is stored with the booking, so that any process
 * that finishes the booking can report them. `acceptedAt`, in epoch milliseconds, is when the job's request was
 * accepted.
 */
const JobIntent = z.object({
  jobId: z.string(),
  acceptedAt: z.number(),
  chosenSlot: z.object({
    start_time: z.string(),
    end_time: z.string(),
    score: z.number(),
    comfort: z.number().optional(),
    match_quality: z.string(),
  }),
  reasoning: z.string(),
  fairness: Fairness,
});
/**
 * Warnings about the request, for the field `warnings` of its API answer. They are stored before the calendar is
 * changed, so that any process that finishes the operation sends the same answer.
 */
const Warnings = z.array(z.string()).optional();
/**
 * Time of a proposal that a meeting is booked at or moved to. `atExpiry` is true if nobody accepted the time, and
 * Tandem takes it because the proposal expired.
 */
const ProposalIntent = z.object({ proposalId: z.string(), timeId: z.string(), atExpiry: z.boolean() });
/** Meeting of a batch that a booking books. */
const BatchIntent = z.object({ batchId: z.string(), position: z.number() });
export const BookIntent = z.object({
  kind: z.literal('book'),
  job: JobIntent.optional(),
  batch: BatchIntent.optional(),
  proposal: ProposalIntent.optional(),
  warnings: Warnings,
});
/**
 * Stored goal of an update: the meeting's new start and end in epoch milliseconds, and its second attendee after the
 * update (`other`).
 */
const UpdateIntent = z.object({
  kind: z.literal('update'),
  start: z.number(),
  end: z.number(),
  other: z.string().optional(),
  /**
   * UTC month (`YYYY-MM`) whose quota the update uses because it replaces an attendee. Absent if both attendees stay.
   */
  usageMonth: z.string().optional(),
  reason: z.string(),
  /** Metadata changes, keyed by metadata name. A null deletes the pair. */
  metadata: z.record(z.string(), z.string().nullable()).optional(),
  warnings: Warnings,
});
const CancelIntent = z.object({
  kind: z.literal('cancel'),
  /** Set if an attendee cancels the meeting. Absent if the platform does. */
  by: z.literal('attendee').optional(),
});
/**
 * Stored goal of a reschedule: the new meeting that replaces the old one, and the contents of the API answer. Times are
 * in epoch milliseconds.
 */
const RescheduleIntent = z.object({
  kind: z.literal('reschedule'),
  newId: z.string(),
  start: z.number(),
  end: z.number(),
  reasoning: z.string(),
  fairness: Fairness,
  learnedFrom: z.string(),
  /**
   * Parts of the rescheduling reason that Tandem understood. `notUnderstood` has the parts that it did not. Intents
   * that were stored before these two fields existed lack both.
   */
  understood: z
    .array(
      z.object({ quote: z.string(), meaning: z.string(), kind: z.enum(['wanted', 'refused', 'move', 'standing']) }),
    )
    .default([]),
  notUnderstood: z.array(z.string()).default([]),
  proposal: ProposalIntent.optional(),
  warnings: Warnings,
});

export type JobIntent = z.infer<typeof JobIntent>;
export type BatchIntent = z.infer<typeof BatchIntent>;
export type ProposalIntent = z.infer<typeof ProposalIntent>;
export type BookIntent = z.infer<typeof BookIntent>;
export type UpdateIntent = z.infer<typeof UpdateIntent>;
export type CancelIntent = z.infer<typeof CancelIntent>;
export type RescheduleIntent = z.infer<typeof RescheduleIntent>;

/**
 * Goal of a booking, update, cancellation or reschedule, stored before the calendar is changed. It contains everything
 * that another process needs to finish the operation if the request dies.
 */
export const Intent = z.discriminatedUnion('kind', [BookIntent, UpdateIntent, CancelIntent, RescheduleIntent]);
export type Intent = z.infer<typeof Intent>;

/**
 * Goals of operations on a meeting that were undone, keyed by the id under which each operation leased the meeting. A
 * later check of the calendar uses them to recognize a delayed call that took effect after all.
 */
export const UndoneIntents = z.record(z.string(), Intent);

/**
 * A booking or change of a meeting in progress: its goal, and the lease that keeps other processes from changing the
 * meeting.
 */
export interface MeetingOperation<I extends Intent = Intent> {
  lease: Lease;
  intent: I;
}

/**
 * Names of each kind of operation on a meeting in two tables: `key` in the table of idempotency keys, and `pending` in
 * the table of pending calendar work.
 */
const NAMES = {
  book: { key: 'schedule', pending: 'book' },
  update: { key: 'update', pending: 'move' },
  cancel: { key: 'cancel', pending: 'cancel' },
  reschedule: { key: 'reschedule', pending: 'move' },
} as const satisfies Record<Intent['kind'], { key: IdempotentOperation; pending: PendingKind }>;

export const keyOf = ({ lease, intent }: MeetingOperation) => ({
  operation: NAMES[intent.kind].key,
  resourceId: lease.id,
});
export const pendingOf = ({ lease, intent }: MeetingOperation) => ({
  meetingId: lease.id,
  kind: NAMES[intent.kind].pending,
});
