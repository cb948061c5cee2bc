import { greetChannel, hearPush } from '../../../schema/access/watch-channels.ts';
import { usedSince } from '../../calendars/snapshot/timing.ts';
import type { Ctx } from '../../kit/context.ts';
import { sha256 } from '../../kit/keys.ts';
import { syncCalendar } from './sync-calendar.ts';

export interface Push {
  channelId: string;
  token: string;
  state: string;
  number: number;
}

/**
 * Handles a calendar provider's push as a hint that a calendar changed. Marks the stored busy times as stale. If
 * the person has a meeting ahead and somebody has asked for them lately, looks at the meeting's event after answering the
 * push. A push proves only that its sender
 * knows the channel's secret, so nothing else in it is trusted. Returns false for a secret that Tandem never issued,
 * without a database query.
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
  if (heard?.isUrgent) ctx.later(syncCalendar(ctx, heard.userId));
  return true;
}
