import type { KeyClaim } from '../../schema/idempotency/queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { claim } from './claim.ts';
import { deleteEvent } from './event.ts';
import { runOperation } from './operation.ts';
import { commitCancel } from './steps/cancel.ts';

interface Input {
  id: string;
  idempotency?: KeyClaim | undefined;
}

/**
 * Cancels a meeting for both (`interface.md`, DELETE /v1/meetings/{meeting_id}); an event that is gone already counts as
 * deleted. Throws `meeting_not_found`, `meeting_busy`, `calendar_*`.
 */
export async function cancelMeeting(ctx: Ctx, platform: Platform, { id, idempotency }: Input) {
  const operation = { lease: { id, owner: ctx.ids.id('own_') }, intent: { kind: 'cancel' as const } };
  const { meeting, people } = await claim(ctx, platform, { operation, idempotency });
  const [requester, other] = people;
  return runOperation(ctx, operation, requester.email, async (trace) => {
    await deleteEvent(ctx, requester, meeting.providerEventId, trace);
    return commitCancel(ctx, operation, { ...meeting, attendees: [requester.email, other.email] });
  });
}
