import { expect, test } from 'vitest';
import type { PickFacts } from '../../../lib/engine/rank/pick-facts.ts';
import { describePick } from '../../../lib/words/reasoning.ts';

import { ada, bob, facts, WHEN } from './picks.ts';

test.each<[Partial<PickFacts>, string]>([
  [{}, `The meeting is on ${WHEN}.`],
  [{ decided: [{ kind: 'recency' }] }, `The meeting is on ${WHEN}: it is within the next three days.`],
  [
    { start: Date.parse('2026-12-08T17:30:00Z') },
    'The meeting is on Tuesday, 8 December at 18:30 in Berlin, Wednesday 2:30 in Tokyo.',
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
    `The meeting is on ${WHEN}: it is mid-morning for Ada and mornings are Ada's best hours. It avoids afternoons and Mondays, as Bob prefers, and keeps Ada's lunch hour and Bob's focus time free. It ends after 18:00 for Bob and leaves little room around it for Ada.`,
  ],
  [
    {
      givenUp: [{ kind: 'outside_day', email: bob.email, side: 'late' }],
      fairness: { carried: { [ada.email]: 90, [bob.email]: 60 }, turn: bob.email },
    },
    `The meeting is on ${WHEN}. It ends after 18:00 for Bob. It is Bob's turn to meet outside 8:00-18:00: in their recent and planned meetings, Ada does so for 90 minutes and Bob for an hour.`,
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
      givenUp: [
        { kind: 'notice', wantedMinutes: 1_440, keptMinutes: 120 },
        { kind: 'friday_afternoon' },
        { kind: 'overnight', email: bob.email },
      ],
    },
    `The meeting is on ${WHEN}: it is the only time that suits both. It comes at short notice, because no time with a day's notice suits both. It is on a Friday afternoon.`,
  ],
  [
    { decided: [{ kind: 'soonest' }], givenUp: [{ kind: 'notice', wantedMinutes: 120, keptMinutes: 15 }] },
    `The meeting is on ${WHEN}: it is the first time that suits both. It comes at short notice, because no time with 2 hours' notice suits both.`,
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
    `The meeting is on ${WHEN}: Tuesday is the only day that suits both and Bob likes Tuesdays. It avoids evenings, as Ada prefers. It is in the morning, not the best time for a chat, and is in the evening, which Bob would rather avoid.`,
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
    `The meeting is on ${WHEN}: Bob likes evenings and Tuesdays. It starts before 8:00 for both and runs into the lunch hour of both.`,
  ],
])('%j', (some, sentences) => {
  expect(describePick(facts(some))).toBe(sentences);
});
