import * as z from 'zod';
import { type BookedMeeting, ScheduleRequest } from '../../schema/api/schedule.ts';
import { explainAvailability } from '../availability/search.ts';
import type { Ctx, Platform } from '../context.ts';
import { scheduleMeeting as schedule } from '../meetings/schedule.ts';
import { assertStart } from '../meetings/start-time.ts';
import { MINUTE } from '../scheduling/dates.ts';
import { localDate } from '../scheduling/zone.ts';
import { sayAgainst } from '../wording/explanation.ts';
import { onceOnly, previewed } from './confirmation.ts';
import { runOnce } from './once.ts';
import { writingTool } from './tool.ts';
import { sayWhen, time as startTime, toWhen, type When, when, type Zoned, zonesOf } from './when.ts';

export const scheduleMeeting = writingTool({
  name: 'schedule_meeting',
  title: 'Book a meeting at a given time',
  description: 'Invites both, with a video link. Books a busy time too, unless require_free.',
  for: 'platform',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  input: ScheduleRequest.extend(onceOnly),
  shown: { start_time: startTime },
  output: z.object({
    status: z.enum(['scheduled', 'preview', 'declined']),
    meeting_id: z.string().optional(),
    title: z.string().optional(),
    ...z.object(when).partial().shape,
    meet_link: z.string().optional(),
    conflicts: z.array(z.string()).optional(),
    ...previewed,
  }),
  async preview({ ctx, caller, input }) {
    const { attendees, start_time: start, duration_minutes: durationMinutes, title } = input;
    assertStart(start, ctx.clock.now());
    const people = await zonesOf(ctx, caller.platform, attendees);
    const time = toWhen({ start, end: start + durationMinutes * MINUTE }, people);
    const conflicts = await objectionsOf(ctx, caller.platform, { attendees, start, durationMinutes }, people);
    const isFree = conflicts.length === 0 ? 'Nothing stands against it.' : `Against it: ${conflicts.join(' ')}`;
    return {
      data: { title, ...time, conflicts },
      text: `This would book "${title}" on ${sayWhen(time)}. ${isFree}`,
    };
  },
  async run({ ctx, caller, input, claim }) {
    const { attendees, start_time: start, duration_minutes: durationMinutes } = input;
    const people = await zonesOf(ctx, caller.platform, attendees);
    const booked = await bookOnce(ctx, caller.platform, await claim('schedule'), {
      attendees,
      start,
      durationMinutes,
      title: input.title,
      description: input.description ?? null,
      location: input.location,
      metadata: input.metadata ?? {},
      requireFree: input.require_free,
    });
    return tellBooked(booked, people);
  },
});

interface Time {
  attendees: [string, string];
  start: number;
  durationMinutes: number;
}

/** What both people's rules and calendars have against a time, in sentences; nothing of what the calendars hold. */
async function objectionsOf(ctx: Ctx, platform: Platform, time: Time, [requester]: Zoned[]): Promise<string[]> {
  const zone = requester?.timeZone;
  const date = zone === undefined ? undefined : localDate(zone, time.start);
  const dateRange = date === undefined ? undefined : { startDate: date, endDate: date };
  const { explanation } = await explainAvailability(ctx, platform, { ...time, dateRange, isFresh: false });
  return explanation.against.filter(({ email }) => email !== null).map((objection) => sayAgainst([objection]));
}

type Booking = Parameters<typeof schedule>[2];

/** Books once under the key; what was booked in time is answered again later too. */
export const bookOnce = (ctx: Ctx, platform: Platform, idempotency: Booking['idempotency'], booking: Booking) =>
  runOnce<BookedMeeting>(
    ctx,
    idempotency,
    async () => {
      assertStart(booking.start, ctx.clock.now());
      return schedule(ctx, platform, { ...booking, idempotency });
    },
    { lookFirst: booking.start <= ctx.clock.now() },
  );

/** A booking as it stands on the calendars, with what it overlaps. */
export function tellBooked({ meeting_id, title, meet_link, ...booked }: BookedMeeting, people: Zoned[]) {
  const timeOf = ({ start_time, end_time }: { start_time: string; end_time: string }, of: Zoned[]): When =>
    toWhen({ start: Date.parse(start_time), end: Date.parse(end_time) }, of);
  const time = timeOf(booked, people);
  const conflicts = booked.conflicts.map((conflict) => {
    const own = people.filter(({ email }) => email === conflict.email);
    return `${conflict.email} has ${conflict.meeting_id} then: ${sayWhen(timeOf(conflict, own))}.`;
  });
  const overlaps = conflicts.length === 0 ? '' : ` It overlaps another meeting. ${conflicts.join(' ')}`;
  return {
    data: { status: 'scheduled' as const, meeting_id, title, ...time, meet_link: meet_link ?? undefined, conflicts },
    text: `Booked "${title}" as ${meeting_id} on ${sayWhen(time)}. Both are invited. ${sayLink(meet_link)}${overlaps}`,
  };
}

export const sayLink = (link: string | null) =>
  link === null ? 'The video link is still being made; list_meetings shows it.' : `Video: ${link}`;
