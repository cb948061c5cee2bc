import type { Context } from 'hono';
import { askForMove, openPage, type ProposalPage } from '../../../lib/meetings/index.ts';
import type { AppEnv } from '../../http/env.ts';
import { Changed, wishIn } from './counter.tsx';
import { addressOf, type Seen } from './frame.tsx';
import { renderNoOtherTimes } from './no-other-times.tsx';
import { renderTyped } from './typed-reason.tsx';

/**
 * The form has a text, or starts that the page showed as free. Leads to the page that offers the times, or says what
 * they can do instead. Throws `Changed` if the meeting is no longer as the person saw it.
 */
export async function moveBy(
  c: Context<AppEnv>,
  seen: Seen,
  form: URLSearchParams,
  asSeen: (page: ProposalPage) => Seen,
): Promise<Response> {
  const { ctx } = c.var;
  if (seen.state.kind !== 'meeting') throw new Changed();
  const { reason, answer, error } = wishIn(form, seen);
  if (error !== undefined && seen.state.mayMove) return renderTyped(c, seen, { field: 'reason', text: reason, error });
  const outcome = await askForMove(ctx, seen, { ...answer, seenStart: Number(form.get('seen')) });
  if (outcome.kind === 'changed') throw new Changed();
  if (outcome.kind !== 'countered') return renderNoOtherTimes(c, seen, outcome, reason);
  const page = await openPage(ctx, seen.tokenHash);
  const now = page === undefined ? seen : asSeen(page);
  const next = now.state.kind === 'meeting' ? now.state.next : undefined;
  return c.redirect(addressOf({ ...now, path: next ?? now.path }), 303);
}
