import { expect, test } from 'vitest';
import type { PickFacts } from '../../../lib/engine/rank/pick-facts.ts';
import { WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import type { Weekday } from '../../../lib/engine/types.ts';
import { describePick } from '../../../lib/words/reasoning.ts';
import { ada, bob, both, facts, person, start, WHEN } from './offered.ts';

const LATE = { outside: 'late' } as const;
const EARLY = { outside: 'early' } as const;
const AFTER = { meetings: { before: true, after: false } };
const blocks = (days: readonly Weekday[], from: string, to: string) =>
  days.map((day) => ({ day, start: from, end: to }));
const morning = { kind: 'context', context: 'interview', part: 'morning' } as const;

test.each<[Partial<PickFacts>, string]>([
  [{}, `The meeting is on ${WHEN}.`],
  [
    { start: Date.parse('2026-12-08T17:30:00Z') },
    'The meeting is on Tuesday, 8 December at 18:30 in Berlin, 2:30 on Wednesday in Tokyo.',
  ],
  [{ people: both({}, { timeZone: 'Europe/Berlin' }) }, 'The meeting is on Tuesday, 8 December at 10:00.'],
  [
    {
      people: [person(ada.email, ada), person('ada.adams@example.org', { timeZone: 'America/Argentina/Buenos_Aires' })],
    },
    'The meeting is on Tuesday, 8 December at 10:00 in Berlin, 6:00 in Buenos Aires.',
  ],
  [
    {
      people: [
        person(ada.email, { timeZone: 'UTC', isMidMorning: true }),
        person('ada.brown@example.org', { timeZone: 'Etc/GMT-2' }),
      ],
    },
    "The meeting is on Tuesday, 8 December at 9:00 UTC, 11:00 UTC+2: it's mid-morning for Ada Adams.",
  ],
  [
    {
      context: 'investor_call',
      people: both({ isMidMorning: true, ...AFTER }, LATE),
      decided: [
        { kind: 'context', context: 'investor_call', part: 'morning' },
        { kind: 'energy', email: ada.email, pattern: 'morning_person', part: 'morning' },
      ],
      avoided: [
        { kind: 'learned_part', email: bob.email, part: 'afternoon' },
        { kind: 'learned_day', email: bob.email, weekday: 'monday' },
        { kind: 'focus_block', email: bob.email },
      ],
    },
    `The meeting is on ${WHEN}: mornings are Ada's best hours. It avoids afternoons and Mondays, as Bob prefers, and keeps Bob's focus time free. It's late for Bob and straight after another meeting of Ada's.`,
  ],
  [
    {
      people: both({ rule: { email: ada.email, verdict: 'prefer', words: 'afternoons' } }),
      drawbacks: [{ kind: 'energy', email: ada.email, pattern: 'evening_person', part: 'afternoon' }],
    },
    `The meeting is on ${WHEN}: it's a time Ada likes.`,
  ],
  [
    {
      decided: [
        { kind: 'energy', email: ada.email, pattern: 'evening_person', part: 'evening' },
        { kind: 'energy', email: bob.email, pattern: 'evening_person', part: 'evening' },
      ],
    },
    `The meeting is on ${WHEN}: evenings are Ada's and Bob's best hours.`,
  ],
  [
    {
      people: both({}, LATE),
      fairness: { carried: { [ada.email]: 90, [bob.email]: 60 }, turn: bob.email },
    },
    `The meeting is on ${WHEN}. It's late for Bob this time, as Ada has had more early or late meetings between the two.`,
  ],
  [
    {
      start: Date.parse('2026-12-08T06:30:00Z'),
      people: both(EARLY),
      fairness: { carried: { [ada.email]: 0, [bob.email]: 60 }, turn: ada.email },
    },
    "The meeting is on Tuesday, 8 December at 7:30 in Berlin, 15:30 in Tokyo. It's early for Ada this time, as Bob has had more early or late meetings between the two.",
  ],
  [
    {
      people: both({}, LATE),
      fairness: { carried: { [ada.email]: 90, [bob.email]: 60 }, turn: undefined },
    },
    `The meeting is on ${WHEN}. It's late for Bob.`,
  ],
  [
    {
      avoided: [
        { kind: 'standing_rule', email: ada.email, blocks: blocks(WEEKDAYS, '00:00', '12:00') },
        { kind: 'standing_rule', email: ada.email, blocks: blocks(['friday'], '16:00', '24:00') },
        { kind: 'standing_rule', email: bob.email, blocks: blocks(['monday'], '00:00', '24:00') },
      ],
    },
    `The meeting is on ${WHEN}. It keeps to Ada's rule (never before 12:00 and never on Fridays after 16:00) and Bob's rule (never on Mondays).`,
  ],
  [
    {
      isOnlyTime: true,
      people: both({ isFridayAfternoon: true }, { isFridayAfternoon: true, isOvernight: true }),
      drawbacks: [{ kind: 'notice', wantedMinutes: 1_440, keptMinutes: 120 }],
    },
    `The meeting is on ${WHEN}: it's the only time that suits both through 14 December. It's at short notice, as no time with a day's notice suits both through 14 December. It's a Friday afternoon.`,
  ],
  [
    { start: Date.parse('2026-12-28T09:00:00Z'), decided: [morning] },
    "The meeting is on Monday, 28 December at 10:00 in Berlin, 18:00 in Tokyo: mornings suit an interview, but it's between Christmas and New Year.",
  ],
  [
    { isFirst: true, isFirstWithNotice: true },
    `The meeting is on ${WHEN}: no earlier time with 15 minutes' notice suits both.`,
  ],
  [
    { start: start + 5 * 60_000, isFirst: true, isFirstWithNotice: true },
    "The meeting is on Tuesday, 8 December at 10:05 in Berlin, 18:05 in Tokyo: no earlier time with 15 minutes' notice suits both.",
  ],
  [
    { people: both({}, { bridge: { holiday: { date: '2026-12-07', name: 'National Holiday' }, side: 'after' } }) },
    `The meeting is on ${WHEN}. It's the day after Bob's day off for a national holiday.`,
  ],
  [
    {
      people: both(
        { bridge: { holiday: { date: '2026-12-09', name: 'Hill Day' }, side: 'before' } },
        { bridge: { holiday: { date: '2026-12-09', name: 'Sea Day' }, side: 'before' } },
      ),
    },
    `The meeting is on ${WHEN}. It's the day before a public holiday.`,
  ],
  [
    { isFirst: true, people: both({}, { isFridayAfternoon: true }) },
    `The meeting is on ${WHEN}: no earlier time suits both. It's a Friday afternoon for Bob.`,
  ],
  [
    { isFirst: true, isOnlyDay: true, drawbacks: [{ kind: 'notice', wantedMinutes: 120, keptMinutes: 15 }] },
    `The meeting is on ${WHEN}. It's at short notice, as no time with 2 hours' notice suits both through 14 December.`,
  ],
  [
    {
      decided: [{ kind: 'energy', email: ada.email, pattern: 'morning_person', part: 'morning' }],
      avoided: [{ kind: 'energy', email: ada.email, pattern: 'morning_person', part: 'afternoon' }],
    },
    `The meeting is on ${WHEN}: mornings are Ada's best hours.`,
  ],
  [
    {
      isOnlyDay: true,
      decided: [{ kind: 'learned_day', email: bob.email, weekday: 'tuesday' }],
      avoided: [{ kind: 'energy', email: ada.email, pattern: 'morning_person', part: 'evening' }],
      drawbacks: [{ kind: 'learned_part', email: bob.email, part: 'evening' }],
    },
    `The meeting is on ${WHEN}: Tuesday is the only day through 14 December that suits both, and Bob likes Tuesdays. It avoids evenings, as Ada prefers. It's in the evening, which Bob would rather avoid.`,
  ],
  [
    { people: both({ isFirstThing: true, isOverLunch: true }, { isFirstThing: true, isOverLunch: true, ...AFTER }) },
    `The meeting is on ${WHEN}. It's over lunch for both and first thing for both.`,
  ],
  [
    {
      people: both({ isMidMorning: true }),
      drawbacks: [{ kind: 'learned_part', email: ada.email, part: 'morning' }],
    },
    `The meeting is on ${WHEN}. It's in the morning, which Ada would rather avoid.`,
  ],
  [{ context: 'urgent', isShortNotice: true }, `The meeting is on ${WHEN}.`],
  [{ context: 'review', isShortNotice: true }, `The meeting is on ${WHEN}. It's at short notice.`],
  [
    { people: both(EARLY, LATE), isOnlyHour: true },
    `The meeting is on ${WHEN}: it's the only hour of the day you share.`,
  ],
])('%j', (some, sentences) => {
  expect(describePick(facts(some))).toBe(sentences);
});
