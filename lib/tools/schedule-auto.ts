import * as z from 'zod';
import { toTimesGiven } from '../../schema/api/reading.ts';
import {
  type AcceptedJob,
  AutoScheduleRequest,
  DEFAULT_LOCATION,
  getJob as operation,
} from '../../schema/api/schedule.ts';
import { InternalError } from '../kit/errors.ts';
import { acceptJob, rankTimes, readAsked, readJob, runOnce } from '../meetings/index.ts';
import { say } from '../words/patterns.ts';
import { lasting } from '../words/people.ts';
import { describePick } from '../words/reasoning.ts';
import { defaultTitle } from '../words/title.ts';
import { sayReading } from '../words/understood.ts';
import { onceOnly, previewedTexts } from './confirmation.ts';
import { bookOnce, sayLink, shownMetadata, tellBooked } from './schedule-meeting.ts';
import { toolOf } from './tool.ts';
import { asked, readData, readParts, readText, sayWhen, timeRanges, toWhen, when, whenOf, zonesOf } from './when.ts';

/** A text of which nothing was understood is refused, because somebody is there who can say it in other words. */
const timesOf = (input: Parameters<typeof toTimesGiven>[0]) => ({ ...toTimesGiven(input), refusesUnclear: true });

const text = z.string();
const ofBooked = { meeting_id: text, ...when, meet_link: text, reasoning: text };

export const scheduleAuto = toolOf({
  name: 'schedule_auto',
  title: 'Let Tandem choose and book a time',
  description:
    'Starts a job, whose result get_job returns within seconds. A confirmed preview books the previewed time.',
  for: 'platform',
  hints: { destructive: false, idempotent: false, openWorld: true },
  input: AutoScheduleRequest.in.extend(onceOnly),
  shown: { metadata: shownMetadata, time_ranges: timeRanges },
  output: z.object({
    status: z.enum(['processing', 'scheduled', 'preview', 'declined']),
    ...z.object({ job_id: text, title: text, ...ofBooked }).partial().shape,
    ...readParts,
    ...previewedTexts,
  }),
  async preview({ ctx, caller, input }) {
    const { attendees, duration_minutes: durationMinutes, context } = input;
    const wanted = await readAsked(ctx, caller.platform, { attendees, durationMinutes, times: timesOf(input) });
    const [best] = await rankTimes(ctx, caller.platform, { attendees, durationMinutes, context, asked: wanted });
    if (best === undefined) throw new InternalError('The search found no times but did not fail.');
    const title = input.title ?? defaultTitle(context, attendees);
    const time = toWhen(best, await zonesOf(ctx, caller.platform, attendees));
    const reasoning = describePick(best.facts(), undefined, true);
    return {
      data: { title, ...time, reasoning, ...readData(wanted?.read) },
      text: [say('agent.would_book', { title, when: sayWhen(time) }), reasoning, ...readText(wanted?.read)]
        .filter((sentence) => sentence !== '')
        .join(' '),
      question:
        `${say('ask.book', { title, ...asked(time), length: lasting(durationMinutes) })} ${reasoning}`.trimEnd(),
      starts: [best.start],
    };
  },
  async run({ ctx, caller: { platform }, input, starts: [start], idempotencyOf }) {
    const { attendees, duration_minutes: durationMinutes, title, context, description, metadata = {} } = input;
    if (start === undefined) {
      const request = { attendees, durationMinutes, title, context, description, metadata };
      const idempotency = await idempotencyOf('schedule.auto');
      const times = timesOf(input);
      const accepted = await runOnce<AcceptedJob>(ctx, idempotency, () =>
        acceptJob(ctx, platform, request, { idempotency, times }),
      );
      const { job_id, status, estimated_completion_seconds: seconds, understood, not_understood } = accepted;
      return {
        data: { status, job_id, understood, not_understood },
        text: [
          say('job.accepted', { job: job_id }),
          say('job.wait', { seconds }),
          ...(understood && not_understood ? [sayReading(understood, not_understood)] : []),
        ].join(' '),
      };
    }
    const people = await zonesOf(ctx, platform, attendees);
    const booked = await bookOnce(ctx, platform, {
      idempotency: await idempotencyOf('schedule'),
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

export const getJob = toolOf({
  name: 'get_job',
  title: 'Get the result of schedule_auto',
  description: 'Returns the meeting that schedule_auto booked, or why it booked nothing.',
  for: 'platform',
  hints: { openWorld: false },
  input: z.object({ job_id: operation.params.shape.job_id }),
  output: z.object({
    job_id: z.string(),
    status: z.enum(['processing', 'completed', 'failed']),
    ...z.object({ ...ofBooked, error_code: text, error_message: text, suggestions: z.array(text) }).partial().shape,
  }),
  async run({ ctx, caller, input }) {
    const { id: job_id, status, result } = await readJob(ctx, caller.platform, input.job_id);
    if (result === null)
      return { data: { job_id, status }, text: `${say('job.running', { job: job_id })} ${say('job.ask_again')}` };
    if (!result.success) {
      const { error_code, error_message, suggestions } = result;
      const outcome = error_message.includes('Nothing was booked.') ? 'job.failed' : 'job.failed_unbooked';
      const said = [say(outcome, { job: job_id, code: error_code }), error_message, ...suggestions];
      return { data: { job_id, status, error_code, error_message, suggestions }, text: said.join(' ') };
    }
    const { meeting_id, meet_link, chosen_slot, attendees, agent_reasoning: reasoning } = result;
    const people = await zonesOf(ctx, caller.platform, attendees);
    const time = whenOf(chosen_slot, people);
    return {
      data: { job_id, status, meeting_id, ...time, meet_link: meet_link ?? undefined, reasoning },
      text: `${say('job.booked', { job: job_id, meeting: meeting_id, when: sayWhen(time) })} ${reasoning} ${sayLink(meet_link)}`,
    };
  },
});
