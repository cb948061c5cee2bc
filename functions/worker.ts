import '../lib/words/warm-up.ts';
import { app } from './app.ts';
import { sweep } from './internal/sweep.ts';

export default {
  fetch: (request: Request, env: Record<string, unknown>, ctx: ExecutionContext) => app.fetch(request, env, ctx),
  scheduled: (_controller: unknown, env: Record<string, unknown>, ctx: ExecutionContext) => sweep(env, ctx),
};

type ExecutionContext = Parameters<NonNullable<typeof app.fetch>>[2] & object;
