import * as z from 'zod';
import {
  type MadeProposal,
  newMeetingIn,
  ProposalRequest,
  refineProposal,
  USUAL_TIMES,
} from '../../schema/api/proposals.ts';
import { toTimesGiven } from '../../schema/api/reading.ts';
import { MINUTE } from '../engine/time/dates.ts';
import type { Ctx, Platform } from '../kit/context.ts';
import * as domain from '../meetings/index.ts';
import { guestZone } from '../person/guest.ts';
import { say } from '../words/patterns.ts';
import { lasting } from '../words/people.ts';
import { oneLine } from '../words/title.ts';
import { sayReading } from '../words/understood.ts';
import { onceOnly, previewedTexts } from './confirmation.ts';
import { toolOf } from './tool.ts';
import {
  outcome,
  readData,
  readParts,
  readText,
  asked as said,
  sayWhen,
  time,
  timeRanges,
  toWhen,
  type When,
  when,
  whenOf,
  zonesOf,
} from './when.ts';

const { location: _, metadata: __, on_expiry: ___, ...asked } = ProposalRequest.shape;

export const proposeTimes = toolOf({
  name: 'propose_times',
  title: 'Offer times to choose from',
  description:
    'Holds times and returns a link for the second attendee, connected or not. Needs attendees, duration_minutes and title, or a meeting_id to move.',
  for: 'platform',
  hints: { destructive: false, idempotent: false, openWorld: true },
  input: z.object({ ...asked, ...onceOnly }).superRefine(refineProposal),
  shown: { times: z.array(time).optional(), time_ranges: timeRanges },
  output: outcome(
    'open',
    {
      ...{ proposal_id: z.string(), title: z.string(), times: z.array(z.object({ ...when, reason: z.string() })) },
      ...{ url: z.string(), expires_at: z.string() },
    },
    { ...readParts, ...previewedTexts },
  ),
  async preview({ ctx, caller: { platform }, input }) {
    const { title, old, people, times, read, warnings } = await previewOf(ctx, platform, input);
    const zoned = people.map(({ email, timeZone, isGuest }) => ({ email, timeZone: isGuest ? undefined : timeZone }));
    const hours = input.expires_in_hours === 1 ? '1 hour' : `${input.expires_in_hours} hours`;
    const offered = times.map((time) => ({ ...toWhen(time, zoned), reason: time.reason }));
    const [other, email] = [people[0].email, people[1].email];
    const { start = 0, end = 0 } = times[0] ?? {};
    const about = { email, who: email, other, title, hours, length: lasting((end - start) / MINUTE) };
    const [now, meeting] = [old && toWhen(old, zoned), `${input.meeting_id}`];
    return {
      data: { title, times: offered, ...readData(read) },
      text: [
        now ? say('agent.would_offer_move', { ...about, meeting, old: sayWhen(now) }) : say('agent.would_offer', about),
        ...listed(offered),
        ...readText(read),
        ...warnings,
      ].join('\n'),
      question: [
        now ? say('ask.offer_move', { ...about, old: said(now).when }) : say('ask.offer', about),
        ...offered.map(({ reason }, i) => say('ask.choice', { number: i + 1, reason })),
        ...warnings,
      ].join('\n'),
      ...(input.times === undefined ? { starts: times.map(({ start }) => start) } : {}),
      version: old?.version,
    };
  },
  async run({ ctx, caller: { platform }, input, starts, version, idempotencyOf }) {
    const chosen = input.times ?? (starts.length > 0 ? [...starts] : undefined);
    const idempotency = await idempotencyOf('propose');
    const made = await domain.runOnce<MadeProposal>(
      ctx,
      idempotency,
      async () => {
        const wish = wishOf(ctx, input, chosen);
        const offer = {
          requesterName: input.requester_name ?? null,
          expiresInHours: input.expires_in_hours,
          onExpiry: 'cancel' as const,
          idempotency,
          warnings: [],
        };
        if (wish.meetingId === undefined) return domain.proposeTimes(ctx, platform, { ...offer, ...wish });
        if (version !== undefined) await domain.followMeeting(ctx, wish.meetingId);
        return domain.proposeMove(ctx, platform, { ...offer, ...wish, version });
      },
      // A retry may come when the first call holds the times, or when they are past, so the stored answer comes first.
      { lookFirst: true },
    );
    return tellProposed(ctx, platform, made);
  },
});

type Input = Omit<z.output<typeof ProposalRequest>, 'on_expiry' | 'location' | 'metadata'>;

/** Throws `invalid_time` for a start that is past or too far ahead. */
function wishOf(ctx: Ctx, { count = USUAL_TIMES, ...input }: Input, starts: number[] | undefined) {
  for (const start of starts ?? []) domain.assertStart(start, ctx.clock.now(), 'times');
  const { meeting_id: meetingId, attendees, duration_minutes: durationMinutes } = input;
  const guestTimeZone = guestZone(input.guest_time_zone);
  // A text of which nothing was understood is refused, because somebody is there who can say it in other words.
  const asks = { ...toTimesGiven(input), refusesUnclear: true };
  if (meetingId !== undefined) return { meetingId, attendees, guestTimeZone, durationMinutes, count, asks, starts };
  return { ...newMeetingIn(input), guestTimeZone, count, asks, starts };
}

async function previewOf(ctx: Ctx, platform: Platform, input: Input) {
  const wish = wishOf(ctx, input, input.times);
  if (wish.meetingId === undefined)
    return { title: wish.title, old: undefined, ...(await domain.previewProposal(ctx, platform, wish)) };
  const found = await domain.previewMove(ctx, platform, wish);
  return { title: oneLine(found.old.title), ...found };
}

async function tellProposed(ctx: Ctx, platform: Platform, { proposal_id, warnings = [], ...made }: MadeProposal) {
  const people = await zonesOf(ctx, platform, made.attendees);
  const times = made.times.map((one) => ({ ...whenOf(one, people), reason: one.reason }));
  const { expires_at, understood, not_understood } = made;
  const [, email = ''] = made.attendees;
  const title = oneLine(made.title);
  return {
    data: {
      ...{ status: 'open' as const, proposal_id, title, times, url: made.url ?? undefined, expires_at },
      ...{ understood, not_understood },
    },
    text: [
      say('agent.offered', { email, title, proposal: proposal_id }),
      ...listed(times),
      say('agent.offered_until', { until: expires_at }),
      ...(made.url === null ? [] : [say('agent.offer_link', { email, url: made.url })]),
      ...(understood && not_understood ? [sayReading(understood, not_understood)] : []),
      ...warnings,
    ].join('\n'),
  };
}

const listed = (times: readonly (When & { reason: string })[]) =>
  times.map((one, i) => say('agent.one_of', { number: i + 1, when: sayWhen(one), reason: one.reason }));
