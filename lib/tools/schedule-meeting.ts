import * as z from 'zod';
import { type BookedMeeting, ScheduleRequest } from '../../schema/api/schedule.ts';
import { explainAvailability } from '../availability/search.ts';
import { MINUTE } from '../engine/time/dates.ts';
import { localDate } from '../engine/time/zone.ts';
import type { Ctx, Platform } from '../kit/context.ts';
import { AppError, hasCode, StateChanged } from '../kit/errors.ts';
import { assertStart, listPlatformMeetings, runOnce, scheduleMeeting as schedule } from '../meetings/index.ts';
import { sayAgainst } from '../words/explanation.ts';
import { say } from '../words/patterns.ts';
import { lasting } from '../words/people.ts';
import { oneLine } from '../words/title.ts';
import { onceOnly, previewedTexts } from './confirmation.ts';
import { toolOf } from './tool.ts';
import { asked, outcome, sayWhen, time as startTime, toWhen, when, whenOf, type Zoned, zonesOf } from './when.ts';

/** Schema of a new meeting's metadata as clients see it. The service also accepts null, which means no value. */
export const shownMetadata = z.record(z.string(), z.string()).optional();

export const scheduleMeeting = toolOf({
  name: 'schedule_meeting',
  title: 'Book a meeting at a given time',
  description: 'Invites both people, with a video link. Books a busy time only if require_free is false.',
  for: 'platform',
  hints: { destructive: false, idempotent: false, openWorld: true },
  input: ScheduleRequest.extend({ ...onceOnly, require_free: z.boolean('must be true or false').default(true) }),
  shown: { start_time: startTime, metadata: shownMetadata },
  output: outcome(
    'scheduled',
    { meeting_id: z.string(), title: z.string(), ...when, meet_link: z.string(), conflicts: z.array(z.string()) },
    previewedTexts,
  ),
  async preview({ ctx, caller, input }) {
    const { attendees, start_time: start, duration_minutes: durationMinutes, title } = input;
    assertStart(start, ctx.clock.now());
    const people = await zonesOf(ctx, caller.platform, attendees);
    const time = toWhen({ start, end: start + durationMinutes * MINUTE }, people);
    const conflicts = await objectionsOf(ctx, caller.platform, { attendees, start, durationMinutes }, people);
    const taken = say('agent.conflicts', { conflicts: conflicts.join(' ') });
    const refused = input.require_free ? `${taken} ${say('agent.only_free')}` : taken;
    const isFree = conflicts.length === 0 ? say('agent.no_conflicts') : refused;
    return {
      version: conflicts,
      data: { title, ...time, conflicts },
      text: `${say('agent.would_book', { title, when: sayWhen(time) })} ${isFree}`,
      question: `${say('ask.book', { title, ...asked(time), length: lasting(durationMinutes) })} ${isFree}`,
    };
  },
  async run({ ctx, caller, input, version, idempotencyOf }) {
    const { attendees, start_time: start, duration_minutes: durationMinutes } = input;
    const people = await zonesOf(ctx, caller.platform, attendees);
    const booked = await bookOnce(ctx, caller.platform, {
      idempotency: await idempotencyOf('schedule'),
      attendees,
      start,
      durationMinutes,
      title: input.title,
      description: input.description ?? null,
      location: input.location,
      metadata: input.metadata ?? {},
      requireFree: input.require_free,
      async look() {
        if (version === undefined) return;
        const conflicts = await objectionsOf(ctx, caller.platform, { attendees, start, durationMinutes }, people);
        if (JSON.stringify(conflicts) !== JSON.stringify(version)) throw new StateChanged();
      },
    }).catch(async (error: unknown) => {
      const isTaken = hasCode(error, 'slot_unavailable');
      const same = isTaken ? await findSame(ctx, caller.platform, { attendees, start, durationMinutes }) : undefined;
      if (same === undefined) throw error;
      const { meeting_id: meeting, title } = same;
      const when = sayWhen(toWhen({ start, end: start + durationMinutes * MINUTE }, people));
      throw new AppError('slot_unavailable', say('agent.same', { meeting, title, when }));
    });
    return tellBooked(booked, people);
  },
});

/** An agent that repeats a call must learn that its first one was done, and not be offered other times. */
async function findSame(ctx: Ctx, platform: Platform, { attendees, start, durationMinutes }: Time) {
  const [attendee] = attendees;
  const { meetings } = await listPlatformMeetings(ctx, platform, { attendee, from: start, to: start + 1, limit: 10 });
  return meetings.find(
    ({ status, end_time, attendees: both }) =>
      ['scheduled', 'updated'].includes(status) &&
      Date.parse(end_time) === start + durationMinutes * MINUTE &&
      attendees.every((one) => both.includes(one)),
  );
}

type Time = { attendees: [string, string]; start: number; durationMinutes: number };

/** The sentences reveal no calendar content. */
async function objectionsOf(ctx: Ctx, platform: Platform, time: Time, [requester]: Zoned[]): Promise<string[]> {
  const zone = requester?.timeZone;
  const date = zone === undefined ? undefined : localDate(zone, time.start);
  const dateRange = date === undefined ? undefined : { startDate: date, endDate: date };
  const asked = { ...time, dateRange, isFresh: true, isAlone: true };
  const { explanation } = await explainAvailability(ctx, platform, asked);
  return explanation.against
    .filter(({ email }) => email !== null)
    .map((objection) => sayAgainst([objection], time.attendees));
}

type Booking = Parameters<typeof schedule>[2] & { look?: () => Promise<void> };

/** `look` throws `StateChanged`. A retry after the start must still get its first answer, so that is read first. */
export const bookOnce = (ctx: Ctx, platform: Platform, { look, ...booking }: Booking) => {
  const book = async () => {
    assertStart(booking.start, ctx.clock.now());
    await look?.();
    return schedule(ctx, platform, booking);
  };
  return runOnce<BookedMeeting>(ctx, booking.idempotency, book, { lookFirst: booking.start <= ctx.clock.now() });
};

/** Tells the meeting as it is on the calendars, with what it overlaps and the warnings about its time. */
export function tellBooked({ meeting_id, meet_link, warnings = [], ...booked }: BookedMeeting, people: Zoned[]) {
  const title = oneLine(booked.title);
  const time = whenOf(booked, people);
  const conflicts = booked.conflicts.map((conflict) => {
    const own = people.filter(({ email }) => email === conflict.email);
    const { email, meeting_id: meeting } = conflict;
    return say('agent.has_meeting', { email, meeting, when: sayWhen(whenOf(conflict, own)) });
  });
  const overlaps = conflicts.length === 0 ? [] : [say('agent.overlaps'), ...conflicts];
  return {
    data: { status: 'scheduled' as const, meeting_id, title, ...time, meet_link: meet_link ?? undefined, conflicts },
    text: [
      say('agent.booked', { title, meeting: meeting_id, when: sayWhen(time) }),
      say('agent.invited'),
      sayLink(meet_link),
      ...warnings,
      ...overlaps,
    ].join(' '),
  };
}

export const sayLink = (link: string | null) =>
  link === null ? `${say('agent.no_link')} ${say('agent.link_later')}` : say('agent.link', { link });
