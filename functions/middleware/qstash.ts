import { Receiver } from '@upstash/qstash';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../lib/errors.ts';
import type { AppEnv } from '../env.ts';

/** Lets only the queue's own signed messages through; the handler reads the body again. */
export const qstash = () =>
  createMiddleware<AppEnv>(async function qstash(c, next) {
    const { QSTASH_CURRENT_SIGNING_KEY, QSTASH_NEXT_SIGNING_KEY, BASE_URL } = c.var.env;
    const receiver = new Receiver({
      currentSigningKey: QSTASH_CURRENT_SIGNING_KEY,
      nextSigningKey: QSTASH_NEXT_SIGNING_KEY,
    });
    const isOurs = await receiver
      .verify({
        signature: c.req.header('Upstash-Signature') ?? '',
        body: await c.req.text(),
        url: BASE_URL + c.req.path,
        clockTolerance: 5,
      })
      .catch(() => false);
    if (!isOurs) throw new AppError('unauthorized', 'The signature is not valid.');
    await next();
  });
