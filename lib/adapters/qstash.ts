import { Client } from '@upstash/qstash';
import { InternalError } from '../errors.ts';
import type { Queue, QueueMessage } from '../ports.ts';

const TIMEOUT_MS = 5_000;

/** QStash at its region's `url`, publishing to our own paths. Rejects when the messages were not accepted in time. */
export function createQueue({
  url,
  token,
  baseUrl,
  requestId,
}: {
  url: string;
  token: string;
  baseUrl: string;
  requestId: string;
}): Queue {
  const client = new Client({
    baseUrl: url,
    token,
    retry: false,
    enableTelemetry: false,
    devMode: false,
    headers: { 'X-Request-Id': requestId },
  });
  const toRequest = ({ path, body, delaySeconds = 0, lane }: QueueMessage) => ({
    url: baseUrl + path,
    body,
    retries: 3,
    ...(delaySeconds > 0 ? { delay: delaySeconds } : {}),
    ...(lane === undefined ? {} : { flowControl: lane }),
  });
  return {
    async publish(...messages) {
      const [first, ...more] = messages.map(toRequest);
      if (first === undefined) return;
      const published = more.length === 0 ? client.publishJSON(first) : client.batchJSON([first, ...more]);
      // The client takes no signal, so a hanging publish is left behind; the sweep finds what it lost.
      await Promise.race([published, rejectAfter(TIMEOUT_MS)]);
    },
  };
}

function rejectAfter(ms: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new InternalError(`no answer from the queue within ${ms} ms`)), ms);
  });
}
