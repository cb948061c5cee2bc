import { Client } from '@upstash/qstash';
import { InternalError } from '../errors.ts';
import type { Queue, QueueMessage } from '../ports.ts';

const TIMEOUT_MS = 5_000;

interface Options {
  url: string;
  token: string;
  baseUrl: string;
  requestId: string;
}

/**
 * QStash at its region's `url`, publishing to our own paths. Rejects when the messages were not accepted in time. It takes
 * one of a Worker's six connections: what is to be published meanwhile goes together in the next call, and after a call
 * that hangs, which the client cannot give up, nothing more is sent; the sweep finds what was not.
 */
export function createQueue({ url, token, baseUrl, requestId }: Options): Queue {
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
  let isHanging = false;
  let before: Promise<unknown> = Promise.resolve();
  let next: { messages: QueueMessage[]; sent: Promise<void> } | undefined;

  async function send(messages: QueueMessage[]): Promise<void> {
    const [first, ...more] = messages.map(toRequest);
    if (first === undefined) return;
    if (isHanging) throw new InternalError('an earlier call to the queue still hangs');
    const published = more.length === 0 ? client.publishJSON(first) : client.batchJSON([first, ...more]);
    await withinTimeout(published);
  }

  async function withinTimeout(published: Promise<unknown>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hanging = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isHanging = true;
        reject(new InternalError(`no answer from the queue within ${TIMEOUT_MS} ms`));
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
