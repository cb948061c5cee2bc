import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { dropBody } from '../body.ts';
import { createContext } from '../context.ts';
import { type AppEnv, parseEnv } from '../env.ts';

const REQUEST_ID = /^[\w-]{1,64}$/;

/** Gives the request its id and its context, and logs one line when it is answered. */
export const request = () =>
  createMiddleware<AppEnv>(async function request(c, next) {
    const started = Date.now();
    const given = c.req.header('X-Request-Id');
    const id = given !== undefined && REQUEST_ID.test(given) ? given : crypto.randomUUID();
    c.set('requestId', id);
    c.header('X-Request-Id', id);
    c.header('Cache-Control', 'no-store');
    c.header('Strict-Transport-Security', 'max-age=63072000');
    c.header('X-Content-Type-Options', 'nosniff');
    c.set('env', parseEnv(c.env));
    c.set(
      'ctx',
      createContext(c.var.env, id, (work) => c.executionCtx.waitUntil(work)),
    );
    await next();
    await dropBody(c.req.raw);
    c.var.ctx.log('info', 'request', {
      method: c.req.method,
      route: routePath(c, -1),
      status: c.res.status,
      duration_ms: Date.now() - started,
      ...(c.var.caller?.kind === 'secret' ? { platform_id: c.var.caller.platform.id } : {}),
    });
  });
