import type { Context } from 'hono';

type Place = { domain?: string; locationType?: 'parameter' | 'header'; location?: string };

const STATUS_NAMES: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
};

/** A refusal in the Calendar API's own words: `{error: {code, message, errors: [{domain, reason, message}]}}`. */
export class GoogleError extends Error {
  readonly status: number;
  readonly reason: string;
  readonly place: Place;

  constructor(status: number, reason: string, message: string, place: Place = {}) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.place = place;
  }
}

export const badRequest = (message = 'Bad Request') => new GoogleError(400, 'badRequest', message);
export const parseError = () => new GoogleError(400, 'parseError', 'Parse Error');
export const invalid = (message: string) => new GoogleError(400, 'invalid', message);
export const required = (message: string) => new GoogleError(400, 'required', message);
export const notFound = (message = 'Not Found') => new GoogleError(404, 'notFound', message);
export const deleted = () => new GoogleError(410, 'deleted', 'Resource has been deleted');
export const duplicate = () => new GoogleError(409, 'duplicate', 'The requested identifier already exists.');
export const invalidCredentials = () =>
  new GoogleError(401, 'authError', 'Invalid Credentials', { locationType: 'header', location: 'Authorization' });
export const insufficientScopes = () =>
  new GoogleError(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.');
export const conditionNotMet = () =>
  new GoogleError(412, 'conditionNotMet', 'Precondition Failed', { locationType: 'header', location: 'If-Match' });
export const nonOrganizer = () =>
  new GoogleError(
    403,
    'forbiddenForNonOrganizer',
    'Shared properties can only be changed by the organizer of the event.',
    {
      domain: 'calendar',
    },
  );
export const requiredAccessLevel = (role: string) =>
  new GoogleError(403, 'requiredAccessLevel', `You need to have ${role} access to this calendar.`, {
    domain: 'calendar',
  });
export const timeRangeEmpty = () =>
  new GoogleError(400, 'timeRangeEmpty', 'The specified time range is empty.', {
    domain: 'calendar',
    locationType: 'parameter',
    location: 'timeMax',
  });
export const timeRangeTooLong = () =>
  new GoogleError(400, 'timeRangeTooLong', 'The requested time range is too long.', {
    domain: 'calendar',
    locationType: 'parameter',
    location: 'timeMax',
  });
export const fullSyncRequired = () =>
  new GoogleError(410, 'fullSyncRequired', 'Sync token is no longer valid, a full sync is required.', {
    domain: 'calendar',
    locationType: 'parameter',
    location: 'syncToken',
  });
export const updatedMinTooLongAgo = () =>
  new GoogleError(410, 'updatedMinTooLongAgo', 'The requested minimum modification time lies too far in the past.', {
    domain: 'calendar',
    locationType: 'parameter',
    location: 'updatedMin',
  });

/** Renders any thrown error as Google would. */
export function renderError(error: unknown): Response {
  const failure =
    error instanceof GoogleError ? error : new GoogleError(500, 'backendError', `Backend Error: ${String(error)}`);
  const { status, reason, message, place } = failure;
  const name = STATUS_NAMES[status];
  const headers = status === 401 ? { 'WWW-Authenticate': 'Bearer realm="https://accounts.google.com/"' } : undefined;
  return Response.json(
    {
      error: {
        code: status,
        message,
        errors: [{ message, domain: place.domain ?? 'global', reason, ...place }],
        ...(name ? { status: name } : {}),
      },
    },
    { status, ...(headers ? { headers } : {}) },
  );
}

/** An OAuth endpoint's refusal: `{error, error_description}`. */
export function oauthError(c: Context, status: 400 | 401, error: string, description: string): Response {
  return c.json({ error, error_description: description }, status);
}
