import { Hono } from 'hono';
import type { Relaxation } from '../../lib/engine/rules/relaxations.ts';
import { acceptBatch, cancelBatch, commitBatch, readBatch } from '../../lib/meetings/index.ts';
import { isoUtc } from '../../schema/answers/meeting-answers.ts';
import { toDateRange } from '../../schema/api/availability.ts';
import * as api from '../../schema/api/batches.ts';
import { toPagination } from '../../schema/api/paging.ts';
import type { BatchCounts, ListedMeeting } from '../../schema/meetings/batches.ts';
import type { BatchReason } from '../../schema/tables/batches.ts';
import { isoOrNull, progressOf, toRelaxationAnswers } from '../http/answers.ts';
import type { AppEnv } from '../http/env.ts';
import { serve, serveOnce } from '../http/serve.ts';

export const batches = new Hono<AppEnv>();

serveOnce(
  batches,
  api.scheduleBatch,
  // A retry may arrive after the dates have passed, and must still get its first answer.
  { name: 'schedule.batch', lookFirst: ({ body }) => body.date_range !== undefined },
  ({ ctx, platform, body, idempotency, warnings }) =>
    acceptBatch(ctx, platform, {
      options: { dateRange: toDateRange(body), maxPerPerson: body.max_per_person, maxPerDay: body.max_per_day },
      isDryRun: body.dry_run,
      meetings: body.meetings.map(({ reference, attendees, duration_minutes, metadata = {}, ...request }) => ({
        reference,
        attendees,
        request: { ...request, durationMinutes: duration_minutes, metadata },
      })),
      idempotency,
      warnings,
    }),
);

serve(batches, api.getBatch, async ({ ctx, platform, params, query: { limit, cursor } }) => {
  const of = { id: params.batch_id, limit, after: cursor?.at };
  const { batch, counts, meetings, next } = await readBatch(ctx, platform, of);
  return {
    batch_id: batch.id,
    status: batch.status,
    dry_run: batch.isDryRun,
    total: batch.total,
    counts: toCounts(counts),
    progress: progressOf(counts, batch),
    created_at: isoUtc(batch.createdAt),
    committed_at: isoOrNull(batch.committedAt),
    ended_at: isoOrNull(batch.endedAt),
    meetings: meetings.map(toResult),
    pagination: toPagination(next),
  };
});

serve(batches, api.commitBatch, async ({ ctx, platform, params }) => {
  const { id, total } = await commitBatch(ctx, platform, params.batch_id);
  return { batch_id: id, status: 'processing' as const, total };
});

serve(batches, api.cancelBatch, async ({ ctx, platform, params }) => {
  const { batch, counts } = await cancelBatch(ctx, platform, params.batch_id);
  return { success: true as const, batch_id: batch.id, status: 'cancelled' as const, counts: toCounts(counts) };
});

const toCounts = ({ open, placed, booked, unplaced, failed, cancelled }: BatchCounts) => ({
  ...{ open, placed, booked },
  ...{ unplaced, failed, cancelled },
});

/** The search engine wrote them, so the cast is safe. */
const relaxationsOf = ({ relaxations }: BatchReason) => relaxations as Relaxation[];

const toResult = ({ reason, ...meeting }: ListedMeeting) => ({
  reference: meeting.reference,
  attendees: [meeting.requesterEmail, meeting.otherEmail],
  state: meeting.state,
  start_time: isoOrNull(meeting.startsAt),
  end_time: isoOrNull(meeting.endsAt),
  meeting_id: meeting.state === 'booked' ? meeting.meetingId : null,
  reason: reason && {
    code: reason.code,
    message: reason.message,
    suggestions: reason.suggestions,
    relaxations: toRelaxationAnswers(relaxationsOf(reason)),
  },
});
