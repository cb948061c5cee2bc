import { ERRORS } from '../../schema/api/http-errors.ts';
import type { AppError } from '../kit/errors.ts';
import { say } from '../words/patterns.ts';
import { sayWhen, whenOfSlot } from './when.ts';

/** Tools have other names for the API's paths and headers in messages. */
const IN_TOOLS: readonly (readonly [RegExp, string])[] = [
  [/Send them the link from GET \/v1\/platform\/oauth-url\./g, 'The platform can send them a link for this.'],
  [/GET \/v1\/users\/\S+\/meetings/g, 'list_meetings'],
  [/GET \/v1\/meetings/g, 'list_meetings'],
  [/POST \/v1\/availability/g, 'check_availability'],
  [/POST \/v1\/schedule\/auto/g, 'schedule_auto'],
  [/PUT \/v1\/user\/preferences/g, 'update_preferences'],
  [/Idempotency-Key/g, 'idempotency_key'],
];

/** Describes a refused tool call for a language model: the error code, the problem and the remedy. */
export function sayRefusal({ code, message, details }: AppError, requestId: string): string {
  const { alternatives = [], suggestions = [] } = details;
  const further = suggestions.filter((one) => !message.includes(one));
  const id = ERRORS[code].status === 500 ? [`The request ID is ${requestId}.`] : [];
  const said = [message, ...further, ...id].join(' ');
  const inTools = IN_TOOLS.reduce((text, [pattern, words]) => text.replace(pattern, words), said);
  const times = alternatives.map((slot, i) =>
    say('agent.one_of', { number: i + 1, when: sayWhen(whenOfSlot(slot)), reason: slot.reason }),
  );
  return [`${code}: ${inTools}`, ...times].join('\n');
}
