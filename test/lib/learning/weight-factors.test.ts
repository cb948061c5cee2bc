import { describe, expect, test } from 'vitest';
import type { Rule } from '../../../lib/engine/wish/reading.ts';
import { lessonsOf, weightsOf } from '../../../lib/learning/learn-from-reason.ts';
import { readByRules, readContext } from '../../../lib/reader/grammar/read.ts';

/** A Monday, and a meeting at ten on the Tuesday after. */
const ANY = { today: 4, oldDay: 5, oldMinute: 600, durationMinutes: 30 };
const lessons = (reason: string) => lessonsOf(readByRules(reason, ANY).standing);
const patterns = (reason: string) => lessons(reason).map(({ pattern }) => pattern);

describe('the four rules of the interface hold for plain sentences', () => {
  test.each([
    ['too early', [{ pattern: 'too early', weight: 'time_of_day_preference.morning', factor: 0.8 }]],
    ['too late', [{ pattern: 'too late', weight: 'time_of_day_preference.evening', factor: 0.8 }]],
    ['not on Mondays', [{ pattern: 'monday', weight: 'day_of_week_preference.monday', factor: 0.8 }]],
    ['back-to-back', [{ pattern: 'back-to-back', weight: 'buffer_importance', factor: 1.25 }]],
  ])('%j', (reason, taught) => {
    expect(lessons(reason)).toEqual(taught);
  });
});

describe('what is said in general teaches', () => {
  test.each<[reason: string, patterns: string[]]>([
    ['That’s TOO EARLY!!', ['too early']],
    ['a bit early for us', ['too early']],
    ["mornings don't work", ['too early']],
    ["I'm not a morning person", ['too early']],
    ['No evenings please', ['too late']],
    ['Too early, and back to back!', ['too early', 'back-to-back']],
    ['can we avoid Mondays', ['monday']],
    ['Mondays and Tuesdays are hard', ['monday', 'tuesday']],
    ['anything except Fridays', ['friday']],
    ["can't do Monday, could we do Friday?", ['monday']],
    ['Monday is impossible', ['monday']],
    ['I have back-to-back meetings', ['back-to-back']],
    ["I'd rather not do Mondays", ['monday']],
    ['Mondays are hard but Tuesdays work', ['monday']],
    ['never on mondays, tuesdays are fine', ['monday']],
    ['not a fan of Fridays', ['friday']],
    ['weekdays only', ['saturday', 'sunday']],
    ['no break before', ['back-to-back']],
    ['I need a breather between meetings', ['back-to-back']],
    ["I'd rather not be back to back", ['back-to-back']],
  ])('%j', (reason, taught) => {
    expect(patterns(reason)).toEqual(taught);
  });
});

describe('what is asked for, bounds something, or is said of one date or one trip teaches nothing', () => {
  test.each([
    'Thursday instead',
    'not before Wednesday please',
    "I'm back on Thursday",
    "I'm travelling on Wednesday",
    'Monday is a bank holiday',
    'no mornings this week',
    'move it from Monday to Friday',
    'Mondays are great',
    "I don't mind Mondays",
    "I don't mind back-to-back",
    'not back to back, all good',
    "it's not too early for me",
    'too early to say',
    'sorry for the very late notice',
    'running late',
    'it is a B2B sales call',
    'something came up',
    '',
  ])('%j', (reason) => {
    expect(patterns(reason)).toEqual([]);
  });
});

describe("a context fills the interface's weights", () => {
  const part = (name: string) => `time_of_day_preference.${name}`;
  const day = (name: string) => `day_of_week_preference.${name}`;
  test.each<[text: string, weights: [string, number][]]>([
    ['', []],
    ['hello', []],
    ['I focus best in the mornings', [[part('morning'), 1.5]]],
    ['I hate mornings', [[part('morning'), 0.4]]],
    ['Please keep my mornings free for deep work', [[part('morning'), 0.4]]],
    ['prefer afternoons', [[part('afternoon'), 1.5]]],
    ['no meetings on Fridays', [[day('friday'), 0.4]]],
    [
      'Weekends are for family',
      [
        [day('saturday'), 0.4],
        [day('sunday'), 0.4],
      ],
    ],
    ['15 minute buffer between meetings please', [['buffer_importance', 1.5]]],
    ['I like back-to-back meetings', [['buffer_importance', 0.7]]],
    // Hours are a rule of their own, and no dislike of mornings.
    ['No meetings before 10', []],
    ['Nothing between 9 and 16:30', []],
  ])('%j', (text, weights) => {
    expect(weightsOf(readContext(text).standing)).toEqual(weights);
  });
});

test('what is said of a kind of meeting teaches nothing of the others', () => {
  const contexts = ['brainstorm'];
  const rules: Rule[] = [
    { kind: 'times', verdict: 'never', clock: { from: 0, to: 720 }, quote: 'no mornings', contexts },
    { kind: 'buffer', verdict: 'wanted', quote: 'with a break', contexts },
  ];
  expect([weightsOf(rules), lessonsOf(rules)]).toEqual([[], []]);
});
