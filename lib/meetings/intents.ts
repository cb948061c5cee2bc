import * as z from 'zod';
import type { IdempotentOperation } from '../../schema/idempotency/table.ts';
import type { Lease } from '../../schema/meetings/lease-queries.ts';
import type { PendingKind } from '../../schema/pending-operations/table.ts';

/** By address, the minutes each had carried; absent when there was nothing to share. */
const Fairness = z.object({ carried_minutes: z.record(z.string(), z.number()) }).optional();

/** What a job decided, kept with its booking so that whoever confirms it can tell; `acceptedAt` in epoch milliseconds. */
const JobIntent = z.object({
  jobId: z.string(),
  acceptedAt: z.number(),
  chosenSlot: z.object({
    start_time: z.string(),
    end_time: z.string(),
    score: z.number(),
    match_quality: z.string(),
  }),
  reasoning: z.string(),
  fairness: Fairness,
});
const BookIntent = z.object({ kind: z.literal('book'), job: JobIntent.optional() });
/** Epoch milliseconds; `other` is the second attendee from then on. */
const UpdateIntent = z.object({
  kind: z.literal('update'),
  start: z.number(),
  end: z.number(),
  other: z.string().optional(),
  reason: z.string(),
  /** By key; null for a pair that goes. */
  metadata: z.record(z.string(), z.string().nullable()).optional(),
});
const CancelIntent = z.object({ kind: z.literal('cancel') });
/** The meeting that takes the place, epoch milliseconds, and what the answer says. */
const RescheduleIntent = z.object({
  kind: z.literal('reschedule'),
  newId: z.string(),
  start: z.number(),
  end: z.number(),
  reasoning: z.string(),
  fairness: Fairness,
  learnedFrom: z.string(),
});

export type JobIntent = z.infer<typeof JobIntent>;
export type BookIntent = z.infer<typeof BookIntent>;
export type UpdateIntent = z.infer<typeof UpdateIntent>;
export type CancelIntent = z.infer<typeof CancelIntent>;
export type RescheduleIntent = z.infer<typeof RescheduleIntent>;

/** What an operation was to do, as its row keeps it: all that one who did not see the request needs. */
export const Intent = z.discriminatedUnion('kind', [BookIntent, UpdateIntent, CancelIntent, RescheduleIntent]);
export type Intent = z.infer<typeof Intent>;

/** What a delayed verification looks for: the intents of whoever was undone, by their owners. */
export const UndoneIntents = z.record(z.string(), Intent);

/** An operation on a meeting that was reserved for it. */
export interface Operation<I extends Intent = Intent> {
  lease: Lease;
  intent: I;
}

/** Which key an operation answers, and as what it is pending. */
const NAMES = {
  book: { key: 'schedule', pending: 'book' },
  update: { key: 'update', pending: 'move' },
  cancel: { key: 'cancel', pending: 'cancel' },
  reschedule: { key: 'reschedule', pending: 'move' },
} as const satisfies Record<Intent['kind'], { key: IdempotentOperation; pending: PendingKind }>;

export const keyOf = ({ lease, intent }: Operation) => ({ operation: NAMES[intent.kind].key, resourceId: lease.id });
export const pendingOf = ({ lease, intent }: Operation) => ({ meetingId: lease.id, kind: NAMES[intent.kind].pending });
