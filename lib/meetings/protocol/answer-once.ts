import type { ErrorCode } from '../../../schema/api/http-errors.ts';
import { refusalOf } from '../../../schema/db.ts';
import { type Answered, findKey, type IdempotentRequest } from '../../../schema/meetings/idempotency.ts';
import type { Ctx } from '../../kit/context.ts';
import { AppError, hasCode, StateChanged, waitOf } from '../../kit/errors.ts';
import { inBytes, keepAtOnce, keptRefusal, remember, replay } from './kept-answer.ts';
import { showUrl } from './proposal-link.ts';
import { waitForWriter } from './reconcile.ts';

const GONE: ErrorCode[] = ['meeting_not_found', 'user_not_found', 'calendar_reconnect_required', 'unknown_time_zone'];

const stillRunning = (retryAfterSeconds: number) =>
  new AppError(
    'idempotency_in_progress',
    `The first request with this Idempotency-Key is still in progress. Send the same request again ${waitOf(retryAfterSeconds)}.`,
    { retryAfterSeconds },
  );

interface Call {
  /** Its first batch claims the key, and its last one stores the answer under it. */
  verb: () => Promise<unknown>;
  status?: number;
  toRefusal: (refusal: AppError) => object;
  /** Looks before any work. */
  lookFirst?: boolean | undefined;
}

/**
 * The operation's first batch claims the key. If that was used before, returns the first request's answer, byte for
 * byte. If the first request died, finishes or undoes what it began, and runs the operation again if it was undone.
 * Throws `idempotency_key_reused` for a different request under the key, and `idempotency_in_progress` after 3 s of
 * waiting (schema/DECISIONS.md, "Idempotency keys").
 */
export async function answerOnce(ctx: Ctx, request: IdempotentRequest | undefined, call: Call) {
  const answer = await answerAsStored(ctx, request, call);
  return { ...answer, body: await showUrl(ctx, answer.body) };
}

async function answerAsStored(ctx: Ctx, request: IdempotentRequest | undefined, call: Call) {
  if (request === undefined) return { ...(await run(call)), isReplay: false };
  // The look for an earlier answer may finish or undo the work of the request that used the key first.
  await ctx.admitted;
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

/** Serves callers that write their own answer from the data. If the first request was refused, throws its error. */
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

type StoredError = Pick<AppError, 'code' | 'message' | 'details'>;

const toRefusal = ({ code, message, details }: AppError): StoredError => ({ code, message, details });

const run = async ({ verb, status = 200 }: Call) => inBytes(status, await verb());

/** The first request with the key may have succeeded and so caused the error, for example by cancelling the meeting. */
const mayFollow = (error: unknown) => error instanceof StateChanged || hasCode(error, ...GONE);

/** Returns undefined if another request used the key first. */
async function runFirst(ctx: Ctx, request: IdempotentRequest, call: Call): Promise<Answered | undefined> {
  try {
    return await run(call);
  } catch (error) {
    if (refusalOf(error) === 'duplicate_key') return undefined;
    const refusal = keptRefusal(error, call.toRefusal);
    if (refusal === undefined) {
      if (mayFollow(error) && (await findKey(ctx.db, request))) return undefined;
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
