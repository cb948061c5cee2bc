import type { WebhookSender } from '../ports.ts';

const MAX_ANSWER_BYTES = 16_384;

/** Posts without following redirects; the status is the answer, of the rest little is read and nothing kept. */
export function createWebhookSender({ now }: { now: () => number }): WebhookSender {
  return {
    async post({ url, headers, body, timeoutMs }) {
      const startedAt = now();
      const took = () => Math.max(0, Math.round(now() - startedAt));
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
        // Whatever becomes of the body, the receiver has said what it had to say.
        await readSome(response).catch(() => undefined);
        const error = classify(response.status);
        return { code: response.status, durationMs: took(), ...(error === undefined ? {} : { error }) };
      } catch (error) {
        const timedOut = error instanceof Error && error.name === 'TimeoutError';
        return { code: 0, durationMs: took(), error: timedOut ? 'timeout' : 'connection_failed' };
      }
    },
  };
}

function classify(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

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
