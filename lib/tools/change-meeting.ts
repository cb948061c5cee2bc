import * as z from 'zod';
import { CalendarEventEnd } from '../../schema/api/fields.ts';
import {
  type CancelledMeeting,
  getMeeting,
  type RescheduledMeeting,
  RescheduleRequest,
} from '../../schema/api/meetings.ts';
import * as domain from '../meetings/index.ts';
import { say } from '../words/patterns.ts';
import { oneLine } from '../words/title.ts';
import { sayReading } from '../words/understood.ts';
import { onceOnly, previewed, previewedTexts } from './confirmation.ts';
import { toolOf } from './tool.ts';
import { asked, time as clock, outcome, readParts, sayWhen, toWhen, when, whenOf, zonesOf } from './when.ts';

const { requested_by, reason, preferred_time_range } = RescheduleRequest.shape;
const Move = z.object({ ...getMeeting.params.shape, requested_by, reason, preferred_time_range, ...onceOnly });

export const rescheduleMeeting = toolOf({
  name: 'reschedule_meeting',
  title: 'Move a meeting to the best other time',
  description: 'Moves the meeting to suit the reason, and Tandem learns from it. The meeting gets a new ID.',
  for: 'platform',
  hints: { destructive: true, idempotent: false, openWorld: true },
  input: Move,
  shown: { preferred_time_range: z.object({ start: clock, end: clock }).optional() },
  output: outcome(
    'rescheduled',
    { new_meeting_id: z.string(), title: z.string(), ...when, reasoning: z.string(), learned_from: z.string() },
    { ...readParts, ...previewedTexts },
  ),
  async preview({ ctx, caller: { platform }, input }) {
    const { old, start, end, ...found } = await domain.previewReschedule(ctx, platform, moveOf(input));
    const people = await zonesOf(ctx, platform, [old.organizer, old.other]);
    const [present, time] = [toWhen(old, people), toWhen({ start, end }, people)];
    const { reasoning, understood, notUnderstood } = found;
    const title = oneLine(old.title);
    const said = `${reasoning} ${sayReading(understood, notUnderstood)}`;
    const move = say('agent.would_move', { title, meeting: input.meeting_id, when: sayWhen(time) });
    return {
      data: { title, ...time, reasoning, understood, not_understood: notUnderstood },
      text: oneLine(`${move} ${say('agent.now_on', { when: sayWhen(present) })} ${said}`),
      question: oneLine(`${say('ask.move', { title, old: asked(present).when, ...asked(time) })} ${said}`),
      starts: [start],
      version: old.version,
    };
  },
  async run({ ctx, caller: { platform }, input, starts: [only], version, idempotencyOf }) {
    const before = await domain.readMeeting(ctx, platform, input.meeting_id);
    const people = await zonesOf(ctx, platform, before.attendees);
    const idempotency = await idempotencyOf('reschedule');
    const { new_meeting_id, new_meeting_time, reasoning, learned_from, understood, not_understood } =
      await domain.runOnce<RescheduledMeeting>(
        ctx,
        idempotency,
        async () => {
          if (version !== undefined) await domain.followMeeting(ctx, input.meeting_id);
          return domain.rescheduleMeeting(ctx, platform, { ...moveOf(input), only, version, idempotency });
        },
        { lookFirst: true },
      );
    const start = Date.parse(new_meeting_time);
    const time = toWhen({ start, end: start + Date.parse(before.end_time) - Date.parse(before.start_time) }, people);
    const read = { understood, not_understood };
    return {
      data: { status: 'rescheduled' as const, new_meeting_id, ...time, reasoning, learned_from, ...read },
      text: oneLine(
        [
          say('agent.moved', { when: sayWhen(time) }),
          say('agent.new_id', { meeting: new_meeting_id }),
          reasoning,
          sayReading(understood, not_understood),
          learned_from,
        ].join(' '),
      ),
    };
  },
});

const moveOf = (asked: z.output<typeof Move>) => ({
  ...{ id: asked.meeting_id, requestedBy: asked.requested_by, reason: asked.reason },
  ...{ within: asked.preferred_time_range, whenUnclear: 'refuse' as const },
});

export const cancelMeeting = toolOf({
  name: 'cancel_meeting',
  title: 'Cancel a meeting',
  description: 'Cancels the meeting for good, and notifies both people.',
  for: 'platform',
  hints: { destructive: true, idempotent: false, openWorld: true },
  input: getMeeting.params.extend(onceOnly),
  output: outcome(
    'cancelled',
    { meeting_id: z.string(), title: z.string(), ...when, calendar_event: CalendarEventEnd },
    previewed,
  ),
  async preview({ ctx, caller, input }) {
    const { meeting_id } = input;
    const { version, organizer, other, ...old } = await domain.liveSnapshot(ctx, caller.platform, meeting_id);
    const title = oneLine(old.title);
    const time = toWhen(old, await zonesOf(ctx, caller.platform, [organizer, other]));
    return {
      version,
      data: { meeting_id, title, ...time },
      text: `${say('agent.would_cancel', { title, meeting: meeting_id, when: sayWhen(time) })} ${say('agent.no_undo')}`,
      question: `${say('ask.cancel', { title, ...asked(time) })} ${say('agent.no_undo')}`,
    };
  },
  async run({ ctx, caller: { platform }, input: { meeting_id: id }, version, idempotencyOf }) {
    const meeting = await domain.readMeeting(ctx, platform, id);
    const time = whenOf(meeting, await zonesOf(ctx, platform, meeting.attendees));
    const idempotency = await idempotencyOf('cancel');
    const { status, calendar_event } = await domain.runOnce<CancelledMeeting>(ctx, idempotency, async () => {
      if (version !== undefined) await domain.followMeeting(ctx, id);
      return domain.cancelMeeting(ctx, platform, { id, version, idempotency });
    });
    const { meeting_id } = meeting;
    const title = oneLine(meeting.title);
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
