import type { Context, Hono } from 'hono';
import * as z from 'zod';
import type { Ctx, Platform, PlatformRef } from '../../lib/kit/context.ts';
import { sha256 } from '../../lib/kit/ids.ts';
import { answerOnce } from '../../lib/meetings/index.ts';
import type { AnswerOf, Documented, JsonOperation, Operation } from '../../schema/api/operation.ts';
import type { IdempotentRequest } from '../../schema/meetings/idempotency.ts';
import type { IdempotentOperation } from '../../schema/tables/platforms.ts';
import { type AppEnv, platformIdOf, platformOf, userOf } from './env.ts';
import { errorBody } from './errors.ts';
import { readIdempotencyKey } from './headers.ts';
import { changes, type Input, readInput } from './input.ts';

type Early = { method: 'get' } | { changesNothing: true } | { keyCheck: NonNullable<Operation['keyCheck']> };

const isEarly = (operation: Operation) => !changes(operation) || operation.keyCheck !== undefined;

/** One that may begin before the key check gets just the platform's id, because the rest may have changed. */
type Request<O extends Operation> = Omit<Input<O>, 'warnings'> & {
  ctx: Ctx;
  platform: O['key'] extends 'platform' ? (O extends Early ? PlatformRef : Platform) : undefined;
  user: O['key'] extends 'user' ? { userId: string } : undefined;
  /** Replacing an API key gives a retry the same answer without having stored it. */
  idempotencyKey: string | undefined;
};

/** The schemas check the input. An answer with a missing or an extra field does not compile. */
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

const mount = (app: Hono<AppEnv>, operation: Operation, handler: (c: Context<AppEnv>) => Promise<Response>) =>
  app.on(operation.method.toUpperCase(), operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), handler);

const withWarnings = <B>(body: B, warnings: string[]) => {
  if (warnings.length === 0) return body;
  const { warnings: own = [] } = body as { warnings?: string[] | undefined };
  return { ...body, warnings: [...warnings, ...own] };
};

async function requestOf<O extends Operation>(
  c: Context<AppEnv>,
  operation: O,
): Promise<Request<O> & Pick<Input<O>, 'warnings'>> {
  const input = await readInput(c, operation);
  c.set('operation', operation);
  const callingPlatform = isEarly(operation) ? platformIdOf : platformOf;
  const request = {
    ...input,
    ctx: c.var.ctx,
    platform: operation.key === 'platform' ? callingPlatform(c) : undefined,
    user: operation.key === 'user' ? userOf(c) : undefined,
    idempotencyKey: operation.retriesByKey ? readIdempotencyKey(c) : undefined,
  };
  // `platform` and `user` follow the operation's `key`, and the type does so too, so the cast is safe.
  return request as Request<O> & Pick<Input<O>, 'warnings'>;
}

type Keyed<O extends Operation> = Request<O> & { idempotency: IdempotentRequest | undefined; warnings: string[] };

/**
 * The handler claims the key in its first database batch, and gets the warnings, because the whole answer is stored
 * under the key. Requests are equal if their checked bodies are, whatever the JSON text. `lookFirst` is for a handler
 * that may work or refuse before its first batch: a stored answer is then sought first.
 */
export function serveOnce<O extends JsonOperation & { takesIdempotencyKey: true }, const B extends AnswerOf<O>>(
  app: Hono<AppEnv>,
  operation: O,
  { name, lookFirst = () => false }: { name: IdempotentOperation; lookFirst?: (request: Request<O>) => boolean },
  handler: (request: Keyed<O>) => Promise<B & Documented<AnswerOf<O>, B>>,
): void {
  mount(app, operation, async (c) => {
    const { warnings, ...request } = await requestOf(c, operation);
    const idempotency = await idempotencyOf(c, name, request.body ?? null);
    const answer = await answerOnce(c.var.ctx, idempotency, {
      verb: () => handler({ ...request, idempotency, warnings }),
      status: operation.answer.status ?? 200,
      toRefusal: (refusal) => errorBody(refusal, c),
      lookFirst: lookFirst(request),
    });
    if (answer.status >= 400) c.set('refusal', codeIn(answer.body));
    if (answer.isReplay) c.header('Idempotent-Replayed', 'true');
    return c.body(answer.body, answer.status as 200, { 'Content-Type': 'application/json' });
  });
}

const Refused = z.union([z.object({ error: z.object({ code: z.string() }) }), z.object({ code: z.string() })]);

function codeIn(body: string): string {
  const refused = Refused.parse(JSON.parse(body));
  return 'code' in refused ? refused.code : refused.error.code;
}

async function idempotencyOf(
  c: Context<AppEnv>,
  operation: IdempotentOperation,
  body: unknown,
): Promise<IdempotentRequest | undefined> {
  const key = readIdempotencyKey(c);
  if (key === undefined) return undefined;
  const fingerprint = await sha256(`${c.req.method} ${c.req.path} ${JSON.stringify(body)}`);
  return { platformId: platformIdOf(c).id, operation, key, fingerprint };
}
