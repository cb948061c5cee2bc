import type { Context, Hono } from 'hono';
import type { Ctx, Platform } from '../lib/context.ts';
import { AppError } from '../lib/errors.ts';
import { answerOnce } from '../lib/idempotency/answer-once.ts';
import { sha256 } from '../lib/keys.ts';
import type { AnswerOf, Documented, JsonOperation, Operation } from '../schema/api/operation.ts';
import type { KeyClaim } from '../schema/idempotency/queries.ts';
import type { IdempotentOperation } from '../schema/idempotency/table.ts';
import { asCaller } from './caller.ts';
import { type AppEnv, platformOf, userOf } from './env.ts';
import { storableRefusal } from './errors.ts';
import { type Input, readInput } from './input.ts';

/** What a handler gets: who calls, and the checked parts of the request. */
type Request<O extends Operation> = Omit<Input<O>, 'warnings'> & {
  ctx: Ctx;
  platform: O['key'] extends 'platform' ? Platform : undefined;
  user: O['key'] extends 'user' ? { userId: string; email: string } : undefined;
};

/**
 * Mounts an operation as its record has it: the input is checked by its schemas and the handler's answer sent with its
 * status. An answer with a field too few or too many does not compile.
 */
export function serve<O extends JsonOperation, const B extends AnswerOf<O>>(
  app: Hono<AppEnv>,
  operation: O,
  handler: (request: Request<O>) => Promise<B & Documented<AnswerOf<O>, B>>,
): void {
  mount(app, operation, async (c) => {
    const { warnings, ...request } = await requestOf(c, operation);
    return c.json(withWarnings(await handler(request), warnings), operation.answer.status ?? 200);
  });
}

/**
 * The same for what takes an `Idempotency-Key`: answered at most once per key. The handler gets the claim to put into
 * its first batch. Two requests are the same if their checked bodies are, whatever their spelling. `lookFirst` is for
 * what would work, or refuse, before its first batch.
 */
export function serveOnce<O extends JsonOperation & { takesIdempotencyKey: true }, const B extends AnswerOf<O>>(
  app: Hono<AppEnv>,
  operation: O,
  { name, lookFirst = () => false }: { name: IdempotentOperation; lookFirst?: (request: Request<O>) => boolean },
  handler: (request: Request<O> & { idempotency: KeyClaim | undefined }) => Promise<B & Documented<AnswerOf<O>, B>>,
): void {
  mount(app, operation, async (c) => {
    const { warnings, ...request } = await requestOf(c, operation);
    const idempotency = await claimOf(c, name, request.body ?? null);
    const { answer: record } = operation;
    const answer = await answerOnce(
      c.var.ctx,
      idempotency,
      async () => ({
        status: record.status ?? 200,
        body: JSON.stringify(withWarnings(await handler({ ...request, idempotency }), warnings)),
      }),
      (error) => storableRefusal(error, c),
      { lookFirst: lookFirst(request) },
    );
    if (answer.isReplay) c.header('Idempotent-Replayed', 'true');
    return c.body(answer.body, answer.status as 200, { 'Content-Type': 'application/json' });
  });
}

const mount = (app: Hono<AppEnv>, operation: Operation, handler: (c: Context<AppEnv>) => Promise<Response>) =>
  app.on(operation.method.toUpperCase(), operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) =>
    asCaller(c, () => handler(c)),
  );

/** The answer, and what the body had that is no field here; where all was known, the answer as it is. */
const withWarnings = <B>(body: B, warnings: string[]) => (warnings.length === 0 ? body : { ...body, warnings });

async function requestOf<O extends Operation>(
  c: Context<AppEnv>,
  operation: O,
): Promise<Request<O> & Pick<Input<O>, 'warnings'>> {
  const input = await readInput(c, operation);
  c.set('operation', operation);
  const request = {
    ...input,
    ctx: c.var.ctx,
    platform: operation.key === 'platform' ? platformOf(c) : undefined,
    user: operation.key === 'user' ? userOf(c) : undefined,
  };
  // The caller's kind follows from the record's key, as the type has it.
  return request as Request<O> & Pick<Input<O>, 'warnings'>;
}

/** The request's `Idempotency-Key`, bare or quoted, with the fingerprint of method, path and body; undefined without one. */
async function claimOf(
  c: Context<AppEnv>,
  operation: IdempotentOperation,
  body: unknown,
): Promise<KeyClaim | undefined> {
  const header = c.req.header('Idempotency-Key');
  if (header === undefined) return undefined;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new AppError('invalid_request', 'Idempotency-Key must have 1 to 255 printable characters.', {
      field: 'Idempotency-Key',
    });
  const fingerprint = await sha256(`${c.req.method} ${c.req.path} ${JSON.stringify(body)}`);
  return { platformId: platformOf(c).id, operation, key, fingerprint };
}
