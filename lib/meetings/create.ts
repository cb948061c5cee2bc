import type { KeyClaim } from '../../schema/idempotency/queries.ts';
import { findAvailability } from '../availability/search.ts';
import type { Ctx, Platform } from '../context.ts';
import { slotUnavailable } from '../errors.ts';
import { bookMeeting } from './book.ts';
import { SlotTaken } from './conflicts.ts';

interface Input {
  attendees: [string, string];
  /** Epoch milliseconds. */
  start: number;
  durationMinutes: number;
  title: string;
  description: string | null;
  location: string;
  requireFree: boolean;
  idempotency?: KeyClaim | undefined;
}

/**
 * Books the time it is given, free or not (`interface.md`, POST /v1/schedule); with `requireFree` only a free one, else
 * `slot_unavailable` with fresh alternatives. Throws `user_not_found`, `quota_exceeded`, `calendar_*`; `KeyTaken` when
 * the idempotency key has a row already.
 */
export async function createMeeting(ctx: Ctx, platform: Platform, input: Input) {
  const { durationMinutes, requireFree, ...booking } = input;
  const end = input.start + durationMinutes * 60_000;
  try {
    return await bookMeeting(ctx, platform, { ...booking, end, guarded: requireFree });
  } catch (error) {
    if (!(error instanceof SlotTaken)) throw error;
    const { attendees } = input;
    const found = await findAvailability(ctx, platform, { attendees, durationMinutes });
    throw slotUnavailable(found.slots);
  }
}
