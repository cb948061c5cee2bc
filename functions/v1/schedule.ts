import { Hono } from 'hono';
import type { ReadWhen } from '../../lib/availability/asked-times.ts';
import { explainAvailability, findAvailability } from '../../lib/availability/search.ts';
import type { Relaxation } from '../../lib/engine/rules/relaxations.ts';
import * as domain from '../../lib/meetings/index.ts';
import type { ExplanationInWords } from '../../lib/words/explanation.ts';
import { isoUtc } from '../../schema/answers/meeting-answers.ts';
import * as availabilityApi from '../../schema/api/availability.ts';
import * as batchesApi from '../../schema/api/batches.ts';
import { toPagination } from '../../schema/api/paging.ts';
import { toTimesGiven } from '../../schema/api/reading.ts';
import * as api from '../../schema/api/schedule.ts';
import type { BatchCounts, ListedMeeting } from '../../schema/meetings/batches.ts';
import { progressOf, toCalendarAnswer, toSlotAnswer } from '../http/answers.ts';
import type { AppEnv } from '../http/env.ts';
import { serve, serveOnce } from '../http/serve.ts';

export const schedule = new Hono<AppEnv>();

const isoOrNull = (instant: number | null) => (instant === null ? null : isoUtc(instant));

serveOnce(
  schedule,
  api.scheduleMeeting,
  // A retry may arrive after the start has passed, and must still get its first answer.
  { name: 'schedule', lookFirst: ({ ctx, body }) => body.start_time <= ctx.clock.now() },
  async ({ ctx, platform, body, idempotency, warnings }) => {
    domain.assertStart(body.start_time, ctx.clock.now());
    return domain.scheduleMeeting(ctx, platform, {
      attendees: body.attendees,
      start: body.start_time,
      durationMinutes: body.duration_minutes,
      title: body.title,
      description: body.description ?? null,
      location: body.location,
      metadata: body.metadata ?? {},
      requireFree: body.require_free,
      idempotency,
      warnings,
    });
  },
);

serveOnce(
  schedule,
  api.scheduleAutomatically,
  { name: 'schedule.auto' },
  ({ ctx, platform, body, idempotency, warnings }) => {
    const { duration_minutes: durationMinutes, metadata = {}, when, time_ranges, ...request } = body;
    const times = toTimesGiven({ when, time_ranges });
    return domain.acceptJob(ctx, platform, { ...request, durationMinutes, metadata }, { idempotency, warnings, times });
  },
);

serve(schedule, api.getJob, async ({ ctx, platform, params }) => {
  const { id, status, createdAt, completedAt, result } = await domain.readJob(ctx, platform, params.job_id);
  return { job_id: id, status, created_at: isoUtc(createdAt), completed_at: isoOrNull(completedAt), result };
});

serve(schedule, api.cancelJob, async ({ ctx, platform, params }) => {
  const { id, booking, completedAt } = await domain.cancelJob(ctx, platform, params.job_id);
  return { success: true as const, job_id: id, status: 'failed' as const, booking, completed_at: isoUtc(completedAt) };
});

serve(schedule, availabilityApi.findAvailability, async ({ ctx, platform, query, body }) => {
  const found = await findAvailability(ctx, platform, {
    attendees: body.attendees,
    durationMinutes: body.duration_minutes,
    dateRange: availabilityApi.toDateRange(body),
    ...toTimesGiven(body),
    context: body.context,
    isFresh: query.fresh,
  });
  return {
    slots: found.slots.map(toSlotAnswer),
    total_found: found.slots.length,
    search_window: found.window,
    message: found.message,
    relaxations: found.relaxations?.flatMap(toRelaxationAnswer),
    suggested_title: found.suggestedTitle,
    calendars: found.calendars.map(toCalendarAnswer),
    ...toReadingAnswer(found.read),
  };
});

serve(schedule, availabilityApi.explainAvailability, async ({ ctx, platform, query, body }) => {
  const { explanation, window, calendars, read } = await explainAvailability(ctx, platform, {
    attendees: body.attendees,
    isFresh: query.fresh,
    start: body.start_time,
    durationMinutes: body.duration_minutes,
    dateRange: availabilityApi.toDateRange(body),
    ...toTimesGiven(body),
  });
  const { offered, free, against } = explanation;
  return {
    offered,
    free,
    against,
    ...(explanation.free ? toPlaceAnswer(explanation) : {}),
    search_window: window,
    calendars: calendars.map(toCalendarAnswer),
    ...toReadingAnswer(read),
  };
});

const toPlaceAnswer = (place: Extract<ExplanationInWords, { free: true }>) => ({
  rank: place.rank,
  candidates: place.candidates,
  passed_over: place.passedOver,
  slot: toSlotAnswer(place.slot),
  own_rules: place.ownRules,
  comfort_factors: place.parts.map(({ name, email, value }) => ({ name, email, multiplier: value })),
});

const toReadingAnswer = (read: ReadWhen | undefined) => ({
  understood: read?.understood,
  not_understood: read?.notUnderstood,
  warnings: read === undefined || read.warnings.length === 0 ? undefined : read.warnings,
});

/** To leave out what the caller itself asked for is no relaxation: the message names the words. */
const toRelaxationAnswer = (relaxation: Relaxation) => {
  if (relaxation.change === 'without_when' || relaxation.change === 'without_time_ranges') return [];
  const { change, email, opens } = relaxation;
  const answer = { change, email, opens };
  switch (relaxation.change) {
    case 'shorter_duration':
      return { ...answer, duration_minutes: relaxation.durationMinutes };
    case 'more_days':
      return { ...answer, end_date: relaxation.endDate };
    case 'one_more_meeting_a_day':
      return { ...answer, max_meetings_per_day: relaxation.maxMeetingsPerDay };
    case 'longer_hours':
      return { ...answer, start: relaxation.start, end: relaxation.end };
    case 'without_rule':
      return { ...answer, words: relaxation.words };
    case 'without_focus_block':
      return { ...answer, focus_block: relaxation.focusBlock };
    case 'work_on_holiday':
      return { ...answer, holiday: relaxation.holiday };
    default:
      return answer;
  }
};

serveOnce(
  schedule,
  batchesApi.scheduleBatch,
  // A retry may arrive after the dates have passed, and must still get its first answer.
  { name: 'schedule.batch', lookFirst: ({ body }) => body.date_range !== undefined },
  ({ ctx, platform, body, idempotency, warnings }) =>
    domain.acceptBatch(ctx, platform, {
      options: {
        dateRange: availabilityApi.toDateRange(body),
        maxPerPerson: body.max_per_person,
        maxPerDay: body.max_per_day,
      },
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

serve(schedule, batchesApi.getBatch, async ({ ctx, platform, params, query: { limit, cursor } }) => {
  const of = { id: params.batch_id, limit, after: cursor?.at };
  const { batch, counts, meetings, next } = await domain.readBatch(ctx, platform, of);
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

serve(schedule, batchesApi.commitBatch, async ({ ctx, platform, params }) => {
  const { id, total } = await domain.commitBatch(ctx, platform, params.batch_id);
  return { batch_id: id, status: 'processing' as const, total };
});

serve(schedule, batchesApi.cancelBatch, async ({ ctx, platform, params }) => {
  const { batch, counts } = await domain.cancelBatch(ctx, platform, params.batch_id);
  return { success: true as const, batch_id: batch.id, status: 'cancelled' as const, counts: toCounts(counts) };
});

const toCounts = ({ open, placed, booked, unplaced, failed, cancelled }: BatchCounts) => ({
  ...{ open, placed, booked },
  ...{ unplaced, failed, cancelled },
});

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
    // The search engine wrote them, so the cast is safe.
    relaxations: (reason.relaxations as Relaxation[]).flatMap(toRelaxationAnswer),
  },
});
