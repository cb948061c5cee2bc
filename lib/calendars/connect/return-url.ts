import type { AuthorizationRequest } from './authorization-request.ts';

/** Adds `success` or `error` to the platform's redirect URI, and the `state` that it sent. */
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
