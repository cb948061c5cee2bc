import type { Outcome } from './attempt.ts';
import { parseDuration } from './duration.ts';
import { evaluate } from './expression.ts';
import type { Message } from './message.ts';

const DAY_MS = 86_400_000;
const HINTS = ['retry-after', 'x-ratelimit-reset', 'x-ratelimit-reset-requests', 'x-ratelimit-reset-tokens'];

/**
 * Returns the milliseconds until the next attempt: as the receiver asked, else by the message's expression, else the
 * default.
 */
export function retryDelay(message: Message, outcome: Outcome, now: number): number {
  for (const name of HINTS) {
    const hint = readHint(outcome.headers.get(name), now);
    if (hint !== undefined) return Math.min(DAY_MS, Math.max(0, hint));
  }
  if (message.retryDelay !== undefined) {
    return Math.min(DAY_MS, Math.max(0, evaluate(message.retryDelay, message.retried) || 0));
  }
  return Math.min(DAY_MS, Math.exp(2.5 * (message.retried + 1)) * 1000);
}

function readHint(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const duration = parseDuration(value);
  if (duration !== undefined) return duration;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : date - now;
}
