import type { Context, Hono } from 'hono';
import type { Ctx, Platform, PlatformRef } from '../../lib/kit/context.ts';
import type { AnswerOf, Documented, JsonOperation, Operation } from '../../schema/api/operation.ts';
import { type AppEnv, platformIdOf, platformOf, userOf } from './env.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { changes, type Input, readInput } from './input.ts';

/** Operation whose handler may begin before the check of the API key. */
type Early = { method: 'get' } | { changesNothing: true } | { keyCheck: NonNullable<Operation['keyCheck']> };

const isEarly = (operation: Operation) => !changes(operation) || operation.keyCheck !== undefined;

/**
 * A handler that may begin before the check of the API key gets just the platform's id: its other data may have
 * changed, so the handler loads that with its own query.
 */
export type Request<O extends Operation> = Omit<Input<O>, 'warnings'> & {
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

export const mount = (app: Hono<AppEnv>, operation: Operation, handler: (c: Context<AppEnv>) => Promise<Response>) =>
  app.on(operation.method.toUpperCase(), operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), handler);

/** Adds the warnings about unknown fields to the answer, before its own. Leaves an answer without warnings as it is. */
const withWarnings = <B>(body: B, warnings: string[]) => {
  if (warnings.length === 0) return body;
  const { warnings: own = [] } = body as { warnings?: string[] | undefined };
  return { ...body, warnings: [...warnings, ...own] };
};

/** Reads and checks a request by its operation's schemas. Throws for the first invalid field. */
export async function requestOf<O extends Operation>(
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
