import { Hono } from 'hono';
import { AppError, startsInThePast } from '../../lib/errors.ts';
import { CANCEL_OPERATION, cancelMeeting } from '../../lib/meetings/cancel.ts';
import { readMeeting } from '../../lib/meetings/read-meeting.ts';
import { RESCHEDULE_OPERATION, rescheduleMeeting } from '../../lib/meetings/reschedule.ts';
import { UPDATE_OPERATION, updateMeeting } from '../../lib/meetings/update.ts';
import { RescheduleRequest, UpdateMeetingRequest } from '../../schema/api/meetings.ts';
import type { KeyClaim } from '../../schema/idempotency/queries.ts';
import { readBody } from '../body.ts';
import { type AppEnv, platformOf } from '../env.ts';
import { once } from '../idempotency.ts';

export const meetings = new Hono<AppEnv>();

const PATH = '/v1/meetings/:meeting_id';

meetings.get(PATH, async (c) => c.json(await readMeeting(c.var.ctx, platformOf(c), c.req.param('meeting_id'))));

meetings.put(PATH, async (c) => {
  const id = c.req.param('meeting_id');
  const body = await readBody(c, UpdateMeetingRequest);
  const { start_time: start, end_time: end, attendees, reason = 'meeting_rescheduled' } = body;
  // What was moved in time is answered again later too.
  const isPast = start <= c.var.ctx.clock.now();
  const update = async (idempotency: KeyClaim | undefined) => {
    if (isPast) throw startsInThePast();
    return updateMeeting(c.var.ctx, platformOf(c), { id, start, end, attendees, reason, idempotency });
  };
  return once(c, UPDATE_OPERATION, body, update, { lookFirst: isPast });
});

meetings.delete(PATH, (c) =>
  once(c, CANCEL_OPERATION, null, (idempotency) =>
    cancelMeeting(c.var.ctx, platformOf(c), { id: c.req.param('meeting_id'), idempotency }),
  ),
);

meetings.post(`${PATH}/reschedule`, async (c) => {
  const id = c.req.param('meeting_id');
  const body = await readBody(c, RescheduleRequest);
  const { requested_by: requestedBy, reason, preferred_time_range: within } = body;
  if (body.meeting_id !== id)
    throw new AppError('invalid_request', 'meeting_id must be the one in the path.', { field: 'meeting_id' });
  const reschedule = (idempotency: KeyClaim | undefined) =>
    rescheduleMeeting(c.var.ctx, platformOf(c), { id, requestedBy, reason, within, idempotency });
  return once(c, RESCHEDULE_OPERATION, body, reschedule, { lookFirst: true });
});
