import { describe, expect, test } from 'vitest';
import { readByRules } from '../../../lib/reader/grammar/read.ts';
import { describeReading } from '../../../lib/words/understood.ts';

// The meeting is on Wednesday 2 December 2026 at 15:00 in London, and the text is written on Monday 30 November.
const calendar = { today: 20_787, oldDay: 20_789, oldMinute: 900, durationMinutes: 30, timeZone: 'Europe/London' };
const read = (text: string) => readByRules(text, calendar);
const meanings = (text: string) =>
  describeReading(read(text)).understood.flatMap(({ kind, meaning }) => (kind === 'standing' ? [] : [meaning]));

const WISHES: Record<string, [text: string, expected: string[]][]> = {
  days: [
    ['same time but Monday', ['On Monday, 7 December, between 15:00 and 15:30']],
    ['1/2 hr earlier please', ['30 minutes earlier']],
    ['Move me up to 11', []],
    [
      'any day this week but Thursday is gone for me',
      ['From Monday, 30 November to Sunday, 6 December', 'Not on Thursday, 3 December'],
    ],
    ['w/c 7 Dec', ['From Monday, 7 December to Sunday, 13 December']],
    ['early next week please', ['From Monday, 7 December to Tuesday, 8 December']],
    ['after the 8th', ['From Wednesday, 9 December on']],
    ['Could we park this until next week?', ['From Monday, 7 December on']],
    ['the 9th or the 10th', ['On Wednesday, 9 December', 'On Thursday, 10 December']],
    ['between 7 and 11 December', ['From Monday, 7 December to Friday, 11 December']],
    ['another day', ['Not on Wednesday, 2 December']],
    ['9 or 10 December', ['On Wednesday, 9 December', 'On Thursday, 10 December']],
    ['10-15 mins later', ['15 minutes later']],
    ['on leave until the 9th', ['Not up to Wednesday, 9 December']],
  ],
  'shares of weeks and months': [
    ['could we do the second week of December', ['From Tuesday, 8 December to Monday, 14 December']],
    ['the last week of the month', ['From Friday, 25 December to Thursday, 31 December']],
    ['beginning of January', ['From Friday, 1 January to Sunday, 10 January']],
    ['first half of January', ['From Friday, 1 January to Friday, 15 January']],
    ['late next week', ['From Thursday, 10 December to Friday, 11 December']],
    ['mid next week', ['From Tuesday, 8 December to Thursday, 10 December']],
    ['midweek', ['From Tuesday, 1 December to Thursday, 3 December']],
    ['next Friday', ['On Friday, 11 December']],
    ['Hiya, would next Monday at 3 be ok?', ['On Monday, 7 December, between 15:00 and 15:30']],
    ['next Thursday or Friday', ['On Thursday, 10 December', 'On Friday, 11 December']],
    ['w/c 7 Dec, preferably Tues or Weds', ['On Tuesday, 8 December', 'On Wednesday, 9 December']],
    ['this weekend', ['From Saturday, 5 December to Sunday, 6 December']],
    ['the coming weekend', ['From Saturday, 5 December to Sunday, 6 December']],
    ['early November', []],
    ['the weekend after next', []],
  ],
  hours: [
    ['pls shift to 16.00 hrs same day', ['On Wednesday, 2 December, between 16:00 and 16:30']],
    ['could we have a call at 4', ['Between 16:00 and 16:30']],
    ['half 4?', ['Between 16:30 and 17:00']],
    ['06:00 please', ['Between 6:00 and 6:30']],
    ['Friday 8pm to 4am works', ['On Friday, 4 December, from 20:00 on', 'On Saturday, 5 December, over by 4:00']],
    ['Thursday around 4', ['On Thursday, 3 December, between 15:30 and 17:00']],
    [
      'Tuesday before noon or Friday after 2',
      ['On Tuesday, 1 December, over by 12:00', 'On Friday, 4 December, from 14:00 on'],
    ],
    ['9am Eastern on Thursday please', ['On Thursday, 3 December, between 14:00 and 14:30']],
    ['16:00 instead of 15:00 would be perfect', ['Between 16:00 and 16:30']],
    ['before Thursday 10am', ['Up to Wednesday, 2 December', 'On Thursday, 3 December, over by 10:00']],
  ],
  'hours whose half of the day other words tell': [
    ['half past eight tonight or later', ['On Monday, 30 November, from 20:30 on']],
    ['rather on Sunday evening, once the kids are in bed (8ish)', ['On Sunday, 6 December, between 19:30 and 21:00']],
    ['Thursday evening, say 7', ['On Thursday, 3 December, between 19:00 and 19:30']],
    ["I'm good until 10 at night", ['Over by 22:00']],
    ['After hours?', ['From 17:00 on']],
    ['17:15 on my way out?', ['Between 17:15 and 17:45']],
    ['Sunday at noon would help me loads', ['On Sunday, 6 December, between 12:00 and 12:30']],
  ],
  'hours in words': [
    ['quarter past seven pm', ['Between 19:15 and 19:45']],
    ['ten to four', ['Between 15:50 and 16:20']],
    ['twenty-five past three', ['Between 15:25 and 15:55']],
    ['seven forty-five pm', ['Between 19:45 and 20:15']],
    ['three o clock on Friday', ['On Friday, 4 December, between 15:00 and 15:30']],
    ['eleven pm', ['Between 23:00 and 23:30']],
    ["I'm free ten to four on Thursday", ['On Thursday, 3 December, between 10:00 and 16:00']],
    ['Needs to be 9 or 9:30 our time', ['Between 9:00 and 9:30', 'Between 9:30 and 10:00']],
    ['one or two of us could do Thursday', ['On Thursday, 3 December']],
    ['five to ten minutes later', ['10 minutes later']],
  ],
  offers: [
    ["18 to 20 o'clock doesn't work", ['Not between 18:00 and 20:00']],
    ["I'm in the office on Saturday until 2", ['On Saturday, 5 December, over by 14:00']],
    ["I'm not in the office on Saturday", ['Not on Saturday, 5 December']],
    ["I'm making up the hours in the evening, say 18 to 20", ['Between 18:00 and 20:00']],
    ["Monday yes, two o'clock no", ['On Monday, 7 December', 'Not between 14:00 and 14:30']],
  ],
  'a time at the beginning belongs to what follows': [
    ['On Wednesday, I finish at noon', ['Not on Wednesday, 2 December, after 12:00']],
    ['On Thursday no meetings before 10', ['Not on Thursday, 3 December, before 10:00']],
    ["On Wednesday, I can't do the afternoon", ['Not on Wednesday, 2 December, between 12:00 and 18:00']],
    ['On Wednesday, I have the dentist at 3', ['Not on Wednesday, 2 December, between 14:30 and 16:30']],
    [
      'Thursday, I have the dentist at 3',
      ['On Thursday, 3 December', 'Not on Thursday, 3 December, between 14:30 and 16:30'],
    ],
  ],
  'an exception takes what it names, and no more': [
    ['any day but Tuesday, after 2pm', ['From 14:00 on', 'Not on Tuesday, 1 December']],
    ['Could we do any day except Friday, in the morning?', ['Over by 12:00', 'Not on Friday, 4 December']],
    ['apart from Friday, from 10 to 12', ['Between 10:00 and 12:00', 'Not on Friday, 4 December']],
    [
      'anything other than 9am, Thursday or Friday',
      ['On Thursday, 3 December', 'On Friday, 4 December', 'Not between 9:00 and 9:30'],
    ],
    ['anything except Tuesday morning, after 2pm', ['From 14:00 on', 'Not on Tuesday, 1 December, before 12:00']],
    ['anything but Tuesday, Thursday is best', ['On Thursday, 3 December', 'Not on Tuesday, 1 December']],
    ['not Tuesday, maybe Thursday', ['On Thursday, 3 December', 'Not on Tuesday, 1 December']],
    [
      'Thursday afternoon, or Friday but before 11',
      ['On Thursday, 3 December, between 12:00 and 17:00', 'On Friday, 4 December, over by 11:00'],
    ],
    ['anytime but 12-1, 3-4', ['Not between 12:00 and 13:00', 'Not between 15:00 and 16:00']],
  ],
  'a time of another form after a refusal and a comma is not understood': [
    ['not on Thursday, next Monday at 10', []],
    ['not today, tomorrow', []],
    ['not this week, next week', []],
    [
      'not Thursday, Friday or Monday',
      ['Not on Thursday, 3 December', 'Not on Friday, 4 December', 'Not on Monday, 7 December'],
    ],
    ['not Thursday, Friday at 10 or Monday', []],
    ['not Thursday, Friday morning', []],
    ["I'm busy Thursday, Friday at 10", []],
  ],
  moves: [
    ['an hour later please', ['An hour later']],
    ['15 min earlier would let me catch my train', ['15 minutes earlier']],
    ['push it by a week', ['A week later']],
    ['a bit later that day', ['Later in the day']],
    ['please bring it forward', ['Earlier than planned']],
    ['asap please', ['As soon as possible']],
    ["that's too early for me", ['Later in the day']],
    ['Delay it by a day and start at 10', ['Between 10:00 and 10:30', '1 day later']],
    ['can we start at 2 this time', ['Between 14:00 and 14:30']],
    ['only evenings work, can we do after 7 that day', ['On Wednesday, 2 December, from 19:00 on']],
    ['Bring it forward to this afternoon?', ['On Monday, 30 November, between 12:00 and 17:00']],
    ["any afternoon but Friday's", ['Between 12:00 and 17:00', 'Not on Friday, 4 December']],
    ['tomorrow forenoon', ['On Tuesday, 1 December, over by 12:00']],
  ],
  'what is in the way': [
    ['dentist at 3, about an hour', ['Not on Wednesday, 2 December, between 14:30 and 16:30']],
    [
      "I'm on site all day Wednesday, any chance of Friday morning",
      ['On Friday, 4 December, over by 12:00', 'Not on Wednesday, 2 December'],
    ],
    ['Can it be done at 4?', ['Between 16:00 and 16:30']],
    ['I board at 15:20', ['Not on Wednesday, 2 December, after 14:50']],
    ['My plane takes off at 4', ['Not on Wednesday, 2 December, after 15:30']],
    ['I land at 3', ['Not on Wednesday, 2 December, before 15:30']],
    ['I have to go out at 3', ['Not on Wednesday, 2 December, after 15:00']],
  ],
  'a denial after a time': [
    ['Friday is stocktake, so no', ['Not on Friday, 4 December']],
    ['Friday afternoon, no calls there please', ['Not on Friday, 4 December, between 12:00 and 18:00']],
    ['Friday is stocktake', []],
    ['Friday please, no rush', ['On Friday, 4 December']],
    ['Friday at 4, no travel needed', ['On Friday, 4 December, between 16:00 and 16:30']],
    ["Something's come up Wednesday", ['Not on Wednesday, 2 December']],
  ],
  'a correction takes back what was asked for before': [
    ['no, Thursday 21:00', ['On Thursday, 3 December, between 21:00 and 21:30']],
    ['Could we do Friday at 10? No, Thursday 21:00', ['On Thursday, 3 December, between 21:00 and 21:30']],
    ['Friday at 10, actually no, Thursday at 9', ['On Thursday, 3 December, between 9:00 and 9:30']],
  ],
  'the day of coming back': [
    ["I'm away for two weeks from Wednesday", []],
    ["I'm on holiday from the 1st for two weeks", []],
    ["I'm away for a few days from Wednesday", []],
    ['Could we schedule it for two weeks from Wednesday?', []],
    ["Let's do it when I'm back on the 14th", ['From Monday, 14 December on', 'Not up to Sunday, 13 December']],
    ["as soon as I'm back next week", ['From Monday, 7 December on', 'Not up to Sunday, 6 December']],
    ["when I'm not back on Thursday", []],
    ["Let's do it when Ann is back on Thursday", []],
  ],
  'a time is that of the words around it': [
    ['on 17.3 at 10', ['On Wednesday, 17 March, between 10:00 and 10:30']],
    ['Weds or Thurs of next week', ['On Wednesday, 9 December', 'On Thursday, 10 December']],
    ['next week Tuesday or Thursday', ['On Tuesday, 8 December', 'On Thursday, 10 December']],
    ['after 2 and before 4.30 on Friday', ['On Friday, 4 December, between 14:00 and 16:30']],
    ['not before the 7th and no later than the 11th', ['Up to Friday, 11 December', 'Not up to Sunday, 6 December']],
    ['free from 2, on Fridays until 11', ['From 14:00 on', 'On Fridays, over by 11:00']],
    ['I leave at 3 and am back at 5', ['Not on Wednesday, 2 December, between 15:00 and 17:00']],
  ],
  'parts of different kinds narrow each other, and those of one kind are alternatives': [
    [
      'From the 8th on, Mondays or Wednesdays',
      ['On Mondays, from Tuesday, 8 December on', 'On Wednesdays, from Tuesday, 8 December on'],
    ],
    ['2nd half of December, Tuesdays only', ['On Tuesdays, from Wednesday, 16 December to Thursday, 31 December']],
    [
      'before the 20th but after the 10th, afternoons only',
      ['From Friday, 11 December to Saturday, 19 December, between 12:00 and 17:00'],
    ],
    [
      '10am at the earliest, Thursday or Friday',
      ['On Thursday, 3 December, from 10:00 on', 'On Friday, 4 December, from 10:00 on'],
    ],
    [
      'after 3, tomorrow or the day after',
      ['On Tuesday, 1 December, from 15:00 on', 'On Wednesday, 2 December, from 15:00 on'],
    ],
    [
      'next week, Tuesday or Wednesday, mornings',
      ['On Tuesday, 8 December, over by 12:00', 'On Wednesday, 9 December, over by 12:00'],
    ],
    ['in January, on a Tuesday', ['On Tuesdays, from Friday, 1 January to Sunday, 31 January']],
    ['after the 6th and before the 14th', ['From Monday, 7 December to Sunday, 13 December']],
    ['next week, Tuesday, or the week after', []],
    ['tomorrow after 2, or Thursday whenever', ['On Tuesday, 1 December, from 14:00 on', 'On Thursday, 3 December']],
    ['next week works. Tuesday is best', ['On Tuesdays, from Monday, 7 December to Sunday, 13 December']],
    [
      'Tuesday at 10. Next week is fine too',
      ['On Tuesday, 1 December, between 10:00 and 10:30', 'From Monday, 7 December to Sunday, 13 December'],
    ],
  ],
  'a sentence of which a part is not understood': [
    ['in about two weeks', ['From Monday, 14 December to Sunday, 20 December']],
    ['last few days of December', ['From Sunday, 27 December to Thursday, 31 December']],
  ],
  'hours of a list, and hours within others': [
    ['7, 8 or 9 pm', ['Between 19:00 and 19:30', 'Between 20:00 and 20:30', 'Between 21:00 and 21:30']],
    ['9 to 5pm', ['Between 9:00 and 17:00']],
    ['afternoon, from 3', ['Between 15:00 and 17:00']],
  ],
  'deadlines and days beside others': [
    ['we need it done by end of Friday', ['Up to Friday, 4 December']],
    ['before the end of the week', ['Up to Friday, 4 December']],
    ['Monday 7am before my flight', ['On Monday, 7 December, between 7:00 and 7:30']],
    ['can we leave this for Monday?', ['On Monday, 7 December']],
    ['the day before or after', []],
    ['the week before or after', []],
  ],
  'a sentence beside the wish': [
    [
      "The drains back up till three on Wednesday and Bob's frog is loose. Would Friday morning suit?",
      ['On Friday, 4 December, over by 12:00'],
    ],
    [
      'Thursday before froggo is out, or so Bob tells the frog. Please make it Friday at 10.',
      ['On Friday, 4 December, between 10:00 and 10:30'],
    ],
    ['Tomorrow before froggo? Say 9, please', []],
    ['A day that nobody reads: tues would be froggo 4 me, ideally not too early', []],
    [
      "Monday at ten. No, sorry, that's the dentist. Tuesday at ten.",
      ['On Tuesday, 1 December, between 10:00 and 10:30'],
    ],
    ["The 10 o'clock with the bank overran", []],
    ["I'd sooner do this one by phone", []],
    ['Could we do the one by phone?', []],
  ],
};

describe.each(Object.entries(WISHES))('%s', (_, wishes) => {
  test.each(wishes)('%s', (text, expected) => expect(meanings(text)).toEqual(expected));
});

test.each(['W', 'Ws', 'late W', 'the W of next week', 'in two W', 'W weeks'])(
  'in "%s", a word that every object has means as little as an unknown one',
  (text) => {
    for (const purpose of ['reason', 'context'] as const) {
      const of = (word: string) => readByRules(text.replace('W', word), calendar, purpose);
      expect(JSON.stringify(of('constructor'))).toBe(JSON.stringify(of('zyx')).replaceAll('zyx', 'constructor'));
    }
  },
);

test('a week alone teaches nothing about every week', () => {
  expect(read('I can only do mornings this week').standing).toEqual([]);
});

describe('a day that no meeting can have', () => {
  // The horizon is 400 days from the day of writing, Tuesday 4 January 2028.
  test.each([
    'only on 2028-01-05',
    'Please move it to 5 January 2028',
    '05/01/2028',
    '9999-12-31',
    'not before 2028-01-05',
    "I'm away until 2028-03-01",
    'from 1 March 2028',
    '500 days later',
    'only on 0001-01-01',
    'I can only do 2020-01-01',
    'Could we do it yesterday?',
    'please move it to 2 November 2026',
  ])('%s: is not understood', (text) => {
    const { wanted, refused, moves, unread } = read(text);
    expect([wanted, refused, moves]).toEqual([[], [], []]);
    expect(unread).toHaveLength(1);
  });

  test.each([
    ['2028-01-04 please', ['On Tuesday, 4 January']],
    ['4 January 2027', ['On Monday, 4 January']],
    ['04/12/2026 please', ['On Friday, 4 December']],
    ['not on 2028-01-05', ['Not on Wednesday, 5 January']],
    ['between 2026-12-07 and 2028-03-01', ['From Monday, 7 December to Wednesday, 1 March']],
    ['I was away yesterday', []],
    ['Yesterday I was ill, so Friday please', ['On Friday, 4 December']],
  ])('%s: is none', (text, expected) => {
    expect(meanings(text)).toEqual(expected);
    expect(read(text).unread).toEqual([]);
  });
});

test('words that were not understood are quoted to the end', () => {
  expect(read('training course 9-5 every single day').unread).toEqual(['training course 9-5 every single day']);
  expect(read("Evenings only this week I'm afraid").wanted.map(({ quote }) => quote)).toEqual([
    'Evenings only … this week',
  ]);
});

describe('a refusal or an exception is that of the times after a sign', () => {
  const friday = ['Not on Friday, 4 December'];
  const both = ['Not on Monday, 7 December', 'Not on Friday, 4 December'];
  test.each([
    ['any day but "Friday"', friday],
    ['except: Friday', friday],
    ['anything but\nFriday', friday],
    ['next week, not: Friday', ['From Monday, 7 December to Sunday, 13 December', 'Not on Fridays']],
    ['not "Friday"', friday],
    ['not: Friday', friday],
    ['not - Friday', friday],
    ['not – Friday', friday],
    ['not, Friday', friday],
    ['not; Friday', friday],
    ['not… Friday', friday],
    ['not\nFriday', friday],
    ['please avoid "Friday"', friday],
    ['never, ever: Friday', friday],
    ['not before: 15:00', ['Not before 15:00']],
    ['I cannot do the following days:\n- Monday\n- Friday', both],
    ['not:\n1. Monday\n2. Friday', both],
    ['Not available:\n\n- Monday (gym)\n- Friday', both],
    ["These don't work for me: Monday; Friday", both],
    ['I can do:\n- Monday\nNot:\n- Friday', ['On Monday, 7 December', ...friday]],
    ['not: Friday\nMonday is fine', ['On Monday, 7 December', ...friday]],
    ["I can't, Monday works", ['On Monday, 7 December']],
  ])('%j', (text, expected) => {
    expect(meanings(text)).toEqual(expected);
    const inSearch = readByRules(text, { ...calendar, isNew: true });
    expect(inSearch.wanted.length).toBe(expected.filter((one) => !one.startsWith('Not')).length);
  });

  test.each([
    'no meetings - Friday',
    "I can't do it - Friday",
    'no meetings, Friday',
    'Monday? No - Friday',
    'not (on) Friday',
    'Unavailable\nFriday',
    'any day, but Friday',
  ])('or it is not known whose they are: %j', (text) => {
    expect(read(text)).toMatchObject({ wanted: [], refused: [] });
    expect(read(text).unread).not.toEqual([]);
  });
});

test('who departs can meet before, and not after', () => {
  const { refused, wanted } = read('I board at 18:20');
  const day = { first: calendar.oldDay, last: calendar.oldDay };
  expect(refused).toMatchObject([{ dates: [day], clock: { from: 17 * 60 + 50, to: 24 * 60 } }]);
  expect(wanted).toEqual([]);
});

test('a correction without another wish is not understood', () => {
  const { wanted, unread } = read('Could we make it Tuesday? Not this one, the one after');
  expect([wanted, unread]).toEqual([[], ['Could we make it Tuesday']]);
});

const FILLERS =
  "please|if poss|tbh|fwiw|cheers|ta|sorry|thx|tysm|hiya|hi Anna|dear Ms Smith|hello Dr Okafor|thanks Anna|no worries|no worries if not|no biggie|lol|omg|😅|🙏|:)|:D|<3|xx|kind regards|by the way|hope you're well|sorry for the short notice|sorry to be a pain|I think|fingers crossed|catch you later|if it's not too much trouble";
test.each(FILLERS.split('|'))('%j says nothing of a time beside it', (filler) => {
  const asked = ['On Thursday, 3 December, between 16:00 and 16:30'];
  expect(meanings(`${filler}, could we do Thursday at 4`)).toEqual(asked);
  expect(meanings(`${filler} could we do Thursday at 4?`)).toEqual(asked);
  expect(meanings(`could we do Thursday at 4 ${filler}`)).toEqual(asked);
  expect(meanings(`I can't do Thursday morning. ${filler}`)).toEqual(['Not on Thursday, 3 December, before 12:00']);
});

test.each(['would be ace', 'works a treat', 'is spot on'])('"%s" approves', (words) =>
  expect(meanings(`Thursday at 4 ${words}`)).toEqual(['On Thursday, 3 December, between 16:00 and 16:30']),
);

test.each([
  'I start a shift at 16:20',
  'I change trains at 16:20',
  'I have to take a call at 16:20',
  'I have to join a meeting at 16:20',
  'I need to be somewhere at 16:20',
  'I have something at 16:20',
])('%s is no wish to meet then', (text) => {
  expect(read(text)).toMatchObject({ wanted: [], moves: [], unread: [text] });
});

test.each([
  'kid is sick, sorry',
  'Something came up, sorry!',
  'I was off sick last Thursday',
  'As discussed with Mr Okafor on 24 November.',
  'Room 12 has no projector',
  'We agreed the price now, 1500 plus VAT',
  '3 on Wednesday is perfect, see you there!',
  'Friday (the new intern) would love to sit in',
  'Friday (the dog) is ill',
  'my husband works nights',
  'The shop closed on Friday',
  'We closed the round on Friday',
  'Our Monday.com board is a mess',
  "£4.30 a head isn't going to work",
  'Policy no. 10-11-2209 has lapsed',
  'We were up till 3 on Sunday',
  'Mr Friday needs me',
  "Can't find the 3 pm notes",
  'the printer is out until Friday',
  'I need the afternoon for the tax people',
  'I have to bring my mother to the hospital in the morning',
  '',
])('nothing is read in %j', (text) => expect(meanings(text)).toEqual([]));

test.each([
  ['a word that no rule explains', 'the Thursday before the big push'],
  ['a condition', 'Thursday if Marie is back'],
  ['a day that people understand in two ways', 'the Friday after next'],
  ['a clock that nobody knows', '10am Bhutan time on Friday'],
  ['German', 'Können wir das auf Donnerstag um 15 Uhr verschieben?'],
  ['Spanish', '¿Podemos vernos el jueves a las diez?'],
  ['French', 'Est-ce possible jeudi matin plutôt ?'],
  ['Portuguese', 'Podemos remarcar para quinta-feira às 10h?'],
  ['Japanese', '木曜日の午後に変更できますか'],
])('%s is not acted on, and stands in `unread`', (_, text) => {
  const { unread, ...reading } = read(text);
  expect(describeReading({ ...reading, unread: [] }).understood).toEqual([]);
  expect(unread).not.toEqual([]);
});

test.each([
  'Friday or Monday next week',
  'in the afternoon any day, but the Friday only in the morning',
  'move it from Tuesday to Friday',
  'not Tuesday, after 2pm',
  "I'm away 2.12. - 11.12., so any day after that",
  "I can't do Wednesday. Could we do the day after the gala?",
  'Friday, ideally slot 3',
  'I take pitches before ten',
  'a bit later please, two weeks or so',
  'Friday works. Could we start when Ann is in at 2?',
  'no more 9ams this week. 11 or later',
  "Sprint planning eats Monday. Thursday at 10, unless the boss's train is late on Thursday",
  "I'm off the 8th and the 10th so stick me in on one of them",
  "Same day and time but the week after, I think? We've the auditors in all of this week",
  'the evening is better, after 19:30 when the kids are down',
])('nothing is claimed while the time asked for is in doubt: %s', (text) => {
  expect(meanings(text)).toEqual([]);
  expect(read(text).unread).not.toEqual([]);
});

describe('what was read counts beside a story that was not', () => {
  test.each([
    ['4:15 Wednesday would save my life, pick up is 3:20', ['On Wednesday, 2 December, between 16:15 and 16:45']],
    ['Before Wednesday if you can, I finish up here on Tuesday', ['Up to Tuesday, 1 December']],
  ])('%s', (text, expected) => {
    expect(meanings(text)).toEqual(expected);
    expect(read(text).unread).not.toEqual([]);
  });
});

test.each([
  ["Let's punt to Monday, from 1", 'hours of a day that was not understood'],
  ['Mr Okafor has the flux on Weds zorg. Any other time that day', 'what depends on all that was said'],
])('in "%s", nothing counts of %s', (text) => expect(read(text)).toMatchObject({ wanted: [], moves: [] }));

describe('a week or a weekend, said on a Sunday about a meeting on the Friday after it', () => {
  const sunday = { ...calendar, today: 20_786, oldDay: 20_791 };
  test.each([
    ['next week?', ['From Monday, 7 December to Sunday, 13 December']],
    ['this week', ['From Monday, 30 November to Sunday, 6 December']],
    ['early next week', ['From Monday, 7 December to Tuesday, 8 December']],
    ['this weekend', ['From Saturday, 5 December to Sunday, 6 December']],
    ['at the weekend', ['From Saturday, 5 December to Sunday, 6 December']],
    ['Monday', ['On Monday, 30 November']],
  ])('%s', (text, expected) =>
    expect(describeReading(readByRules(text, sunday)).understood.map(({ meaning }) => meaning)).toEqual(expected),
  );
});

describe('a sentence of which a part is not understood', () => {
  const search = (text: string) => readByRules(text, { ...calendar, oldDay: 20_780, oldMinute: 180, isNew: true });
  test.each(['January, not the first semester week though', 'next week except the bank holiday'])(
    '%s gives no wish',
    (text) => expect(read(text).wanted).toEqual([]),
  );

  test('in a search, any part makes the sentence another', () => {
    expect(search('Thursday would work, before the gala on zyx Friday at 8').wanted).toEqual([]);
    expect(search('Thursday would work. The gala is on Friday at 8 zyx').wanted).toEqual([]);
  });

  test('in a search, "not Monday" is about all Mondays', () => {
    expect(search('not Monday, not Friday').refused).toMatchObject([{ weekdays: [0] }, { weekdays: [4] }]);
    expect(search("any afternoon that isn't Friday").refused).toMatchObject([{ weekdays: [4] }]);
  });
});

test('a weekday whose hours are over today is that of next week', () => {
  const late = { ...calendar, today: 20_791, oldDay: 20_791, oldMinute: 22 * 60, minute: 21 * 60 + 30 };
  const wanted = (text: string) => describeReading(readByRules(text, late)).understood.map(({ meaning }) => meaning);
  expect(wanted('a Friday afternoon')).toEqual(['On Friday, 11 December, between 12:00 and 17:00']);
  expect(wanted('Friday at 23:00')).toEqual(['On Friday, 4 December, between 23:00 and 23:30']);
});

test.each(['the week before', 'Monday before my flight', 'the week after the gala'])('%s is not known', (text) =>
  expect(read(text)).toMatchObject({ wanted: [], unread: [text] }),
);

test.each([
  ['Please cancel, I no longer need this', 'Please cancel'],
  ["We don't need this any more", "don't need this"],
])('%s asks to cancel', (text, words) => expect(read(text).cancels).toBe(words));

test('"cancelled" in a story, or a wish beside it, asks for no cancellation', () => {
  expect(read('The client cancelled on us').cancels).toBeUndefined();
  expect(read('I need to cancel Wednesday, could we do Thursday?').cancels).toBeUndefined();
});

test('the quotes are words of the text', () => {
  expect(read('Sorry, could we do Thursday instead?').wanted.map(({ quote }) => quote)).toEqual([
    'could we do Thursday instead',
  ]);
});
