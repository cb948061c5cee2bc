import { Client } from '@upstash/qstash';
import type { Queue } from '../ports.ts';

const TIMEOUT_MS = 5_000;

/** QStash, publishing to our own paths. Rejects when the message was not accepted in time. */
export function createQueue({
  token,
  baseUrl,
  requestId,
}: {
  token: string;
  baseUrl: string;
  requestId: string;
}): Queue {
  const client = new Client({ token, retry: false, enableTelemetry: false, headers: { 'X-Request-Id': requestId } });
  return {
    async publish({ path, body, delaySeconds = 0 }) {
      const published = client.publishJSON({
        url: baseUrl + path,
        body,
        retries: 3,
        ...(delaySeconds > 0 ? { delay: delaySeconds } : {}),
      });
      // The client takes no signal, so a hanging publish is left behind; the sweep finds what it lost.
      await Promise.race([published, rejectAfter(TIMEOUT_MS)]);
    },
  };
}

function rejectAfter(ms: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`no answer from the queue within ${ms} ms`)), ms);
  });
}
