import { Hono } from 'hono';
import { invalid } from '../../lib/kit/errors.ts';
import * as domain from '../../lib/meetings/index.ts';
import { guestZone } from '../../lib/person/guest.ts';
import * as meetingsApi from '../../schema/api/meetings.ts';
import { toPagination } from '../../schema/api/paging.ts';
import * as proposalsApi from '../../schema/api/proposals.ts';
import { toTimesGiven } from '../../schema/api/reading.ts';
import type { AppEnv } from '../http/env.ts';
import { serve, serveOnce } from '../http/serve.ts';

export const meetings = new Hono<AppEnv>();

serve(meetings, meetingsApi.listMeetings, async ({ ctx, platform, query: { cursor: after, ...filter } }) => {
  const { meetings, next } = await domain.listPlatformMeetings(ctx, platform, { after, ...filter });
  return { meetings, pagination: toPagination(next) };
});

serve(meetings, meetingsApi.getMeeting, ({ ctx, platform, params }) =>
  domain.readMeeting(ctx, platform, params.meeting_id),
);

serve(meetings, meetingsApi.listUserMeetings, async ({ ctx, platform, params: { email }, query }) => {
  const { cursor: after, ...filter } = query;
  const { next, ...list } = await domain.listMeetingsOf(ctx, platform, { email, after, ...filter });
  return { ...list, pagination: toPagination(next) };
});

serveOnce(
  meetings,
  meetingsApi.updateMeeting,
  // A retry may arrive after the new start has passed, and must still get its first answer.
  { name: 'update', lookFirst: ({ ctx, body }) => body.start_time <= ctx.clock.now() },
  async ({ ctx, platform, params, body, idempotency, warnings }) => {
    const { start_time: start, end_time: end, ...change } = body;
    domain.assertStart(start, ctx.clock.now());
    return domain.updateMeeting(ctx, platform, { id: params.meeting_id, start, end, ...change, idempotency, warnings });
  },
);

serveOnce(meetings, meetingsApi.cancelMeeting, { name: 'cancel' }, ({ ctx, platform, params, idempotency }) =>
  domain.cancelMeeting(ctx, platform, { id: params.meeting_id, idempotency }),
);

serveOnce(
  meetings,
  meetingsApi.rescheduleMeeting,
  { name: 'reschedule', lookFirst: () => true },
  async ({ ctx, platform, params: { meeting_id: id }, body, idempotency, warnings }) => {
    const { requested_by: requestedBy, reason, preferred_time_range: within, when_unclear: whenUnclear } = body;
    if (id !== '' && body.meeting_id !== undefined && body.meeting_id !== id)
      throw invalid(
        'meeting_id',
        '`meeting_id` must equal the meeting ID in the path. Send the same ID, or leave the field out.',
      );
    const move = { id, requestedBy, reason, within, whenUnclear, idempotency, warnings };
    return body.propose ? domain.proposeReschedule(ctx, platform, move) : domain.rescheduleMeeting(ctx, platform, move);
  },
);

serveOnce(
  meetings,
  proposalsApi.proposeTimes,
  // The handler seeks free times before its first batch, and a retry would find that the first request holds them.
  { name: 'propose', lookFirst: () => true },
  async ({ ctx, platform, body, idempotency, warnings }) => {
    for (const start of body.times ?? []) domain.assertStart(start, ctx.clock.now(), 'times');
    const offer = {
      requesterName: body.requester_name ?? null,
      guestTimeZone: guestZone(body.guest_time_zone),
      starts: body.times,
      count: body.count ?? proposalsApi.USUAL_TIMES,
      asks: toTimesGiven(body),
      expiresInHours: body.expires_in_hours,
      onExpiry: body.on_expiry,
      idempotency,
      warnings,
    };
    const { meeting_id: meetingId, attendees, duration_minutes: durationMinutes } = body;
    if (meetingId !== undefined)
      return domain.proposeMove(ctx, platform, { ...offer, meetingId, attendees, durationMinutes });
    return domain.proposeTimes(ctx, platform, { ...offer, ...proposalsApi.newMeetingIn(body) });
  },
);

serve(meetings, proposalsApi.listProposals, async ({ ctx, platform, query: { cursor: after, ...filter } }) => {
  const { proposals, next } = await domain.listPlatformProposals(ctx, platform, { after, ...filter });
  return { proposals, pagination: toPagination(next) };
});

serve(meetings, proposalsApi.getProposal, ({ ctx, platform, params }) =>
  domain.readProposal(ctx, platform, params.proposal_id),
);

serve(meetings, proposalsApi.withdrawProposal, ({ ctx, platform, params }) =>
  domain.withdrawProposal(ctx, platform, params.proposal_id),
);

serve(meetings, proposalsApi.acceptProposal, ({ ctx, platform, params, body }) =>
  domain.acceptProposal(ctx, platform, params.proposal_id, body.time_id, {
    name: body.guest_name,
    timeZone: guestZone(body.guest_time_zone),
  }),
);

serve(meetings, proposalsApi.declineProposal, ({ ctx, platform, params, body }) =>
  domain.declineProposal(ctx, platform, params.proposal_id, body.reason),
);
