import { describe, expect, test } from 'vitest';
import { findSlots } from '../../../lib/scheduling/find-slots.ts';
import { relaxationsOf, suggestionOf } from '../../../lib/scheduling/relaxations.ts';
import type { Search } from '../../../lib/scheduling/types.ts';
import { whyEmpty } from '../../../lib/scheduling/why-empty.ts';
import { at, dates, everyDay, MONDAY, search, span } from './people.ts';

const off = everyDay('09:00', '17:00', false);
const morning = everyDay('09:00', '10:00');
const allMonday = [span('2026-05-04T00:00Z', '2026-05-05T00:00Z')];
const mondayBlock = (start: string, end: string) => ({ day: 'monday', start, end, reason: 'secret' }) as const;

describe('an empty answer says why', () => {
  test.each<[string, Search, string]>([
    [
      'work hours of the requester',
      search({ workHours: off }),
      'ada@example.com has no work hours of 30 minutes on Monday, 4 May.',
    ],
    [
      'work hours of the other',
      search({}, { workHours: off }, { window: dates(MONDAY, '2026-05-05') }),
      'bob@example.com has no work hours of 30 minutes between Monday, 4 May and Tuesday, 5 May.',
    ],
    [
      'no common work hours',
      search({ workHours: morning }, { timeZone: 'Asia/Tokyo', workHours: morning }),
      'There are no common work hours of 30 minutes on Monday, 4 May.',
    ],
    [
      'too soon',
      search({ workHours: morning }, {}, { now: at('2026-05-04T09:20Z') }),
      'The common work hours on Monday, 4 May are over or begin too soon: a meeting starts at least 15 minutes from now.',
    ],
    [
      'busy all day, whatever the focus blocks',
      search({ focusBlocks: [mondayBlock('00:00', '24:00')] }, { busy: allMonday }),
      'The busy times of bob@example.com leave no common 30 minutes on Monday, 4 May.',
    ],
    [
      'focus blocks',
      search({ focusBlocks: [mondayBlock('00:00', '24:00')] }),
      'The focus blocks of ada@example.com leave no common 30 minutes on Monday, 4 May.',
    ],
    [
      'a full day',
      search({ maxMeetingsPerDay: 1, meetings: [span('2026-05-04T07:00Z', '2026-05-04T07:30Z')] }),
      'The full days of ada@example.com (at most 1 a day) leave no common 30 minutes on Monday, 4 May.',
    ],
    [
      'a buffer',
      search(
        { workHours: morning, bufferMinutes: 30, busy: [span('2026-05-04T10:00Z', '2026-05-04T11:00Z')] },
        {},
        { durationMinutes: 45 },
      ),
      'The busy times of ada@example.com with 30 minutes around them leave no common 45 minutes on Monday, 4 May.',
    ],
    [
      'two people’s rules together',
      search(
        { workHours: morning, focusBlocks: [mondayBlock('09:00', '09:30')] },
        { busy: [span('2026-05-04T09:30Z', '2026-05-04T10:00Z')] },
      ),
      'Together, the focus blocks of ada@example.com and the busy times of bob@example.com leave no common 30 minutes on Monday, 4 May.',
    ],
    [
      'what is left of a day',
      search(
        { workHours: everyDay('09:00', '17:00') },
        { busy: [span('2026-05-04T12:00Z', '2026-05-04T18:00Z')] },
        { now: at('2026-05-04T11:45Z') },
      ),
      'The busy times of bob@example.com leave no common 30 minutes from now to Monday, 4 May.',
    ],
    [
      'the range that was asked for',
      search(
        {},
        { busy: [span('2026-05-04T09:00Z', '2026-05-04T10:00Z')] },
        { within: span('2026-05-04T09:00Z', '2026-05-04T10:00Z') },
      ),
      'The busy times of bob@example.com leave no common 30 minutes in the preferred time range.',
    ],
    [
      'the time it had before, which its own event still takes',
      search(
        { busy: [span('2026-05-04T09:00Z', '2026-05-04T09:30Z')] },
        {},
        { within: span('2026-05-04T09:00Z', '2026-05-04T09:30Z'), notAt: [at('2026-05-04T09:00Z')] },
      ),
      'The times the meeting had before leave no common 30 minutes in the preferred time range.',
    ],
    [
      'the times it had before and a busy calendar',
      search(
        {},
        { busy: [span('2026-05-04T09:30Z', '2026-05-04T10:00Z')] },
        { within: span('2026-05-04T09:00Z', '2026-05-04T10:00Z'), notAt: [at('2026-05-04T09:00Z')] },
      ),
      'Together, the busy times of bob@example.com and the times the meeting had before leave no common 30 minutes in the preferred time range.',
    ],
    [
      'the times it had before',
      search({}, {}, { within: span('2026-05-04T09:00Z', '2026-05-04T09:30Z'), notAt: [at('2026-05-04T09:00Z')] }),
      'The times the meeting had before leave no common 30 minutes in the preferred time range.',
    ],
  ])('%s', (_, empty, message) => {
    expect(findSlots(empty)).toMatchObject({ slots: [], message });
  });

  test('and nothing when there are slots', () => {
    expect(whyEmpty(search({}))).toBeUndefined();
  });
});

describe('the single changes that would open times', () => {
  test.each<[string, Search, string[]]>([
    [
      'a shorter meeting, as long as can be',
      search({ workHours: everyDay('09:00', '09:50') }, {}, { durationMinutes: 60 }),
      ['With a meeting of 45 minutes, there would be one time.'],
    ],
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
        'Without the 30 minutes that ada@example.com keeps free around busy times, there would be 3 times.',
        'With a meeting of 30 minutes, there would be one time.',
      ],
    ],
    [
      'one more meeting a day',
      search({ workHours: morning, maxMeetingsPerDay: 1, meetings: [span('2026-05-04T07:00Z', '2026-05-04T07:30Z')] }),
      ['With up to 2 meetings a day for ada@example.com, there would be 3 times.'],
    ],
    [
      'one focus block of two',
      search({
        workHours: morning,
        focusBlocks: [mondayBlock('09:00', '09:30'), mondayBlock('09:30', '10:00')],
      }),
      [
        'Without the focus block of ada@example.com on Monday from 09:00 to 09:30, there would be one time.',
        'Without the focus block of ada@example.com on Monday from 09:30 to 10:00, there would be one time.',
      ],
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
      ['With weekends for ada@example.com, there would be 6 times.'],
    ],
    [
      'more days, where the calendars are known',
      search({ workHours: morning, busy: allMonday }, {}, { daysKnownAfter: 7 }),
      ['With dates up to Monday, 11 May, there would be 21 times.'],
    ],
    ['nothing where nothing would', search({ workHours: morning, busy: allMonday }), []],
  ])('%s', (_, empty, suggestions) => {
    const relaxations = relaxationsOf(empty);
    expect(relaxations.map(suggestionOf)).toEqual(suggestions);
    expect(JSON.stringify(relaxations)).not.toContain('secret');
  });

  test('come most first, and are at most five', () => {
    const focusBlocks = ['09', '10', '11', '12', '13', '14'].map((hour) =>
      mondayBlock(`${hour}:00`, `${Number(hour) + 1}:00`),
    );
    const found = relaxationsOf(search({ workHours: everyDay('09:00', '15:10'), focusBlocks }));
    expect(found.map(({ change, opens }) => [change, opens])).toEqual([
      ['without_focus_block', 3],
      ['without_focus_block', 3],
      ['without_focus_block', 3],
      ['without_focus_block', 3],
      ['without_focus_block', 3],
    ]);
  });
});
