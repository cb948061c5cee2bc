import { Hono } from 'hono';
import {
  assertStart,
  listPlatformProposals,
  proposeMove,
  proposeTimes,
  readProposal,
} from '../../lib/meetings/index.ts';
import { guestZone } from '../../lib/person/guest.ts';
import { toPagination } from '../../schema/api/paging.ts';
import * as api from '../../schema/api/proposals.ts';
import { toTimesGiven } from '../../schema/api/reading.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';
import { serveOnce } from '../http/serve-once.ts';

export const proposals = new Hono<AppEnv>();

serveOnce(
  proposals,
  api.proposeTimes,
  // The handler seeks free times before its first batch, and a retry would find that the first request holds them.
  { name: 'propose', lookFirst: () => true },
  async ({ ctx, platform, body, idempotency, warnings }) => {
    for (const start of body.times ?? []) assertStart(start, ctx.clock.now(), 'times');
    const offer = {
      requesterName: body.requester_name ?? null,
      guestTimeZone: guestZone(body.guest_time_zone),
      starts: body.times,
      count: body.count ?? api.USUAL_TIMES,
      asks: toTimesGiven(body),
      expiresInHours: body.expires_in_hours,
      onExpiry: body.on_expiry,
      idempotency,
      warnings,
    };
    const { meeting_id: meetingId, attendees, duration_minutes: durationMinutes } = body;
    if (meetingId !== undefined) return proposeMove(ctx, platform, { ...offer, meetingId, attendees, durationMinutes });
    return proposeTimes(ctx, platform, { ...offer, ...api.newMeetingIn(body) });
  },
);

serve(proposals, api.listProposals, async ({ ctx, platform, query: { cursor: after, ...filter } }) => {
  const { proposals, next } = await listPlatformProposals(ctx, platform, { after, ...filter });
  return { proposals, pagination: toPagination(next) };
});

serve(proposals, api.getProposal, ({ ctx, platform, params }) => readProposal(ctx, platform, params.proposal_id));
