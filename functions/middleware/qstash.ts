import { Receiver } from '@upstash/qstash';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../lib/kit/errors.ts';
import { readText } from '../http/body.ts';
import type { AppEnv } from '../http/env.ts';
import { countByIp } from './rate-limit.ts';

/** Counts any other request against its IP address, and does not read the body of one without a signature. */
export const qstash = () =>
  createMiddleware<AppEnv>(async function qstash(c, next) {
    const signature = c.req.header('Upstash-Signature');
    if (signature === undefined) return refuse(c);
    const { QSTASH_CURRENT_SIGNING_KEY, QSTASH_NEXT_SIGNING_KEY, BASE_URL } = c.var.env;
    const body = await readText(c);
    const receiver = new Receiver({
      currentSigningKey: QSTASH_CURRENT_SIGNING_KEY,
      nextSigningKey: QSTASH_NEXT_SIGNING_KEY,
      devMode: false,
    });
    const isOurs = await receiver
      .verify({
        signature,
        body,
        url: BASE_URL + c.req.path,
        clockTolerance: 5,
      })
      .catch(() => false);
    if (!isOurs) return refuse(c);
    await next();
  });

async function refuse(c: Context<AppEnv>): Promise<never> {
  await countByIp(c);
  throw new AppError(
    'unauthorized',
    "This path accepts only requests that Tandem's message queue has signed. GET /openapi.json lists the paths that you can call.",
  );
}
