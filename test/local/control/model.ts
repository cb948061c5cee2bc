import { Hono } from 'hono';
import * as z from 'zod';
import { type Llm, RecordedAnswers } from '../llm.ts';
import { readBody } from './input.ts';

const Play = z.strictObject({ answers: RecordedAnswers });

/** Serves `/model`: lets the language model play recorded answers, and shows what it was asked. */
export const modelRoutes = (llm: Pick<Llm, 'play' | 'requests'>) =>
  new Hono()
    .get('/model', (c) => c.json({ requests: llm.requests() }))
    .post('/model', async (c) => {
      const { answers } = await readBody(c, Play);
      llm.play(answers);
      return c.json({ answers: answers.length });
    });
