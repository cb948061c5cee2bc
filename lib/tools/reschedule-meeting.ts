import * as z from 'zod';
import { getMeeting, type RescheduledMeeting, RescheduleRequest } from '../../schema/api/meetings.ts';
import { readMeeting } from '../meetings/read.ts';
import { previewReschedule, rescheduleMeeting as reschedule } from '../meetings/reschedule.ts';
import { onceOnly, previewed } from './confirmation.ts';
import { runOnce } from './once.ts';
import { writingTool } from './tool.ts';
import { time as clock, sayWhen, toWhen, when, zonesOf } from './when.ts';

const { requested_by, reason, preferred_time_range } = RescheduleRequest.shape;

export const rescheduleMeeting = writingTool({
  name: 'reschedule_meeting',
  title: 'Move a meeting to the best other time',
  description:
    'The reason, in the words of whoever asks, decides where it goes and is learned from. The meeting gets a new id.',
  for: 'platform',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  input: z.object({
    meeting_id: getMeeting.params.shape.meeting_id,
    requested_by,
    reason,
    preferred_time_range,
    ...onceOnly,
  }),
  shown: { preferred_time_range: z.object({ start: clock, end: clock }).optional() },
  output: z.object({
    status: z.enum(['rescheduled', 'preview', 'declined']),
    new_meeting_id: z.string().optional(),
    ...z.object(when).partial().shape,
    reasoning: z.string().optional(),
    learned_from: z.string().optional(),
    ...previewed,
  }),
  async preview({ ctx, caller: { platform }, input }) {
    const found = await previewReschedule(ctx, platform, moveOf(input));
    const time = toWhen(found, await zonesOf(ctx, platform, found.attendees));
    const { reasoning } = found;
    return {
      data: { ...time, reasoning },
      text: `This would move ${input.meeting_id} to ${sayWhen(time)}. Why: ${reasoning}`,
      start: found.start,
    };
  },
  async run({ ctx, caller: { platform }, input, start: only, claim }) {
    const before = await readMeeting(ctx, platform, input.meeting_id);
    const people = await zonesOf(ctx, platform, before.attendees);
    const idempotency = await claim('reschedule');
    const { new_meeting_id, new_meeting_time, reasoning, learned_from } = await runOnce<RescheduledMeeting>(
      ctx,
      idempotency,
      () => reschedule(ctx, platform, { ...moveOf(input), only, idempotency }),
      { lookFirst: true },
    );
    const start = Date.parse(new_meeting_time);
    const time = toWhen({ start, end: start + Date.parse(before.end_time) - Date.parse(before.start_time) }, people);
    return {
      data: { status: 'rescheduled' as const, new_meeting_id, ...time, reasoning, learned_from },
      text: `Moved to ${sayWhen(time)}; its id is ${new_meeting_id} now. Why: ${reasoning} ${learned_from}`,
    };
  },
});

interface Input {
  meeting_id: string;
  requested_by: string;
  reason: string;
  preferred_time_range?: { start: number; end: number } | undefined;
}

const moveOf = ({ meeting_id: id, requested_by: requestedBy, reason, preferred_time_range: within }: Input) => ({
  id,
  requestedBy,
  reason,
  within,
});
