import * as z from 'zod';

const Request = z.object({
  ...{ message: z.literal('request'), method: z.string(), route: z.string() },
  ...{ status: z.number(), duration_ms: z.number(), code: z.string().optional() },
});

/**
 * Returns a line of the Worker's log as a person at a terminal reads it: `POST /v1/schedule 409 slot_unavailable in 38 ms`. Errors stay
 * as they are. Returns undefined for what only the whole log has: the service's calls to itself, and other information.
 */
export function shownLine(line: string): string | undefined {
  if (!line.startsWith('{"level":"info"')) return line;
  const { data: request } = Request.safeParse(JSON.parse(line));
  if (request === undefined || request.route.startsWith('/internal/')) return undefined;
  const { method, route, status, code, duration_ms: took } = request;
  return [method, route, status, ...(code === undefined ? [] : [code]), `in ${took} ms`].join(' ');
}
