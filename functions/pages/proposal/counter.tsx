import type { Context } from 'hono';
import { DAY, MINUTE } from '../../../lib/engine/time/dates.ts';
import { type CounterOutcome, counterProposal } from '../../../lib/meetings/index.ts';
import { quotedWords } from '../../../lib/words/people.ts';
import { DeclineRequest } from '../../../schema/api/proposal-ends.ts';
import type { AppEnv } from '../../http/env.ts';
import { LONGEST_REASON } from './another-time.tsx';
import { info, isMove, type Seen, type Typed, warn } from './frame.tsx';
import { type Outcome, renderSeen } from './render.tsx';
import { whenOn } from './times.ts';

/** Error for a form of a proposal's page whose contents no longer match the proposal or the meeting. */
export class Changed extends Error {}

const MOST_STARTS = 3;
/** How far ahead one may lie, and how far apart two may lie: the page shows no others. */
const [LONGEST_AHEAD_MS, LONGEST_SPREAD_MS] = [400 * DAY, 90 * DAY];

/** Undefined if a new proposal reserves other times. Otherwise the proposed times stay reserved. */
export async function counterBy(c: Context<AppEnv>, seen: Seen, form: URLSearchParams): Promise<Response | undefined> {
  if (seen.state.kind === 'paused') return renderSeen(c, seen, { status: 409 });
  const { reason, answer, error } = wishIn(form, seen);
  if (error !== undefined) return renderTyped(c, seen, { field: 'reason', text: reason, error });
  const outcome = await counterProposal(c.var.ctx, seen.platform, seen.proposal.id, answer);
  if (outcome.kind === 'countered') return undefined;
  return renderNoOtherTimes(c, seen, outcome, reason);
}

/** `error` is set if the form asks for nothing, or its text is too long or not valid Unicode. */
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

export function areShown(starts: number[], now: number): boolean {
  const isSpread = Math.max(...starts) - Math.min(...starts) > LONGEST_SPREAD_MS;
  // A search gives no start within a minute.
  const isKnown = (start: number) => start % MINUTE === 0 && start > now && start < now + LONGEST_AHEAD_MS;
  return starts.length <= MOST_STARTS && !isSpread && starts.every(isKnown);
}

const EMPTY = 'Write a day or an hour that suits you, such as “Thursday afternoon”. Nothing was sent yet.';

type Refused = Exclude<CounterOutcome, { kind: 'countered' }>;

export function renderNoOtherTimes(c: Context<AppEnv>, seen: Seen, outcome: Refused, reason: string) {
  c.set('refusal', REFUSALS[outcome.kind]);
  return renderSeen(c, seen, { ...told(seen, outcome, reason), status: outcome.kind === 'too_many' ? 409 : 200 });
}

const REFUSALS = {
  not_understood: 'text_not_understood',
  cancels: 'text_asks_to_cancel',
  offered: 'already_offered',
  not_free: 'no_availability',
  too_many: 'too_many_counters',
};

function told(seen: Seen, outcome: Refused, reason: string): Outcome {
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

/** Returns an error sentence too if the text is too long or not valid Unicode. */
export function reasonIn(form: URLSearchParams): { reason: string; error?: string } {
  const reason = (form.get('reason') ?? '').trim();
  const { success } = DeclineRequest.safeParse(reason === '' ? {} : { reason });
  return success ? { reason } : { reason, error: WRONG_REASON };
}

export function renderTyped(c: Context<AppEnv>, seen: Seen, typed: Typed) {
  c.set('refusal', 'invalid_request');
  return renderSeen(c, seen, { typed, status: 400 });
}
