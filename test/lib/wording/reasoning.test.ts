import { expect, test } from 'vitest';
import type { PickFacts } from '../../../lib/scheduling/pick-facts.ts';
import { describePick } from '../../../lib/wording/reasoning.ts';

import { ada, bob, facts, WHEN } from './picks.ts';

test.each<[Partial<PickFacts>, string]>([
  [{}, `The meeting is on ${WHEN}.`],
  [
    { start: Date.parse('2026-12-08T17:30:00Z') },
    'The meeting is on Tuesday, 8 December at 18:30 for Ada Adams (Berlin time) and Wednesday, 9 December at 02:30 for Bob Brown (Tokyo time).',
  ],
  [
    { people: [ada, { ...bob, timeZone: 'Europe/Berlin' }] },
    'The meeting is on Tuesday, 8 December at 10:00 for both Ada Adams and Bob Brown (Berlin time).',
  ],
  [
    { people: [ada, { ...bob, timeZone: 'Africa/Lagos' }] },
    'The meeting is on Tuesday, 8 December at 10:00 for both Ada Adams and Bob Brown.',
  ],
  [
    { people: [ada, { email: 'ada.adams@example.org', timeZone: 'America/Argentina/Buenos_Aires' }] },
    'The meeting is on Tuesday, 8 December at 10:00 for ada.adams@example.com (Berlin time) and 06:00 for ada.adams@example.org (Buenos Aires time).',
  ],
  [
    {
      people: [
        { ...ada, timeZone: 'UTC' },
        { email: 'ada.brown@example.org', timeZone: 'Etc/GMT-2' },
      ],
      decided: [{ kind: 'mid_morning' }],
    },
    'The meeting is on Tuesday, 8 December at 09:00 for Ada Adams (UTC) and 11:00 for Ada Brown (GMT-2): it is mid-morning for Ada Adams.',
  ],
  [
    {
      context: 'investor_call',
      decided: [
        { kind: 'mid_morning' },
        { kind: 'context', context: 'investor_call', part: 'morning' },
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
    `The meeting is on ${WHEN}: it is mid-morning for Ada and soon, and mornings suit an investor call. It avoids afternoons and Mondays, as Bob prefers, and keeps Ada's lunch hour and Bob's focus time free. It ends after 18:00 for Bob and is back to back with another meeting for Ada.`,
  ],
  [
    {
      givenUp: [{ kind: 'outside_day', email: bob.email, side: 'late' }],
      fairness: { carried: { [ada.email]: 90, [bob.email]: 60 }, turn: bob.email },
    },
    `The meeting is on ${WHEN}. It ends after 18:00 for Bob. Their other recent meetings take 90 minutes outside 08:00-18:00 from Ada and an hour from Bob, so this time it is Bob's turn.`,
  ],
  [
    {
      givenUp: [{ kind: 'outside_day', email: bob.email, side: 'late' }],
      fairness: { carried: { [ada.email]: 90, [bob.email]: 60 }, turn: undefined },
    },
    `The meeting is on ${WHEN}. It ends after 18:00 for Bob.`,
  ],
  [
    {
      decided: [{ kind: 'only_time' }],
      givenUp: [{ kind: 'notice', wantedMinutes: 1_440, keptMinutes: 120 }, { kind: 'friday_afternoon' }],
    },
    `The meeting is on ${WHEN}: it is the only time left that suits both. Nothing was free with a day's notice, so it comes with less; it is on a Friday afternoon.`,
  ],
  [
    { decided: [{ kind: 'soonest' }], givenUp: [{ kind: 'notice', wantedMinutes: 120, keptMinutes: 15 }] },
    `The meeting is on ${WHEN}: it is the first time that suits both. Nothing was free with 2 hours' notice, so it comes with less.`,
  ],
  [
    {
      decided: [
        { kind: 'only_day', date: '2026-12-08' },
        { kind: 'learned_day', email: bob.email, weekday: 'tuesday' },
      ],
      avoided: [{ kind: 'energy', email: ada.email, pattern: 'morning_person', part: 'evening' }],
      givenUp: [
        { kind: 'context', context: 'casual_chat', part: 'morning' },
        { kind: 'learned_part', email: bob.email, part: 'evening' },
      ],
    },
    `The meeting is on ${WHEN}: every time that suits both is on that day and Bob likes Tuesdays. It avoids evenings, as Ada prefers. It is in the morning, not the best time for a chat, and is in the evening, which Bob would rather avoid.`,
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
    `The meeting is on ${WHEN}: Bob likes evenings and Tuesdays, and it is soon. It starts before 08:00 for both and runs into the lunch hour of both.`,
  ],
])('%j', (some, sentences) => {
  expect(describePick(facts(some))).toBe(sentences);
});
