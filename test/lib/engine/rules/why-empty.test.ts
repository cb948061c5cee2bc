import { describe, expect, test } from 'vitest';
import { bestStart, findSlots } from '../../../../lib/engine/rank/find-slots.ts';
import { noTimesIn } from '../../../../lib/engine/rules/no-times.ts';
import { causesOf } from '../../../../lib/engine/rules/why-empty.ts';
import type { Search } from '../../../../lib/engine/types.ts';
import { saySuggestions } from '../../../../lib/words/no-times.ts';
import { withWords } from '../../../../lib/words/slots.ts';
import { at, dates, everyDay, MONDAY, search, span } from '../people.ts';

const off = everyDay('09:00', '17:00', false);
const morning = everyDay('09:00', '10:00');
const allMonday = [span('2026-05-04T00:00Z', '2026-05-05T00:00Z')];
const mondayBlock = (start: string, end: string) => ({ day: 'monday', start, end, reason: 'secret' }) as const;

describe('an empty answer says why', () => {
  test.each<[string, Search, string]>([
    ['work hours of the requester', search({ workHours: off }), 'Ada has no half hour of work hours on Monday, 4 May.'],
    [
      'work hours of the other',
      search({}, { workHours: off }, { window: dates(MONDAY, '2026-05-05') }),
      'Bob has no half hour of work hours between Monday, 4 May and Tuesday, 5 May.',
    ],
    [
      'no common work hours',
      search({ workHours: morning }, { timeZone: 'Asia/Tokyo', workHours: morning }),
      "Ada's and Bob's work hours do not overlap on Monday, 4 May. 9:30 in Tokyo is 0:30 UTC, 8½ hours before Ada's day starts.",
    ],
    [
      'too soon',
      search({ workHours: morning }, {}, { now: at('2026-05-04T09:20Z') }),
      'The work hours of both on Monday, 4 May are over or begin too soon: a meeting starts at least 15 minutes from now.',
    ],
    [
      'busy all day, whatever the focus blocks',
      search({ focusBlocks: [mondayBlock('00:00', '24:00')] }, { busy: allMonday }),
      "Bob's busy times leave no half hour free for both on Monday, 4 May.",
    ],
    [
      'a buffer',
      search(
        { workHours: morning, bufferMinutes: 30, busy: [span('2026-05-04T10:00Z', '2026-05-04T11:00Z')] },
        {},
        { durationMinutes: 45 },
      ),
      "Ada's busy times with 30 minutes around them leave no 45 minutes free for both on Monday, 4 May.",
    ],
    [
      'what is left of a day',
      search(
        { workHours: everyDay('09:00', '17:00') },
        { busy: [span('2026-05-04T12:00Z', '2026-05-04T18:00Z')] },
        { now: at('2026-05-04T11:45Z') },
      ),
      "Bob's busy times leave no half hour free for both from now to Monday, 4 May.",
    ],
    [
      'the times it had before and a busy calendar',
      search(
        {},
        { busy: [span('2026-05-04T09:30Z', '2026-05-04T10:00Z')] },
        { within: span('2026-05-04T09:00Z', '2026-05-04T10:00Z'), notAt: [at('2026-05-04T09:00Z')] },
      ),
      "Together, Bob's busy times and the times the meeting had before leave no half hour free for both in the preferred time range.",
    ],
    [
      'the times it had before',
      search({}, {}, { within: span('2026-05-04T09:00Z', '2026-05-04T09:30Z'), notAt: [at('2026-05-04T09:00Z')] }),
      'The times the meeting had before leave no half hour free for both in the preferred time range.',
    ],
  ])('%s', (_, empty, message) => {
    expect(withWords(findSlots(empty))).toMatchObject({ slots: [], message });
  });

  test('and nothing when there are slots', () => {
    expect(causesOf(search({}))).toEqual([]);
    expect(withWords(findSlots(search({}))).message).toBeUndefined();
  });
});

describe('the single changes that would open times', () => {
  test.each<[string, Search, string[]]>([
    [
      'no buffer, or a shorter meeting',
      search(
        {
          workHours: everyDay('09:00', '11:00'),
          bufferMinutes: 30,
          busy: [span('2026-05-04T09:45Z', '2026-05-04T10:00Z')],
        },
        {},
        { durationMinutes: 45 },
      ),
      [
        'Without the 30 minutes that Ada keeps free around busy times, the best time would be Monday, 4 May at 10:15.',
        'If the meeting took 30 minutes, the only time would be Monday, 4 May at 10:30.',
      ],
    ],
    [
      'one focus block of two',
      search({ workHours: morning, focusBlocks: [mondayBlock('09:00', '09:30'), mondayBlock('09:30', '10:00')] }),
      [
        "Without Ada's focus block on Monday from 9:00 to 9:30, the only time would be Monday, 4 May at 9:00.",
        "Without Ada's focus block on Monday from 9:30 to 10:00, the only time would be Monday, 4 May at 9:30.",
      ],
    ],
    [
      'any of two focus blocks with the same hours',
      search(
        {
          workHours: morning,
          focusBlocks: [mondayBlock('09:00', '10:00'), { ...mondayBlock('09:00', '10:00'), day: 'tuesday' }],
        },
        {},
        { window: dates('2026-05-04', '2026-05-05') },
      ),
      ["Without Ada's focus block on Monday from 9:00 to 10:00, the best time would be Monday, 4 May at 9:00."],
    ],
    [
      'weekends, worked like the week',
      search(
        {
          workHours: {
            ...morning,
            saturday: { ...morning.monday, enabled: false },
            sunday: { ...morning.monday, enabled: false },
          },
        },
        {},
        { window: dates('2026-05-09', '2026-05-10') },
      ),
      ['If Ada worked on weekends, the best time would be Saturday, 9 May at 9:00.'],
    ],
    [
      'more days, where the calendars are known',
      search({ workHours: morning, busy: allMonday }, {}, { daysKnownAfter: 7 }),
      ['The next good time is Tuesday, 5 May at 9:00.'],
    ],
    [
      'more days, of which only the first has a time and bridges a holiday to a day off',
      search(
        {
          workHours: { ...morning, wednesday: { ...morning.wednesday, enabled: false } },
          holidays: new Map([[at('2026-05-04T00:00Z') / 86_400_000, 'Hill Day']]),
          busy: [span('2026-05-06T00:00Z', '2026-05-12T00:00Z')],
        },
        {},
        { daysKnownAfter: 7 },
      ),
      ["The next good time is Tuesday, 5 May at 9:00, the day after Ada's day off for Hill Day."],
    ],
    [
      'more days, of which the first bridges a holiday to a day off, so that a later one is better',
      search(
        {
          workHours: { ...morning, wednesday: { ...morning.wednesday, enabled: false } },
          holidays: new Map([[at('2026-05-04T00:00Z') / 86_400_000, 'Hill Day']]),
        },
        {},
        { daysKnownAfter: 7 },
      ),
      ['The next good time is Thursday, 7 May at 9:00.'],
    ],
    ['nothing where nothing would', search({ workHours: morning, busy: allMonday }), []],
  ])('%s', (_, empty, suggestions) => {
    const none = noTimesIn(empty, bestStart);
    expect(saySuggestions(none)).toEqual(suggestions);
    expect(JSON.stringify(none)).not.toContain('secret');
  });
});
