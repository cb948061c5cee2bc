import type { Outcome } from './attempt.ts';
import { type CallbackTarget, type Message, parseMessage } from './message.ts';

/** Returns the message that reports an attempt's result to a callback. */
export function callbackMessage(
  target: CallbackTarget,
  message: Message,
  outcome: Outcome,
  now: number,
  dlqId?: string,
): Message {
  const body = {
    status: outcome.status,
    header: headerLists(outcome.headers),
    body: Buffer.from(outcome.body).toString('base64'),
    retried: message.retried,
    maxRetries: message.maxRetries,
    ...(dlqId === undefined ? {} : { dlqId }),
    sourceMessageId: message.messageId,
    url: message.url,
    method: message.method,
    sourceHeader: headerLists(message.headers),
    sourceBody: Buffer.from(message.body).toString('base64'),
    notBefore: message.notBefore,
    createdAt: message.createdAt,
    scheduleId: '',
    callerIP: message.callerIp,
  };
  return parseMessage(target.url, new Headers(target.headers), new TextEncoder().encode(JSON.stringify(body)), now);
}

/** Returns headers as the API shows them: a list of values under each name. */
export function headerLists(headers: Iterable<[string, string]>): Record<string, string[]> {
  return Object.fromEntries([...headers].map(([name, value]) => [name, [value]]));
}
