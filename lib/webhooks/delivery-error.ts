import type { SendFailure } from '../ports.ts';

/** Why a delivery did not arrive, in the words of the log. */
const NO_ANSWER: Record<Exclude<SendFailure, 'timeout'>, string> = {
  refused: 'connection refused',
  tls: 'TLS failed',
  unknown_host: 'the host was not found',
  unreachable: 'the host could not be reached',
  lost: 'the connection was lost before an answer',
};

/** What an attempt came to; undefined when it was accepted. A status of 0 stands for no answer. */
export function attemptError(
  { code, failure }: { code: number; failure?: SendFailure | undefined },
  timeoutSeconds: number,
): string | undefined {
  if (failure === 'timeout') return `no answer within ${timeoutSeconds} s`;
  if (failure !== undefined) return NO_ANSWER[failure];
  if (code >= 200 && code < 300) return undefined;
  return code >= 300 && code < 400 ? `answered ${code}, a redirect, which is not followed` : `answered ${code}`;
}

/** Why nothing was sent at all. */
export const NOT_SENT = {
  unsafe_url: 'not sent: the URL must lead to a public address',
  dns_failed: 'not sent: public DNS does not know the host',
  dns_unavailable: 'not sent: the host could not be looked up',
  secret_unreadable: 'not sent: the signing secret could not be read on our side',
  disabled: 'not sent: the webhook was disabled',
} as const;
