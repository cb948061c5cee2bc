import { type Context, Hono } from 'hono';
import { AppError } from '../../../lib/kit/errors.ts';
import { sha256 } from '../../../lib/kit/keys.ts';
import {
  cancelMeeting,
  proposeMove,
  proposeReschedule,
  rescheduleMeeting,
  runOnce,
} from '../../../lib/meetings/index.ts';
import * as api from '../../../schema/api/meeting-changes.ts';
import { type MadeProposal, ProposalRequest, USUAL_TIMES } from '../../../schema/api/proposals.ts';
import type { IdempotentRequest } from '../../../schema/meetings/idempotency.ts';
import type { IdempotentOperation } from '../../../schema/tables/idempotency.ts';
import type { AppEnv } from '../../http/env.ts';
import { check } from '../../http/input.ts';
import { redirectDone } from '../done.ts';
import { renderMeeting } from './meeting.tsx';
import type { ActionState } from './meeting-forms.tsx';
import { attempt, OR_CALENDAR } from './query.ts';
import { form, idOf, onceOf, openedSession } from './session.ts';

const PATH = '/dashboard/meetings/:id';
const PROPOSALS = '/dashboard/proposals';

/** These call the same operations as the API. */
export const meetingActions = new Hono<AppEnv>();

action('cancel', async (c, { id, once }) => {
  const { ctx } = c.var;
  const idempotency = await once('cancel');
  const { calendar_event: event } = await runOnce<api.CancelledMeeting>(ctx, idempotency, () =>
    cancelMeeting(ctx, openedSession(c).platform, { id, idempotency }),
  );
  return `/dashboard/meetings/${id}?done=cancelled-${event}`;
});

action('reschedule', async (c, { id, given, once }) => {
  const { ctx } = c.var;
  const { platform } = openedSession(c);
  const { requested_by, reason, propose } = check(api.RescheduleRequest, {
    requested_by: given.get('requested_by') ?? '',
    reason: given.get('reason') ?? '',
    propose: given.get('propose') === 'true',
  });
  const idempotency = await once('reschedule');
  const move = { id, requestedBy: requested_by, reason, idempotency };
  if (propose) {
    const { proposal_id } = await runOnce<api.ProposedReschedule>(
      ctx,
      idempotency,
      () => proposeReschedule(ctx, platform, move),
      { lookFirst: true },
    );
    return `${PROPOSALS}/${proposal_id}?done=made`;
  }
  const { new_meeting_id } = await runOnce<api.RescheduledMeeting>(
    ctx,
    idempotency,
    () => rescheduleMeeting(ctx, platform, move),
    { lookFirst: true },
  );
  return `/dashboard/meetings/${new_meeting_id}?done=moved`;
});

action('propose', async (c, { id, given, once }) => {
  const { ctx } = c.var;
  const { expires_in_hours: expiresInHours, on_expiry: onExpiry } = check(ProposalRequest, {
    meeting_id: id,
    expires_in_hours: Number(given.get('expires_in_hours') || Number.NaN),
  });
  const idempotency = await once('propose');
  const offer = { meetingId: id, attendees: undefined, durationMinutes: undefined, starts: undefined };
  const { proposal_id } = await runOnce<MadeProposal>(
    ctx,
    idempotency,
    () =>
      proposeMove(ctx, openedSession(c).platform, {
        ...offer,
        ...{ requesterName: null, count: USUAL_TIMES, expiresInHours, onExpiry, idempotency, warnings: [] },
      }),
    { lookFirst: true },
  );
  return `${PROPOSALS}/${proposal_id}?done=made`;
});

interface Sent {
  id: string;
  given: URLSearchParams;
  /** Returns the idempotency key of this showing of the form, so that a form that is sent twice takes effect once. */
  once(operation: IdempotentOperation): Promise<IdempotentRequest>;
}

/** Redirects to the page that `run` returns. A refusal shows the meeting again, with what the person typed. */
function action(name: ActionState['name'], run: (c: Context<AppEnv>, sent: Sent) => Promise<string>): void {
  form(meetingActions, `${PATH}/${name}`, async (c, given) => {
    const id = idOf(c);
    const key = `form:${onceOf(given)}`;
    const { answer, refusal } = await attempt(
      c,
      () =>
        run(c, {
          id,
          given,
          once: async (operation) => {
            const fingerprint = await sha256(`FORM ${c.req.path} ${JSON.stringify([...given])}`);
            return { platformId: c.var.session.platformId, operation, key, fingerprint };
          },
        }).catch(sentBefore),
      OR_CALENDAR,
    );
    return answer === undefined
      ? renderMeeting(c, { name, refusal, given })
      : redirectDone(c, c.var.session.csrf, answer);
  });
}

/** Says in the words of a page that this form was sent before with other text. Rethrows every other error. */
function sentBefore(error: unknown): never {
  if (!(error instanceof AppError && error.code === 'idempotency_key_reused')) throw error;
  throw new AppError(
    'idempotency_key_reused',
    'This form was already sent once, with other text. The first text counts. Reload the page to see the meeting as it is now.',
  );
}
