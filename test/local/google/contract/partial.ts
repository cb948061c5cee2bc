import type { MiddlewareHandler } from 'hono';
import { invalidField } from '../errors.ts';
import { CONTRACT, methodOf } from './contract.ts';
import { fieldFaults, parseMask, partOf } from './field-mask.ts';

/** Answers with the fields that the `fields` parameter names, and with nothing else. */
export const partialAnswers: MiddlewareHandler = async (c, next) => {
  const fields = c.req.query('fields');
  if (fields === undefined) return next();
  const { method } = methodOf(c.req.raw) ?? {};
  const [fault] = fieldFaults(fields, { $ref: method?.response ?? '' }, CONTRACT.schemas);
  if (fault !== undefined) throw invalidField(fault);
  await next();
  if (c.res.status !== 200) return;
  const part = partOf(await c.res.json(), parseMask(fields));
  c.res = Response.json(part, { headers: c.res.headers });
};
