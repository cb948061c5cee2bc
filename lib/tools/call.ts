import type { KeyClaim } from '../../schema/idempotency/queries.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { sha256 } from '../keys.ts';
import { isoUtc } from '../meetings/answers.ts';
import {
  assertSame,
  type Confirmation,
  type Confirmed,
  readConfirmation,
  requestOf,
  signConfirmation,
} from './confirmation.ts';
import type { Told, Tool, ToolCaller } from './tool.ts';

/** How the client can ask its user, and what came of that: the signed preview, and whether the user agreed. */
export interface Asking {
  canAsk: boolean;
  answered?: { confirmed: Confirmed; isAgreed: boolean } | undefined;
}

/** A question to the user; the token is to come back with the answer. */
export interface Question {
  question: string;
  token: string;
}

/**
 * Calls a tool with checked input. A writing tool with `preview` does nothing and answers a `confirm_token`, or a question
 * where the client can ask its user; with that token, or the user's yes, it does exactly what was previewed, once. Throws
 * what the tool throws, and `invalid_request` for a token of another key, other arguments or another time.
 */
export async function callTool(
  ctx: Ctx,
  tool: Tool,
  caller: ToolCaller,
  input: object,
  { canAsk, answered }: Asking,
): Promise<Told | Question> {
  const { preview, confirm_token: token } = input as Confirmation;
  if (tool.preview === undefined) return run(ctx, tool, caller, input, undefined);
  const confirmed = token === undefined ? answered?.confirmed : await readConfirmation(ctx, caller, token);
  if (confirmed !== undefined) {
    await assertSame(confirmed, tool, input);
    if (token === undefined && answered?.isAgreed !== true) return DECLINED;
    return run(ctx, tool, caller, input, confirmed);
  }
  if (preview !== true) return run(ctx, tool, caller, input, undefined);
  const { data, text, start } = await tool.preview({ ctx, caller, input });
  const signed = await signConfirmation(ctx, tool, caller, input, start);
  if (canAsk) return { question: text, token: signed.token };
  const until = isoUtc(signed.until);
  return {
    data: { ...data, status: 'preview', confirm_token: signed.token, confirm_by: until },
    text: `Nothing is done yet. ${text}\nTo do exactly this, call ${tool.name} again before ${until} with the same arguments and confirm_token: ${signed.token}`,
  };
}

const DECLINED: Told = { data: { status: 'declined' }, text: 'Nothing was done: the user did not agree.' };

function run(ctx: Ctx, tool: Tool, caller: ToolCaller, input: object, confirmed: Confirmed | undefined): Promise<Told> {
  const { idempotency_key: given } = input as { idempotency_key?: string };
  const key = given ?? confirmed?.id;
  return tool.run({
    ctx,
    caller,
    input,
    start: confirmed?.start,
    claim: async (operation): Promise<KeyClaim | undefined> => {
      if (key === undefined) return undefined;
      if (caller.kind !== 'platform') throw new AppError('invalid_request', 'idempotency_key is for platforms only.');
      const request = JSON.stringify([requestOf(input), confirmed?.start]);
      const fingerprint = await sha256(`MCP ${tool.name} ${request}`);
      return { platformId: caller.platform.id, operation, key, fingerprint };
    },
  });
}
