import { createMiddleware } from 'hono/factory';
import { AppError } from '../../lib/kit/errors.ts';
import type { AppEnv } from '../env.ts';

const READING = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses form posts from pages of other sites. Browsers send the origin of a request, older ones only in `Origin`. A
 * request without either header does not come from a browser, so it has no cookie that could be misused.
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
      'This form was sent from another site, so nothing was changed. Open the page on this site and try again.',
    );
  });
