import type { Context } from 'hono';
import { DeclineRequest } from '../../../schema/api/proposal-ends.ts';
import type { AppEnv } from '../../http/env.ts';
import type { Seen, Typed } from './frame.tsx';
import { LONGEST_REASON } from './reason-box.tsx';
import { renderSeen } from './render.tsx';

const WRONG_REASON = `Write at most ${LONGEST_REASON.toLocaleString('en-GB')} characters of plain text. Nothing was sent yet.`;

/** Returns an error sentence too if the text is too long or not valid Unicode. */
export function reasonIn(form: URLSearchParams): { reason: string; error?: string } {
  const reason = (form.get('reason') ?? '').trim();
  const { success } = DeclineRequest.safeParse(reason === '' ? {} : { reason });
  return success ? { reason } : { reason, error: WRONG_REASON };
}

/** Shows the form again with what the person typed, and what is wrong with it. */
export function renderTyped(c: Context<AppEnv>, seen: Seen, typed: Typed) {
  c.set('refusal', 'invalid_request');
  return renderSeen(c, seen, { typed, status: 400 });
}
