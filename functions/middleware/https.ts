import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../http/env.ts';

/** Redirects plain HTTP to HTTPS with status 308, except on localhost. */
export const https = () =>
  createMiddleware<AppEnv>(async function https(c, next) {
    const url = new URL(c.req.url);
    if (url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)) return next();
    url.protocol = 'https:';
    return c.redirect(url.href, 308);
  });
