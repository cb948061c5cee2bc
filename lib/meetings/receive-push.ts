import { greetChannel, hearPush } from '../../schema/watch-channels/queries.ts';
import { usedSince } from '../calendars/snapshot/timing.ts';
import type { Ctx } from '../context.ts';
import { sha256 } from '../keys.ts';
import { syncCalendar } from './sync-calendar.ts';

/** A calendar that keeps changing is read no more often than this by its pushes; the minute's tick reads the rest. */
const BETWEEN_READS_MS = 10_000;

export interface Push {
  channelId: string;
  token: string;
  state: string;
  number: number;
}

/**
 * A push is a hint: it marks the calendar's snapshot dirty and, where somebody uses it, has it read after the answer; nothing in it is
 * believed but that its sender knows the channel's secret. False for a secret that was never ours, which costs no look-up.
 */
export async function receivePush(ctx: Ctx, { channelId: id, token, state, number }: Push): Promise<boolean> {
  if (!(token.startsWith('push_') && (await ctx.keys.isGenuine(token)))) return false;
  const now = ctx.clock.now();
  const push = { id, tokenHash: await sha256(token), number, now };
  if (state === 'sync') {
    await greetChannel(ctx.db, push);
    return true;
  }
  const heard = await hearPush(ctx.db, { ...push, usedSince: usedSince(now) });
  if (heard?.isUsed && (heard.readAt ?? 0) <= now - BETWEEN_READS_MS) ctx.later(syncCalendar(ctx, heard.userId));
  return true;
}
