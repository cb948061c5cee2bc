import { Hono } from 'hono';
import * as domain from '../../lib/meetings/index.ts';
import { guestZone } from '../../lib/person/guest.ts';
import { toPagination } from '../../schema/api/paging.ts';
import * as proposalEndsApi from '../../schema/api/proposal-ends.ts';
import * as proposalsApi from '../../schema/api/proposals.ts';
import { toTimesGiven } from '../../schema/api/reading.ts';
import type { AppEnv } from '../http/env.ts';
import { serve, serveOnce } from '../http/serve.ts';

export const proposals = new Hono<AppEnv>();

serveOnce(
  proposals,
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

serve(proposals, proposalsApi.listProposals, async ({ ctx, platform, query: { cursor: after, ...filter } }) => {
  const { proposals, next } = await domain.listPlatformProposals(ctx, platform, { after, ...filter });
  return { proposals, pagination: toPagination(next) };
});

serve(proposals, proposalsApi.getProposal, ({ ctx, platform, params }) =>
  domain.readProposal(ctx, platform, params.proposal_id),
);

serve(proposals, proposalEndsApi.withdrawProposal, ({ ctx, platform, params }) =>
  domain.withdrawProposal(ctx, platform, params.proposal_id),
);

serve(proposals, proposalEndsApi.acceptProposal, ({ ctx, platform, params, body }) =>
  domain.acceptProposal(ctx, platform, params.proposal_id, body.time_id, {
    name: body.guest_name,
    timeZone: guestZone(body.guest_time_zone),
  }),
);

serve(proposals, proposalEndsApi.declineProposal, ({ ctx, platform, params, body }) =>
  domain.declineProposal(ctx, platform, params.proposal_id, body.reason),
);
