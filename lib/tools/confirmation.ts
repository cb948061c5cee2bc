import * as z from 'zod';
import type { Ctx } from '../kit/context.ts';
import { AppError, invalid } from '../kit/errors.ts';
import { sha256 } from '../kit/ids.ts';
import { readToken, signToken } from '../kit/signed-token.ts';
import type { Tool, ToolCall, ToolCaller } from './tool.ts';

export const MINUTES = 10;

export type Way = 'token' | 'question';
const AUDIENCES: Record<Way, string> = { token: 'tool-confirmation', question: 'tool-question' };

/** Every tool that changes data has these arguments in addition to its own. */
export const confirmation = {
  preview: z.boolean('must be true or false').optional(),
  confirm_token: z.string('must be a string').optional(),
};

/** Description of the argument `confirm_token`, for clients. The name `preview` explains itself. */
export const CONFIRMATION_SAID = { confirm_token: 'Replaces preview' };
const Confirmation = z.object(confirmation);
export type Confirmation = z.output<typeof Confirmation>;

/** These tools would do harm if they ran twice. */
export const onceOnly = {
  ...confirmation,
  idempotency_key: z
    .string('must be a string')
    .regex(/^[\x20-\x7e]{1,255}$/, 'must have 1 to 255 printable ASCII characters')
    .optional(),
};

/** A tool that changes data adds these fields when it answers a call with `preview`. */
export const previewed = { confirm_token: z.string().optional(), confirm_by: z.string().optional() };

/** The answer adds these if others would read texts of the call that the preview does not quote itself. */
export const previewedTexts = { ...previewed, details: z.record(z.string(), z.string()).optional() };

export interface Confirmed {
  id: string;
  digest: string;
  /** Start times that Tandem chose and the preview showed, in epoch milliseconds. Empty if the arguments contain them. */
  starts: readonly number[];
  /** Version that the preview showed of what the arguments refer to, such as a meeting. */
  version?: unknown;
}

/** It is bound to the caller, the arguments and the state shown, works in one way, and expires after ten minutes. */
export async function signConfirmation(
  { ctx, tool, caller, input }: ToolCall,
  { way, starts = [], version }: { way: Way; starts?: readonly number[] | undefined; version?: unknown },
) {
  return signToken(ctx, {
    audience: AUDIENCES[way],
    id: ctx.ids.id('preview_'),
    subject: await subjectOf(ctx, caller),
    seconds: MINUTES * 60,
    claims: { digest: await digestOf(tool, input), starts, version },
  });
}

const Claims = z.object({ digest: z.string(), starts: z.array(z.number()), version: z.unknown().optional() });

/** Throws `invalid_request` for a token that is forged, expired, of another caller or for the other way. */
export async function readConfirmation(ctx: Ctx, caller: ToolCaller, token: string, way: Way): Promise<Confirmed> {
  const signed = await readToken(ctx, AUDIENCES[way], token);
  const claims = Claims.safeParse(signed?.claims).data;
  if (signed?.subject !== (await subjectOf(ctx, caller)) || claims === undefined)
    throw invalid(
      'confirm_token',
      `\`confirm_token\` is not valid. A \`confirm_token\` works for ${MINUTES} minutes, with the API key that requested the preview. Request a new preview.`,
    );
  return { id: signed.id, ...claims };
}

/** A platform may repeat its yes, because the preview's ID is an idempotency key; a person may not. */
export async function decide(ctx: Ctx, caller: ToolCaller, { id }: Confirmed, way: Way, isAgreed: boolean) {
  if (way === 'token' && caller.kind === 'platform') return;
  const yes = caller.kind === 'user' ? ctx.ids.id('use_') : 'yes';
  if (await ctx.nonces.bind(`confirmed:${id}`, isAgreed ? yes : 'no', MINUTES * 60)) return;
  throw new AppError('invalid_request', `${DECIDED[way]} For a further change, request a new preview.`, {
    field: way === 'token' ? 'confirm_token' : 'requestState',
  });
}

const DECIDED: Record<Way, string> = {
  token: '`confirm_token` was already used in an earlier call. Check what the earlier call changed.',
  question: 'The user has already answered this question.',
};

/** Throws `invalid_request` for a call that asks for a preview and confirms one. A guess could make an unwanted change. */
export function assertOneWish({ preview, confirm_token }: Confirmation): void {
  if (preview !== true || confirm_token === undefined) return;
  throw invalid(
    'preview',
    '`preview` and `confirm_token` contradict each other, so nothing was done. To confirm, leave `preview` out. For a new preview, leave `confirm_token` out.',
  );
}

/** Throws `invalid_request` if the arguments differ from those of the preview. */
export async function assertSame({ digest }: Confirmed, tool: Tool, input: object): Promise<void> {
  if (digest === (await digestOf(tool, input))) return;
  throw invalid(
    'confirm_token',
    '`confirm_token` belongs to a preview with other arguments. Send exactly the arguments of the preview, or request a new preview.',
  );
}

export function requestOf(input: object): object {
  const { preview: _, confirm_token: __, ...request } = input as Confirmation;
  return request;
}

const digestOf = (tool: Tool, input: object) => sha256(`${tool.name} ${JSON.stringify(requestOf(input))}`);

/** A preview ends with the key that asked for it. The token is not encrypted, so it must not show the stored hash. */
function subjectOf({ actor: { credential } }: Pick<Ctx, 'actor'>, caller: ToolCaller): Promise<string> {
  const key = credential !== undefined && 'key' in credential ? credential.key : '';
  return sha256(caller.kind === 'platform' ? `platform:${caller.platform.id}:${key}` : `user:${caller.userId}:${key}`);
}
