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
  ['Could you put it forward an hour', ['An hour earlier']],
  ['could you put it back by a day', ['1 day later']],
  ['leave it a fortnight would you', ['14 days later']],
  ['Roll it over to next week?', ['From Monday, 7 December to Sunday, 13 December']],
  ['Pop it in for Monday at 10', ['On Monday, 7 December, between 10:00 and 10:30']],
  ['Let us park this until January', ['From Friday, 1 January on']],
  ['4 instead of 3', ['Between 16:00 and 16:30']],
  ['Mon 7th, 9 sharp', ['On Monday, 7 December, between 9:00 and 9:30']],
  ['can we say quarter past', ['Between 15:15 and 15:45']],
  ['Thursday lunchtime would be mint', ['On Thursday, 3 December, between 12:00 and 13:00']],
  ['Tuesday would be far handier', ['On Tuesday, 1 December']],
  ['half ten on Thursday if you can stand it', ['On Thursday, 3 December, between 10:30 and 11:00']],
  ['I can only manage Friday afternoon', ['On Friday, 4 December, between 12:00 and 17:00']],
  ["Thursday's no good but Friday is", ['On Friday, 4 December', 'Not on Thursdays']],
  ['Thursday or bust', ['On Thursday, 3 December']],
  ['Would it be a pain to move to Friday?', ['On Friday, 4 December']],
  ['HR asked me to move this to next week', ['From Monday, 7 December to Sunday, 13 December']],
  ['mid to late next week', ['From Thursday, 10 December to Friday, 11 December']],
  ['early on Thursday please', ['On Thursday, 3 December, over by 11:00']],
])('a saying: %s', (text, meanings) => {
  expect(understood(text)).toEqual(meanings);
});

test.each([
  ['Midwife at 2.45 on Wed', ['Not on Wednesdays, between 14:15 and 15:45']],
  ['Strike on Wednesday', ['Not on Wednesdays']],
  ["Parents' evening from 3 to 5 on Wednesday", ['Not on Wednesdays, between 14:30 and 17:30']],
  ['Away 2-4 Dec at a trade show', ['Not from Wednesday, 2 December to Friday, 4 December']],
  ['The report will not be ready until Friday', ['Not up to Thursday, 3 December']],
  ['Another meeting at 3, 4pm?', ['Between 16:00 and 16:30', 'Not on Wednesday, 2 December, between 14:30 and 16:00']],
])('what stands beside the meeting: %s', (text, meanings) => {
  expect(understood(text)).toEqual(meanings);
});

test('a time that is asked for cuts the guess at how long a call takes', () => {
  expect(understood("I've a call at 3 on Wed, could we do 3.30?")).toEqual([
    'On Wednesday, 2 December, between 15:30 and 16:00',
    'Not on Wednesdays, between 14:30 and 15:30',
  ]);
});

test.each([
  ['Hi Priya can we do Thursday', ['On Thursday, 3 December']],
  ['Priya can we do Thursday instead', ['On Thursday, 3 December']],
  ['hey tom would friday work', ['On Friday, 4 December']],
  ['thursday at 2 ok with you tom?', ['On Thursday, 3 December, between 14:00 and 14:30']],
  ['ok so thursday then, 11?', ['On Thursday, 3 December, between 11:00 and 11:30']],
  ['sir kindly shift to friday evening 5', ['On Friday, 4 December, between 17:00 and 17:30']],
])('a name says nothing of the time: %s', (text, meanings) => {
  expect(understood(text)).toEqual(meanings);
});

test.each([
  'Great feedback on Wednesday',
  'sat nav says 2:50 arrival on Wednesday',
  'go easy on me Wednesday',
  "I'm flagging by 3",
  'The earliest you can find once the results are in',
])('nothing is read in %s', (text) => {
  expect(understood(text)).toEqual([]);
});

test.each([
  ['The earliest I can do is 4', ['From 16:00 on']],
  ['4 at the earliest', ['From 16:00 on']],
  ['my latest is 2', ['Over by 14:00']],
  ["can't be any later than 2", ['Not after 14:00']],
  ["can't stay past 3.15", ['Not after 15:15']],
  ["due on Friday so can we leave it until it's in", []],
])('a limit: %s', (text, meanings) => {
  expect(understood(text)).toEqual(meanings);
});
