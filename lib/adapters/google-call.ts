import { CalendarError, CalendarLimit } from '../kit/calendar-ports.ts';

const BASE = 'https://www.googleapis.com/calendar/v3';
const TIMEOUT_MS = 8_000;
const RATE_REASONS = ['rateLimitExceeded', 'userRateLimitExceeded', 'RATE_LIMIT_EXCEEDED'];
/** Error domains in a 403 from Google that show that Google refused because of this person's calendar or this token. */
const PERSONAL_DOMAINS = ['global', 'calendar'];
const SCOPES_TOO_NARROW = 'ACCESS_TOKEN_SCOPE_INSUFFICIENT';
/** A 403 without a wait is a spent quota or a disabled API, which lasts for hours: no retry within a request helps. */
const LIMIT_LASTS_SECONDS = 3_600;
const KINDS: Record<number, CalendarError['kind']> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'duplicate',
  410: 'gone',
  412: 'changed',
};

export type GoogleCall = ReturnType<typeof createGoogleCall>;

/** `onCall` is told of each call, because the provider counts them. */
export function createGoogleCall({ requestId, onCall }: { requestId: string; onCall?: () => void }) {
  return async <T>(
    accessToken: string,
    method: string,
    path: string,
    body?: unknown,
    etag?: string,
    signal = AbortSignal.timeout(TIMEOUT_MS),
  ): Promise<T> => {
    onCall?.();
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
      throw new CalendarError('unavailable', `Google did not answer ${method} ${path}.`, undefined, cause);
    }
    if (!response.ok) throw refusal(response, text);
    try {
      return (text === '' ? undefined : JSON.parse(text)) as T;
    } catch (cause) {
      throw new CalendarError('unavailable', `Google answered ${method} ${path} without valid JSON.`, undefined, cause);
    }
  };
}

/** The calendar API lists its reasons in `errors`, and Google's front end lists its own in `details`, too. */
type Reason = { domain?: string; reason?: string };

function refusal({ status, headers }: Response, text: string): CalendarError {
  const reasons = reasonsIn(text);
  const header = Number(headers.get('Retry-After') ?? Number.NaN);
  const wait = Number.isFinite(header) ? header : undefined;
  // If a calendar cannot have Google Meet links, Google says so only in the text of the message.
  if (status === 400 && text.includes('Invalid conference type'))
    return new CalendarError('no_conference', 'This calendar does not support video conferences.');
  const message = `Google Calendar answered ${status} ${reasons[0]?.reason ?? ''}.`;
  if (status === 429 || (status === 403 && reasons.some(({ reason = '' }) => RATE_REASONS.includes(reason))))
    return new CalendarLimit('unavailable', message, wait);
  // These 403s are a spent quota, a disabled API or a proxy's page. They do not mean that the person withdrew consent.
  if (status === 403 && !reasons.some(isPersonal))
    return new CalendarLimit('unavailable', message, wait ?? LIMIT_LASTS_SECONDS);
  return new CalendarError(KINDS[status] ?? (status < 500 ? 'invalid' : 'unavailable'), message, wait);
}

const isPersonal = ({ domain = '', reason }: Reason) =>
  PERSONAL_DOMAINS.includes(domain) || reason === SCOPES_TOO_NARROW;

function reasonsIn(text: string): Reason[] {
  try {
    const { error } = JSON.parse(text) as { error?: { errors?: Reason[]; details?: Reason[] } };
    return [error?.errors, error?.details].flatMap((list) => (Array.isArray(list) ? list : []));
  } catch {
    return [];
  }
}
