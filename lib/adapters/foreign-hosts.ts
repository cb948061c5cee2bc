import type { AgentDocuments, SendFailure, WebhookSender } from '../kit/ports.ts';

const TIMEOUT_MS = 5_000;
/** The draft about client ID metadata documents recommends this bound. */
const LARGEST_BYTES = 5 * 1024;

/** Types that hosts give to files which their users upload, such as text/plain, are none of these. */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i;

/** Follows no redirects, so that a document cannot lead to another host than the one that was checked. */
export function createAgentDocuments({ requestId }: { requestId: string }): AgentDocuments {
  return {
    async read(url) {
      try {
        const response = await fetch(url, {
          headers: { Accept: 'application/json', 'X-Request-Id': requestId },
          redirect: 'manual',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        const isJson = JSON_TYPE.test(response.headers.get('Content-Type') ?? '');
        if (response.status === 200 && isJson) return await wholeText(response);
        await response.body?.cancel();
        return { failure: response.status === 200 ? 'not_json' : 'status' };
      } catch {
        return { failure: 'unreachable' };
      }
    },
  };
}

async function wholeText(response: Response) {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let [text, bytes] = ['', 0];
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > LARGEST_BYTES) {
      await reader.cancel();
      return { failure: 'too_large' as const };
    }
    text += decoder.decode(value, { stream: true });
  }
  return { text: text + decoder.decode() };
}

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
    .map((one) => (one instanceof Error ? `${one.message} ${'code' in one ? one.code : ''}` : ''))
    .join(' ');
  if (/refused/i.test(said)) return 'refused';
  return /\b(?:TLS|SSL|certificate)|ERR_SSL|CERT_/i.test(said) ? 'tls' : 'lost';
}

/** Hangs up after the first bytes. If the body breaks off, returns what has arrived: the status alone decides. */
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
