import type { Context, Hono } from 'hono';
import * as z from 'zod';
import { sha256 } from '../../lib/kit/keys.ts';
import { answerOnce } from '../../lib/meetings/index.ts';
import type { AnswerOf, Documented, JsonOperation, Operation } from '../../schema/api/operation.ts';
import type { IdempotentRequest } from '../../schema/meetings/idempotency.ts';
import type { IdempotentOperation } from '../../schema/tables/idempotency.ts';
import { type AppEnv, platformIdOf } from './env.ts';
import { errorBody } from './errors.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { mount, type Request, requestOf } from './serve.ts';

/** Request with its `Idempotency-Key`, and the warnings about unknown fields that its answer must contain. */
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

/** Returns the error code in the stored body of a refused request. */
function codeIn(body: string): string {
  const refused = Refused.parse(JSON.parse(body));
  return 'code' in refused ? refused.code : refused.error.code;
}

/** The fingerprint is of method, path and body. Undefined if there is no key. */
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
