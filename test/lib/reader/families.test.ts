import { expect, test } from 'vitest';
import { readByRules } from '../../../lib/reader/rules/read.ts';
import { readContext } from '../../../lib/reader/rules/read-context.ts';
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
  [
    'In hospital until Wednesday night',
    ['Not up to Tuesday, 1 December', 'Not on Wednesday, 2 December, before 18:00'],
  ],
  ['Available from 07/12/26, 0900-1200', ['From Monday, 7 December on, between 9:00 and 12:00']],
  ['My leave begins on Wednesday', ['Not from Wednesday, 2 December on']],
  ['Jury service this week and next', ['Not from Monday, 30 November to Sunday, 13 December']],
  ['Friday at 7 in the evening', ['On Friday, 4 December, between 19:00 and 19:30']],
  ['spare me Mondays', ['Not on Mondays']],
  ['would you mind if we moved this back by a day', ['1 day later']],
  ['Any chance of bringing this forward a day?', ['1 day earlier']],
  ['can it be pushed out by 2 weeks', ['14 days later']],
  ['move it to the first Monday of January', ['On Monday, 4 January']],
  ['off sick until the end of the week', ['Not up to Friday, 4 December']],
  ['Any day works as long as we are done by 12', ['Over by 12:00']],
  ['do it before clinic starts at half nine', ['Over by 9:30']],
  ['Earliest slot on Thursday is fine', ['On Thursday, 3 December', 'As soon as possible']],
  [
    'My train from Leeds gets in at 3, so can we start at quarter to four',
    ['Between 15:45 and 16:15', 'Not on Wednesday, 2 December, before 15:00'],
  ],
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
  'My daughter passed her driving test on Friday',
  'We began in March and it is still not finished',
  "it's dark by four",
  'They moved the kick-off back by a day last week',
  "I'm bringing a colleague along on Wednesday",
  'Our broadband goes off at noon on Wednesday',
  'the kids start at 2 on Wednesday now',
  'Wednesday has become Thursday, ok?',
  "I'm working Saturday",
  'it would suit me better at the other end of the day',
  'hoping to be better by Thursday',
  'Great chat on Friday, btw.',
  'This cannot wait until Wednesday',
  'I keep Fridays free for admin, so Friday works',
])('%s asks for no time', (text) => {
  expect(understood(text)).toEqual([]);
});

test.each([
  ['soonest you have got after Wednesday', ['From Thursday, 3 December on', 'As soon as possible']],
  ['can we swap it to the Wednesday after? my shifts got changed', ['On Wednesday, 9 December']],
  ['Late afternoon on Friday is easiest for me', ['On Friday, 4 December, between 15:00 and 18:00']],
  ['School play starts at 2.30 that day', ['Not on Wednesday, 2 December, between 14:00 and 15:30']],
  ["the doctor's appointment moved to wed 3.15", ['Not on Wednesdays, between 14:45 and 16:15']],
  [
    'This clashes with the sprint review (Wed 14:30-16:00), which I run',
    ['Not on Wednesdays, between 14:00 and 16:30'],
  ],
  ['Wednesday still, but 5pm instead of 3', ['On Wednesday, 2 December, between 17:00 and 17:30']],
  ["Whatever you've got on Friday", ['On Friday, 4 December']],
  ["Are you around Thursday before your 10 o'clock?", ['On Thursday, 3 December, over by 10:00']],
  ["Tuesday's also bad. Thursday?", ['On Thursday, 3 December', 'Not on Tuesdays']],
  ['Have to pick up my son by 3:15 that day', ['Not on Wednesday, 2 December, between 14:45 and 15:45']],
  ['doctors at 2:30, should be out by 3:30', ['Not on Wednesday, 2 December, between 14:00 and 16:00']],
  ['she is only in the office Tuesdays and Thursdays', ['On Tuesdays and Thursdays']],
  ['hey something came up can we do the 4th instead', ['On Friday, 4 December']],
  [
    'could we do it tomorrow at noon? I am only ever in on Tuesdays',
    ['On Tuesday, 1 December, between 12:00 and 12:30'],
  ],
])('%s names no time of somebody else', (text, meanings) => {
  expect(understood(text)).toEqual(meanings);
});

test.each([
  [
    'Mentoring calls: Thursday afternoons only, please.',
    [
      'Never on Mondays, Tuesdays, Wednesdays, Fridays, Saturdays and Sundays',
      'Never on Thursdays before 12:00',
      'Never on Thursdays after 17:00',
    ],
  ],
  [
    'im only in the office tues and weds and i like to meet face to face',
    ['Never on Mondays, Thursdays, Fridays, Saturdays and Sundays'],
  ],
  ['Reception phones are crazy until 11 so please only book me after that', ['Never before 11:00']],
  ['Only contactable 10-12', ['Never before 10:00', 'Never after 12:00']],
  [
    "For people outside the company it's Tuesdays or Thursdays only",
    ['Never on Mondays, Wednesdays, Fridays, Saturdays and Sundays'],
  ],
  [
    'meetings between 11 and 1 or 3 and 5',
    ['Never before 11:00', 'Never between 13:00 and 15:00', 'Never after 17:00'],
  ],
  ['Never with clients on Fridays', ['Never on Fridays']],
  ['I only teach on Mondays, everything else is open', []],
  ['Only urgent things before 10', []],
])('%s is a rule in its narrowest meaning', (text, meanings) => {
  expect(describeReading(readContext(text)).understood.map(({ meaning }) => meaning)).toEqual(meanings);
});

test.each([
  ['a refusal beside an unread day', 'Not Tuesday. Thursday eleven there will be two of us awake'],
  ['an hour beside an unread day', 'The decorators clear off Thursday dinnertime. 4ish?'],
  [
    'an hour that cuts into the hours asked for',
    'After 4 then, as Magda finds reception rather heavy until half past five',
  ],
  ['a day beside an unread hour', 'how about we say Friday, 9 on the nose'],
  ['a refusal beside an unread commitment', 'my first appointment is at 3 and the last one at 6:40'],
  ['hours that an unread hour cuts', 'Would first thing Wednesday be okay? Marta swaps with me from half nine.'],
  ['hours within what looks like an absence', 'now on lates all week so before noon would be great'],
])('%s is not acted on', (_, text) => {
  const { unread } = readByRules(text, calendar);
  expect(understood(text)).toEqual([]);
  expect(unread.length).toBeGreaterThan(1);
});
