import { Client } from '@upstash/qstash';
import { InternalError } from '../kit/errors.ts';
import type { Queue, QueueMessage } from '../kit/ports.ts';

const TIMEOUT_MS = 5_000;

type Options = { url: string; token: string; baseUrl: string; requestId: string };

/**
 * Creates the queue at QStash, which posts messages to this Worker's own paths. `url` is QStash's address for its
 * region.
 * - Publishing a message rejects if QStash did not accept it in time.
 * - The queue uses one of a Worker's six connections at a time. Messages that are published during a call to QStash go
 *   out together in the next call.
 * - The QStash client cannot abort a call that hangs. After such a call this request publishes nothing more, and the
 *   background sweep publishes the rest later.
 */
export function createQueue({ url, token, baseUrl, requestId }: Options): Queue {
  const headers = { 'X-Request-Id': requestId };
  const client = new Client({ baseUrl: url, token, retry: false, enableTelemetry: false, devMode: false, headers });
  const toRequest = ({ path, body, delaySeconds = 0, lane }: QueueMessage) => ({
    url: baseUrl + path,
    body,
    retries: 3,
    ...(delaySeconds > 0 ? { delay: delaySeconds } : {}),
    ...(lane === undefined ? {} : { flowControl: lane }),
  });
  let isHanging = false;
  let before: Promise<unknown> = Promise.resolve();
  let next: { messages: QueueMessage[]; sent: Promise<void> } | undefined;

  async function send(messages: QueueMessage[]): Promise<void> {
    const [first, ...more] = messages.map(toRequest);
    if (first === undefined) return;
    if (isHanging) throw new InternalError('An earlier call to QStash still hangs.');
    const published = more.length === 0 ? client.publishJSON(first) : client.batchJSON([first, ...more]);
    await withinTimeout(published);
  }

  async function withinTimeout(published: Promise<unknown>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hanging = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isHanging = true;
        reject(new InternalError(`QStash did not answer within ${TIMEOUT_MS} ms.`));
      }, TIMEOUT_MS);
    });
    await Promise.race([published, hanging]).finally(() => clearTimeout(timer));
  }

  return {
    publish(...messages) {
      if (next !== undefined) {
        next.messages.push(...messages);
        return next.sent;
      }
      const sent = before.then(() => {
        next = undefined;
        return send(messages);
      });
      next = { messages, sent };
      before = sent.catch(() => undefined);
      return sent;
    },
  };
}

/** Rejects if QStash does not know the account of this token or does not answer in time. */
export async function checkQueue({ url, token, requestId }: Omit<Options, 'baseUrl'>): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'X-Request-Id': requestId };
  const response = await fetch(`${url}/v2/keys`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  // The response contains the signing keys. Only the status is needed, so the body is discarded unread.
  await response.body?.cancel();
  if (!response.ok) throw new InternalError(`QStash answered with HTTP ${response.status}.`);
}
