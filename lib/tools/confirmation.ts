import { jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { sha256 } from '../keys.ts';
import type { Tool, ToolCaller } from './tool.ts';

const MINUTES = 10;
const AUDIENCE = 'tool-confirmation';

/** The arguments of every writing tool beside its own. */
export const confirmation = {
  preview: z.boolean('must be true or false').optional(),
  confirm_token: z.string('must be a string').optional(),
};

/** What they are for. */
export const CONFIRMATION_SAID = {
  preview: 'Do nothing yet, say what would happen',
  confirm_token: "From the preview, with the preview's arguments",
};
const Confirmation = z.object(confirmation);
export type Confirmation = z.output<typeof Confirmation>;

/** The same for what could be done twice. */
export const onceOnly = {
  ...confirmation,
  idempotency_key: z
    .string('must be a string')
    .regex(/^[\x20-\x7e]{1,255}$/, 'must have 1 to 255 printable characters')
    .optional(),
};

/** What every writing tool may answer beside its own. */
export const previewed = {
  confirm_token: z.string().optional(),
  confirm_by: z.string().optional(),
};

/** What was previewed for whom, as the signed token says it. */
export interface Confirmed {
  /** The preview's own name, by which it is done once. */
  id: string;
  digest: string;
  start: number | undefined;
}

/** Signs a preview for its caller and its arguments; good for ten minutes. */
export async function signConfirmation(ctx: Ctx, tool: Tool, caller: ToolCaller, input: object, start?: number) {
  const until = Math.floor(ctx.clock.now() / 1000) + MINUTES * 60;
  const token = await new SignJWT({ digest: await digestOf(tool, input), start })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(ownerOf(caller))
    .setJti(ctx.ids.id('preview_'))
    .setAudience(AUDIENCE)
    .setExpirationTime(until)
    .sign(keyOf(ctx));
  return { token, until: until * 1000 };
}

/** What a token says that this service signed for this caller; throws `invalid_request` for any other, and after its time. */
export async function readConfirmation(ctx: Ctx, caller: ToolCaller, token: string): Promise<Confirmed> {
  const verified = await jwtVerify(token, keyOf(ctx), {
    algorithms: ['HS256'],
    audience: AUDIENCE,
    subject: ownerOf(caller),
    currentDate: new Date(ctx.clock.now()),
  }).catch(() => undefined);
  const { jti, digest, start } = verified?.payload ?? {};
  if (typeof jti !== 'string' || typeof digest !== 'string')
    throw new AppError(
      'invalid_request',
      `confirm_token is not valid: it is good for ${MINUTES} minutes, for the key that asked for the preview. Ask for a new preview.`,
      { field: 'confirm_token' },
    );
  return { id: jti, digest, start: typeof start === 'number' ? start : undefined };
}

/** Throws `invalid_request` where the arguments are not those that were previewed. */
export async function assertSame({ digest }: Confirmed, tool: Tool, input: object): Promise<void> {
  if (digest === (await digestOf(tool, input))) return;
  throw new AppError(
    'invalid_request',
    'confirm_token is for other arguments. Send exactly those of the preview, or ask for a new preview.',
    { field: 'confirm_token' },
  );
}

/** The arguments that say what is to be done, and nothing of how it is asked for. */
export function requestOf(input: object): object {
  const { preview: _, confirm_token: __, ...request } = input as Confirmation;
  return request;
}

const digestOf = (tool: Tool, input: object) => sha256(`${tool.name} ${JSON.stringify(requestOf(input))}`);
const ownerOf = (caller: ToolCaller) =>
  caller.kind === 'platform' ? `platform:${caller.platform.id}` : `user:${caller.userId}`;
const keyOf = (ctx: Ctx) => new TextEncoder().encode(ctx.config.sessionSecret);
