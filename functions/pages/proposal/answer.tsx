import type { Context } from 'hono';
import { DAY, MINUTE } from '../../../lib/engine/time/dates.ts';
import { AppError } from '../../../lib/kit/errors.ts';
import * as domain from '../../../lib/meetings/index.ts';
import { quotedWords } from '../../../lib/words/people.ts';
import { line } from '../../../schema/api/fields.ts';
import { ERRORS, type ErrorCode } from '../../../schema/api/http-errors.ts';
import { DeclineRequest } from '../../../schema/api/proposals.ts';
import type { AppEnv } from '../../http/env.ts';
import { takeFailure } from '../../http/errors.ts';
import { countTextByToken } from '../../middleware/rate-limit.ts';
import { LONGEST_REASON } from './another-time.tsx';
import { leaveForCheck } from './check.tsx';
import type { Message, Seen, Typed } from './frame.tsx';
import { addressOf, bad, info, isMove, nothingWas, renderUnknown, seenAgain, warn, whenOn } from './frame.tsx';
import { countOf, LONGEST_NAME } from './open.tsx';
import { type Outcome, renderSeen } from './render.tsx';

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

/** Error for a form of a proposal's page whose contents no longer match the proposal or the meeting. */
class Changed extends Error {}

const MOST_STARTS = 3;
/** How far ahead one may lie, and how far apart two may lie: the page shows no others. */
const [LONGEST_AHEAD_MS, LONGEST_SPREAD_MS] = [400 * DAY, 90 * DAY];

/** Undefined if a new proposal reserves other times. Otherwise the proposed times stay reserved. */
async function counterBy(c: Context<AppEnv>, seen: Seen, form: URLSearchParams): Promise<Response | undefined> {
  if (seen.state.kind === 'paused') return renderSeen(c, seen, { status: 409 });
  const { reason, answer, error } = wishIn(form, seen);
  if (error !== undefined) return renderTyped(c, seen, { field: 'reason', text: reason, error });
  const outcome = await domain.counterProposal(c.var.ctx, seen.platform, seen.proposal.id, answer);
  if (outcome.kind === 'countered') return undefined;
  return renderNoOtherTimes(c, seen, outcome, reason);
}

/** `error` is set if the form asks for nothing, or its text is too long or not valid Unicode. */
function wishIn(form: URLSearchParams, { now, zone }: Seen) {
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

export function areShown(starts: number[], now: number): boolean {
  const isSpread = Math.max(...starts) - Math.min(...starts) > LONGEST_SPREAD_MS;
  // A search gives no start within a minute.
  const isKnown = (start: number) => start % MINUTE === 0 && start > now && start < now + LONGEST_AHEAD_MS;
  return starts.length <= MOST_STARTS && !isSpread && starts.every(isKnown);
}

const EMPTY = 'Write a day or an hour that suits you, such as “Thursday afternoon”. Nothing was sent yet.';

type Refused = Exclude<domain.CounterOutcome, { kind: 'countered' }>;

function renderNoOtherTimes(c: Context<AppEnv>, seen: Seen, outcome: Refused, reason: string) {
  c.set('refusal', REFUSALS[outcome.kind]);
  return renderSeen(c, seen, {
    ...shownRefusal(seen, outcome, reason),
    status: outcome.kind === 'too_many' ? 409 : 200,
  });
}

const REFUSALS = {
  not_understood: 'text_not_understood',
  cancels: 'text_asks_to_cancel',
  offered: 'already_offered',
  not_free: 'no_availability',
  too_many: 'too_many_counters',
};

function shownRefusal(seen: Seen, outcome: Refused, reason: string): Outcome {
  const typed = { field: 'reason', text: reason } as const;
  const isBooked = seen.state.kind === 'meeting';
  switch (outcome.kind) {
    case 'not_understood': {
      const next = isBooked ? '. Your meeting stays as it is.' : ', or decline, and your text is passed on.';
      const message = warn('We did not understand when you can meet', sayUnread(outcome.words) + next);
      return { message, instead: { times: outcome.nearest, text: reason }, typed };
    }
    case 'cancels':
      return { message: info('Nothing was changed', howToCancel(seen, outcome.words)), typed };
    case 'offered': {
      const title = isBooked ? 'That is when your meeting is' : 'That is one of the times offered here';
      const times = outcome.times.map((time) => whenOn(time, seen.zone)).join(' or ');
      const next = isBooked ? 'Say another time if you meant one.' : 'Choose it below.';
      const message = info(title, `We read your text as: ${meaningOf(outcome)}. ${times} fits it. ${next}`);
      return { message, ...(isBooked ? { typed } : {}) };
    }
    case 'not_free': {
      const isNone = outcome.nearest.length === 0;
      const nearest = isNone ? 'No other time near it is free either.' : 'These are the nearest free times.';
      const next = isBooked
        ? 'Your meeting stays as it is.'
        : 'The offered times are still kept for you, further down.';
      const text = `We read your text as: ${meaningOf(outcome)}. ${nearest} ${next}`;
      const instead = { times: outcome.nearest, text: reason };
      return { message: info('Nothing is free then', text), instead, ...(isNone ? { typed } : {}) };
    }
    case 'too_many': {
      const text = 'You have asked for other times as often as you can here. Choose one of these times, or decline.';
      return { message: warn('Nothing was changed', text), typed };
    }
  }
}

/** Says which words were not understood, and what to write. The sentence has no full stop. */
export function sayUnread(words: string[]): string {
  const unread =
    words.length === 0
      ? 'We found no day and no hour in your text.'
      : `We do not know what ${quotedWords(...words)} means.`;
  return `${unread} Write it another way, such as “Thursday afternoon”`;
}

function howToCancel(seen: Seen, words: string): string {
  const asked = `${quotedWords(words)} asks for no other time.`;
  if (seen.state.kind === 'meeting') return `${asked} To cancel the meeting, open “Cancel this meeting” below.`;
  if (!isMove(seen)) return `${asked} To say no, choose “Decline” below, and your text is passed on.`;
  const how =
    seen.back === undefined ? `ask ${seen.proposal.requesterEmail}` : 'decline these times and open the meeting';
  return `${asked} To cancel the meeting, ${how}.`;
}

const meaningOf = ({ understood }: { understood: { meaning: string }[] }) =>
  understood.map(({ meaning }) => meaning.charAt(0).toLowerCase() + meaning.slice(1)).join('; ');

const WRONG_REASON = `Write at most ${LONGEST_REASON.toLocaleString('en-GB')} characters of plain text. Nothing was sent yet.`;

function reasonIn(form: URLSearchParams): { reason: string; error?: string } {
  const reason = (form.get('reason') ?? '').trim();
  const { success } = DeclineRequest.safeParse(reason === '' ? {} : { reason });
  return success ? { reason } : { reason, error: WRONG_REASON };
}

function renderTyped(c: Context<AppEnv>, seen: Seen, typed: Typed) {
  c.set('refusal', 'invalid_request');
  return renderSeen(c, seen, { typed, status: 400 });
}
