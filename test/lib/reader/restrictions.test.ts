import { expect, test } from 'vitest';
import { readByRules } from '../../../lib/reader/rules/read.ts';
import { readContext } from '../../../lib/reader/rules/read-context.ts';
import { describeReading } from '../../../lib/words/understood.ts';

// The meeting is on Wednesday 2 December 2026 at 15:00, and the text is written on Monday 30 November.
const calendar = { today: 20_787, oldDay: 20_789, oldMinute: 900, durationMinutes: 30 };

test.each([
  ['My timings are 9 to 4, kindly keep meetings inside that', ['Never before 9:00', 'Never after 16:00']],
  ['Core hours 10-3, nothing outside of those', ['Never before 10:00', 'Never after 15:00']],
  ['My day runs 7 to 2 so stick to it', ['Never before 7:00', 'Never after 14:00']],
  [
    'Saturday mornings please, I have a day job',
    ['Never on Mondays, Tuesdays, Wednesdays, Thursdays, Fridays and Sundays', 'Never on Saturdays after 12:00'],
  ],
  ["After 6, I'm on the tools all day", ['Never before 18:00']],
  ['Evenings are fine too', ['Preferably from 17:00 on']],
  [
    'Part time: Mon 9-2, Tue 9-2, Thu 9-12',
    [
      'Never on Wednesdays, Fridays, Saturdays and Sundays',
      'Never on Mondays and Tuesdays before 9:00',
      'Never on Mondays and Tuesdays after 14:00',
      'Never on Thursdays before 9:00',
      'Never on Thursdays after 12:00',
    ],
  ],
  ['Part time. Mondays, Wednesdays', ['Never on Tuesdays, Thursdays, Fridays, Saturdays and Sundays']],
  [
    'Free slots: Tue 10-12, Thu 2-4',
    [
      'Never on Mondays, Wednesdays, Fridays, Saturdays and Sundays',
      'Never on Tuesdays before 10:00',
      'Never on Tuesdays after 12:00',
      'Never on Thursdays before 14:00',
      'Never on Thursdays after 16:00',
    ],
  ],
  [
    'Available - Mon 9-11, Fri 1-3',
    [
      'Never on Tuesdays, Wednesdays, Thursdays, Saturdays and Sundays',
      'Never on Mondays before 9:00',
      'Never on Mondays after 11:00',
      'Never on Fridays before 13:00',
      'Never on Fridays after 15:00',
    ],
  ],
  ["By four I'm wrecked", ['Never after 16:00']],
  ['by Friday I have nothing left in the tank', ['Never on Fridays, Saturdays and Sundays']],
  ['Please leave Mondays out of it', ['Never on Mondays']],
  ["I'd like to hold Wednesday mornings clear for lesson prep", ['Never on Wednesdays before 12:00']],
  ['I need Thursdays for my thesis', ['Never on Thursdays']],
  ['I like Fridays to myself', ['Never on Fridays']],
  ['Tuesday or not at all', ['Never on Mondays, Wednesdays, Thursdays, Fridays, Saturdays and Sundays']],
  ['Mondays? No way', ['Never on Mondays']],
  ['Thursday is market day', ['Never on Thursdays']],
  ['Pay day is Friday', ['Never on Fridays']],
  ['Off every other Monday', ['Never on Mondays']],
  ["Meals are no good, that's 8 to 9 and 12 to 1", ['Never between 8:00 and 9:00', 'Never between 12:00 and 13:00']],
  ['Any time but please work round milking, 3 to 5', ['Never between 15:00 and 17:00']],
  ['Bath time is 6 to 7 so avoid that', ['Never between 18:00 and 19:00']],
  ["Tuesdays I'm at the depot, so nothing then", ['Never on Tuesdays']],
  ['Rounds 8 to 9 and again 1 to 2', ['Never between 8:00 and 9:00', 'Never between 13:00 and 14:00']],
  ['4.30 at the latest', ['Never after 17:00']],
  ['The shop shuts at 2 on Wednesdays', ['Never on Wednesdays after 14:00']],
  ['Only Thursdays are bad', ['Never on Thursdays']],
  ['I come to life after 11', ['Preferably from 11:00 on']],
])('a context that restricts leaves no refused time open: %s', (text, meanings) => {
  expect(describeReading(readContext(text)).understood.map(({ meaning }) => meaning)).toEqual(meanings);
});

test.each([
  ['Clashes with my reading group, 2.30 to 4', ['Not on Wednesday, 2 December, between 14:00 and 16:30']],
  ["Not during the school run please, that's 3 to 3.45", ['Not between 15:00 and 15:45']],
  [
    'Leave it until after my scan. It is on Thursday at 10 and I should be done by noon',
    ['On Thursday, 3 December, from 12:00 on'],
  ],
  [
    "push it till after the hearing please, that's Friday at 9",
    ['On Friday, 4 December, from 10:00 on', 'Later than planned'],
  ],
  ['Eye test at 2 on Wednesday, no idea how long they take', ['Not on Wednesdays, between 13:30 and 18:00']],
  ['Earlier that day is fine, the school bus gets in at 3.10', ['On Wednesday, 2 December', 'Earlier in the day']],
  ['I have to be off the premises by 2 on Wednesday', ['Not on Wednesdays, after 14:00']],
  ['must be out of the hall by 2.30', ['Not on Wednesday, 2 December, after 14:30']],
  ['a bit earlier, ten or fifteen minutes', ['15 minutes earlier']],
  ['not until next week at the earliest', ['Not up to Sunday, 6 December']],
  [
    'On leave from Wednesday, back Monday. Should have said this sooner!',
    ['Not from Wednesday, 2 December to Sunday, 6 December'],
  ],
  [
    "Every morning this week is booked apart from Friday's",
    [
      'On Friday, 4 December',
      'Not from Monday, 30 November to Thursday, 3 December or from Saturday, 5 December to Sunday, 6 December, before 12:00',
    ],
  ],
  ['any weekday next week before noon', ['From Monday, 7 December to Sunday, 13 December, over by 12:00']],
  ['3 to 4 on Wednesday', []],
  ["exam moved, it's 3pm Wednesday now", ['Not on Wednesdays, between 14:30 and 16:00']],
  ['Could we find another slot? Not Thursday', ['Not on Thursdays']],
])('the hours of something else are not asked for: %s', (text, meanings) => {
  const { understood } = describeReading(readByRules(text, calendar));
  expect(understood.flatMap(({ kind, meaning }) => (kind === 'standing' ? [] : [meaning]))).toEqual(meanings);
});
