import type { Context } from 'hono';
import { knownZone } from '../../../lib/engine/time/zone.ts';
import type { ProposalPage } from '../../../lib/meetings/index.ts';
import type { AppEnv } from '../../http/env.ts';
import type { Seen } from './frame.tsx';

/** It is what the browser or the person gave, or else the person's zone in Tandem, or the requester's. */
export function seenAt(c: Context<AppEnv>, page: ProposalPage, path: string, asked: string | undefined): Seen {
  const given = knownZone(asked ?? '');
  const isZoneGiven = given !== undefined;
  const guess = page.otherTimeZone ?? page.requesterTimeZone ?? 'UTC';
  return {
    ...page,
    path,
    zone: given ?? guess,
    isZoneGiven,
    isZoneUnknown: !isZoneGiven && page.otherTimeZone === undefined,
    now: c.var.ctx.clock.now(),
  };
}

/** Adds headers to a response that keep the page's URL out of search engines and away from other sites. */
export function hideAddress(response: Response): Response {
  response.headers.set('Referrer-Policy', 'no-referrer');
  response.headers.set('X-Robots-Tag', 'noindex, nofollow');
  return response;
}
