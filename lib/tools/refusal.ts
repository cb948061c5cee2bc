import { ERRORS, type ErrorCode } from '../../schema/api/http-errors.ts';
import type { AppError } from '../errors.ts';
import { sayWhen, whenOfSlot } from './when.ts';

/** What to do, where the message does not say it. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  user_not_found: 'They have to connect it first, by the link that the platform gives them.',
  calendar_reconnect_required: 'The platform has a link for them.',
  meeting_not_found: 'list_meetings has the ids of those that stand.',
  job_not_found: 'Use the job_id that schedule_auto answered.',
  idempotency_key_reused: 'Use a new one for another request.',
};

/** What the routes' messages call by other names. */
const IN_TOOLS: readonly (readonly [RegExp, string])[] = [
  [/GET \/v1\/users\/\S+\/meetings/g, 'list_meetings'],
  [/PUT \/v1\/user\/preferences/g, 'update_preferences'],
  [/Idempotency-Key/g, 'idempotency_key'],
];

/** A refusal as a model reads it: the code, what is wrong, and what to do about it. */
export function sayRefusal({ code, message, details }: AppError, requestId: string): string {
  const { alternatives = [], suggestions = [], retryAfterSeconds } = details;
  const advice = [
    ...suggestions,
    ...(retryAfterSeconds === undefined ? [] : [`Try again in ${Math.ceil(retryAfterSeconds)} seconds.`]),
    ...(ERRORS[code].status === 500 ? [`Request ${requestId}.`] : []),
  ];
  const said = [message, ...(ADVICE[code] === undefined ? [] : [ADVICE[code]]), ...advice].join(' ');
  const inTools = IN_TOOLS.reduce((text, [pattern, words]) => text.replace(pattern, words), said);
  const times = alternatives.map((slot, i) => `${i + 1}. ${sayWhen(whenOfSlot(slot))}. ${slot.reason}`);
  return [`${code}: ${inTools}`, ...times].join('\n');
}
