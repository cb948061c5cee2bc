import { describe, expect, test } from 'vitest';
import { readContext } from '../../../lib/reader/grammar/read.ts';
import { describeReading } from '../../../lib/words/understood.ts';

const rules = (text: string, timeZone?: string) =>
  describeReading(readContext(text, { timeZone, at: Date.UTC(2026, 10, 30) })).understood.map(({ meaning }) => meaning);

test.each([
  ["I'd like to keep Fridays clear for writing", ['Never on Fridays']],
  ["No meetings on Mondays please, it's my only day without interruptions", ['Never on Mondays']],
  ['Please keep Friday 12:30-2pm clear for prayers', ['Never on Fridays between 12:30 and 14:00']],
  ['lunch is 12.30-1.30 dont book over it', ['Never between 12:30 and 13:30']],
  ['Summer hours 9am - 3pm', []],
  ['We open at 11, so before opening works best', []],
  ['The shop is open 10 to 4', []],
  ['Between 10 and 2 is my window', ['Never before 10:00', 'Never after 14:00']],
  ['mornings only and Fridays are out', ['Never after 12:00', 'Never on Fridays before 12:00']],
  ['I swim on Tuesdays, give me until 9.15', ['Never on Tuesdays', 'Never on Tuesdays before 9:15']],
  ['mon tue thu only', ['Only on Mondays, Tuesdays and Thursdays']],
  [
    'Tuesdays & Thursdays 10-12 baby clinic',
    ['Never on Tuesdays between 10:00 and 12:00', 'Never on Thursdays between 10:00 and 12:00'],
  ],
  ['Never after 9am', ['Never after 9:00']],
  [
    'Mondays and Wednesdays only, between 10 and 3',
    ['Only on Mondays and Wednesdays', 'Never before 10:00', 'Never after 15:00'],
  ],
  ['I always stop at five', ['Never after 17:00']],
  ['I never stop at noon', []],
  ['I knock off at four', ['Never after 16:00']],
  ['My day ends at 4', ['Never after 16:00']],
  ['Please stop meetings at noon', ['Never between 12:00 and 12:30']],
  ['I start at half nine', ['Never before 9:30']],
  ['I work Mon-Wed only', ['Only on Mondays, Tuesdays and Wednesdays']],
  [
    'Lectures Tue 10-12 and Thu 2-5. Anything else is ok',
    ['Never on Tuesdays between 10:00 and 12:00', 'Never on Thursdays between 14:00 and 17:00'],
  ],
  ['nothing before 9:30 or after 3', ['Never before 9:30', 'Never after 15:00']],
  ['Any day but Tuesday, after 2pm', ['Never on Tuesdays', 'Never before 14:00']],
  ['No Mondays, mornings best', ['Never on Mondays', 'Preferably over by 12:00']],
  ['15 minutes between meetings please', ['A pause of 15 minutes between meetings']],
  ['no more than three meetings a day', ['At most 3 meetings a day']],
  ['I teach Tuesday 9 to 12, no calls there', ['Never on Tuesdays between 9:00 and 12:00']],
  ['I finish at ten to four', ['Never after 15:50']],
  ['never in the last week of the month', []],
])('%s', (text, expected) => expect(rules(text)).toEqual(expected));

test.each([
  ['Big topics in the morning, please', ['Preferably over by 12:00']],
  ['Long sessions on Tuesdays please', ['Preferably on Tuesdays']],
  ['Gym in the morning', ['Never before 12:00']],
])('an occasion takes its time, unless "please" asks for it there: %s', (text, expected) =>
  expect(rules(text)).toEqual(expected),
);

describe('a time at the beginning belongs to what follows', () => {
  test.each([
    ['On Fridays, I finish at noon', ['Never on Fridays after 12:00']],
    ['On Fridays, if possible, no meetings', ['Rather not on Fridays']],
    ['On Tuesdays I start at 10 and finish at 3', ['Never on Tuesdays before 10:00', 'Never on Tuesdays after 15:00']],
    ['From Monday to Thursday, I finish at 4', ['Never on Mondays, Tuesdays, Wednesdays and Thursdays after 16:00']],
    ['In the mornings, I write', ['Never before 12:00']],
    ['On Mondays, I prefer the afternoon', ['Preferably on Mondays between 12:00 and 17:00']],
    ['On Tuesdays, I work from home', []],
  ])('%s', (text, expected) => expect(rules(text)).toEqual(expected));
});

describe('a rule is sure, or it is none', () => {
  test.each([
    ['I take pitches before ten or after four', []],
    ['I see zyx in the morning', []],
    ["I'm zyx before eleven", []],
    ['I want to keep mornings free, so interviews before three', ['Never before 12:00']],
    ["I'm around, and on Tuesdays I leave at quarter past two", ['Never on Tuesdays after 14:15']],
    ['I think best before lunch, and on Thursdays not at all', ['Preferably over by 12:00', 'Never on Thursdays']],
    ["I'd like us to stay in the same week, the sprint closes on Friday", []],
    ['Could we keep to one day a week? The release goes out on Thursday', []],
    ['Choir from seven on Wednesdays', ['Never on Wednesdays after 19:00']],
    ['earliest start 10:30, latest finish 16:00', ['Never before 10:30', 'Never after 16:00']],
    ['Tue + Wed = lab days, no meetings', ['Never on Tuesdays', 'Never on Wednesdays']],
    ['Afternoons only except Thursdays when I start from 3', []],
    ['Radiotherapy mon wed fri, back by 11', []],
    ['lunch 12-14 is sacred', ['Never between 12:00 and 14:00']],
    ['In class every morning til 1', ['Never before 13:00']],
    ['Friday afternoons off', ['Never on Fridays between 12:00 and 18:00']],
    ["Weekly sync every Tue & Fri until 11. Don't schedule over it.", []],
    ['leave me a little gap please', ['A pause between meetings']],
    ['back-to-back wears me out', ['A pause between meetings']],
    ['avoid 1 to 2', ['Never between 13:00 and 14:00']],
    ['Nothing on the first Monday of the month', []],
    ["Only book me on days when I'm in the office (Tue, Thu)", []],
    ["I prefer not to meet on Mondays, but if it's urgent then after 2", ['Rather not on Mondays']],
    ['No Mondays. Only mornings', ['Never on Mondays', 'Never after 12:00']],
    ['I leave at 3 and am back online at 5', ['Never between 15:00 and 17:00']],
    ['only free 12-1 and after 3', ['Never before 12:00', 'Never between 13:00 and 15:00']],
    ['I work 10 to 6, on Fridays until 3', ['Never before 10:00', 'Never after 18:00', 'Never on Fridays after 15:00']],
    ['I like mornings', ['Preferably over by 12:00']],
    ['kids home from 3:15', []],
    ['Swimming on Thursdays at 5, so calls before three that day', ['Never on Thursdays between 16:30 and 18:30']],
    [
      'dialysis Tues mornings, home by 1 and then need an hr to rest',
      ['Never on Tuesdays before 12:00', 'Never on Tuesdays before 13:00'],
    ],
  ])('%s', (text, expected) => expect(rules(text)).toEqual(expected));
});

test.each([
  ['no meetings on:\n- Mondays\n- Fridays', ['Never on Mondays', 'Never on Fridays']],
  ['not before:\n15:00', ['Never before 15:00']],
  ['Unavailable: Mondays', ['Never on Mondays']],
  [
    'I prefer mornings. Not:\n- Mondays\n- Fridays after 2',
    ['Preferably over by 12:00', 'Never on Mondays', 'Never on Fridays after 14:00'],
  ],
  ['I never meet on - Mondays', []],
  ['no meetings, Mondays', []],
  ['No, Mondays', []],
])('a refusal is that of the times after a sign, or they are not read: %j', (text, expected) =>
  expect(rules(text)).toEqual(expected),
);

test.each([
  ['Mornings', ['Preferably over by 12:00']],
  ["On Fridays I'm free", ['Preferably on Fridays']],
  ['11 at the latest', ['Never after 11:00']],
  ['Tuesdays and Thursdays only', ['Only on Tuesdays and Thursdays']],
])('%s rules out other times only if a word says so', (text, expected) => expect(rules(text)).toEqual(expected));

test.each([
  ['Nothing after 2.30pm London time', 'Asia/Kolkata', ['Never after 20:00']],
  ['No calls before 9am Eastern', 'Europe/Berlin', ['Never before 15:00']],
  ['Nothing after 2.30pm London time', undefined, []],
])('%s, for somebody in %s', (text, zone, expected) => expect(rules(text, zone)).toEqual(expected));

test.each(['My birthday is on the 4th of May', 'I have two kids, 5 and 8', 'My desk is 4.12', 'My boss hates Mondays'])(
  '%s is no rule',
  (text) => expect(rules(text)).toEqual([]),
);

test.each(['Teams not Zoom', 'Vegetarian, if there is lunch', 'Everyone calls me Bex. My ext is 1430', ''])(
  'no rule is read in %j',
  (text) => expect(rules(text)).toEqual([]),
);

test.each(['On leave until Friday', 'On leave until 7 December', 'on holiday from Friday'])(
  'rules keep nothing that holds for some dates, and say so: "%s"',
  (text) => expect(readContext(text)).toMatchObject({ standing: [], unread: [text] }),
);
