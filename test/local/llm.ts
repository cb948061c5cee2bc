import { readFileSync } from 'node:fs';
import * as z from 'zod';

/**
 * Recorded answers of a model: for each text, what it answered. `turn` is 2 for its answer to the question after a
 * contradiction. `--model`, `POST /model` and `npm run reading` share this form.
 */
export const RecordedAnswers = z.array(
  z.strictObject({ text: z.string().min(1), turn: z.int().min(1).max(2).default(1), answer: z.unknown() }),
);
export type RecordedAnswers = z.input<typeof RecordedAnswers>;

export function readAnswers(file: string): RecordedAnswers {
  try {
    return RecordedAnswers.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Error(`${file} is no file of recorded answers. It must be a JSON list of {"text", "answer"}.`, { cause });
  }
}

/** Returns a function that finds the recorded answer to a question about a text. Without one for turn 2, the first counts. */
export function finderOf(recorded: RecordedAnswers): (text: string, turn: number) => unknown {
  const answers = new Map(recorded.map(({ text, turn = 1, answer }) => [`${turn} ${text}`, answer]));
  return (text, turn) => answers.get(`${turn} ${text}`) ?? answers.get(`1 ${text}`);
}

export type Llm = ReturnType<typeof createLlm>;

const KEPT = 1_000;

/**
 * Creates the stand-in of the AI binding. It plays recorded answers, found by the text that it is asked to read. If it
 * has none, it answers an empty object, and Tandem then reads the text by rules.
 */
export function createLlm() {
  const asked: { path: string; input: unknown }[] = [];
  let find = finderOf([]);
  return {
    async fetch(request: Request) {
      const input: unknown = await request.json();
      asked.push({ path: new URL(request.url).pathname, input });
      if (asked.length > KEPT) asked.shift();
      const answer = find(textIn(input), turnIn(input)) ?? {};
      return Response.json({ response: JSON.stringify(answer) });
    },
    /** Requests that the model got, oldest first. */
    requests: () => asked,
    play(recorded: RecordedAnswers) {
      find = finderOf(recorded);
    },
  };
}

const Input = z.looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: z.string() })) });
const MARKED = /^=+\n([\s\S]*)\n=+$/;

/** Returns the text that the model is asked to read, without the marks around it. */
function textIn(input: unknown): string {
  const { data } = Input.safeParse(input);
  const marked = data?.messages.map(({ content }) => MARKED.exec(content)?.[1]).find((text) => text !== undefined);
  return marked ?? '';
}

/** Returns 2 for the question after a contradiction, which has a message more, else 1. */
const turnIn = (input: unknown): number =>
  (Input.safeParse(input).data?.messages.filter(({ role }) => role === 'user').length ?? 1) > 1 ? 2 : 1;
