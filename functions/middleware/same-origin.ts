import { createMiddleware } from 'hono/factory';
import { AppError } from '../../lib/errors.ts';
import type { AppEnv } from '../env.ts';

const READING = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses what a page of another site has a browser send. Browsers say where a request comes from, older ones by `Origin`
 * alone; who says nothing is none, and has no cookie that could be misused.
 */
export const sameOrigin = () =>
  createMiddleware<AppEnv>(async function sameOrigin(c, next) {
    const [site, origin] = [c.req.header('Sec-Fetch-Site'), c.req.header('Origin')];
    const isOwn =
      site === undefined
        ? origin === undefined || origin === new URL(c.var.env.BASE_URL).origin
        : ['same-origin', 'none'].includes(site);
    if (isOwn || READING.includes(c.req.method)) return next();
    throw new AppError(
      'forbidden',
      'Nothing was changed: this was sent from another site. Open the page here and try there.',
    );
  });
