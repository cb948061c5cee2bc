import { expect, test } from 'vitest';
import { readContext } from '../../../lib/reader/rules/read-context.ts';
import { describeReading } from '../../../lib/words/understood.ts';

const understood = (text: string) => describeReading(readContext(text)).understood.map(({ meaning }) => meaning);

test.each([
  ['I nap from 2 to 3', ['Never between 14:00 and 15:00']],
  ['9-10 I do emails', ['Never between 9:00 and 10:00']],
  ['Monday is admin day', ['Never on Mondays']],
  ['Mondays before 11 is team sync', ['Never on Mondays before 11:00']],
  ['lab all day Thursday', ['Never on Thursdays']],
  ['I have dialysis Monday, Wednesday, Friday mornings', ['Never on Mondays, Wednesdays and Fridays before 12:00']],
  ['Please keep my lunch free, 12 to 1', ['Never between 12:00 and 13:00']],
  ['Leave Thursdays alone', ['Never on Thursdays']],
  ['Evenings are out, so is anything before 9', ['Never after 17:00', 'Never before 9:00']],
  ['Please, no meetings on Mondays or after 4 on any day', ['Never on Mondays', 'Never after 16:00']],
  ['My working days are Mon Tue Wed', ['Never on Thursdays, Fridays, Saturdays and Sundays']],
])('a habit keeps its time free: %s', (text, meanings) => {
  expect(understood(text)).toEqual(meanings);
});

test.each(['WFH Mondays and Fridays', 'New York hours: 9-5 Eastern.', 'I sit on the 3rd floor, desk 14.'])(
  'no habit is read in %s',
  (text) => {
    expect(understood(text)).toEqual([]);
  },
);
