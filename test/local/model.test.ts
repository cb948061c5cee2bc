import { afterEach, expect, test } from 'vitest';
import { controlledWorld } from './fixtures/controlled.ts';
import { HOSTS } from './hosts.ts';

const { control, world } = controlledWorld();

const ANSWER = { asks_for_nothing: true, wanted: [], refused: [], moves: [], standing: [], not_understood: [] };

/** Asks the model to read a text, as the product does: the text stands between two marks. */
async function ask(text: string, ...more: string[]) {
  const to = encodeURIComponent(`https://${HOSTS.llm}/run/model`);
  const messages = [
    { role: 'system', content: 'Read the text.' },
    { role: 'user', content: `=====\n${text}\n=====` },
    ...more.map((content) => ({ role: 'user', content })),
  ];
  const response = await fetch(`${world().baseUrl}/?to=${to}`, { method: 'POST', body: JSON.stringify({ messages }) });
  const { body } = (await response.json()) as { body: string };
  return JSON.parse(JSON.parse(body).response);
}

afterEach(() => control('POST', '/model', { answers: [] }));

test('recorded answers are played for the texts they were recorded for, and for no other', async () => {
  const answers = [{ text: 'something came up', answer: ANSWER }];
  expect(await control('POST', '/model', { answers })).toEqual({ status: 200, body: { answers: 1 } });
  expect(await ask('something came up')).toEqual(ANSWER);
  expect(await ask('Friday at 3')).toEqual({});
});

test('answers that are played later take the place of all before', async () => {
  await control('POST', '/model', { answers: [{ text: 'one', answer: ANSWER }] });
  await control('POST', '/model', { answers: [{ text: 'two', answer: ANSWER }] });
  expect(await ask('one')).toEqual({});
  expect(await ask('two')).toEqual(ANSWER);
});

test('the question after a contradiction has an answer of its own', async () => {
  const again = { ...ANSWER, asks_for_nothing: false };
  const answers = [
    { text: 'one', answer: ANSWER },
    { text: 'one', turn: 2, answer: again },
    { text: 'two', answer: ANSWER },
  ];
  expect(await control('POST', '/model', { answers })).toMatchObject({ status: 200 });
  expect([await ask('one'), await ask('one', 'Read again.')]).toEqual([ANSWER, again]);
  expect(await ask('two', 'Read again.')).toEqual(ANSWER);
});

test('the world shows what the model was asked', async () => {
  await ask('Friday at 3');
  const { body } = await control('GET', '/model');
  expect(body.requests.at(-1)).toMatchObject({
    path: '/run/model',
    input: { messages: [{ role: 'system' }, { role: 'user', content: '=====\nFriday at 3\n=====' }] },
  });
});

test.each([
  ['no answers', {}],
  ['an answer without its text', { answers: [{ answer: ANSWER }] }],
  ['a field that is not known', { answers: [], model: 'x' }],
])('%s are refused', async (_name, body) => {
  expect(await control('POST', '/model', body)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
});
