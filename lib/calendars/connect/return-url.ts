import type { AuthorizationRequest } from './authorization-request.ts';

/**
 * Returns the URL to which a person is sent after their consent: the platform's redirect URI with `success` or `error`,
 * and with the `state` that the platform sent.
 */
export function returnUrl(
  redirectUri: string,
  { state }: Pick<AuthorizationRequest, 'state'>,
  result: { success: 'true' } | { error: string },
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
}
