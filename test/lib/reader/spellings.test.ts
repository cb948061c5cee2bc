import { describe, expect, test } from 'vitest';
import { readByRules } from '../../../lib/reader/rules/read.ts';
import { describeReading } from '../../../lib/words/understood.ts';

// The meeting is on Wednesday 2 December 2026 at 15:00, and the text is written on Monday 30 November.
const calendar = { today: 20_787, oldDay: 20_789, oldMinute: 900, durationMinutes: 30 };
const understood = (text: string) =>
  describeReading(readByRules(text, calendar)).understood.flatMap(({ kind, meaning }) =>
    kind === 'standing' ? [] : [meaning],
  );

describe('a verdict that holds for another day too', () => {
  test.each([
    [
      "Thursday's out, so is Friday morning. Wednesday evening?",
      ['On Wednesday, 2 December, from 17:00 on', 'Not on Thursdays', 'Not on Fridays, before 12:00'],
    ],
    ['Wednesday is no good and nor is Thursday', ['Not on Wednesdays', 'Not on Thursdays']],
    ['Wednesday is impossible, as is Thursday', ['Not on Wednesdays', 'Not on Thursdays']],
    ["I can't do Wednesday. Same goes for Thursday", ['Not on Wednesdays', 'Not on Thursdays']],
    ["Wednesday's bad, ditto Thursday", ['Not on Wednesdays', 'Not on Thursdays']],
    ['Thursday works, so does Friday', ['On Thursday, 3 December', 'On Friday, 4 December']],
    ['Wed is a no, likewise Thurs', ['Not on Wednesdays', 'Not on Thursdays']],
    ['Friday would be good, as would Monday', ['On Friday, 4 December', 'On Monday, 7 December']],
    ["Wednesday isn't possible and neither is Friday", ['Not on Wednesdays', 'Not on Fridays']],
    ["Wednesday and Thursday don't work, nor does Friday", ['Not on Wednesdays and Thursdays', 'Not on Fridays']],
  ])('%s', (text, meanings) => {
    expect(understood(text)).toEqual(meanings);
  });
});

describe('the spelling of a dialect', () => {
  test.each([
    ["cannae dae wednesday, thursday's fine", ['On Thursday, 3 December', 'Not on Wednesdays']],
    ['Friday afore 10 please', ['On Friday, 4 December, over by 10:00']],
    ['any time efter 4 on Wednesday', ['On Wednesday, 2 December, from 16:00 on']],
    ["I'm oot on Wednesday, whit aboot Friday?", ['On Friday, 4 December', 'Not on Wednesdays']],
    ['any day xcept wed', ['Not on Wednesdays']],
    ['Thursday fae 2', ['On Thursday, 3 December, from 14:00 on']],
    ['could we dae the morra instead', ['On Tuesday, 1 December']],
    ['Thursday aw day is fine', ['On Thursday, 3 December']],
    ["wouldnae manage Wednesday, Friday's grand", ['On Friday, 4 December', 'Not on Wednesdays']],
    ['Wednesday after 4 wud be gud', ['On Wednesday, 2 December, from 16:00 on']],
    ['is friday nite ok', ['On Friday, 4 December, from 17:00 on']],
    ['post 4 on Wednesday works', ['On Wednesday, 2 December, from 16:00 on']],
    ['any time post lunch on Thursday', ['On Thursday, 3 December, from 13:00 on']],
    ['gie me Friday mornin, hen', ['On Friday, 4 December, over by 12:00']],
  ])('%s', (text, meanings) => {
    expect(understood(text)).toEqual(meanings);
  });
});

describe('a train named by its time', () => {
  test.each([
    [
      'On the 14:03 from Euston on Wednesday. Thursday please',
      ['On Thursday, 3 December', 'Not on Wednesdays, between 14:03 and 16:03'],
    ],
    [
      "I'm on the 2.30 to Leeds, could we do 5?",
      ['Between 17:00 and 17:30', 'Not on Wednesday, 2 December, between 14:30 and 16:30'],
    ],
    [
      'catching the 15:10 to York that day, Friday instead?',
      ['On Friday, 4 December', 'Not on Wednesday, 2 December, between 15:10 and 17:10'],
    ],
    ['The 9.15 to York was cancelled again', []],
    ['The 8.05 to Cardiff is always late', []],
    [
      'booked on the 2.47 to Bath, morning instead please',
      ['Over by 12:00', 'Not on Wednesday, 2 December, between 14:47 and 16:47'],
    ],
    [
      'taking the 3.15 to Oxford on wednesday, could do thursday',
      ['On Thursday, 3 December', 'Not on Wednesdays, between 15:15 and 17:15'],
    ],
    ['The 7:40 from Hull broke down, sorry', []],
  ])('%s', (text, meanings) => {
    expect(understood(text)).toEqual(meanings);
  });
});

describe('a clock time in a part of the day', () => {
  test.each([
    [
      'Thursday morning would be best, like 9 or 9:30',
      ['On Thursday, 3 December, between 8:30 and 10:00', 'On Thursday, 3 December, between 9:30 and 10:00'],
    ],
    ['Friday afternoon please, say 2', ['On Friday, 4 December, between 14:00 and 14:30']],
    ['the evening suits me better, 6 or 7', ['Between 18:00 and 18:30', 'Between 19:00 and 19:30']],
    ['Could we do Thursday morning, around 10?', ['On Thursday, 3 December, between 9:30 and 11:00']],
    ['Tomorrow morning is good, maybe 10:30', ['On Tuesday, 1 December, between 10:30 and 11:00']],
    [
      'Tomorrow is 1st. Day after tomorrow in the morning would be best, like 9',
      ['On Wednesday, 2 December, between 8:30 and 10:00'],
    ],
    ['Friday morning works, 10ish', ['On Friday, 4 December, between 9:30 and 11:00']],
    ['Friday, late afternoon, e.g. 4.30', ['On Friday, 4 December, between 16:30 and 17:00']],
  ])('%s', (text, meanings) => {
    expect(understood(text)).toEqual(meanings);
  });
});

describe('halves of a day', () => {
  test.each([
    [
      'Give me AM Wed or PM Thu',
      ['On Wednesday, 2 December, over by 12:00', 'On Thursday, 3 December, between 12:00 and 18:00'],
    ],
    ['Thurs PM please', ['On Thursday, 3 December, from 12:00 on']],
    ['Wed am or Fri pm', ['On Wednesday, 2 December, over by 12:00', 'On Friday, 4 December, from 12:00 on']],
    ['PM on Friday would be good', ['On Friday, 4 December, between 12:00 and 18:00']],
    ['thursday 2nd half ok?', ['On Thursday, 3 December, between 13:00 and 18:00']],
    ['Can we do 2nd half of Thursday', ['On Thursday, 3 December, between 13:00 and 18:00']],
    ['first half Friday works', ['On Friday, 4 December, over by 13:00']],
    ['Friday AM or Monday AM', ['On Friday, 4 December, over by 12:00', 'On Monday, 7 December, over by 12:00']],
    ['AM on Thursday if possible', ['On Thursday, 3 December, over by 12:00']],
    ['any AM next week', ['From Monday, 7 December to Sunday, 13 December, over by 12:00']],
  ])('%s', (text, meanings) => {
    expect(understood(text)).toEqual(meanings);
  });
});
