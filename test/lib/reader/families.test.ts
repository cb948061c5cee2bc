import { expect, test } from 'vitest';
import { readByRules } from '../../../lib/reader/rules/read.ts';
import { describeReading } from '../../../lib/words/understood.ts';

// The meeting is on Wednesday 2 December 2026 at 15:00, and the text is written on Monday 30 November.
const calendar = { today: 20_787, oldDay: 20_789, oldMinute: 900, durationMinutes: 30 };
const understood = (text: string) =>
  describeReading(readByRules(text, calendar)).understood.flatMap(({ kind, meaning }) =>
    kind === 'standing' ? [] : [meaning],
  );

test.each([
  [
    '10 or 3 on Friday',
    ['On Friday, 4 December, between 10:00 and 10:30', 'On Friday, 4 December, between 15:00 and 15:30'],
  ],
  ['twenty past four on Wednesday works', ['On Wednesday, 2 December, between 16:20 and 16:50']],
  ['one of the last two days of next week please', ['From Thursday, 10 December to Friday, 11 December']],
  ['Not this Wednesday but the one after', ['On Wednesday, 9 December', 'Not on Wednesday, 2 December']],
  ['could we postpone? two days would be plenty', ['2 days later']],
  ['The boiler man comes Wednesday between 2 and 5', ['Not on Wednesdays, between 13:30 and 17:30']],
  ["we're decorating the lounge all of Wednesday, Thursday is fine", ['On Thursday, 3 December', 'Not on Wednesdays']],
  ["Wednesday's the staff party. Friday is wide open", ['On Friday, 4 December', 'Not on Wednesdays']],
  ['Any time Friday but 1 to 2', ['On Friday, 4 December', 'Not between 13:00 and 14:00']],
  [
    "can't do afternoons this week, any morning is fine",
    ['Not from Monday, 30 November to Sunday, 6 December, between 12:00 and 18:00'],
  ],
  ["who'll need until the 9th", ['From Wednesday, 9 December on']],
  ['they replace the front door on Wednesday between 1 and 5', ['Not on Wednesdays, between 13:00 and 17:00']],
  ["I take my mum to the doctor, it's at 2", ['Not on Wednesday, 2 December, between 13:30 and 15:00']],
  ["I've a gap between 11 and 12:30 on Thursday", ['On Thursday, 3 December, between 11:00 and 12:30']],
])('%s', (text, meanings) => {
  expect(understood(text)).toEqual(meanings);
});

test.each([
  'keep Wednesday at 3 please, sorry for the confusion',
  'Are we still on for Wednesday?',
  'sorry I missed you yesterday at 2',
  'the 3pm last Tuesday was a mess',
  'We lost twenty minutes last Thursday',
  'my lease runs out on the 14th',
  "I'm bringing a colleague along on Wednesday",
])('%s asks for no time', (text) => {
  expect(understood(text)).toEqual([]);
});

test.each([
  ['a refusal beside an unread day', 'Not Tuesday. Thursday eleven there will be two of us awake'],
  ['an hour beside an unread day', 'The decorators clear off Thursday dinnertime. 4ish?'],
  [
    'an hour that cuts into the hours asked for',
    'After 4 then, as Magda finds reception rather heavy until half past five',
  ],
])('%s is not acted on', (_, text) => {
  const { unread } = readByRules(text, calendar);
  expect(understood(text)).toEqual([]);
  expect(unread.length).toBeGreaterThan(1);
});
