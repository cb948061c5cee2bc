import type { SendFailure } from '../kit/ports.ts';

/** Sentences for the delivery log about webhooks that got no answer, keyed by the reason. */
const NO_ANSWER: Record<Exclude<SendFailure, 'timeout'>, string> = {
  refused: 'connection refused',
  tls: 'TLS failed',
  unknown_host: 'the host was not found',
  unreachable: 'the host could not be reached',
  lost: 'the connection was lost before an answer',
};

/** Undefined if the receiver accepted it. A code of 0 means that there was no answer. */
export function attemptError(
  { code, failure }: { code: number; failure?: SendFailure | undefined },
  timeoutSeconds: number,
): string | undefined {
  if (failure === 'timeout') return `no answer within ${timeoutSeconds} s`;
  if (failure !== undefined) return NO_ANSWER[failure];
  if (code >= 200 && code < 300) return undefined;
  return code >= 300 && code < 400 ? `answered ${code}, a redirect, which is not followed` : `answered ${code}`;
}

/** Sentences for the delivery log about webhooks that were not sent, keyed by the reason. */
export const NOT_SENT = {
  unsafe_url: 'not sent: the URL must have a host whose IP addresses are all public',
  dns_failed: 'not sent: the host does not exist in public DNS',
  dns_unavailable: 'not sent: DNS could not look up the host',
  secret_unreadable: 'not sent: the webhook secret could not be read on our side',
  disabled: 'not sent: the webhook was disabled',
} as const;
