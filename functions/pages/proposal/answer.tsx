import type { Context } from 'hono';
import { AppError } from '../../../lib/kit/errors.ts';
import * as domain from '../../../lib/meetings/index.ts';
import { line } from '../../../schema/api/fields.ts';
import { ERRORS, type ErrorCode } from '../../../schema/api/http-errors.ts';
import type { AppEnv } from '../../http/env.ts';
import { takeFailure } from '../../http/errors.ts';
import { countTextByToken } from '../../middleware/rate-limit.ts';
import { leaveForCheck } from './check.tsx';
import { Changed, counterBy, reasonIn, renderNoOtherTimes, renderTyped, wishIn } from './counter.tsx';
import { addressOf, bad, info, type Message, nothingWas, renderUnknown, type Seen, seenAgain, warn } from './frame.tsx';
import { countOf, LONGEST_NAME } from './open.tsx';
import { renderSeen } from './render.tsx';

/** A refusal shows the proposal as it is now. A form that is sent twice has the result of one sent once. */
export async function answerForm(c: Context<AppEnv>, seen: Seen, form: URLSearchParams) {
  const { ctx } = c.var;
  const { platform, proposal, state } = seen;
  try {
    switch (form.get('answer')) {
      case 'accept': {
        if (state.kind === 'paused') return renderSeen(c, seen, { status: 409 });
        const time = form.get('time') ?? '';
        const { guest, wrong } = guestIn(form, seen);
        if (wrong !== undefined && state.kind === 'open')
          return renderTyped(c, seen, { field: 'name', time, ...wrong });
        await domain.acceptProposal(ctx, platform, proposal.id, time, guest);
        break;
      }
      case 'decline': {
        const { reason, error } = reasonIn(form);
        if (error !== undefined) return renderTyped(c, seen, { field: 'reason', text: reason, error });
        await domain.declineProposal(ctx, platform, proposal.id, reason || undefined);
        break;
      }
      case 'counter': {
        await countTextByToken(c, seen.tokenHash);
        const refused = await counterBy(c, seen, form);
        if (refused !== undefined) return refused;
        break;
      }
      case 'move':
        await countTextByToken(c, seen.tokenHash);
        return await moveBy(c, seen, form);
      case 'check':
        await countTextByToken(c, seen.tokenHash);
        return await leaveForCheck(c, seen);
      case 'cancel':
        if ((await domain.cancelAtPage(ctx, seen, Number(form.get('start')))) === 'changed') throw new Changed();
        break;
      default:
        return renderUnknown(c);
    }
  } catch (error) {
    return refuse(c, error, seen, form.get('answer'));
  }
  return c.redirect(addressOf(seen), 303);
}

const Name = line(LONGEST_NAME);

/** A connected person is not asked for them. */
function guestIn(form: URLSearchParams, { proposal, zone, isZoneGiven }: Seen) {
  if (proposal.isOtherConnected) return {};
  const text = form.get('name') ?? '';
  const { data: name } = Name.safeParse(text);
  if (name === undefined) return { wrong: { text, error: text.trim() === '' ? NO_NAME : WRONG_NAME } };
  return { guest: { name, timeZone: isZoneGiven ? zone : undefined } };
}

const NO_NAME = 'Enter your name. Nothing was booked yet.';
const WRONG_NAME = `Write your name in one line of at most ${LONGEST_NAME} characters. Nothing was booked yet.`;

/** The form changed nothing. Rethrows errors that are not refusals. */
async function refuse(c: Context<AppEnv>, error: unknown, before: Seen, answer: string | null) {
  if (!(error instanceof Changed) && !(error instanceof AppError && error.code in MESSAGES)) throw error;
  const seen = await seenAgain(c, before);
  if (seen === undefined) return renderUnknown(c);
  if (!(error instanceof AppError)) {
    c.set('refusal', 'stale_form');
    return renderSeen(c, seen, { message: STALE, status: 409 });
  }
  const { code } = takeFailure(error, c);
  const isUnread = code === 'calendar_unavailable' && (answer === 'counter' || answer === 'move');
  const message = isUnread ? NOT_READ : MESSAGES[code]?.(seen);
  return renderSeen(c, seen, { message, status: ERRORS[code].status });
}

const STALE = warn('Nothing was changed', 'This changed after you opened the page. The page now shows how things are.');

const NOT_READ = bad('The calendar did not answer', 'Nothing was changed. Try again in a minute.');

const notBooked = (seen: Seen, text: string) => warn(nothingWas(seen), text);

const MESSAGES: Partial<Record<ErrorCode, (seen: Seen) => Message>> = {
  time_unavailable: (seen) =>
    warn(
      `That time has just gone${leftIn(seen.state)}`,
      `Somebody’s calendar filled up meanwhile. ${nothingWas(seen)}.`,
    ),
  no_availability: () =>
    warn(
      'Those times have just gone',
      'Somebody’s calendar filled up meanwhile. Nothing was changed. Ask for other times once more.',
    ),
  invalid_request: () => STALE,
  proposal_ended: () => STALE,
  proposal_not_found: () => STALE,
  proposal_busy: () => info('Somebody is answering already', 'Look again in a few seconds.'),
  too_many_proposals: (seen) =>
    notBooked(seen, `Too many times are offered at once. Try again later, or ask ${seen.proposal.requesterEmail}.`),
  meeting_busy: () =>
    info('Nothing was changed yet', 'Somebody else is changing the meeting. Try again in a few seconds.'),
  user_not_found: (seen) => notBooked(seen, `A calendar is no longer connected. ${askFor(seen)}`),
  calendar_reconnect_required: (seen) => notBooked(seen, `A calendar is no longer connected. ${askFor(seen)}`),
  unknown_time_zone: (seen) => notBooked(seen, `A calendar has a time zone that nobody knows. ${askFor(seen)}`),
  quota_exceeded: (seen) =>
    notBooked(
      seen,
      `${seen.platform.name} can book no more meetings this month. Tell ${seen.proposal.requesterEmail}.`,
    ),
  calendar_refused: (seen) => notBooked(seen, `The calendar did not take the meeting. ${askFor(seen)}`),
  calendar_unavailable: () =>
    bad(
      'The calendar did not answer',
      'We do not know yet whether your answer took effect. Look again in a minute before you try again.',
    ),
};

const askFor = ({ proposal }: Seen) => `Ask ${proposal.requesterEmail} for another way to meet.`;

function leftIn(state: Seen['state']): string {
  const left = state.kind === 'open' ? state.times.length : 0;
  if (left === 0) return ', and no other is left';
  return left === 1 ? '; one is left' : `; ${countOf(left)} are left`;
}

/** The form has a text, or starts that were shown as free. Throws `Changed` if the meeting is another now. */
async function moveBy(c: Context<AppEnv>, seen: Seen, form: URLSearchParams): Promise<Response> {
  const { ctx } = c.var;
  if (seen.state.kind !== 'meeting') throw new Changed();
  const { reason, answer, error } = wishIn(form, seen);
  if (error !== undefined && seen.state.mayMove) return renderTyped(c, seen, { field: 'reason', text: reason, error });
  const outcome = await domain.askForMove(ctx, seen, { ...answer, seenStart: Number(form.get('seen')) });
  if (outcome.kind === 'changed') throw new Changed();
  if (outcome.kind !== 'countered') return renderNoOtherTimes(c, seen, outcome, reason);
  const now = (await seenAgain(c, seen)) ?? seen;
  const next = now.state.kind === 'meeting' ? now.state.next : undefined;
  return c.redirect(addressOf({ ...now, path: next ?? now.path }), 303);
}
