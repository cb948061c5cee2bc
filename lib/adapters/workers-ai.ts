import * as z from 'zod';
import { MINUTE } from '../engine/time/dates.ts';
import type { Log } from '../kit/ports.ts';
import type { Message, ReadingModel } from '../reader/model/port.ts';

/** The model supports JSON mode (developers.cloudflare.com/workers-ai/features/json-mode). */
export const DEFAULT_MODEL = '@cf/meta/llama-3.3-70b-instruct-fp8-fast';

export interface AiBinding {
  run(model: string, input: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<unknown>;
}

const MOST_FAILURES = 3;
const LEFT_OUT_MS = MINUTE;

/** All requests of one isolate share it. None calls the model before the instant `openUntil`. */
export type Breaker = { failures: number; openUntil: number };

export const newBreaker = (): Breaker => ({ failures: 0, openUntil: 0 });

interface Options {
  ai: AiBinding | undefined;
  model?: string | undefined;
  breaker: Breaker;
  now: () => number;
  log: Log;
}

/** After three failures in a row the model rests for a minute. An answer that is not JSON counts as a failure. */
export function createReadingModel({ ai, model = DEFAULT_MODEL, breaker, now, log }: Options): ReadingModel {
  return {
    async ask(messages, schema, deadline) {
      const left = deadline - now();
      if (ai === undefined || left <= 0 || breaker.openUntil > now()) return undefined;
      const signal = AbortSignal.timeout(left);
      try {
        const answer = await Promise.race([ai.run(model, modelInput(messages, schema), { signal }), rejected(signal)]);
        const read = parseAnswer(answer);
        breaker.failures = 0;
        return read;
      } catch (error) {
        breaker.failures += 1;
        if (breaker.failures >= MOST_FAILURES) Object.assign(breaker, { failures: 0, openUntil: now() + LEFT_OUT_MS });
        // The parser's own message may quote the person's text, so the log line omits it.
        if (error instanceof SyntaxError || error instanceof z.ZodError)
          log('info', "the model's answer is no reading");
        else log('warn', 'the model gave no answer', { error });
        return undefined;
      }
    },
  };
}

export const modelInput = (messages: readonly Message[], schema: object): Record<string, unknown> => ({
  messages,
  response_format: { type: 'json_schema', json_schema: schema },
  temperature: 0,
  max_tokens: 900,
});

export function parseAnswer(answer: unknown): unknown {
  const { response } = z.object({ response: z.unknown() }).parse(answer);
  return typeof response === 'string' ? JSON.parse(response) : response;
}

/** Returns a promise that rejects when the signal aborts, because the Workers AI binding may ignore the signal. */
const rejected = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
