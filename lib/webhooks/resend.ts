import type { DeliveryFilter } from '../../schema/delivery/deliveries-log.ts';
import {
  countReplays,
  listReplayStates,
  replaySelected,
  replayUndelivered,
} from '../../schema/delivery/deliveries-redeliver.ts';
import { TEST_EVENT_ID } from '../../schema/tables/deliveries.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError } from '../kit/errors.ts';
import { isDeliveryId } from './outbox.ts';
import { mustBeEnabled, publishReplays, REPLAYS_PER_HOUR, replayOf } from './replay.ts';

/** Largest number of deliveries that a person can select for one resend. */
export const MOST_SELECTED = 100;
/** Largest number of events that have not arrived and are sent again at once. */
export const MOST_RESENT = 500;

export interface Resent {
  selected: number;
  sent: number;
  /** Deliveries whose event has a newer delivery, so that sending them would send the event twice. */
  newer: number;
  pending: number;
  /** Deliveries that the platform can have sent again only later, because an hour has a limit. */
  over: number;
  tests: number;
  /** Deliveries that are not in the log any more. */
  gone: number;
}

/**
 * Sends each event once. Skips deliveries that are not their event's newest, pending or tests. Throws `invalid_request`
 * for a selection that is empty, too large or not of ids, `webhook_not_configured`, `webhook_disabled` and
 * `rate_limited`.
 */
export async function resendSelected(ctx: Ctx, platformId: string, selection: readonly string[]): Promise<Resent> {
  const ids = [...new Set(selection)];
  const refuse = (message: string) => new AppError('invalid_request', message, { field: 'id' });
  if (ids.length === 0) throw refuse('Select at least one delivery. Nothing was sent.');
  if (ids.length > MOST_SELECTED) throw refuse(`Select at most ${MOST_SELECTED} deliveries. Nothing was sent.`);
  if (!ids.every(isDeliveryId)) throw refuse('The selection has an ID that no delivery can have. Nothing was sent.');
  await mustBeEnabled(ctx, platformId);
  const replay = replayOf(ctx, platformId);
  const made = await replaySelected(ctx.db, { ...replay, ids });
  const replays = made.map(({ id }) => id);
  await publishReplays(ctx, platformId, replays);
  const sent = new Set(made.map(({ replayOf }) => replayOf));
  const left = ids.filter((id) => !sent.has(id));
  const states = left.length === 0 ? [] : await listReplayStates(ctx.db, { platformId, ids: left });
  const tests = states.filter(({ eventId }) => eventId.startsWith(TEST_EVENT_ID)).length;
  const newer = states.filter(({ eventId, eventAt }) => eventAt === null && !eventId.startsWith(TEST_EVENT_ID)).length;
  const ended = states.filter(({ status, eventAt }) => status !== 'pending' && eventAt !== null).length;
  const isUsedUp = ended > 0 && (await countReplays(ctx.db, replay)).used >= REPLAYS_PER_HOUR;
  const over = isUsedUp ? ended : 0;
  return {
    selected: ids.length,
    sent: made.length,
    newer,
    tests,
    over,
    // The rest was in progress when the others were chosen, even if it has ended since.
    pending: states.length - tests - newer - over,
    gone: left.length - states.length,
  };
}

/**
 * Sends at most 500, oldest first. Returns their number. Throws `webhook_not_configured`, `webhook_disabled` and
 * `rate_limited`.
 */
export async function resendUndelivered(ctx: Ctx, filter: DeliveryFilter): Promise<number> {
  const { platformId } = filter;
  await mustBeEnabled(ctx, platformId);
  const made = await replayUndelivered(ctx.db, { ...replayOf(ctx, platformId), filter, limit: MOST_RESENT });
  await publishReplays(ctx, platformId, made);
  return made.length;
}
