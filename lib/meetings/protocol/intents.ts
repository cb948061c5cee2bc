import * as z from 'zod';
import type { StartedKey } from '../../../schema/meetings/idempotency.ts';
import type { Lease } from '../../../schema/meetings/lease.ts';

/** Minutes outside 08:00-18:00 by email. Absent if fairness did not affect the choice of the time. */
const Fairness = z.object({ carried_minutes: z.record(z.string(), z.number()) }).optional();

/** Any process that finishes the booking can report the reasons. `acceptedAt` is in epoch ms. */
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
/** Stored before the calendar is changed, so that any process that finishes the operation sends the same answer. */
const Warnings = z.array(z.string()).optional();
/** `atExpiry`: nobody accepted the time, and Tandem takes it because the proposal expired. */
const ProposalIntent = z.object({ proposalId: z.string(), timeId: z.string(), atExpiry: z.boolean() });
const BatchIntent = z.object({ batchId: z.string(), position: z.number() });
export const BookIntent = z.object({
  kind: z.literal('book'),
  job: JobIntent.optional(),
  batch: BatchIntent.optional(),
  proposal: ProposalIntent.optional(),
  warnings: Warnings,
});
/** Times are in epoch milliseconds. `other` is the second attendee after the update. */
const UpdateIntent = z.object({
  kind: z.literal('update'),
  start: z.number(),
  end: z.number(),
  other: z.string().optional(),
  /** UTC month (`YYYY-MM`) whose quota a new attendee uses. Absent if both attendees stay. */
  usageMonth: z.string().optional(),
  reason: z.string(),
  /** The names are the keys, and a null deletes the pair. */
  metadata: z.record(z.string(), z.string().nullable()).optional(),
  warnings: Warnings,
});
const CancelIntent = z.object({
  kind: z.literal('cancel'),
  /** Set if an attendee cancels the meeting. Absent if the platform does. */
  by: z.literal('attendee').optional(),
});
const RescheduleIntent = z.object({
  kind: z.literal('reschedule'),
  newId: z.string(),
  start: z.number(),
  end: z.number(),
  reasoning: z.string(),
  fairness: Fairness,
  learnedFrom: z.string(),
  understood: z.array(
    z.object({ quote: z.string(), meaning: z.string(), kind: z.enum(['wanted', 'refused', 'move', 'standing']) }),
  ),
  notUnderstood: z.array(z.string()),
  proposal: ProposalIntent.optional(),
  warnings: Warnings,
});

export type JobIntent = z.infer<typeof JobIntent>;
export type BatchIntent = z.infer<typeof BatchIntent>;
export type ProposalIntent = z.infer<typeof ProposalIntent>;

/** Stored before the calendar is changed: all that another process needs to finish if the request dies. */
export const Intent = z.discriminatedUnion('kind', [BookIntent, UpdateIntent, CancelIntent, RescheduleIntent]);
export type Intent = z.infer<typeof Intent>;
export type IntentOf<Kind extends Intent['kind']> = Extract<Intent, { kind: Kind }>;

/** The operation's lease is the key. A later check recognizes a delayed call that took effect after all. */
export const UndoneIntents = z.record(z.string(), Intent);

export interface MeetingOperation<I extends Intent = Intent> {
  lease: Lease;
  intent: I;
}

export const keyOf = ({ lease, intent: { kind } }: MeetingOperation): StartedKey => ({
  operation: kind === 'book' ? 'schedule' : kind,
  resourceId: lease.id,
});
export const pendingOf = ({ lease, intent: { kind } }: MeetingOperation) => ({
  meetingId: lease.id,
  kind: kind === 'update' || kind === 'reschedule' ? ('move' as const) : kind,
});
