import * as z from 'zod';
import { CancelledMeeting as Cancelled, type CancelledMeeting, getMeeting } from '../../schema/api/meetings.ts';
import { isLive } from '../../schema/meetings/status.ts';
import type { Ctx, Platform } from '../context.ts';
import { meetingNotFound } from '../errors.ts';
import { cancelMeeting as cancel } from '../meetings/cancel.ts';
import { readMeeting } from '../meetings/read.ts';
import { onceOnly, previewed } from './confirmation.ts';
import { runOnce } from './once.ts';
import { writingTool } from './tool.ts';
import { sayWhen, toWhen, when, zonesOf } from './when.ts';

export const cancelMeeting = writingTool({
  name: 'cancel_meeting',
  title: 'Cancel a meeting for both',
  description: 'Both are told. It cannot be undone.',
  for: 'platform',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  input: z.object({ meeting_id: getMeeting.params.shape.meeting_id, ...onceOnly }),
  output: z.object({
    status: z.enum(['cancelled', 'preview', 'declined']),
    meeting_id: z.string().optional(),
    title: z.string().optional(),
    ...z.object(when).partial().shape,
    calendar_event: Cancelled.shape.calendar_event.optional(),
    ...previewed,
  }),
  async preview({ ctx, caller, input }) {
    const { meeting, time } = await timed(ctx, caller.platform, input.meeting_id);
    if (!isLive(meeting.status)) throw meetingNotFound();
    const { meeting_id, title } = meeting;
    return {
      data: { meeting_id, title, ...time },
      text: `This would cancel "${title}", ${meeting_id}, on ${sayWhen(time)}, and tell both. It could not be undone.`,
    };
  },
  async run({ ctx, caller: { platform }, input: { meeting_id: id }, claim }) {
    const { meeting, time } = await timed(ctx, platform, id);
    const idempotency = await claim('cancel');
    const { status, calendar_event } = await runOnce<CancelledMeeting>(ctx, idempotency, () =>
      cancel(ctx, platform, { id, idempotency }),
    );
    const { meeting_id, title } = meeting;
    return {
      data: { status, meeting_id, title, ...time, calendar_event },
      text: `Cancelled "${title}", ${meeting_id}, which was on ${sayWhen(time)}. ${EVENT[calendar_event]}`,
    };
  },
});

const EVENT: Record<CancelledMeeting['calendar_event'], string> = {
  deleted: 'It is off both calendars.',
  kept: 'Its event stays on the calendar: the person it stands with has taken the access away.',
  unknown: 'The calendar could not be asked; the event is taken off once it can be.',
};

async function timed(ctx: Ctx, platform: Platform, id: string) {
  const meeting = await readMeeting(ctx, platform, id);
  const people = await zonesOf(ctx, platform, meeting.attendees);
  const time = toWhen({ start: Date.parse(meeting.start_time), end: Date.parse(meeting.end_time) }, people);
  return { meeting, time };
}
