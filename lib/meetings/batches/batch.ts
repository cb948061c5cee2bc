import * as z from 'zod';
import {
  type BatchMeetingRow,
  forgetAskingForBatches,
  type LeasedBatch,
  takeDueBatches,
} from '../../../schema/meetings/batches-run.ts';
import { CONTEXTS, type MeetingContext } from '../../engine/rank/contexts.ts';
import type { Platform } from '../../kit/context.ts';
import type { QueueMessage } from '../../kit/ports.ts';
import { type Queued, queueOf } from '../protocol/queued.ts';

const MeetingRequest = z.object({
  durationMinutes: z.number(),
  title: z.string().optional(),
  context: z.custom<MeetingContext>((context) => typeof context === 'string' && context in CONTEXTS).optional(),
  priority: z.number(),
  metadata: z.record(z.string(), z.string()),
});
export type MeetingRequest = z.infer<typeof MeetingRequest>;

export interface Run {
  id: string;
  owner: string;
  batch: LeasedBatch;
  platform: Platform;
}

/** A meeting of a batch that has no end yet. `start` and `end` are those of its place, 0 without one. */
export interface BatchMeeting extends MeetingRequest {
  position: number;
  attendees: [string, string];
  failures: number;
  misses: number;
  start: number;
  end: number;
}

export const meetingOf = (row: BatchMeetingRow): BatchMeeting => ({
  ...MeetingRequest.parse(row.request),
  position: row.position,
  attendees: [row.requesterEmail, row.otherEmail],
  failures: row.failures,
  misses: row.misses,
  start: row.startsAt ?? 0,
  end: row.endsAt ?? 0,
});

/** Path of the Worker to which the queue posts the message that runs a batch. */
const RUN_BATCH_PATH = '/internal/run-batch';

/** Largest number of batches published in one call to the queue. */
const AT_ONCE = 50;
/** Largest number of one platform's batches published in one call to the queue. */
const OF_ONE_PLATFORM = 10;
/** Largest number of concurrent runs of one platform's batches. A batch itself has one run at a time. */
const PARALLELISM = 2;

/** Returns the queue message that runs a batch. The queue limits concurrent runs separately for each platform. */
const messageFor = ({ id, platformId }: Queued): QueueMessage => ({
  path: RUN_BATCH_PATH,
  body: { batch_id: id },
  lane: { key: `batches.${platformId}`, parallelism: PARALLELISM },
});

export const { publish: publishBatch, sweep: sweepBatches } = queueOf({
  chore: 'batches',
  atOnce: { limit: AT_ONCE, each: OF_ONE_PLATFORM },
  take: takeDueBatches,
  messageFor,
  forgetAsking: forgetAskingForBatches,
  leave: (ctx, id, error) => ctx.log('warn', 'batch left to the sweep', { batch_id: id, error }),
});
