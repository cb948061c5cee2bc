import { isoUtc } from '../../schema/answers/meeting-answers.ts';
import { ERRORS } from '../../schema/api/http-errors.ts';
import { DEFAULT_LOCATION } from '../../schema/api/schedule.ts';
import type { IdempotentRequest } from '../../schema/meetings/idempotency.ts';
import { DAY, MINUTE, parseDate } from '../engine/time/dates.ts';
import { formatInZone, instantsAt } from '../engine/time/zone.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError, InternalError, StateChanged } from '../kit/errors.ts';
import { sha256 } from '../kit/ids.ts';
import { say } from '../words/patterns.ts';
import { listed } from '../words/people.ts';
import { inQuotes } from '../words/title.ts';
import {
  assertOneWish,
  assertSame,
  type Confirmation,
  type Confirmed,
  decide,
  onceOnly,
  readConfirmation,
  requestOf,
  signConfirmation,
} from './confirmation.ts';
import type { ToolAnswer, ToolCall, ToolCaller } from './tool.ts';
import { sayWhen, whenOfSlot, zonesOf } from './when.ts';

/** `canAsk` says if the client can ask its user. `answered` has the signed preview and the user's decision. */
export type Asking = { canAsk: boolean; answered?: { confirmed: Confirmed; isAgreed: boolean } | undefined };

/** The client must send the token back with the user's answer. */
export type Question = { question: string; token: string };

/**
 * With `preview`, a tool that changes data returns a `confirm_token`, or a question if the client can ask its user.
 * With that token, or the user's yes, it does exactly what was previewed, once. If what the preview showed has changed,
 * it previews anew. Throws the tool's errors, and `invalid_request` for a token that is expired or of another key or
 * other arguments, and for a preview that the user declined.
 */
export async function callTool(call: ToolCall, { canAsk, answered }: Asking): Promise<ToolAnswer | Question> {
  const { ctx, tool, caller, input } = call;
  if (tool.preview === undefined) return run(call, undefined);
  const { preview, confirm_token: token } = input as Confirmation;
  assertOneWish({ preview, confirm_token: token });
  const way = token === undefined ? 'question' : 'token';
  const confirmed = token === undefined ? answered?.confirmed : await readConfirmation(ctx, caller, token, way);
  if (confirmed !== undefined) {
    await assertSame(confirmed, tool, input);
    const isAgreed = way === 'token' || answered?.isAgreed === true;
    await decide(ctx, caller, confirmed, way, isAgreed);
    if (!isAgreed) return DECLINED;
  } else if (preview === true) return show(call, { canAsk, isAgain: false });
  try {
    return await run(call, confirmed);
  } catch (error) {
    if (error instanceof StateChanged) return show(call, { canAsk, isAgain: true });
    throw error;
  }
}

/** Previews a call. `isAgain` is true if an earlier preview was confirmed after what it showed had changed. */
async function show(call: ToolCall, { canAsk, isAgain }: Asking & { isAgain: boolean }) {
  const { ctx, tool, caller, input } = call;
  if (tool.preview === undefined) throw new InternalError('The tool has no preview.');
  const { data, text: said, question: asked = said, ...state } = await tool.preview({ ctx, caller, input });
  const details = detailsOf(input, said);
  const lines = Object.entries(details).map(([name, value]) =>
    say('agent.with', { name: name.replaceAll('_', ' '), value }),
  );
  const withDetails = (words: string) => [words, ...lines].join('\n');
  const way = canAsk ? 'question' : 'token';
  const { token, expiresAt } = await signConfirmation(call, { way, ...state });
  const question = withDetails(isAgain ? `${say('ask.again')} ${asked}` : asked);
  if (canAsk) return { question, token };
  const until = isoUtc(expiresAt);
  const stands = say(isAgain ? 'agent.changed' : 'agent.not_yet');
  const how = say('agent.confirm', { tool: tool.name, until, token });
  return {
    data: { ...data, ...(lines.length > 0 && { details }), status: 'preview', confirm_token: token, confirm_by: until },
    text: `${stands} ${withDetails(said)}\n${isAgain ? `${say('agent.not_agreed')} ${how}` : how}`,
  };
}

/** They reach nobody, stand in the sentence in another form, or are what a meeting has anyway. */
const NO_DETAILS = new Set(['meeting_id', 'requested_by', 'when', 'context', ...Object.keys(onceOnly)]);
const BEGINNING = /^.{0,200}/su;

/** Returns the beginnings of the texts that others would read and that the preview does not quote itself. */
function detailsOf(input: object, said: string): Record<string, string> {
  const texts = Object.entries(input).flatMap(([name, value]) => {
    const isOther = typeof value !== 'string' || NO_DETAILS.has(name) || value === DEFAULT_LOCATION;
    if (isOther || said.includes(`"${inQuotes(value)}"`)) return [];
    const [beginning = ''] = BEGINNING.exec(value) ?? [];
    return [[name, beginning === value ? value : `${beginning}…`]];
  });
  return Object.fromEntries(texts);
}

const DECLINED: ToolAnswer = { data: { status: 'declined' }, text: say('agent.declined') };

async function run({ ctx, tool, caller, input }: ToolCall, confirmed: Confirmed | undefined): Promise<ToolAnswer> {
  const { idempotency_key: given } = input as { idempotency_key?: string };
  const key = given ?? confirmed?.id;
  const starts = confirmed?.starts ?? [];
  return tool.run({
    ctx,
    caller,
    input,
    starts,
    version: confirmed?.version,
    idempotencyOf: async (operation): Promise<IdempotentRequest | undefined> => {
      if (key === undefined) return undefined;
      if (caller.kind !== 'platform')
        throw new AppError(
          'invalid_request',
          "A tool that is called with a person's API key does not accept `idempotency_key`. Leave the argument out.",
        );
      const request = JSON.stringify([requestOf(input), starts]);
      const fingerprint = await sha256(`MCP ${tool.name} ${request}`);
      return { platformId: caller.platform.id, operation, key, fingerprint };
    },
  });
}

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

const ZONELESS = /^\d{4}-\d\d-\d\d[Tt ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$/;

/** Suggests the same clock time in the zone of each person in the arguments, and in UTC. Leaves other refusals. */
export async function withOffsets(ctx: Ctx, caller: ToolCaller, args: object, refusal: AppError): Promise<AppError> {
  const { field = '' } = refusal.details;
  const time = field
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], args);
  if (typeof time !== 'string' || !ZONELESS.test(time) || !isDate(time.slice(0, 10))) return refusal;
  const { attendees, requested_by, email } = args as Record<string, unknown>;
  const named = [attendees, requested_by, email].flat().filter((one) => typeof one === 'string');
  const people = caller.kind === 'platform' ? await zonesOf(ctx, caller.platform, named) : [];
  const clock = time.replace(/[Tt ]/, 'T');
  const wall = Date.parse(`${clock}Z`);
  const day = Math.floor(wall / DAY);
  const forThem = people.flatMap(({ email: whose, timeZone }) =>
    timeZone === undefined
      ? []
      : instantsAt(timeZone, day, (wall - day * DAY) / MINUTE).map((instant) =>
          say('agent.for_clock', { time: formatInZone(timeZone, instant), email: whose, zone: timeZone }),
        ),
  );
  const utc = say('agent.for_utc', { time: isoUtc(wall) });
  const times = listed([...forThem, utc], 'or');
  const message = `${say('agent.no_zone', { field, clock: clock.slice(11, 16) })} ${say('agent.send', { times })}`;
  return new AppError(refusal.code, message, refusal.details);
}

/** Returns true for a valid date from 1970 to 2199, the years for which time zone offsets can be computed. */
const isDate = (date: string) => parseDate(date) !== undefined && date >= '1970' && date < '2200';
