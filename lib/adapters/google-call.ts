import { CalendarError } from '../ports.ts';

const BASE = 'https://www.googleapis.com/calendar/v3';
const TIMEOUT_MS = 8_000;
const RATE_REASONS = ['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded'];
const KINDS: Record<number, CalendarError['kind']> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'duplicate',
  410: 'gone',
  412: 'changed',
};

/** One call of Google's calendar API as the person whose token it is; throws `CalendarError`. */
export type GoogleCall = <T>(
  accessToken: string,
  method: string,
  path: string,
  body?: unknown,
  etag?: string,
  /** When the caller hangs up; after eight seconds when absent. */
  signal?: AbortSignal,
) => Promise<T>;

export function createGoogleCall({ requestId }: { requestId: string }): GoogleCall {
  return async <T>(
    accessToken: string,
    method: string,
    path: string,
    body?: unknown,
    etag?: string,
    signal = AbortSignal.timeout(TIMEOUT_MS),
  ): Promise<T> => {
    let response: Response;
    let text: string;
    try {
      response = await fetch(BASE + path, {
        method,
        headers: {
          Authorization: `Bearer ${accessToken}`,
          'Content-Type': 'application/json',
          'X-Request-Id': requestId,
          ...(etag === undefined ? {} : { 'If-Match': etag }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal,
      });
      text = await response.text();
    } catch (cause) {
      throw new CalendarError('unavailable', `${method} ${path}: no answer`, undefined, cause);
    }
    if (!response.ok) throw refusal(response, text);
    try {
      return (text === '' ? undefined : JSON.parse(text)) as T;
    } catch (cause) {
      throw new CalendarError('unavailable', `${method} ${path}: not JSON`, undefined, cause);
    }
  };
}

function refusal(response: Response, text: string): CalendarError {
  const reason = /"reason":\s*"(\w+)"/.exec(text)?.[1] ?? '';
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const wait = Number.isFinite(retryAfter) ? retryAfter : undefined;
  const { status } = response;
  // Said of a calendar that has no Meet, in words only.
  if (status === 400 && text.includes('Invalid conference type'))
    return new CalendarError('no_conference', 'the calendar has no video conferences');
  const isOverRate = status === 429 || RATE_REASONS.includes(reason);
  const kind = isOverRate ? 'unavailable' : (KINDS[status] ?? (status < 500 ? 'invalid' : 'unavailable'));
  return new CalendarError(kind, `the calendar answered ${status} ${reason}`, wait);
}
