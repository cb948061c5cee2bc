import type { Context } from 'hono';
import type { CounterOutcome } from '../../../lib/meetings/index.ts';
import { quotedWords } from '../../../lib/words/people.ts';
import type { AppEnv } from '../../http/env.ts';
import { isMove, type Message, type Seen } from './frame.tsx';
import { type Outcome, renderSeen } from './render.tsx';
import { whenOn } from './times.ts';

type Refused = Exclude<CounterOutcome, { kind: 'countered' }>;

/** Answers a person who asked for other times and got none, with what they can do instead. */
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
    case 'not_understood':
      return {
        message: notUnderstood(outcome.words, isBooked),
        instead: { times: outcome.nearest, text: reason },
        typed,
      };
    case 'cancels':
      return { message: { kind: 'info', title: 'Nothing was changed', text: howToCancel(seen, outcome.words) }, typed };
    case 'offered':
      return {
        message: {
          kind: 'info',
          title: isBooked ? 'That is when your meeting is' : 'That is one of the times offered here',
          text: `We read your text as: ${meaningOf(outcome)}. ${outcome.times.map((time) => whenOn(time, seen.zone)).join(' or ')} fits it. ${isBooked ? 'Say another time if you meant one.' : 'Choose it below.'}`,
        },
        ...(isBooked ? { typed } : {}),
      };
    case 'not_free':
      return {
        message: {
          kind: 'info',
          title: 'Nothing is free then',
          text: `We read your text as: ${meaningOf(outcome)}. ${outcome.nearest.length === 0 ? 'No other time near it is free either.' : 'These are the nearest free times.'} ${isBooked ? 'Your meeting stays as it is.' : 'The offered times are still kept for you, further down.'}`,
        },
        instead: { times: outcome.nearest, text: reason },
        ...(outcome.nearest.length === 0 ? { typed } : {}),
      };
    case 'too_many':
      return {
        message: {
          kind: 'warn',
          title: 'Nothing was changed',
          text: 'You have asked for other times as often as you can here. Choose one of these times, or decline.',
        },
        typed,
      };
  }
}

function notUnderstood(words: string[], isBooked: boolean): Message {
  return {
    kind: 'warn',
    title: 'We did not understand when you can meet',
    text: `${sayUnread(words)}${isBooked ? '. Your meeting stays as it is.' : ', or decline, and your text is passed on.'}`,
  };
}

/** Says which words were not understood, and what to write. The sentence has no full stop. */
export function sayUnread(words: string[]): string {
  const unread =
    words.length === 0
      ? 'We found no day and no hour in your text.'
      : `We do not know what ${quotedWords(...words)} means.`;
  return `${unread} Write it another way, such as “Thursday afternoon”`;
}

/** Says where the person can cancel or decline what their words ask to cancel. */
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
