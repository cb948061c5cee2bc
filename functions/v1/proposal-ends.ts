import { Hono } from 'hono';
import { acceptProposal, declineProposal, withdrawProposal } from '../../lib/meetings/index.ts';
import { guestZone } from '../../lib/person/guest.ts';
import * as api from '../../schema/api/proposal-ends.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const proposalEnds = new Hono<AppEnv>();

serve(proposalEnds, api.withdrawProposal, ({ ctx, platform, params }) =>
  withdrawProposal(ctx, platform, params.proposal_id),
);

serve(proposalEnds, api.acceptProposal, ({ ctx, platform, params, body }) =>
  acceptProposal(ctx, platform, params.proposal_id, body.time_id, {
    name: body.guest_name,
    timeZone: guestZone(body.guest_time_zone),
  }),
);

serve(proposalEnds, api.declineProposal, ({ ctx, platform, params, body }) =>
  declineProposal(ctx, platform, params.proposal_id, body.reason),
);
