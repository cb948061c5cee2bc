import { describe, expect, test } from 'vitest';
import { readByRules } from '../../../lib/reader/rules/read.ts';
import { describeReading } from '../../../lib/words/understood.ts';

// The meeting is on Wednesday 2 December 2026 at 15:00, and the text is written on Monday 30 November.
const calendar = { today: 20_787, oldDay: 20_789, oldMinute: 900, durationMinutes: 30 };
const understood = (text: string) =>
  describeReading(readByRules(text, calendar)).understood.flatMap(({ kind, meaning }) =>
    kind === 'standing' ? [] : [meaning],
  );

describe("an unknown event at the meeting's own time", () => {
  test.each([
    [
      'Hip scan for my mother on Wed at 3pm, could we do Thursday?',
      ['On Thursday, 3 December', 'Not on Wednesdays, between 14:30 and 16:00'],
    ],
    [
      'Long shift in the warehouse Wednesday 12 to 8. Friday would suit',
      ['On Friday, 4 December', 'Not on Wednesdays, between 11:30 and 20:30'],
    ],
    [
      "It's Priya's leaving do on Wednesday from 2.30, could we do it on Tuesday?",
      ['On Tuesday, 1 December', 'Not on Wednesdays, after 14:30'],
    ],
    [
      'The dishwasher repair chap comes Wed 2-4, so Thursday please',
      ['On Thursday, 3 December', 'Not on Wednesdays, between 13:30 and 16:30'],
    ],
    [
      "Puppy's jabs are Wednesday 3:15. Friday instead?",
      ['On Friday, 4 December', 'Not on Wednesdays, between 14:45 and 16:15'],
    ],
    [
      'Graduation rehearsal Wed afternoon, how about Tuesday',
      ['On Tuesday, 1 December', 'Not on Wednesdays, between 12:00 and 18:00'],
    ],
    [
      'Steering group moved to Wednesday quarter to three; can we do Friday',
      ['On Friday, 4 December', 'Not on Wednesdays, between 14:15 and 15:45'],
    ],
    [
      'The auditors want me Wednesday 2 till 5. Thursday any time.',
      ['On Thursday, 3 December', 'Not on Wednesdays, between 14:00 and 17:00'],
    ],
    [
      'Registering the baby on Wed 3pm at the town hall, Thurs is free',
      ['On Thursday, 3 December', 'Not on Wednesdays, between 14:30 and 16:00'],
    ],
    ['Registering the baby on Wed 3pm at the town hall', ['Not on Wednesdays, between 14:30 and 16:00']],
  ])('%s', (text, meanings) => {
    expect(understood(text)).toEqual(meanings);
  });
});

describe('how long a commitment takes', () => {
  test.each([
    [
      'Dentist at 2.30, should take about an hour. Could we do it afterwards?',
      ['From 14:30 on', 'Not on Wednesday, 2 December, between 14:00 and 16:00'],
    ],
    [
      'Physio at 3, forty minutes, just up the road. 4:30 would be safe',
      ['Between 16:30 and 17:00', 'Not on Wednesday, 2 December, between 14:30 and 16:10'],
    ],
    [
      'Eye test in Leeds, 2.40, usually takes an hour. 4.30 would do',
      ['Between 16:30 and 17:00', 'Not on Wednesday, 2 December, between 14:10 and 16:10'],
    ],
    [
      "Doctor's at 2:45 and it's a 20 minute walk each way, so 4 or later",
      ['Not on Wednesday, 2 December, between 14:15 and 15:35', 'Later in the day'],
    ],
    [
      "Blood test 2.50pm, plus half an hour on the bus. 4 o'clock?",
      ['Between 16:00 and 16:30', 'Not on Wednesday, 2 December, between 14:20 and 15:50'],
    ],
    [
      'Vet at 2, no more than an hour, so I could start at 4',
      ['Not on Wednesday, 2 December, between 13:30 and 15:30', 'Not on Wednesday, 2 December, before 16:00'],
    ],
    [
      'Root canal at quarter to three, an hour and a half. Thursday morning please',
      ['On Thursday, 3 December, over by 12:00', 'Not between 14:15 and 16:45'],
    ],
    [
      'Interview at 3, 45 mins tops. After that is fine',
      ['From 15:00 on', 'Not on Wednesday, 2 December, between 14:30 and 16:15'],
    ],
    [
      'optician at 3, half an hour max, so could start at 4',
      ['Not on Wednesday, 2 December, between 14:30 and 16:00', 'Not on Wednesday, 2 December, before 16:00'],
    ],
    [
      'Scan at half two, in and out in an hour they say. 4pm?',
      ['Between 16:00 and 16:30', 'Not on Wednesday, 2 December, between 14:00 and 16:00'],
    ],
  ])('%s', (text, meanings) => {
    expect(understood(text)).toEqual(meanings);
  });
});

describe('either side of a commitment', () => {
  test.each([
    [
      'I am unavailable between 2 and 4 on Wednesday; either side of that is fine',
      ['Not on Wednesdays, between 14:00 and 16:00'],
    ],
    ['Busy 14:30 to 15:30 that day, I could do either side', ['Not on Wednesday, 2 December, between 14:30 and 15:30']],
    ['MOT at 3, takes an hour, so either side of that', ['Not on Wednesday, 2 December, between 14:30 and 16:30']],
    [
      'Dentist at 3. Before or after works',
      ['Over by 15:00', 'From 15:00 on', 'Not on Wednesday, 2 December, between 14:30 and 16:00'],
    ],
    ['In court 2 to 4 on Wednesday, happy to talk before or after', ['Not on Wednesdays, between 14:00 and 16:00']],
    ["I've a class at 3, either side suits", ['Not on Wednesday, 2 December, between 14:30 and 16:00']],
    [
      'We have a delivery between 2 and 4, any time around that works',
      ['Not on Wednesday, 2 December, between 13:30 and 16:30'],
    ],
    ['Tied up from 2:30 to 4, can do it on either side', ['Not on Wednesday, 2 December, between 14:30 and 16:00']],
    ['haircut at 3, happy with either side of it', ['Not on Wednesday, 2 December, between 14:30 and 16:00']],
  ])('%s', (text, meanings) => {
    expect(understood(text)).toEqual(meanings);
  });
});

describe('the only time of somebody else', () => {
  test.each([
    [
      'The hygienist can only fit me in at 3. Could we do Tuesday from 1 to 3?',
      ['On Tuesday, 1 December, between 13:00 and 15:00', 'Not between 14:30 and 16:00'],
    ],
    [
      'My tutor is only free Wednesday 3pm, can we do Thursday',
      ['On Thursday, 3 December', 'Not on Wednesdays, between 14:30 and 16:00'],
    ],
    [
      'The bank would only see me at 2.45, so 4.30?',
      ['Between 16:30 and 17:00', 'Not on Wednesday, 2 December, between 14:15 and 15:45'],
    ],
    [
      'the consultant only has wed 3pm, so thursday?',
      ['On Thursday, 3 December', 'Not on Wednesdays, between 14:30 and 16:00'],
    ],
    ['Physio could only squeeze me in at 3. Friday then?', ['On Friday, 4 December', 'Not between 14:30 and 16:00']],
    ['The dentist could only fit me in at 2.45', ['Not on Wednesday, 2 December, between 14:15 and 15:45']],
  ])('%s', (text, meanings) => {
    expect(understood(text)).toEqual(meanings);
  });
});

describe('leave and its end', () => {
  test.each([
    [
      'On annual leave Thursday through to the 9th inclusive, and Wednesday is packing. The 10th?',
      ['On Thursday, 10 December', 'Not from Thursday, 3 December to Wednesday, 9 December'],
    ],
    ['A/L until Monday 7th, any time after', ['From Tuesday, 8 December on', 'Not up to Monday, 7 December']],
    ['Rain check till Thursday or later?', ['From Thursday, 3 December on']],
    ['Jury service, told to expect Tues-Thurs.', ['Not from Tuesday, 1 December to Thursday, 3 December']],
    ['Request you to reschedule on 7th or any day after the same', ['From Monday, 7 December on']],
    [
      "I shan't be in before 11 on Thursday, after that is fine",
      ['On Thursday, 3 December, from 11:00 on', 'From Friday, 4 December on', 'Not on Thursdays, before 11:00'],
    ],
    ['I can do any time up to 1 that day', ['On Wednesday, 2 December, over by 13:00']],
    [
      "I'm off from the 3rd till the 13th, either before I go or 14th onwards",
      ['From Monday, 14 December on', 'Not from Thursday, 3 December to Sunday, 13 December'],
    ],
    ['is 8am friday too cruel?', ['On Friday, 4 December, between 8:00 and 8:30']],
    ['could we take a rain check until next week', ['From Monday, 7 December on']],
  ])('%s', (text, meanings) => {
    expect(understood(text)).toEqual(meanings);
  });
});

test.each([
  'Back in June you asked me the same, remember?',
  'Back in March we had the same problem',
  "My colleague in Austin doesn't start work before 9",
  'Dave never gets in before ten and nobody minds',
  "My boss won't do anything before ten",
  "The café doesn't open until 9",
  'My cousin was put on furlough, total chaos',
  'Way back in 2019 we met on a Friday',
  "Suresh doesn't log off before 8, poor chap",
  "My neighbour's alarm goes off at 5 every morning",
  'The 9.15 to York was cancelled again',
  'The 8.05 to Cardiff is always late',
  'The 7:40 from Hull broke down, sorry',
])('%s tells a story and asks for no time', (text) => {
  expect(understood(text)).toEqual([]);
});
