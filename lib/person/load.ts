import { listConnectedPeople } from '../../schema/access/people.ts';
import type { Ctx, PlatformRef } from '../kit/context.ts';
import { requireRequester, UNKNOWN_GUEST } from './guest.ts';
import { type Pair, type Person, requireBothConnected, toPerson } from './person.ts';

export async function loadConnected(ctx: Ctx, platform: PlatformRef, emails: string[]): Promise<Person[]> {
  const rows = await listConnectedPeople(ctx.db, { platformId: platform.id, emails });
  return rows.map(toPerson);
}

/** Keeps the addresses' order. Throws `user_not_found` or `calendar_reconnect_required` if one is not connected. */
export const loadBothConnected = async (ctx: Ctx, platform: PlatformRef, emails: [string, string]): Promise<Pair> =>
  requireBothConnected(emails, await loadConnected(ctx, platform, emails));

/** The second is a guest if not connected. Throws `user_not_found` or `calendar_reconnect_required`. */
export const loadInvited = async (ctx: Ctx, platform: PlatformRef, emails: [string, string]): Promise<Pair> =>
  requireRequester(emails, await loadConnected(ctx, platform, emails), UNKNOWN_GUEST);
