import { expect, test } from 'vitest';
import { readContext } from '../../../lib/reader/rules/read-context.ts';
import { describeReading } from '../../../lib/words/understood.ts';

const rules = (text: string) => describeReading(readContext(text)).understood.map(({ meaning }) => meaning);

test.each([
  ["please leave 12.30-1.30 alone, that's my dinner", ['Never between 12:30 and 13:30']],
  ['Leave Friday afternoons alone, please', ['Never on Fridays between 12:00 and 18:00']],
  ['leave my Mondays be', ['Never on Mondays']],
  ['No meetings prior to 10 kindly', ['Never before 10:00']],
  ['Nothing prior to 9.30 thanks', ['Never before 9:30']],
  ['I take my lunch from 1 to 2', ['Never between 13:00 and 14:00']],
  ['we have our dinner 12 to 1 and I do sit down for it', ['Never between 12:00 and 13:00']],
  ['Surgery (GP) 8:30-11:30 and 3-5:30 daily', ['Never between 8:30 and 11:30', 'Never between 15:00 and 17:30']],
  ['Clinic (outpatients) 9-12 and 2-4', ['Never between 9:00 and 12:00', 'Never between 14:00 and 16:00']],
  ['on site every day 8 till 4', ['Never between 8:00 and 16:00']],
  ["I'm on the tools every day 7 till 3", ['Never between 7:00 and 15:00']],
  ['Dialysis Mon/Wed/Fri, 1pm to 5pm', ['Never on Mondays, Wednesdays and Fridays between 13:00 and 17:00']],
  ['Chemo Tuesdays, 9 to 12', ['Never on Tuesdays between 9:00 and 12:00']],
  ["I'd choose 4pm over 9am every day of the week", ['Preferably between 16:00 and 16:30']],
  ["I'd take mornings over afternoons", ['Preferably over by 12:00']],
  ['late afternoons are my jam, 3:30 and on', ['Preferably between 15:00 and 18:00', 'Preferably from 15:30 on']],
  ['I only take calls in the quiet bit, 2 to 4 in the afternoon', ['Never before 14:00', 'Never after 16:00']],
  [
    'I work from home Tuesdays and Fridays, and those are the only days I can talk',
    ['Never on Mondays, Wednesdays, Thursdays, Saturdays and Sundays'],
  ],
  [
    'Tuesday to Friday, any time between ten and three',
    ['Preferably on Tuesdays, Wednesdays, Thursdays and Fridays', 'Never before 10:00', 'Never after 15:00'],
  ],
  ["I'm on Lisbon time, nothing before 10 my time", ['Never before 10:00']],
  ['Early riser, but I do fade after three', ['Never after 15:00']],
  ['I like my calls done before 10am', ['Preferably over by 10:00']],
  ['I cover for Ann on Mondays, so never book me then', ['Never on Mondays']],
  ['Weekends are for walking the dog', ['Never on weekends']],
])('%s', (text, meanings) => {
  expect(rules(text)).toEqual(meanings);
});

test.each([
  "My line manager won't do anything before ten and it drives me mad",
  'My brother never answers before noon',
])('%s says nothing of the person who writes', (text) => {
  expect(rules(text)).toEqual([]);
});
