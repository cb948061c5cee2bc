import type { SendFailure, WebhookSender } from '../kit/ports.ts';

const MAX_ANSWER_BYTES = 16_384;

/**
 * Creates a sender that posts webhooks without following redirects. Only the response's status counts. The sender reads
 * little of the body and stores none of it.
 */
export function createWebhookSender({ now }: { now: () => number }): WebhookSender {
  return {
    async post({ url, headers, body, timeoutMs }) {
      const startedAt = now();
      const took = () => Math.max(0, Math.round(now() - startedAt));
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
        // The status already answers the delivery, so an error while reading the body does not matter.
        await readSome(response).catch(() => undefined);
        const failure = OF_THE_EDGE[response.status];
        return failure === undefined
          ? { code: response.status, durationMs: took() }
          : { code: 0, durationMs: took(), failure };
      } catch (error) {
        return { code: 0, durationMs: took(), failure: failureOf(error) };
      }
    },
  };
}

/**
 * Failure reasons for the HTTP statuses with which Cloudflare's edge network answers a Worker when the webhook's
 * receiver did not answer.
 */
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

async function readSome(response: Response) {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  for (let read = 0; read < MAX_ANSWER_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) return;
    read += value.byteLength;
  }
  await reader.cancel();
}
