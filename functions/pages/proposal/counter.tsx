import type { Context } from 'hono';
import { DAY, MINUTE } from '../../../lib/engine/time/dates.ts';
import { counterProposal } from '../../../lib/meetings/index.ts';
import type { AppEnv } from '../../http/env.ts';
import type { Seen } from './frame.tsx';
import { renderNoOtherTimes } from './no-other-times.tsx';
import { renderSeen } from './render.tsx';
import { reasonIn, renderTyped } from './typed-reason.tsx';

/** Error for a form of a proposal's page whose contents no longer match the proposal or the meeting. */
export class Changed extends Error {}

const MOST_STARTS = 3;
/** How far ahead one may lie, and how far apart two may lie: the page shows no others. */
const [LONGEST_AHEAD_MS, LONGEST_SPREAD_MS] = [400 * DAY, 90 * DAY];

/**
 * The person typed a text, or chose free times that the page showed. Undefined if a new proposal now reserves such
 * times. Otherwise the page says what they can do instead, and the proposed times stay reserved.
 */
export async function counterBy(c: Context<AppEnv>, seen: Seen, form: URLSearchParams): Promise<Response | undefined> {
  if (seen.state.kind === 'paused') return renderSeen(c, seen, { status: 409 });
  const { reason, answer, error } = wishIn(form, seen);
  if (error !== undefined) return renderTyped(c, seen, { field: 'reason', text: reason, error });
  const outcome = await counterProposal(c.var.ctx, seen.platform, seen.proposal.id, answer);
  if (outcome.kind === 'countered') return undefined;
  return renderNoOtherTimes(c, seen, outcome, reason);
}

/**
 * Has the zone in which to read the text. Also returns an error sentence if the form asks for nothing, or if its text
 * is too long or not valid Unicode.
 */
export function wishIn(form: URLSearchParams, { now, zone }: Seen) {
  const { reason, error } = reasonIn(form);
  const starts = startsIn(form, now);
  const answer = { text: reason === '' ? null : reason, starts, timeZone: zone };
  return { reason, answer, error: error ?? (starts === undefined && reason === '' ? EMPTY : undefined) };
}

/** Undefined without any. Throws `Changed` for starts that have passed, and for those that no page can have shown. */
function startsIn(form: URLSearchParams, now: number): number[] | undefined {
  const starts = [...new Set(form.getAll('start'))].map(Number);
  if (starts.length === 0) return undefined;
  if (!areShown(starts, now)) throw new Changed();
  return starts;
}

/** Returns true for starts that a page can have shown and that are still ahead. */
export function areShown(starts: number[], now: number): boolean {
  const isSpread = Math.max(...starts) - Math.min(...starts) > LONGEST_SPREAD_MS;
  // A search gives no start within a minute.
  const isKnown = (start: number) => start % MINUTE === 0 && start > now && start < now + LONGEST_AHEAD_MS;
  return starts.length <= MOST_STARTS && !isSpread && starts.every(isKnown);
}

const EMPTY = 'Write a day or an hour that suits you, such as “Thursday afternoon”. Nothing was sent yet.';
