import { Hono } from 'hono';
import { AppError } from '../../lib/kit/errors.ts';
import {
  assertStart,
  cancelMeeting,
  proposeReschedule,
  rescheduleMeeting,
  updateMeeting,
} from '../../lib/meetings/index.ts';
import * as api from '../../schema/api/meeting-changes.ts';
import type { AppEnv } from '../http/env.ts';
import { serveOnce } from '../http/serve-once.ts';

export const meetingChanges = new Hono<AppEnv>();

serveOnce(
  meetingChanges,
  api.updateMeeting,
  // A retry may arrive after the new start has passed, and must still get its first answer.
  { name: 'update', lookFirst: ({ ctx, body }) => body.start_time <= ctx.clock.now() },
  async ({ ctx, platform, params, body, idempotency, warnings }) => {
    const { start_time: start, end_time: end, ...change } = body;
    assertStart(start, ctx.clock.now());
    return updateMeeting(ctx, platform, { id: params.meeting_id, start, end, ...change, idempotency, warnings });
  },
);

serveOnce(meetingChanges, api.cancelMeeting, { name: 'cancel' }, ({ ctx, platform, params, idempotency }) =>
  cancelMeeting(ctx, platform, { id: params.meeting_id, idempotency }),
);

serveOnce(
  meetingChanges,
  api.rescheduleMeeting,
  { name: 'reschedule', lookFirst: () => true },
  async ({ ctx, platform, params: { meeting_id: id }, body, idempotency, warnings }) => {
    const { requested_by: requestedBy, reason, preferred_time_range: within, when_unclear: whenUnclear } = body;
    if (id !== '' && body.meeting_id !== undefined && body.meeting_id !== id)
      throw new AppError(
        'invalid_request',
        '`meeting_id` must equal the meeting ID in the path. Send the same ID, or leave the field out.',
        {
          field: 'meeting_id',
        },
      );
    const move = { id, requestedBy, reason, within, whenUnclear, idempotency, warnings };
    return body.propose ? proposeReschedule(ctx, platform, move) : rescheduleMeeting(ctx, platform, move);
  },
);
