import { appendFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { DEFAULT_MODEL, modelInput, parseAnswer } from '../../lib/adapters/workers-ai.ts';
import { readingSchema } from '../../lib/reader/model/answer.ts';
import type { Message, ReadingModel } from '../../lib/reader/model/port.ts';
import { finderOf, type RecordedAnswers, readAnswers } from '../local/llm.ts';

/**
 * Where the answers of the model come from. `turn` is 2 for the question after a contradiction. `undefined` as an answer
 * lets the rules read.
 */
export type Asked = (text: string, turn: number, messages: readonly Message[]) => Promise<unknown>;

/** Writes each question to a file as it is asked, one JSON object a line, and answers none. */
export const writingPrompts =
  (file: string): Asked =>
  async (text, turn, messages) => {
    appendFileSync(file, `${JSON.stringify({ text, turn, messages, schema: readingSchema() })}\n`);
    return undefined;
  };

/** Plays a file of recorded answers, in the form that the local world plays. */
export function playing(file: string): Asked {
  const find = finderOf(readAnswers(file));
  return async (text, turn) => {
    const answer = find(text, turn);
    return typeof answer === 'string' ? JSON.parse(answer) : answer;
  };
}

const Account = z.object({
  CLOUDFLARE_ACCOUNT_ID: z.string().min(1),
  CLOUDFLARE_API_TOKEN: z.string().min(1),
  AI_MODEL: z.string().default(DEFAULT_MODEL),
});

/**
 * Asks Workers AI over its REST API and keeps the answers in a file, in the form that `playing` reads. The account, the
 * token and the model come from the environment.
 */
export function askingWorkersAi(file: string): Asked {
  const { data } = Account.safeParse(process.env);
  if (data === undefined) throw new Error('--workers-ai needs CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_API_TOKEN.');
  const { CLOUDFLARE_ACCOUNT_ID: account, CLOUDFLARE_API_TOKEN: token, AI_MODEL: model } = data;
  const kept: RecordedAnswers = [];
  return async (text, turn, messages) => {
    const response = await fetch(`https://api.cloudflare.com/client/v4/accounts/${account}/ai/run/${model}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(modelInput(messages, readingSchema())),
      signal: AbortSignal.timeout(60_000),
    });
    if (!response.ok) throw new Error(`Workers AI answered ${response.status}`);
    const { result } = z.looseObject({ result: z.unknown() }).parse(await response.json());
    const answer = readOrNothing(result);
    kept.push({ text, turn, answer });
    writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
    return answer;
  };
}

function readOrNothing(result: unknown): unknown {
  try {
    return parseAnswer(result);
  } catch {
    return undefined;
  }
}

export function modelFor(text: string, asked: Asked): ReadingModel {
  let turn = 0;
  return {
    ask: (messages) => {
      turn += 1;
      return asked(text, turn, messages);
    },
  };
}
