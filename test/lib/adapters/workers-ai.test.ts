import { describe, expect, test } from 'vitest';
import { type AiBinding, createReadingModel, newBreaker } from '../../../lib/adapters/workers-ai.ts';

const MESSAGES = [{ role: 'user', content: 'no Fridays' }] as const;
const NOW: number = 1_000_000;

function modelOn(
  run: AiBinding['run'] | undefined,
  { breaker = newBreaker(), now = () => NOW, model = undefined as string | undefined, patience = 3_000 } = {},
) {
  const lines: unknown[][] = [];
  let asked = 0;
  const ai = run && {
    run: (...args: Parameters<AiBinding['run']>) => {
      asked += 1;
      return run(...args);
    },
  };
  const made = createReadingModel({ ai, model, breaker, now, log: (...line) => void lines.push(line) });
  return { ask: () => made.ask(MESSAGES, {}, now() + patience), lines, asked: () => asked };
}

test('without the AI binding nothing is asked and nothing is logged', async () => {
  const { ask, lines } = modelOn(undefined);
  expect(await ask()).toBeUndefined();
  expect(lines).toEqual([]);
});

test.each([
  ['an object', { response: { wanted: [] } }],
  ['its JSON text', { response: '{"wanted":[]}' }],
])('an answer comes as %s', async (_name, answer) => {
  expect(await modelOn(async () => answer).ask()).toEqual({ wanted: [] });
});

test('the model is the one that is chosen', async () => {
  const asked: string[] = [];
  const run = async (name: string) => {
    asked.push(name);
    return { response: {} };
  };
  await modelOn(run).ask();
  await modelOn(run, { model: '@cf/other/model' }).ask();
  expect(asked).toEqual(['@cf/meta/llama-3.3-70b-instruct-fp8-fast', '@cf/other/model']);
});

describe('a failure is no failure of the caller', () => {
  test.each<[string, AiBinding['run'], string]>([
    ['words', async () => ({ response: 'I cannot tell no Fridays.' }), 'info'],
    ['nothing of a model', async () => 'busy', 'info'],
    ['an error', async () => Promise.reject(new Error('capacity')), 'warn'],
    [
      'an error at once',
      () => {
        throw new TypeError('no binding');
      },
      'warn',
    ],
  ])('%s', async (_name, run, level) => {
    const { ask, lines } = modelOn(run);
    expect(await ask()).toBeUndefined();
    expect(lines.map(([at]) => at)).toEqual([level]);
    expect(JSON.stringify(lines)).not.toContain('no Fridays');
  });

  test('an answer that never comes, at the deadline', async () => {
    const { ask } = modelOn(() => new Promise(() => {}), { now: () => Date.now(), patience: 20 });
    expect(await ask()).toBeUndefined();
  });

  test('a deadline that is over asks nobody', async () => {
    const { ask, asked, lines } = modelOn(async () => ({ response: {} }), { patience: 0 });
    expect([await ask(), asked(), lines]).toEqual([undefined, 0, []]);
  });
});

test('after three failures in a row the model is left out for a minute, in all requests of the isolate', async () => {
  const breaker = newBreaker();
  let now = NOW;
  let isDown = true;
  const run = async () => {
    if (isDown) throw new Error('down');
    return { response: {} };
  };
  const { ask, asked } = modelOn(run, { breaker, now: () => now });
  for (let i = 0; i < 5; i++) await ask();
  expect(asked()).toBe(3);
  const other = modelOn(run, { breaker, now: () => now });
  await other.ask();
  expect(other.asked()).toBe(0);
  now += 60_001;
  isDown = false;
  expect(await ask()).toEqual({});
  expect(asked()).toBe(4);
});

test('a good answer between two failures counts anew', async () => {
  const answers = [false, false, true, false, false, true];
  const { ask, asked } = modelOn(async () => {
    if (answers.shift()) return { response: {} };
    throw new Error('down');
  });
  for (let i = 0; i < 6; i++) await ask();
  expect(asked()).toBe(6);
});
