import { Hono } from 'hono';
import {
  acceptProposal,
  assertStart,
  declineProposal,
  listPlatformProposals,
  proposeTimes,
  readProposal,
  withdrawProposal,
} from '../../lib/meetings/index.ts';
import { toPagination } from '../../schema/api/paging.ts';
import * as api from '../../schema/api/proposals.ts';
import type { AppEnv } from '../env.ts';
import { serve } from '../serve.ts';
import { serveOnce } from '../serve-once.ts';

export const proposals = new Hono<AppEnv>();

serveOnce(
  proposals,
  api.proposeTimes,
  // The handler reads both calendars before its first batch, and a retry may find the times held by the first request.
  { name: 'propose', lookFirst: () => true },
  async ({ ctx, platform, body, idempotency, warnings }) => {
    for (const start of body.times) assertStart(start, ctx.clock.now(), 'times');
    return proposeTimes(ctx, platform, {
      attendees: body.attendees,
      starts: body.times,
      durationMinutes: body.duration_minutes,
      title: body.title,
      description: body.description ?? null,
      location: body.location,
      metadata: body.metadata ?? {},
      expiresInHours: body.expires_in_hours,
      onExpiry: body.on_expiry,
      idempotency,
      warnings,
    });
  },
);

serve(proposals, api.listProposals, async ({ ctx, platform, query: { cursor: after, ...filter } }) => {
  const { proposals, next } = await listPlatformProposals(ctx, platform, { after, ...filter });
  return { proposals, pagination: toPagination(next) };
});

serve(proposals, api.getProposal, ({ ctx, platform, params }) => readProposal(ctx, platform, params.proposal_id));

serve(proposals, api.withdrawProposal, ({ ctx, platform, params }) =>
  withdrawProposal(ctx, platform, params.proposal_id),
);

serve(proposals, api.acceptProposal, ({ ctx, platform, params, body }) =>
  acceptProposal(ctx, platform, params.proposal_id, body.time_id),
);

serve(proposals, api.declineProposal, ({ ctx, platform, params, body }) =>
  declineProposal(ctx, platform, params.proposal_id, body.reason),
);
