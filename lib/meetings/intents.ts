import * as z from 'zod';
import type { IdempotentOperation } from '../../schema/idempotency/table.ts';
import type { Lease } from '../../schema/meetings/lease-queries.ts';
import type { PendingKind } from '../../schema/pending-operations/table.ts';

/**
 * The minutes outside 08:00-18:00 that each person has met so far, keyed by email address. Absent if fairness did not
 * affect the choice of the time.
 */
const Fairness = z.object({ carried_minutes: z.record(z.string(), z.number()) }).optional();

/**
 * The slot and reasoning that a scheduling job chose, stored with its booking so that any writer that confirms the
 * booking can report them. `acceptedAt` is in epoch milliseconds.
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
 * Warnings about a request that its API answer contains. They are stored with the intent (the stored goal of the
 * operation), so that every writer that finishes the operation answers the same bytes.
 */
const Warnings = z.array(z.string()).optional();
/** The time of a proposal that a booking accepts. */
const ProposalIntent = z.object({ proposalId: z.string(), timeId: z.string(), atExpiry: z.boolean() });
export const BookIntent = z.object({
  kind: z.literal('book'),
  job: JobIntent.optional(),
  proposal: ProposalIntent.optional(),
  warnings: Warnings,
});
/**
 * The target of a meeting's update. Times are in epoch milliseconds, and `other` is the second attendee after the
 * update.
 */
const UpdateIntent = z.object({
  kind: z.literal('update'),
  start: z.number(),
  end: z.number(),
  other: z.string().optional(),
  /** UTC month (`YYYY-MM`) whose quota the changed pair of attendees uses. Absent if the pair stays. */
  usageMonth: z.string().optional(),
  reason: z.string(),
  /** Metadata changes, keyed by metadata name. A null deletes the pair. */
  metadata: z.record(z.string(), z.string().nullable()).optional(),
  warnings: Warnings,
});
const CancelIntent = z.object({ kind: z.literal('cancel') });
/**
 * The new meeting that replaces a rescheduled one, and the contents of the API answer. Times are in epoch milliseconds.
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
   * Parts of the reason that Tandem understood. `notUnderstood` has the parts that it did not. Intents that were stored
   * before these two fields existed lack both.
   */
  understood: z
    .array(
      z.object({ quote: z.string(), meaning: z.string(), kind: z.enum(['wanted', 'refused', 'move', 'standing']) }),
    )
    .default([]),
  notUnderstood: z.array(z.string()).default([]),
  warnings: Warnings,
});

export type JobIntent = z.infer<typeof JobIntent>;
export type ProposalIntent = z.infer<typeof ProposalIntent>;
export type BookIntent = z.infer<typeof BookIntent>;
export type UpdateIntent = z.infer<typeof UpdateIntent>;
export type CancelIntent = z.infer<typeof CancelIntent>;
export type RescheduleIntent = z.infer<typeof RescheduleIntent>;

/**
 * The stored goal of an operation on a meeting. It has everything that a writer needs to finish the operation without
 * having seen the request.
 */
export const Intent = z.discriminatedUnion('kind', [BookIntent, UpdateIntent, CancelIntent, RescheduleIntent]);
export type Intent = z.infer<typeof Intent>;

/**
 * Intents of operations that were undone, keyed by the owner of each operation's lease. A later check of the calendar
 * uses the intents to find calls that took effect after all.
 */
export const UndoneIntents = z.record(z.string(), Intent);

/** An operation on a meeting, and the lease under which the meeting was reserved for it. */
export interface MeetingOperation<I extends Intent = Intent> {
  lease: Lease;
  intent: I;
}

/**
 * Names of each intent in two tables: its operation in the idempotency keys, and its kind in the pending operations.
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
