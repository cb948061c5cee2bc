import { describe, expect, test } from 'vitest';
import { readByRules } from '../../../lib/reader/rules/read.ts';
import { readContext } from '../../../lib/reader/rules/read-context.ts';
import { describeReading } from '../../../lib/words/understood.ts';

// The meeting is on Wednesday 2 December 2026 at 15:00, and the text is written on Monday 30 November.
const calendar = { today: 20_787, oldDay: 20_789, oldMinute: 900, durationMinutes: 30 };
const understood = (text: string) =>
  describeReading(readByRules(text, calendar)).understood.map(({ meaning }) => meaning);
const rules = (text: string) => describeReading(readContext(text)).understood.map(({ meaning }) => meaning);

describe('in a scheduling context', () => {
  test.each([
    // Days that are kept for something else.
    ['We keep our Thursday mornings for marking and planning', ['Never on Thursdays before 12:00']],
    ['I hold Friday afternoons for admin because nobody calls then', ['Never on Fridays between 12:00 and 18:00']],
    ['I try to keep mornings clear for deep work', ['Never before 12:00']],
    // The only hours in which meetings may be put.
    ['only ever put calls in between 9 and 11 please', ['Never before 9:00', 'Never after 11:00']],
    ['Only give me meetings in the mornings', ['Never after 12:00']],
    [
      'We only arrange appointments on Fridays',
      ['Never on Mondays, Tuesdays, Wednesdays, Thursdays, Saturdays and Sundays'],
    ],
    // Hours that follow "only".
    ['afternoons only: 1 to 3', ['Never before 12:00', 'Never after 17:00', 'Never before 13:00', 'Never after 15:00']],
    ['Mornings only (9 to 11)', ['Never after 12:00', 'Never before 9:00', 'Never after 11:00']],
    [
      'Only afternoons please, 2 to 4',
      ['Never before 12:00', 'Never after 17:00', 'Never before 14:00', 'Never after 16:00'],
    ],
    [
      'I work part-time, Tues to Thurs, 10-3',
      [
        'Never on Mondays, Fridays, Saturdays and Sundays',
        'Never on Tuesdays, Wednesdays and Thursdays before 10:00',
        'Never on Tuesdays, Wednesdays and Thursdays after 15:00',
      ],
    ],
    [
      'I work part-time: Wed-Fri, 9 to 1',
      [
        'Never on Mondays, Tuesdays, Saturdays and Sundays',
        'Never on Wednesdays, Thursdays and Fridays before 9:00',
        'Never on Wednesdays, Thursdays and Fridays after 13:00',
      ],
    ],
    [
      'I work part time (Mon-Thu, 9.30 to 3)',
      [
        'Never on Fridays, Saturdays and Sundays',
        'Never on Mondays, Tuesdays, Wednesdays and Thursdays before 9:30',
        'Never on Mondays, Tuesdays, Wednesdays and Thursdays after 15:00',
      ],
    ],
    // Days on which somebody sees people.
    ['Mondays are when I see people', ['Never on Tuesdays, Wednesdays, Thursdays, Fridays, Saturdays and Sundays']],
    [
      'Thursdays is when I usually see visitors',
      ['Never on Mondays, Tuesdays, Wednesdays, Fridays, Saturdays and Sundays'],
    ],
    [
      'Wed mornings is when I can talk to people.',
      ['Never on Mondays, Tuesdays, Thursdays, Fridays, Saturdays and Sundays', 'Never on Wednesdays after 12:00'],
    ],
    [
      'Mondays and Tuesdays are when I catch up with folk',
      ['Never on Wednesdays, Thursdays, Fridays, Saturdays and Sundays'],
    ],
    ['Afternoons are when I like to see people', ['Never before 12:00', 'Never after 17:00']],
    // What happens on a day that is excepted.
    [
      'Mornings please, except on Mondays when I have clinic until noon',
      ['Preferably over by 12:00', 'Never on Mondays'],
    ],
    ["Any day except on Thursdays when there's choir from 4", ['Never on Thursdays']],
    ["Never on Fridays when I'm in court till 2", ['Never on Fridays']],
    [
      'Mornings are good apart from Wednesdays when we have briefing at 9',
      ['Preferably over by 12:00', 'Never on Wednesdays'],
    ],
    [
      "Afternoons, other than on Tuesdays, when I've got supervision from 1 to 3",
      ['Preferably between 12:00 and 17:00', 'Never on Tuesdays'],
    ],
    [
      "I like mornings, except for Fridays when it's assembly until 10",
      ['Preferably over by 12:00', 'Never on Fridays'],
    ],
    // Hours for others.
    ['office hours for students Tue 1-3', ['Never on Tuesdays between 13:00 and 15:00']],
    [
      'My contact hours with undergraduates Mon and Thu 10 to 12',
      ['Never on Mondays and Thursdays between 10:00 and 12:00'],
    ],
    ['consultation hours for patients 9 to 11 every day', ['Never between 9:00 and 11:00']],
    // Both ends of the day.
    ['Either early (before 9.30) or late (after 3)', ['Never between 9:30 and 15:00']],
    ['either early (until 10) or late (from 4), the middle is full', ['Never between 10:00 and 16:00']],
    ['Either before 11 or after 3 please', ['Never between 11:00 and 15:00']],
    ['either before 10 or after 4, nothing in the middle', ['Never between 10:00 and 16:00']],
    ['Either late (after 5) or early (before 10)', ['Never between 10:00 and 17:00']],
    ['early (before 9) is best', ['Preferably over by 9:00']],
    // A list of times under what fills them.
    ['Teaching: Tues and Thurs mornings', ['Never on Tuesdays and Thursdays before 12:00']],
    ['Lecturing this term: Fri 10-1', ['Never on Fridays between 10:00 and 13:00']],
    ["I'm teaching this semester: Mondays 2 to 5", ['Never on Mondays between 14:00 and 17:00']],
    [
      'in surgery this term: Tue 9 to 1, Wed 9 to 1',
      ['Never on Tuesdays between 9:00 and 13:00', 'Never on Wednesdays between 9:00 and 13:00'],
    ],
    ['Travelling: Mondays and Fridays', ['Never on Mondays and Fridays']],
    ['Lecturing: Wed 2-4', ['Never on Wednesdays between 14:00 and 16:00']],
  ])('%s', (text, meanings) => {
    expect(rules(text)).toEqual(meanings);
  });

  test.each([
    'I teach years 5 to 8',
    'I look after ages 3 to 5',
    'We cover floors 2 to 4',
    'Head of forms 7 to 9',
    'My class has ages 4 and 7',
    'I mark grades 9-11',
    'I keep Fridays for client calls',
    'Only put urgent meetings before 10',
  ])('%s makes no rule', (text) => {
    expect(rules(text)).toEqual([]);
  });
});

describe('in a reason', () => {
  test.each([
    // An absence whose end is not sure.
    [
      'In theatre until at least 4 on Wed, could we do Thursday?',
      ['On Thursday, 3 December', 'Not on Wednesdays, before 16:00'],
    ],
    ['Stuck in court till at least half 3 on Wednesday', ['Not on Wednesdays, before 15:30']],
    ['At the clinic until roughly 4pm Wednesday', ['Not on Wednesdays, before 16:00']],
    ['on a course till at the very least 4 on wed', ['Not on Wednesdays, before 16:00']],
    ['Ward round on Wed until probably half 4', ['Not on Wednesdays, before 16:30']],
    // Another meeting that is called by its time.
    ['Push it back an hour please, my 2pm is with the board and runs long', ['An hour later']],
    ["Delay it by an hour, my 2 o'clock is running late", ['An hour later']],
    // Any time but the present one.
    [
      "Any time before Friday noon that isn't this slot",
      ['Up to Thursday, 3 December', 'On Friday, 4 December, over by 12:00'],
    ],
    ['Any time on Thursday that is not this time', ['On Thursday, 3 December']],
    ["any time tomorrow which isn't the same hour", ['On Tuesday, 1 December']],
    ["any time next week that isn't the original time", ['From Monday, 7 December to Sunday, 13 December']],
    ['Any slot before Thursday that isnt this one', ['Up to Wednesday, 2 December']],
  ])('%s', (text, meanings) => {
    expect(understood(text)).toEqual(meanings);
  });

  test.each([
    'report not finished, can we find another slot',
    'Thesis chapter not ready, any chance of another time',
    'slides not ready, could you give me another appointment',
  ])('%s asks for no time', (text) => {
    expect(understood(text)).toEqual([]);
  });
});
