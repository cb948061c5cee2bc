import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { AppError } from '../../lib/kit/errors.ts';
import { blockOf } from '../../lib/kit/url-safety.ts';
import type { ErrorCode } from '../../schema/api/http-errors.ts';
import { dropBody } from '../http/body.ts';
import { createContext } from '../http/context.ts';
import { type AppEnv, parseEnv } from '../http/env.ts';
import { traceOf } from '../http/log.ts';

/** A refusal that set no error code, such as a page with an error status, gets one of these. */
const CODE_OF: Partial<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  500: 'internal_error',
};

/** An error answer or a redirect can refuse. */
function refusalIn({ res: { status }, var: { refusal } }: Context<AppEnv>): string | undefined {
  return refusal ?? (status >= 400 ? (CODE_OF[status] ?? `http_${status}`) : undefined);
}

/** If the handler's own batch checked the key, the request succeeded only with a key that works. */
function platformIn({ res, var: { caller, known } }: Context<AppEnv>): string | undefined {
  const by = caller ?? (res.ok ? known : undefined);
  return by?.kind === 'secret' ? by.platform.id : undefined;
}

/** Public documents alone get CORS headers: no browser may use a secret key (schema/DECISIONS.md, "Transport"). */
export const request = () =>
  createMiddleware<AppEnv>(async function request(c, next) {
    const started = Date.now();
    const own = /^[\w-]{1,64}$/.exec(c.req.header('X-Request-Id') ?? '')?.[0];
    const id = own ?? crypto.randomUUID();
    c.set('requestId', id);
    c.header('X-Request-Id', id);
    c.header('Cache-Control', 'no-store');
    c.header('Strict-Transport-Security', 'max-age=63072000');
    c.header('X-Content-Type-Options', 'nosniff');
    c.set('env', parseEnv(c.env));
    const ctx = createContext(
      c.var.env,
      id,
      (work) => c.executionCtx.waitUntil(work),
      (name, run) => traceOf(c.executionCtx)(name, run),
    );
    const network = blockOf(c.req.header('CF-Connecting-IP') ?? '');
    // A caller must not be able to make the audit log name another request.
    c.set('ctx', { ...ctx, network, requestId: own === undefined ? id : `caller:${own}` });
    await next();
    // Programs in Dart, Safari and Windows PowerShell read JSON without a charset as ISO-8859-1.
    if (c.res.headers.get('Content-Type') === 'application/json')
      c.header('Content-Type', 'application/json; charset=utf-8');
    await dropBody(c.req.raw);
    const code = refusalIn(c);
    const platformId = platformIn(c);
    if (code !== undefined && platformId !== undefined && c.req.path.startsWith('/v1/'))
      c.var.ctx.vitals.noteRefusal(Date.now(), { platformId, code });
    c.var.ctx.log('info', 'request', {
      method: c.req.method,
      route: routePath(c, -1),
      status: c.res.status,
      ...(code === undefined ? {} : { code }),
      duration_ms: Date.now() - started,
      ...(platformId === undefined ? {} : { platform_id: platformId }),
    });
  });

/**
 * Browsers name the sending page's origin, older ones only in `Origin`. A request without such a header comes from no
 * browser, so it has no cookie that another site could misuse. `isHidden` is for pages without referrer, from which
 * older browsers send `Origin: null`.
 */
export const sameOrigin = ({ isHidden = false } = {}) =>
  createMiddleware<AppEnv>(async function sameOrigin(c, next) {
    const [site, origin] = [c.req.header('Sec-Fetch-Site'), c.req.header('Origin')];
    const isOwn =
      site === undefined
        ? origin === undefined || origin === new URL(c.var.env.BASE_URL).origin || (isHidden && origin === 'null')
        : ['same-origin', 'none'].includes(site);
    if (isOwn || ['GET', 'HEAD', 'OPTIONS'].includes(c.req.method)) return next();
    throw new AppError(
      'forbidden',
      'This form was sent from another site, so nothing was changed. Open the page on this site and try again.',
    );
  });
