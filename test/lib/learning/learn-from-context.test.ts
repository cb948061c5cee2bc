import { expect, test } from 'vitest';
import { readContext } from '../../../lib/learning/learn-from-context.ts';
import { ModelWeights } from '../../../schema/model-answers/weights.ts';

const time = (weights: object) => ({ time_of_day_preference: weights });
const day = (weights: object) => ({ day_of_week_preference: weights });

test.each<[text: string, weights: object]>([
  ['', {}],
  ['hello', {}],
  ['I have a standup on Mondays', {}],
  ['I focus best in the mornings', time({ morning: 1.5 })],
  ['I am a morning person', time({ morning: 1.5 })],
  ['I prefer calls before noon', time({ morning: 1.5 })],
  ['I hate mornings', time({ morning: 0.4 })],
  ['Please keep my mornings free for deep work', time({ morning: 0.4 })],
  ['Mornings are for focus', time({ morning: 0.4 })],
  ['not before 10am', time({ morning: 0.4 })],
  ['prefer afternoons', time({ afternoon: 1.5 })],
  ['Afternoons are terrible; evenings work well', time({ afternoon: 0.4, evening: 1.5 })],
  ['no calls after 6pm', time({ evening: 0.4 })],
  ['no meetings on Fridays', day({ friday: 0.4 })],
  ['Fridays are no-meeting days', day({ friday: 0.4 })],
  ['Tuesdays and Thursdays are best', day({ tuesday: 1.5, thursday: 1.5 })],
  ['Weekends are for family', day({ saturday: 0.4, sunday: 0.4 })],
  ['Mondays don’t work, Wednesdays are great', day({ monday: 0.4, wednesday: 1.5 })],
  ['weekends are ok', {}],
  ['weekends are fine, Tuesdays are great', day({ tuesday: 1.5 })],
  ['I prefer weekends', day({ saturday: 1.5, sunday: 1.5 })],
  ['never on mondays, tuesdays are fine', day({ monday: 0.4 })],
  [
    'Tuesdays and Thursdays only',
    day({ monday: 0.4, tuesday: 1.5, wednesday: 0.4, thursday: 1.5, friday: 0.4, saturday: 0.4, sunday: 0.4 }),
  ],
  ['mornings only', time({ morning: 1.5, afternoon: 0.4, evening: 0.4 })],
  ["I don't need gaps between meetings", { buffer_importance: 0.7 }],
  ['keep a gap between calls', { buffer_importance: 1.5 }],
  ['15 minute buffer between meetings please', { buffer_importance: 1.5 }],
  ['back-to-back calls exhaust me', { buffer_importance: 1.5 }],
  ["I don't mind back-to-back", { buffer_importance: 0.7 }],
  ['I like back-to-back meetings', { buffer_importance: 0.7 }],
  [
    'I focus best in the mornings, no meetings on Fridays, and keep a gap between calls.',
    { ...time({ morning: 1.5 }), ...day({ friday: 0.4 }), buffer_importance: 1.5 },
  ],
])('%j', (text, weights) => {
  expect(readContext(text)).toEqual(weights);
  expect(ModelWeights.safeParse(readContext(text)).success).toBe(true);
});
