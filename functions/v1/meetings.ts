import { Hono } from 'hono';
import { AppError } from '../../lib/errors.ts';
import { cancelMeeting } from '../../lib/meetings/cancel.ts';
import { listMeetingsOf, listPlatformMeetings, readMeeting } from '../../lib/meetings/read.ts';
import { rescheduleMeeting } from '../../lib/meetings/reschedule.ts';
import { assertStart } from '../../lib/meetings/start-time.ts';
import { updateMeeting } from '../../lib/meetings/update.ts';
import * as api from '../../schema/api/meetings.ts';
import { toPagination } from '../../schema/api/paging.ts';
import type { AppEnv } from '../env.ts';
import { serve, serveOnce } from '../serve.ts';

export const meetings = new Hono<AppEnv>();

serve(meetings, api.listMeetings, async ({ ctx, platform, query: { cursor: after, ...filter } }) => {
  const { meetings, next } = await listPlatformMeetings(ctx, platform, { after, ...filter });
  return { meetings, pagination: toPagination(next) };
});

serve(meetings, api.getMeeting, ({ ctx, platform, params }) => readMeeting(ctx, platform, params.meeting_id));

serveOnce(
  meetings,
  api.updateMeeting,
  // What was moved in time is answered again later too.
  { name: 'update', lookFirst: ({ ctx, body }) => body.start_time <= ctx.clock.now() },
  async ({ ctx, platform, params, body, idempotency }) => {
    const { start_time: start, end_time: end, ...change } = body;
    assertStart(start, ctx.clock.now());
    return updateMeeting(ctx, platform, { id: params.meeting_id, start, end, ...change, idempotency });
  },
);

serveOnce(meetings, api.cancelMeeting, { name: 'cancel' }, ({ ctx, platform, params, idempotency }) =>
  cancelMeeting(ctx, platform, { id: params.meeting_id, idempotency }),
);

serveOnce(
  meetings,
  api.rescheduleMeeting,
  { name: 'reschedule', lookFirst: () => true },
  async ({ ctx, platform, params: { meeting_id: id }, body, idempotency }) => {
    const { requested_by: requestedBy, reason, preferred_time_range: within } = body;
    if (id !== '' && body.meeting_id !== undefined && body.meeting_id !== id)
      throw new AppError('invalid_request', 'meeting_id must be the one in the path.', { field: 'meeting_id' });
    return rescheduleMeeting(ctx, platform, { id, requestedBy, reason, within, idempotency });
  },
);

serve(meetings, api.listUserMeetings, async ({ ctx, platform, params: { email }, query }) => {
  const { cursor: after, ...filter } = query;
  const { next, ...list } = await listMeetingsOf(ctx, platform, { email, after, ...filter });
  return { ...list, pagination: toPagination(next) };
});
