import { expect, test } from 'vitest';
import type { PickFacts } from '../../../lib/engine/rank/pick-facts.ts';
import { WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import { describePick } from '../../../lib/words/reasoning.ts';

import { ada, bob, facts, start, WHEN } from './picks.ts';

const everyDayOf = (start: string, end: string) => WEEKDAYS.map((day) => ({ day, start, end }));

test.each<[Partial<PickFacts>, string]>([
  [{}, `The meeting is on ${WHEN}.`],
  [{ decided: [{ kind: 'recency' }] }, `The meeting is on ${WHEN}: it is within the next three days.`],
  [
    { start: Date.parse('2026-12-08T17:30:00Z') },
    'The meeting is on Tuesday, 8 December at 18:30 in Berlin, 2:30 on Wednesday in Tokyo.',
  ],
  [{ people: [ada, { ...bob, timeZone: 'Europe/Berlin' }] }, 'The meeting is on Tuesday, 8 December at 10:00.'],
  [{ people: [ada, { ...bob, timeZone: 'Africa/Lagos' }] }, 'The meeting is on Tuesday, 8 December at 10:00.'],
  [
    { people: [ada, { email: 'ada.adams@example.org', timeZone: 'America/Argentina/Buenos_Aires' }] },
    'The meeting is on Tuesday, 8 December at 10:00 in Berlin, 6:00 in Buenos Aires.',
  ],
  [
    {
      people: [
        { ...ada, timeZone: 'UTC' },
        { email: 'ada.brown@example.org', timeZone: 'Etc/GMT-2' },
      ],
      decided: [{ kind: 'mid_morning', emails: [ada.email] }],
    },
    'The meeting is on Tuesday, 8 December at 9:00 UTC, 11:00 UTC+2: it is mid-morning for Ada Adams.',
  ],
  [
    {
      context: 'investor_call',
      decided: [
        { kind: 'mid_morning', emails: [ada.email] },
        { kind: 'context', context: 'investor_call', part: 'morning', email: null },
        { kind: 'recency' },
        { kind: 'energy', email: ada.email, pattern: 'morning_person', part: 'morning' },
      ],
      avoided: [
        { kind: 'learned_part', email: bob.email, part: 'afternoon' },
        { kind: 'learned_day', email: bob.email, weekday: 'monday' },
        { kind: 'lunch', email: ada.email },
        { kind: 'focus_block', email: bob.email },
      ],
      givenUp: [
        { kind: 'outside_day', email: bob.email, side: 'late' },
        { kind: 'back_to_back', email: ada.email },
      ],
    },
    `The meeting is on ${WHEN}: it is mid-morning for Ada, and mornings are Ada's best hours. It avoids afternoons and Mondays, as Bob prefers, leaves lunch free for Ada, and keeps Bob's focus time free. It is in the evening for Bob and leaves little room around it for Ada.`,
  ],
  [
    {
      givenUp: [{ kind: 'outside_day', email: bob.email, side: 'late' }],
      fairness: {
        carried: { [ada.email]: 90, [bob.email]: 60 },
        sides: { [ada.email]: { early: 3, late: 0 }, [bob.email]: { early: 0, late: 2 } },
        single: {},
        isOneMeeting: false,
        turn: bob.email,
      },
    },
    `The meeting is on ${WHEN}. It is late for Bob this time, because their other meetings take more of Ada's early or late hours.`,
  ],
  [
    {
      start: Date.parse('2026-12-08T06:30:00Z'),
      givenUp: [{ kind: 'outside_day', email: ada.email, side: 'early' }],
      fairness: {
        carried: { [ada.email]: 0, [bob.email]: 60 },
        sides: { [ada.email]: { early: 0, late: 0 }, [bob.email]: { early: 0, late: 1 } },
        single: { [bob.email]: { isOver: true } },
        isOneMeeting: true,
        turn: ada.email,
      },
    },
    'The meeting is on Tuesday, 8 December at 7:30 in Berlin, 15:30 in Tokyo. It is early for Ada this time, because their other meeting was late for Bob.',
  ],
  [
    {
      givenUp: [{ kind: 'outside_day', email: bob.email, side: 'late' }],
      fairness: {
        carried: { [ada.email]: 60, [bob.email]: 0 },
        sides: { [ada.email]: { early: 1, late: 0 }, [bob.email]: { early: 0, late: 0 } },
        single: { [ada.email]: { isOver: false } },
        isOneMeeting: false,
        turn: bob.email,
      },
    },
    `The meeting is on ${WHEN}. It is late for Bob this time, because another of their meetings is early for Ada.`,
  ],
  [
    {
      givenUp: [{ kind: 'outside_day', email: bob.email, side: 'late' }],
      fairness: {
        carried: { [ada.email]: 60, [bob.email]: 0 },
        sides: { [ada.email]: { early: 1, late: 1 }, [bob.email]: { early: 0, late: 0 } },
        single: {},
        isOneMeeting: false,
        turn: bob.email,
      },
    },
    `The meeting is on ${WHEN}. It is late for Bob this time, because other meetings of theirs are early or late for Ada.`,
  ],
  [
    {
      start: Date.parse('2026-12-08T08:45:00Z'),
      givenUp: [{ kind: 'outside_day', email: bob.email, side: 'late' }],
    },
    'The meeting is on Tuesday, 8 December at 9:45 in Berlin, 17:45 in Tokyo. It ends after 18:00 for Bob.',
  ],
  [
    {
      avoided: [
        { kind: 'standing_rule', email: ada.email, words: 'no mornings', blocks: everyDayOf('00:00', '12:00') },
        {
          kind: 'standing_rule',
          email: ada.email,
          words: 'never late on Fridays',
          blocks: [{ day: 'friday', start: '15:00', end: '24:00' }],
        },
        {
          kind: 'standing_rule',
          email: bob.email,
          words: 'Mondays off',
          blocks: [{ day: 'monday', start: '00:00', end: '24:00' }],
        },
      ],
    },
    `The meeting is on ${WHEN}. It keeps to what Ada wrote: “no mornings” and “never late on Fridays”. It is not on a Monday, as Bob wishes.`,
  ],
  [
    {
      givenUp: [{ kind: 'outside_day', email: bob.email, side: 'late' }],
      fairness: {
        carried: { [ada.email]: 90, [bob.email]: 60 },
        sides: {},
        single: {},
        isOneMeeting: false,
        turn: undefined,
      },
    },
    `The meeting is on ${WHEN}. It is in the evening for Bob.`,
  ],
  [
    {
      decided: [{ kind: 'only_time' }],
      givenUp: [
        { kind: 'notice', wantedMinutes: 1_440, keptMinutes: 120 },
        { kind: 'friday_afternoon', emails: [ada.email, bob.email] },
        { kind: 'overnight', email: bob.email },
      ],
    },
    `The meeting is on ${WHEN}: it is the only time through 14 December. It is at short notice, because no time with a day's notice suits both through 14 December. It is on a Friday afternoon.`,
  ],
  [
    {
      start: Date.parse('2026-12-28T09:00:00Z'),
      decided: [{ kind: 'context', context: 'interview', part: 'morning', email: null }],
    },
    'The meeting is on Monday, 28 December at 10:00 in Berlin, 18:00 in Tokyo: mornings suit an interview, but it is between Christmas and New Year.',
  ],
  [
    { decided: [{ kind: 'soonest', isWithNotice: true }] },
    `The meeting is on ${WHEN}: no earlier quarter hour leaves 15 minutes' notice.`,
  ],
  [
    { start: start + 5 * 60_000, decided: [{ kind: 'soonest', isWithNotice: true }] },
    'The meeting is on Tuesday, 8 December at 10:05 in Berlin, 18:05 in Tokyo.',
  ],
  [
    { people: [ada, { ...bob, bridge: { holiday: { date: '2026-12-07', name: 'National Holiday' }, side: 'after' } }] },
    `The meeting is on ${WHEN}. It is on the day after a national holiday for Bob.`,
  ],
  [
    {
      people: [
        { ...ada, bridge: { holiday: { date: '2026-12-09', name: 'Hill Day' }, side: 'before' } },
        { ...bob, bridge: { holiday: { date: '2026-12-09', name: 'Sea Day' }, side: 'before' } },
      ],
    },
    `The meeting is on ${WHEN}. It is on the day before a public holiday.`,
  ],
  [
    { decided: [{ kind: 'soonest' }], givenUp: [{ kind: 'friday_afternoon', emails: [bob.email] }] },
    `The meeting is on ${WHEN}: no earlier time suits both. It is on a Friday afternoon for Bob.`,
  ],
  [
    { decided: [{ kind: 'soonest' }], givenUp: [{ kind: 'notice', wantedMinutes: 120, keptMinutes: 15 }] },
    `The meeting is on ${WHEN}: no earlier time suits both. It is at short notice, because no time with 2 hours' notice suits both through 14 December.`,
  ],
  [
    {
      decided: [
        { kind: 'only_day', date: '2026-12-08' },
        { kind: 'learned_day', email: bob.email, weekday: 'tuesday' },
      ],
      avoided: [{ kind: 'energy', email: ada.email, pattern: 'morning_person', part: 'evening' }],
      givenUp: [
        { kind: 'context', context: 'casual_chat', part: 'morning', email: null },
        { kind: 'learned_part', email: bob.email, part: 'evening' },
      ],
    },
    `The meeting is on ${WHEN}: Tuesday is the only day through 14 December that suits both, and Bob likes Tuesdays. It avoids evenings, as Ada prefers. It is in the morning, not the best time for a chat, and is in the evening, which Bob would rather avoid.`,
  ],
  [
    {
      decided: [
        { kind: 'learned_part', email: bob.email, part: 'evening' },
        { kind: 'learned_day', email: bob.email, weekday: 'tuesday' },
        { kind: 'recency' },
      ],
      givenUp: [
        { kind: 'outside_day', email: ada.email, side: 'early' },
        { kind: 'outside_day', email: bob.email, side: 'early' },
        { kind: 'lunch', email: ada.email },
        { kind: 'lunch', email: bob.email },
      ],
    },
    `The meeting is on ${WHEN}: Bob likes evenings and Tuesdays. It starts before 8:00 and runs into lunch for both.`,
  ],
  [
    {
      givenUp: [
        { kind: 'overnight', email: ada.email },
        { kind: 'edge_of_day', email: ada.email, edge: 'start' },
        { kind: 'edge_of_day', email: bob.email, edge: 'end' },
        { kind: 'beside', email: ada.email, sides: 1 },
      ],
    },
    `The meeting is on ${WHEN}. It is at short notice, first thing and back to back for Ada, and is at the end of the day for Bob.`,
  ],
  [
    {
      givenUp: [
        { kind: 'edge_of_day', email: ada.email, edge: 'start' },
        { kind: 'edge_of_day', email: bob.email, edge: 'start' },
        { kind: 'beside', email: bob.email, sides: 2 },
      ],
    },
    `The meeting is on ${WHEN}. It is first thing for both and is back to back for Bob.`,
  ],
  [
    {
      givenUp: [
        { kind: 'edge_of_day', email: ada.email, edge: 'end' },
        { kind: 'beside', email: ada.email, sides: 1 },
      ],
    },
    `The meeting is on ${WHEN}. It is at the end of the day and back to back for Ada.`,
  ],
])('%j', (some, sentences) => {
  expect(describePick(facts(some))).toBe(sentences);
});
