import * as z from 'zod';
import { getJob as operation } from '../../schema/api/schedule.ts';
import { readJob } from '../meetings/index.ts';
import { say } from '../words/patterns.ts';
import { sayLink } from './schedule-meeting.ts';
import { readingTool } from './tool.ts';
import { sayWhen, toWhen, when, zonesOf } from './when.ts';

export const getJob = readingTool({
  name: 'get_job',
  title: 'Get the result of schedule_auto',
  description: 'Returns the meeting that schedule_auto booked, or why it booked nothing.',
  for: 'platform',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: z.object({ job_id: operation.params.shape.job_id }),
  output: z.object({
    job_id: z.string(),
    status: z.enum(['processing', 'completed', 'failed']),
    meeting_id: z.string().optional(),
    ...z.object(when).partial().shape,
    meet_link: z.string().optional(),
    reasoning: z.string().optional(),
    error_code: z.string().optional(),
    error_message: z.string().optional(),
    suggestions: z.array(z.string()).optional(),
  }),
  async run({ ctx, caller, input }) {
    const { id: job_id, status, result } = await readJob(ctx, caller.platform, input.job_id);
    if (result === null)
      return {
        data: { job_id, status },
        text: `${say('job.running', { job: job_id })} ${say('job.ask_again')}`,
      };
    if (!result.success) {
      const { error_code, error_message, suggestions } = result;
      const outcome = error_message.includes('Nothing was booked.') ? 'job.failed' : 'job.failed_unbooked';
      const said = [say(outcome, { job: job_id, code: error_code }), error_message, ...suggestions];
      return { data: { job_id, status, error_code, error_message, suggestions }, text: said.join(' ') };
    }
    const { meeting_id, meet_link, chosen_slot, attendees, agent_reasoning: reasoning } = result;
    const people = await zonesOf(ctx, caller.platform, attendees);
    const booked = { start: Date.parse(chosen_slot.start_time), end: Date.parse(chosen_slot.end_time) };
    const time = toWhen(booked, people);
    return {
      data: { job_id, status, meeting_id, ...time, meet_link: meet_link ?? undefined, reasoning },
      text: `${say('job.booked', { job: job_id, meeting: meeting_id, when: sayWhen(time) })} ${reasoning} ${sayLink(meet_link)}`,
    };
  },
});
