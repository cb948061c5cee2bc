import { expect, test } from 'vitest';
import { explainTime } from '../../../lib/engine/explain/explain-time.ts';
import { bestStart } from '../../../lib/engine/rank/find-slots.ts';
import { noTimesIn } from '../../../lib/engine/rules/no-times.ts';
import type { Objection } from '../../../lib/engine/rules/objections.ts';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import {
  explanationWithWords,
  type SaidObjection,
  sayNotFree,
  sayNotice,
  sayTaken,
} from '../../../lib/words/explanation.ts';
import { sayNoTimes, saySuggestions } from '../../../lib/words/no-times.ts';
import { describeLearning, sayLearned } from '../../../lib/words/understood.ts';
import { at, dates, everyDay, explained, search, span } from '../engine/people.ts';

test.each([
  ['client_demo', 24, "For a demo, Tandem looks for times with a day's notice. This time has it."],
  [
    'client_demo',
    23,
    "For a demo, Tandem looks for times with a day's notice. This time comes sooner, so Tandem picks it only if no time has that notice.",
  ],
  ['review', 2, "For a review, Tandem looks for times with 2 hours' notice. This time has it."],
  ['urgent', 1, "For an urgent meeting, Tandem looks for times with 15 minutes' notice. This time has it."],
] as const)('the notice of %s, %d hours ahead', (context, hours, sentence) => {
  expect(sayNotice(context, hours * HOUR, 0)).toBe(sentence);
});

const detailsAt = (start: string, more: object = {}) =>
  explanationWithWords(explainTime({ ...explained, ...more, start: at(start) })).against.map(({ detail }) => detail);

test.each([
  ['2026-05-05T12:00Z', ['A meeting starts at least 15 minutes from now.']],
  [
    '2026-05-05T14:05Z',
    ['Meetings start at :00, :15, :30 or :45, and at another minute only where none of these fits.'],
  ],
  ['2026-05-05T13:00Z', ['9:00 to 9:30 in New York on Tuesday, 5 May overlaps a focus block.']],
  ['2026-05-05T14:45Z', ['10:45 to 11:15 in New York on Tuesday, 5 May is not free.']],
  ['2026-05-05T14:30Z', ['10:30 to 11:00 in New York on Tuesday, 5 May is less than 15 minutes from a busy time.']],
  ['2026-05-06T16:00Z', ['18:00 to 18:30 in Berlin on Wednesday, 6 May is outside the work hours.']],
  ['2026-05-07T12:00Z', ['1 meeting a day is the limit, and that day has it.']],
  [
    '2026-05-04T12:00Z',
    [
      'A meeting starts at least 15 minutes from now.',
      'The search covers Tuesday, 5 May to Friday, 8 May in New York.',
    ],
  ],
])('against %s stands %j', (start, details) => {
  expect(detailsAt(start)).toEqual(details);
});

test('a time in which the clocks go back is told with its offsets', () => {
  const more = { window: dates('2026-10-31', '2026-11-01'), now: at('2026-10-30T12:00Z') };
  expect(detailsAt('2026-11-01T05:30Z', more)[0]).toBe(
    '1:30 (-04:00) to 1:00 (-05:00) in New York on Sunday, 1 November is outside the work hours.',
  );
});

const morning = { pattern: 'too early', weight: 'time_of_day_preference.morning' };

test('a change is named by pattern and weight, with before and after', () => {
  const buffer = { pattern: 'back-to-back', weight: 'buffer_importance', before: 1, after: 1.25 };
  expect(describeLearning([{ ...morning, before: 1, after: 0.8 }, buffer])).toBe(
    '"too early" lowered the weight of mornings (time_of_day_preference.morning) from 1 to 0.8. "back-to-back" raised the weight of breaks between meetings (buffer_importance) from 1 to 1.25.',
  );
});

test('a weight at its bound is said to stay there', () => {
  expect(describeLearning([{ ...morning, before: 0.2, after: 0.2 }])).toBe(
    '"too early" left the weight of mornings (time_of_day_preference.morning) at its bound of 0.2.',
  );
});

test('a reason that taught nothing gets a sentence that says so', () => {
  expect(describeLearning([])).toBe('The reason teaches nothing for later meetings, so no weight was changed.');
});

test('weights that one pattern moved alike share a sentence', () => {
  const only = { pattern: 'only tuesday', before: 1, after: 0.8 };
  const days = ['monday', 'friday'].map((day) => ({ ...only, weight: `day_of_week_preference.${day}` }));
  expect(describeLearning(days)).toBe(
    '"only tuesday" lowered the weight of Mondays (day_of_week_preference.monday) and Fridays (day_of_week_preference.friday) from 1 to 0.8.',
  );
});

test('the person reads what counts more or less, and why', () => {
  expect(sayLearned({ ...morning, source: 'reschedule', before: 1, after: 0.8 })).toBe(
    'Mornings count 20% less, because a meeting was moved with the words “too early”.',
  );
  const buffer = { pattern: 'scheduling_context', weight: 'buffer_importance', source: 'scheduling_context' };
  expect(sayLearned({ ...buffer, before: 1, after: 1.5 })).toBe(
    'Breaks between meetings count 50% more, because your own words ask for it.',
  );
});

test('the person reads of a weight at its bound that it can go no further', () => {
  expect(sayLearned({ ...morning, source: 'reschedule', before: 0.2, after: 0.2 })).toBe(
    'A meeting was moved with the words “too early”, but mornings already count as little as they can.',
  );
  expect(sayLearned({ ...morning, source: 'scheduling_context', before: 2, after: 2 })).toBe(
    'Your own words ask for it, but mornings already count as much as they can.',
  );
});

const ADA = 'ada.adams@example.com';
const BEN = 'ben.brown@example.com';
const NOTICE = 'A meeting starts at least 15 minutes from now.';

const objection = (email: string | null, rule: SaidObjection['rule'], more: Partial<SaidObjection> = {}) => ({
  email,
  rule,
  detail: NOTICE,
  ...more,
});

const SECOND_DAY = { date: '2028-12-26', name: 'Second Christmas Day' };
const BOXING_DAY = { date: '2028-12-26', name: 'Boxing Day' };

test.each<[SaidObjection[], string]>([
  [[objection(null, 'notice')], `It does not work. ${NOTICE}`],
  [[objection(ADA, 'work_hours')], "It does not work: it is outside Ada's work hours."],
  [
    [objection(ADA, 'work_hours'), objection(BEN, 'busy')],
    "It suits neither: it is outside Ada's work hours, and Ben is not free.",
  ],
  [[objection(ADA, 'busy'), objection(BEN, 'busy')], 'It suits neither: Ada and Ben are not free.'],
  [
    [objection(ADA, 'work_hours'), objection(BEN, 'work_hours')],
    'It suits neither: it is outside the work hours of both.',
  ],
  [
    [objection(ADA, 'focus_block'), objection(BEN, 'standing_rule', { words: 'never before 10' })],
    'It suits neither: Ada keeps that time for focus, and Ben rules that time out with “never before 10”.',
  ],
  [
    [objection(ADA, 'buffer'), objection(BEN, 'day_limit'), objection(BEN, 'held')],
    'It suits neither: Ada needs more time around meetings, Ben has no room for another meeting that day, and a proposal holds that time for Ben.',
  ],
  [
    [objection(ADA, 'holiday', { holiday: SECOND_DAY }), objection(BEN, 'holiday', { holiday: BOXING_DAY })],
    'It suits neither: Tuesday, 26 December is Second Christmas Day, a day off for Ada, and Tuesday, 26 December is Boxing Day, a day off for Ben.',
  ],
  [
    [objection(ADA, 'holiday', { holiday: BOXING_DAY }), objection(BEN, 'holiday', { holiday: BOXING_DAY })],
    'It suits neither: Tuesday, 26 December is Boxing Day, a day off for both.',
  ],
  [[objection(ADA, 'busy'), objection(null, 'notice')], `It does not work: Ada is not free. ${NOTICE}`],
])('%j', (against, sentence) => {
  expect(sayNotFree(against, [ADA, BEN])).toBe(sentence);
});

const said = (...args: Parameters<typeof search>) => {
  const none = noTimesIn(search(...args), bestStart);
  return [sayNoTimes(none), ...saySuggestions(none)];
};

test('work hours that meet for too short a time do not overlap by the length of the meeting', () => {
  const [message] = said({ workHours: everyDay('08:00', '12:15') }, { workHours: everyDay('12:00', '18:00') });
  expect(message).toMatch(/^Ada's and Bob's work hours do not overlap by 30 minutes on Monday, 4 May\. /);
});

test('work hours on one clock are compared without naming it twice', () => {
  const [message] = said({ workHours: everyDay('08:00', '12:00') }, { workHours: everyDay('12:00', '18:00') });
  expect(message).toMatch(/ A meeting at 12:00 would end half an hour after Ada's day ends\.$/);
});

const BUSY = { busy: [span('2026-05-04T00:00Z', '2026-05-31T00:00Z')] };

test('a search with a full week behind it says until when Tandem has looked', () => {
  expect(said(BUSY, {}, { daysKnownAfter: 7 })).toEqual([
    "Ada's busy times leave no half hour free for both on Monday, 4 May. Tandem looked as far as Monday, 11 May and found no time that suits both.",
  ]);
  expect(said(BUSY, {}, { daysKnownAfter: 7, within: span('2026-05-04T09:00Z', '2026-05-04T17:00Z') })).toEqual([
    "Ada's busy times leave no half hour free for both in the preferred time range.",
  ]);
  expect(said(BUSY)).toEqual(["Ada's busy times leave no half hour free for both on Monday, 4 May."]);
});

const standing = (email: string, rule: 'busy' | 'focus_block' | 'buffer' | 'work_hours' | 'day_limit'): Objection => {
  const about = { email, timeZone: 'UTC', meeting: { start: 0, end: 1 } };
  if (rule === 'day_limit') return { ...about, rule, maxMeetingsPerDay: 3 };
  return rule === 'buffer' ? { ...about, rule, bufferMinutes: 15 } : { ...about, rule };
};
const PAIR = [ADA, BEN] as const;

test.each<[string, Objection[], string]>([
  ['one person who is busy', [standing(BEN, 'busy')], 'Ben is not free then'],
  ['both, once', [standing(ADA, 'busy'), standing(BEN, 'busy')], 'Ada and Ben are not free then'],
  ['a busy person and not their buffer', [standing(BEN, 'busy'), standing(BEN, 'buffer')], 'Ben is not free then'],
  ['a person with a full day as one who is busy', [standing(BEN, 'day_limit')], 'Ben is not free then'],
  ['time for focus', [standing(ADA, 'focus_block')], 'Ada keeps that time for focus'],
  ['nobody for what only brings a warning', [standing(ADA, 'work_hours')], 'the two people are not both free then'],
])('a refused booking names %s', (_, against, expected) => {
  expect(sayTaken(against, PAIR)).toBe(expected);
});

test('a refused booking names whom the look at the calendars found busy, if a former read did not', () => {
  expect(sayTaken([], PAIR, [BEN])).toBe('Ben is not free then');
  expect(sayTaken([standing(ADA, 'focus_block')], PAIR, [BEN])).toBe('Ada keeps that time for focus');
});
