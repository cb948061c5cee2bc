import type { ErrorCode } from '../../schema/api/http-errors.ts';
import type { KeyClaim } from '../../schema/idempotency/queries.ts';
import type { Ctx } from '../context.ts';
import { AppError, type ErrorDetails } from '../errors.ts';
import { answerOnce } from '../idempotency/answer-once.ts';

const OK = 200;
const REFUSED = 409;
/** Refusals of the moment, never kept. */
const KEPT: readonly ErrorCode[] = ['no_availability', 'slot_unavailable'];

/**
 * Runs a verb that claims the key in its first batch, or answers what the first call with the key answered, as the routes
 * do. Throws what the verb throws, `idempotency_key_reused` and `idempotency_in_progress`.
 */
export async function runOnce<Answer>(
  ctx: Ctx,
  claim: KeyClaim | undefined,
  verb: () => Promise<Answer>,
  options: { lookFirst?: boolean } = {},
): Promise<Answer> {
  const run = async () => ({ status: OK, body: JSON.stringify(await verb()) });
  const { status, body } = await answerOnce(ctx, claim, run, keptRefusal, options);
  if (status !== REFUSED) return JSON.parse(body);
  const { code, message, details } = JSON.parse(body) as KeptRefusal;
  throw new AppError(code, message, details);
}

interface KeptRefusal {
  code: ErrorCode;
  message: string;
  details: ErrorDetails;
}

function keptRefusal(error: unknown) {
  if (!(error instanceof AppError) || !KEPT.includes(error.code)) return undefined;
  const { code, message, details } = error;
  const refusal: KeptRefusal = { code, message, details };
  return { status: REFUSED, body: JSON.stringify(refusal) };
}
