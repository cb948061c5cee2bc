import type { Context } from 'hono';

type Place = { domain?: string; locationType?: 'parameter' | 'header'; location?: string };

/** Part of an error that only Google's front end adds, which judges a request before the calendar sees it. */
interface FrontEnd {
  message: string;
  status: 'UNAUTHENTICATED' | 'PERMISSION_DENIED';
  details: { reason: string; metadata: Record<string, string> };
}

/**
 * Refusal in the Calendar API's format: `{error: {code, message, errors: [{domain, reason, message}]}}`. A refusal by the
 * front end also has `status` and `details`.
 */
export class GoogleError extends Error {
  readonly status: number;
  readonly reason: string;
  readonly place: Place;
  readonly frontEnd: FrontEnd | undefined;

  constructor(status: number, reason: string, message: string, place: Place = {}, frontEnd?: FrontEnd) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.place = place;
    this.frontEnd = frontEnd;
  }
}

const SERVICE = 'calendar-json.googleapis.com';

export const badRequest = (message = 'Bad Request') => new GoogleError(400, 'badRequest', message);
export const parseError = () => new GoogleError(400, 'parseError', 'Parse Error');
export const invalid = (message: string) => new GoogleError(400, 'invalid', message);
export const required = (message: string) => new GoogleError(400, 'required', message);
export const notFound = (message = 'Not Found') => new GoogleError(404, 'notFound', message);
export const deleted = () => new GoogleError(410, 'deleted', 'Resource has been deleted');
export const duplicate = () => new GoogleError(409, 'duplicate', 'The requested identifier already exists.');
export const invalidField = (message: string) =>
  new GoogleError(400, 'invalidParameter', message, { locationType: 'parameter', location: 'fields' });
export const invalidCredentials = () =>
  new GoogleError(
    401,
    'authError',
    'Invalid Credentials',
    { locationType: 'header', location: 'Authorization' },
    {
      message:
        'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
      status: 'UNAUTHENTICATED',
      details: { reason: 'ACCESS_TOKEN_EXPIRED', metadata: { service: SERVICE } },
    },
  );

/** Returns the front end's refusal of a token whose scopes do not allow a method, such as `events.list`. */
export function insufficientScopes(method: string): GoogleError {
  const name = method.replaceAll(/(^|\.)(\w)/g, (_, dot: string, letter: string) => dot + letter.toUpperCase());
  return new GoogleError(
    403,
    'insufficientPermissions',
    'Insufficient Permission',
    {},
    {
      message: 'Request had insufficient authentication scopes.',
      status: 'PERMISSION_DENIED',
      details: {
        reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
        metadata: { service: SERVICE, method: `calendar.v3.${name}` },
      },
    },
  );
}
export const conditionNotMet = () =>
  new GoogleError(412, 'conditionNotMet', 'Precondition Failed', { locationType: 'header', location: 'If-Match' });
export const nonOrganizer = () =>
  new GoogleError(
    403,
    'forbiddenForNonOrganizer',
    'Shared properties can only be changed by the organizer of the event.',
    { domain: 'calendar' },
  );
export const requiredAccessLevel = (role: string) =>
  new GoogleError(403, 'requiredAccessLevel', `You need to have ${role} access to this calendar.`, {
    domain: 'calendar',
  });
const ofParameter = (location: string, status: number, reason: string, message: string) =>
  new GoogleError(status, reason, message, { domain: 'calendar', locationType: 'parameter', location });
export const timeRangeEmpty = () => ofParameter('timeMax', 400, 'timeRangeEmpty', 'The specified time range is empty.');
export const timeRangeTooLong = () =>
  ofParameter('timeMax', 400, 'timeRangeTooLong', 'The requested time range is too long.');
export const fullSyncRequired = () =>
  ofParameter('syncToken', 410, 'fullSyncRequired', 'Sync token is no longer valid, a full sync is required.');
export function renderError(error: unknown): Response {
  const failure =
    error instanceof GoogleError ? error : new GoogleError(500, 'backendError', `Backend Error: ${String(error)}`);
  const { status, reason, message, place, frontEnd } = failure;
  const type = 'type.googleapis.com/google.rpc.ErrorInfo';
  return Response.json(
    {
      error: {
        code: status,
        message: frontEnd?.message ?? message,
        errors: [{ message, domain: place.domain ?? 'global', reason, ...place }],
        ...(frontEnd && {
          status: frontEnd.status,
          details: [{ '@type': type, domain: 'googleapis.com', ...frontEnd.details }],
        }),
      },
    },
    { status, headers: status === 401 ? { 'WWW-Authenticate': 'Bearer realm="https://accounts.google.com/"' } : {} },
  );
}

/** Refusal of an OAuth endpoint: `{error, error_description}`. */
export function oauthError(c: Context, status: 400 | 401, error: string, description: string): Response {
  return c.json({ error, error_description: description }, status);
}
