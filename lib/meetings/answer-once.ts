import type { ErrorCode } from '../../schema/api/http-errors.ts';
import { findKey, type IdempotentRequest } from '../../schema/idempotency/queries.ts';
import { refusalOf } from '../../schema/refusals.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError, type ErrorDetails, waitOf } from '../kit/errors.ts';
import { inBytes, type KeptAnswer, keepAtOnce, keptRefusal, remember, replay } from './kept-answer.ts';
import { waitForWriter } from './reconcile.ts';

const GONE: ErrorCode[] = ['meeting_not_found', 'user_not_found', 'calendar_reconnect_required', 'unknown_time_zone'];

const stillRunning = (retryAfterSeconds: number) =>
  new AppError(
    'idempotency_in_progress',
    `The first request with this Idempotency-Key is still in progress. Send the same request again ${waitOf(retryAfterSeconds)}.`,
    { retryAfterSeconds },
  );

interface Call {
  /** Operation whose first batch claims the idempotency key and whose last batch stores the answer. */
  verb: () => Promise<unknown>;
  /** HTTP status of a successful answer. */
  status?: number;
  /** Converts an error that refuses the request into the body to store under the idempotency key. */
  toRefusal: (refusal: AppError) => object;
  /** True to look for an earlier answer under the idempotency key before any work. */
  lookFirst?: boolean | undefined;
}

/**
 * Runs an operation once per idempotency key, which the operation's first batch claims. If the key was claimed before,
 * returns the first request's answer, byte for byte. If the first request died, reconciles what it began and runs the
 * operation again. Throws `idempotency_key_reused` for another body, and `idempotency_in_progress` after 3 s of waiting
 * (schema/DECISIONS.md, "Idempotency keys").
 */
export async function answerOnce(
  ctx: Ctx,
  request: IdempotentRequest | undefined,
  call: Call,
): Promise<KeptAnswer & { isReplay: boolean }> {
  if (request === undefined) return { ...(await run(call)), isReplay: false };
  const earlierAnswer = () => replay(ctx, request, waitForWriter(ctx, stillRunning));
  const known = call.lookFirst ? await earlierAnswer() : undefined;
  if (known !== undefined) return { ...known, isReplay: true };
  for (;;) {
    const since = ctx.clock.now();
    const first = await runFirst(ctx, request, call);
    if (first !== undefined) {
      ctx.later(remember(ctx, request, first, since));
      return { ...first, isReplay: false };
    }
    const earlier = await earlierAnswer();
    if (earlier !== undefined) return { ...earlier, isReplay: true };
  }
}

/**
 * Runs an operation once per idempotency key like `answerOnce`, for callers that write their own answer from the data,
 * such as the tools in `lib/tools`. Returns the answer's data. If the answer is a refusal, throws the refusal's error.
 */
export async function runOnce<Answer>(
  ctx: Ctx,
  request: IdempotentRequest | undefined,
  verb: () => Promise<Answer>,
  { lookFirst }: Pick<Call, 'lookFirst'> = {},
): Promise<Answer> {
  const { status, body } = await answerOnce(ctx, request, { verb, toRefusal, lookFirst });
  if (status < 400) return JSON.parse(body);
  const { code, message, details } = JSON.parse(body) as StoredError;
  throw new AppError(code, message, details);
}

/** A refusal as `runOnce` stores it, with everything that is needed to throw the error again. */
interface StoredError {
  code: ErrorCode;
  message: string;
  details: ErrorDetails;
}

const toRefusal = ({ code, message, details }: AppError): StoredError => ({ code, message, details });

const run = async ({ verb, status = 200 }: Call) => inBytes(status, await verb());

/**
 * Runs the operation as the first request with its idempotency key, and returns the answer. Returns undefined if
 * another request claimed the key first.
 */
async function runFirst(ctx: Ctx, request: IdempotentRequest, call: Call): Promise<KeptAnswer | undefined> {
  try {
    return await run(call);
  } catch (error) {
    if (refusalOf(error) === 'duplicate_key') return undefined;
    const refusal = keptRefusal(error, call.toRefusal);
    if (refusal === undefined) {
      // The first request with the key may have succeeded and caused this error, for example by cancelling the meeting.
      // The caller then gets the first request's answer.
      if (error instanceof AppError && GONE.includes(error.code) && (await findKey(ctx.db, request))) return undefined;
      throw error;
    }
    try {
      await keepAtOnce(ctx, request, refusal, null);
      return refusal;
    } catch (conflict) {
      if (refusalOf(conflict) === 'duplicate_key') return undefined;
      throw conflict;
    }
  }
}
