import { answerFaults, isCalendarCall, requestFaults } from './contract.ts';

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
