import { touchConnections } from '../../schema/connections/queries.ts';
import { listConnectedPeople, listLiveMeetingTimes } from '../../schema/people/queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { MARGIN_MS } from './read-person.ts';

const LONGEST_WINDOW_MS = 92 * 86_400_000;

/** These people's rows and live meetings, for a search from now to the longest window or the range's end. */
export function loadPeople(ctx: Ctx, platform: Platform, emails: string[], endDate: string | undefined) {
  const now = ctx.clock.now();
  const rangeEnd = endDate === undefined ? 0 : Date.parse(endDate) || 0;
  return ctx.db.batch([
    listConnectedPeople(ctx.db, { platformId: platform.id, emails }),
    listLiveMeetingTimes(ctx.db, {
      emails,
      start: now - MARGIN_MS,
      end: Math.max(now + LONGEST_WINDOW_MS, rangeEnd) + MARGIN_MS,
    }),
    touchConnections(ctx.db, { platformId: platform.id, emails, now }),
  ]);
}
