import * as z from 'zod';
import { AvailabilityRequest } from '../../schema/api/availability.ts';
import { type AcceptedJob, DEFAULT_LOCATION, MEETING_CONTEXTS, ScheduleRequest } from '../../schema/api/schedule.ts';
import { InternalError } from '../errors.ts';
import { acceptJob } from '../jobs/accept.ts';
import { rankTimes } from '../meetings/best-time.ts';
import { defaultTitle } from '../scheduling/title.ts';
import { describePick } from '../wording/reasoning.ts';
import { onceOnly, previewed } from './confirmation.ts';
import { runOnce } from './once.ts';
import { bookOnce, tellBooked } from './schedule-meeting.ts';
import { writingTool } from './tool.ts';
import { sayWhen, toWhen, when, zonesOf } from './when.ts';

export const scheduleAuto = writingTool({
  name: 'schedule_auto',
  title: 'Let the service pick and book a time',
  description:
    'Answers a job at once; get_job has the result within seconds. Confirmed after a preview, it books that time.',
  for: 'platform',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  input: z.object({
    attendees: AvailabilityRequest.shape.attendees,
    duration_minutes: AvailabilityRequest.shape.duration_minutes,
    title: ScheduleRequest.shape.title.optional(),
    context: z.enum(MEETING_CONTEXTS, `must be one of ${MEETING_CONTEXTS.join(', ')}`).optional(),
    description: ScheduleRequest.shape.description,
    metadata: ScheduleRequest.shape.metadata,
    auto: z.literal(true, 'must be true').optional(),
    ...onceOnly,
  }),
  output: z.object({
    status: z.enum(['processing', 'scheduled', 'preview', 'declined']),
    job_id: z.string().optional(),
    meeting_id: z.string().optional(),
    title: z.string().optional(),
    ...z.object(when).partial().shape,
    meet_link: z.string().optional(),
    reasoning: z.string().optional(),
    ...previewed,
  }),
  async preview({ ctx, caller, input }) {
    const { attendees, duration_minutes: durationMinutes, context } = input;
    const [best] = await rankTimes(ctx, caller.platform, { attendees, durationMinutes, context });
    if (best === undefined) throw new InternalError('a ranking without times was not refused');
    const title = input.title ?? defaultTitle(context, attendees);
    const time = toWhen(best, await zonesOf(ctx, caller.platform, attendees));
    const reasoning = describePick(best.facts(), undefined, true);
    return {
      data: { title, ...time, reasoning },
      text: `This would book "${title}" on ${sayWhen(time)}. Why: ${reasoning}`,
      start: best.start,
    };
  },
  async run({ ctx, caller: { platform }, input, start, claim }) {
    const { attendees, duration_minutes: durationMinutes, title, context, description, metadata = {} } = input;
    if (start === undefined) {
      const request = { attendees, durationMinutes, title, context, description, metadata };
      const idempotency = await claim('schedule.auto');
      const {
        job_id,
        status,
        estimated_completion_seconds: seconds,
      } = await runOnce<AcceptedJob>(ctx, idempotency, () => acceptJob(ctx, platform, request, idempotency));
      return {
        data: { status, job_id },
        text: `A time is being picked and booked as job ${job_id}. Call get_job with it in about ${seconds} seconds.`,
      };
    }
    const people = await zonesOf(ctx, platform, attendees);
    const booked = await bookOnce(ctx, platform, await claim('schedule'), {
      attendees,
      start,
      durationMinutes,
      title: title ?? defaultTitle(context, attendees),
      description: description ?? null,
      location: DEFAULT_LOCATION,
      metadata,
      requireFree: true,
    });
    const { data, text } = tellBooked(booked, people);
    const { conflicts: _, ...meeting } = data;
    return { data: meeting, text };
  },
});
