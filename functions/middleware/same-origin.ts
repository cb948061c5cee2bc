import { createMiddleware } from 'hono/factory';
import { AppError } from '../../lib/kit/errors.ts';
import type { AppEnv } from '../http/env.ts';

const READING = ['GET', 'HEAD', 'OPTIONS'];

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
    if (isOwn || READING.includes(c.req.method)) return next();
    throw new AppError(
      'forbidden',
      'This form was sent from another site, so nothing was changed. Open the page on this site and try again.',
    );
  });
