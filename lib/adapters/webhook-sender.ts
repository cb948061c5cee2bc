import type { SendFailure, WebhookSender } from '../kit/ports.ts';

/** Largest number of bytes of a response's body that the sender keeps. It reads no chunk after them. */
const KEPT_BYTES = 1_024;

/** Follows no redirects, and judges an attempt by the response's status alone. */
export function createWebhookSender({ now }: { now: () => number }): WebhookSender {
  return {
    async post({ url, headers, body, timeoutMs }) {
      const startedAt = now();
      const took = () => Math.max(0, Math.round(now() - startedAt));
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
        const answer = await firstBytes(response);
        const failure = OF_THE_EDGE[response.status];
        return failure === undefined
          ? { code: response.status, durationMs: took(), answer }
          : { code: 0, durationMs: took(), failure };
      } catch (error) {
        return { code: 0, durationMs: took(), failure: failureOf(error) };
      }
    },
  };
}

/** Cloudflare's edge answers a Worker with these statuses when the webhook's receiver did not answer. */
const OF_THE_EDGE: Partial<Record<number, SendFailure>> = {
  520: 'lost',
  521: 'refused',
  522: 'unreachable',
  523: 'unreachable',
  524: 'unreachable',
  525: 'tls',
  526: 'tls',
  530: 'unknown_host',
};

function failureOf(error: unknown): SendFailure {
  if (!(error instanceof Error)) return 'lost';
  if (error.name === 'TimeoutError') return 'timeout';
  const said = [error, error.cause]
    .map((one) => (one instanceof Error ? `${one.message} ${codeOf(one)}` : ''))
    .join(' ');
  if (/refused/i.test(said)) return 'refused';
  return /\b(?:TLS|SSL|certificate)|ERR_SSL|CERT_/i.test(said) ? 'tls' : 'lost';
}

const codeOf = (error: Error) => ('code' in error ? String(error.code) : '');

/**
 * Hangs up after the first bytes. If the body breaks off, returns what has arrived, because the status alone decides.
 */
async function firstBytes(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let left = KEPT_BYTES; reader !== undefined && left > 0; ) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value.subarray(0, left), { stream: true });
      left -= value.byteLength;
    }
    await reader?.cancel();
  } catch {
    // The receiver broke off, or the time was up.
  }
  return text;
}
