import * as z from 'zod';
import { CancelledMeeting as Cancelled, type CancelledMeeting } from '../../schema/api/meeting-changes.ts';
import { getMeeting } from '../../schema/api/meetings.ts';
import type { Ctx, Platform } from '../kit/context.ts';
import { cancelMeeting as cancel, followMeeting, liveSnapshot, readMeeting, runOnce } from '../meetings/index.ts';
import { say } from '../words/patterns.ts';
import { oneLine } from '../words/title.ts';
import { onceOnly, previewed } from './confirmation.ts';
import { writingTool } from './tool.ts';
import { asked, sayWhen, toWhen, when, zonesOf } from './when.ts';

export const cancelMeeting = writingTool({
  name: 'cancel_meeting',
  title: 'Cancel a meeting',
  description: 'Cancels the meeting for good, and notifies both people.',
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
    const { meeting_id } = input;
    const { version, organizer, other, start, end, ...old } = await liveSnapshot(ctx, caller.platform, meeting_id);
    const title = oneLine(old.title);
    const time = toWhen({ start, end }, await zonesOf(ctx, caller.platform, [organizer, other]));
    return {
      version,
      data: { meeting_id, title, ...time },
      text: `${say('agent.would_cancel', { title, meeting: meeting_id, when: sayWhen(time) })} ${say('agent.no_undo')}`,
      question: `${say('ask.cancel', { title, ...asked(time) })} ${say('agent.no_undo')}`,
    };
  },
  async run({ ctx, caller: { platform }, input: { meeting_id: id }, version, idempotencyOf }) {
    const { meeting, time } = await timed(ctx, platform, id);
    const idempotency = await idempotencyOf('cancel');
    const { status, calendar_event } = await runOnce<CancelledMeeting>(ctx, idempotency, async () => {
      if (version !== undefined) await followMeeting(ctx, id);
      return cancel(ctx, platform, { id, version, idempotency });
    });
    const { meeting_id, title } = meeting;
    return {
      data: { status, meeting_id, title, ...time, calendar_event },
      text: `${say('agent.cancelled', { title, meeting: meeting_id, when: sayWhen(time) })} ${EVENT[calendar_event]}`,
    };
  },
});

const EVENT: Record<CancelledMeeting['calendar_event'], string> = {
  deleted: say('agent.event_deleted'),
  kept: say('agent.event_kept'),
  unknown: `${say('agent.event_unknown')} ${say('agent.event_later')}`,
};

async function timed(ctx: Ctx, platform: Platform, id: string) {
  const meeting = await readMeeting(ctx, platform, id);
  const people = await zonesOf(ctx, platform, meeting.attendees);
  const time = toWhen({ start: Date.parse(meeting.start_time), end: Date.parse(meeting.end_time) }, people);
  return { meeting: { ...meeting, title: oneLine(meeting.title) }, time };
}
