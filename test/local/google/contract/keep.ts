import type { MiddlewareHandler } from 'hono';
import { invalidField } from '../errors.ts';
import { answerFaults, CONTRACT, isCalendarCall, methodOf, requestFaults } from './contract.ts';
import { fieldFaults, parseMask, partOf } from './field-mask.ts';

interface KeepOptions {
  serve: (request: Request) => Response | Promise<Response>;
  /** Scopes of the request's token; undefined if the token is unknown. */
  scopes: readonly string[] | undefined;
  report: (line: string) => void;
}

/**
 * Serves a call of the Calendar API and holds it to Google's contract: every answer must fit, and every request that is
 * not refused. A call that differs is reported, and gets 599 with the differences.
 */
export async function keepContract(request: Request, { serve, scopes, report }: KeepOptions): Promise<Response> {
  if (!isCalendarCall(request)) return serve(request);
  const body = await request.clone().text();
  const response = await serve(request);
  const answer = await response.clone().text();
  const faults = [
    ...(response.status < 400 ? requestFaults(request, body, scopes) : []),
    ...answerFaults(request, response.status, answer).map((fault) => `answer ${response.status}: ${fault}`),
  ];
  if (faults.length === 0) return response;
  const { pathname, search } = new URL(request.url);
  const lines = faults.map((fault) => `google: ${request.method} ${pathname}${search}: ${fault}`);
  lines.forEach(report);
  return new Response(lines.join('\n'), { status: 599 });
}

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
