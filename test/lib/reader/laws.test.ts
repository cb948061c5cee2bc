import { expect, test } from 'vitest';
import { readByRules } from '../../../lib/reader/rules/read.ts';
import { readContext } from '../../../lib/reader/rules/read-context.ts';
import { describeReading } from '../../../lib/words/understood.ts';

// The meeting is on Wednesday 2 December 2026 at 15:00 in London, and the text is written on Monday 30 November.
const calendar = { today: 20_787, oldDay: 20_789, oldMinute: 900, durationMinutes: 30, timeZone: 'Europe/London' };
const meanings = (text: string) =>
  describeReading(readByRules(text, calendar)).understood.flatMap(({ kind, meaning }) =>
    kind === 'standing' ? [] : [meaning],
  );
const rules = (text: string) =>
  describeReading(readContext(text, { timeZone: 'Europe/London', at: Date.UTC(2026, 10, 30) })).understood.map(
    ({ meaning }) => meaning,
  );

test.each([
  ['a wish that holds the present time', "It's 1am for me in Perth! First thing your time, any day this week"],
  ['days that are asked for and refused', 'Would the 10th or the 17th do? I am at the plant on Thursdays'],
  ['a refusal of everything', 'We work through the night. Friday at 10?'],
  ['"from" the present hour', 'shift it from 3 to half 4'],
  ['a weekday before an absence without an end', "I'm at a wedding from Thursday, flying back Monday night. Tuesday?"],
  ['the second best alone', 'Happy to keep Wednesday if we make it an hour earlier, otherwise Friday morning'],
  ['an absence that may last', 'Hernia op on Wednesday, they say no lifting for ten days'],
  ['a return without a request', 'The pass is snowed in. I should be home by the weekend'],
  ['what others do', 'The kids break up Wednesday at 1'],
  ['a clock in a zone that nobody knows', '10am Bhutan time on Friday'],
  ['a date long past', 'We first had this down for the 2nd of November'],
])('%s is not acted on', (_, text) => {
  expect(meanings(text)).toEqual([]);
});

test.each([
  ['cn we do 2moro instead', ['On Tuesday, 1 December']],
  ['push it 2 thurs', ['On Thursday, 3 December']],
  ['tomorrow week at 11 please', ['On Tuesday, 8 December, between 11:00 and 11:30']],
  ['can we find something in a fortnight', ['From Monday, 14 December to Sunday, 20 December']],
  ['sometime next week after Tuesday', ['From Wednesday, 9 December to Sunday, 13 December']],
  ['10 or so on Friday', ['On Friday, 4 December, between 9:30 and 11:00']],
  ['six-ish on Thursday', ['On Thursday, 3 December, between 17:30 and 19:00']],
  ['3pm or after on Friday', ['On Friday, 4 December, from 15:00 on']],
  ['latest by 6:30 pm on Friday', ['On Friday, 4 December, over by 18:30']],
  [
    'Thursday 10-11 or 2-3 Eastern',
    ['On Thursday, 3 December, between 15:00 and 16:00', 'On Thursday, 3 December, between 19:00 and 20:00'],
  ],
  ['on Friday before 11 (Polish time)', ['On Friday, 4 December, over by 10:00']],
  ['I could squeeze you in between 1 and 1.30 on Thursday', ['On Thursday, 3 December, between 13:00 and 13:30']],
  ['can ring from the car park any time Friday', ['On Friday, 4 December']],
  ['I could call you tomorrow before 10', ['On Tuesday, 1 December, over by 10:00']],
  ['Thanks for Tuesday! Thursday at 4?', ['On Thursday, 3 December, between 16:00 and 16:30']],
  [
    'The earliest I can get away is Friday, the later that day the better',
    ['On Friday, 4 December', 'Later in the day'],
  ],
  ['Can we skip this week altogether', ['Not from Monday, 30 November to Sunday, 6 December']],
])('%s', (text, expected) => {
  expect(meanings(text)).toEqual(expected);
});

test('a named start outweighs a guess at how long a journey takes', () => {
  expect(meanings('My train gets into Leeds at 15.50 on Wednesday, so I could do 4.15 at the earliest')).toEqual([
    'On Wednesday, 2 December, from 16:15 on',
    'Not on Wednesdays, between 15:20 and 16:15',
  ]);
});

test.each([
  ['The team is off on Fridays', []],
  ['My manager hates mornings', []],
  ['Leeds on Mondays, Cardiff Tue to Thu', []],
  ["I'm a night owl", []],
  ['School hours only: 9.30 to 2.45', ['Never before 9:30', 'Never after 14:45']],
  ['Reporting time: Mon & Thu mornings. Do not book.', ['Never on Mondays and Thursdays before 12:00']],
  ['Do not book: Monday mornings', ['Never on Mondays before 12:00']],
])('a scheduling context: %s', (text, expected) => {
  expect(rules(text)).toEqual(expected);
});
