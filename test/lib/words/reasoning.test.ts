import { expect, test } from 'vitest';
import type { PickFacts } from '../../../lib/engine/rank/pick-facts.ts';
import { WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import type { Weekday } from '../../../lib/engine/types.ts';
import type { Wish } from '../../../lib/engine/wish/wish-parts.ts';
import { describePick } from '../../../lib/words/reasoning.ts';
import { ada, bob, both, facts, HALF_HOUR, person, start, WHEN } from './offered.ts';

const LATE = { outside: 'late' } as const;
const EARLY = { outside: 'early' } as const;
const AFTER = { meetings: { before: true, after: false } };
const blocks = (days: readonly Weekday[], from: string, to: string) =>
  days.map((day) => ({ day, start: from, end: to }));

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
      people: both({ rule: { email: ada.email, verdict: 'prefer', words: 'mornings' } }),
      decided: [{ kind: 'energy', email: ada.email, pattern: 'morning_person', part: 'morning' }],
      avoided: [{ kind: 'learned_part', email: ada.email, part: 'evening' }],
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
      start: Date.parse('2026-12-08T06:30:00Z'),
      people: both(EARLY),
      fairness: { carried: { [ada.email]: 0, [bob.email]: 60 }, turn: ada.email },
    },
    "The meeting is on Tuesday, 8 December at 7:30 in Berlin, 15:30 in Tokyo. It's early for Ada this time, as Bob has had more early or late meetings between the two.",
  ],
  [
    {
      avoided: [
        { kind: 'standing_rule', email: ada.email, blocks: blocks(WEEKDAYS, '00:00', '12:00') },
        { kind: 'standing_rule', email: ada.email, blocks: blocks(['friday'], '16:00', '24:00') },
        { kind: 'standing_rule', email: bob.email, blocks: blocks(['monday'], '00:00', '24:00') },
      ],
    },
    `The meeting is on ${WHEN}. It keeps to what Ada asked for (never before 12:00 and never on Fridays after 16:00) and what Bob asked for (never on Mondays).`,
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
    { people: both({ isMidMorning: true }), drawbacks: [{ kind: 'learned_part', email: ada.email, part: 'morning' }] },
    `The meeting is on ${WHEN}. It's in the morning, which Ada would rather avoid.`,
  ],
  [{ context: 'urgent', isShortNotice: true }, `The meeting is on ${WHEN}.`],
  [{ context: 'review', isShortNotice: true }, `The meeting is on ${WHEN}. It's at short notice.`],
  [
    { people: both(EARLY, LATE), isOnlyHour: true },
    `The meeting is on ${WHEN}: it's the only hour of the day that suits both.`,
  ],
])('%j', (some, sentences) => {
  expect(describePick(facts(some))).toBe(sentences);
});

/** A week before the Tuesday, at nine. */
const oldStart = Date.parse('2026-12-03T08:00:00Z');
const asked = (wish: Wish) => ({ ...ada, wish, oldStart });

type DecidingWish = Extract<PickFacts['decided'][number], { kind: 'wish' }>;
const byWish = (...parts: DecidingWish['part'][]) => parts.map((part) => ({ kind: 'wish' as const, part }));

test.each<[Wish, Partial<PickFacts>, string]>([
  [
    {},
    { decided: [{ kind: 'nearest', to: 'old_time' }] },
    `The meeting is now on ${WHEN}: the closest time that suits both.`,
  ],
  [
    { dates: ['2026-12-08', '2026-12-09'], clockFrom: 570, clockTo: 720 },
    { decided: byWish('dates', 'clockFrom', 'clockTo') },
    `The meeting is now on ${WHEN}: between 9:30 and 12:00, as Ada asked.`,
  ],
  [
    { dates: ['2026-12-08', '2026-12-09'], clockFrom: 570 },
    { decided: byWish('dates', 'clockFrom') },
    `The meeting is now on ${WHEN}: after 9:30 in Berlin, as Ada asked.`,
  ],
  [
    { clockFrom: 600 },
    { decided: byWish('clockFrom') },
    `The meeting is now on ${WHEN}: no earlier than 10:00 in Berlin, as Ada asked.`,
  ],
  [
    { dates: ['2026-12-10'], notBeforeOldStart: true },
    { start: start + 2 * 86_400_000, decided: byWish('dates', 'notBeforeOldStart') },
    'The meeting is now on Thursday, 10 December at 10:00 in Berlin, 18:00 in Tokyo: a week later, as Ada asked.',
  ],
  [
    { dates: ['2026-12-07', '2026-12-08', '2026-12-09', '2026-12-10', '2026-12-11'], clockFrom: 720, clockTo: 1020 },
    { decided: byWish('dates'), drawbacks: [{ kind: 'wish', part: 'clockFrom', why: 'other_parts' }] },
    `No time in the week of 7 December in the afternoon suits both, so the meeting is now on ${WHEN}.`,
  ],
  [
    { relative: 'later', shiftMinutes: 60 },
    { decided: byWish('relative') },
    `The meeting is now on ${WHEN}: an hour later in the day than before, as Ada asked.`,
  ],
  [
    { relative: 'later', shiftMinutes: 60 },
    { start: oldStart + 2 * HALF_HOUR, decided: byWish('relative'), people: both({}, { isOverLunch: true }) },
    "The meeting is now on Thursday, 3 December at 10:00 in Berlin, 18:00 in Tokyo: an hour later than before, as Ada asked. It's over lunch for Bob.",
  ],
  [
    { relative: 'later', shiftMinutes: 60 },
    {
      decided: byWish('relative'),
      drawbacks: [{ kind: 'shift', minutes: 60, because: [{ email: bob.email, rule: 'busy' }] }],
    },
    `An hour later is not free for both, so the meeting is now on ${WHEN}.`,
  ],
  [
    { dates: ['2026-12-08'], clockFrom: 600, isClockGuessed: true },
    { decided: byWish('dates', 'clockFrom') },
    `The meeting is now on ${WHEN}: not too early, as Ada asked.`,
  ],
  [
    { dates: ['2026-12-08'], clockFrom: 600, clockTo: 630 },
    {
      decided: byWish('dates', 'clockFrom', 'clockTo'),
      drawbacks: [
        { kind: 'learned_part', email: ada.email, part: 'morning' },
        { kind: 'learned_day', email: ada.email, weekday: 'tuesday' },
        { kind: 'learned_day', email: bob.email, weekday: 'tuesday' },
      ],
    },
    `The meeting is now on ${WHEN}, as Ada asked. It's on a Tuesday, which Bob would rather avoid.`,
  ],
  [
    { earliest: Date.parse('2026-11-30T23:00:00Z'), latest: Date.parse('2026-12-31T23:00:00Z') },
    { decided: byWish('earliest', 'latest') },
    `The meeting is now on ${WHEN}, as Ada asked.`,
  ],
  [
    { earliest: Date.parse('2026-12-06T23:00:00Z'), latest: Date.parse('2026-12-09T23:00:00Z') },
    { decided: byWish('earliest', 'latest') },
    `The meeting is now on ${WHEN}, as Ada asked.`,
  ],
  [
    { earliest: Date.parse('2026-01-01T23:00:00Z'), datesUnwanted: ['2026-12-03'] },
    { decided: byWish('earliest', 'datesUnwanted') },
    `The meeting is now on ${WHEN}: after New Year's Day, as Ada asked.`,
  ],
  [
    {
      refused: [
        { from: 0, to: 600 },
        { from: 0, to: 720 },
      ],
    },
    { decided: byWish('refused') },
    `The meeting is now on ${WHEN}, as Ada asked.`,
  ],
  [
    { datesUnwanted: ['2026-12-03'] },
    { decided: byWish('datesUnwanted') },
    `The meeting is now on ${WHEN}, as Ada can't make Thursday, 3 December.`,
  ],
  [{}, { decided: [{ kind: 'in_range' }] }, `The meeting is now on ${WHEN}: it's within the preferred time range.`],
  [
    { datesUnwanted: ['2026-12-03', '2026-12-04', '2026-12-05', '2026-12-06'] },
    { decided: byWish('datesUnwanted') },
    `The meeting is now on ${WHEN}: not before Monday, 7 December, as Ada asked.`,
  ],
  [
    { closeness: 'soonest', sooner: true, latest: oldStart },
    { isFirst: true, decided: byWish('latest') },
    `The meeting is now on ${WHEN}: as soon as both can, as Ada asked.`,
  ],
  [
    { pause: true },
    { avoided: [{ kind: 'back_to_back', email: ada.email }], decided: byWish('relative') },
    `The meeting is now on ${WHEN}: later in the day than before and with a break before and after, as Ada asked.`,
  ],
  [
    { dates: ['2026-12-08'], clockFrom: 720, isClockGuessed: true },
    { start: start + 6 * HALF_HOUR, decided: byWish('dates', 'clockFrom') },
    'The meeting is now on Tuesday, 8 December at 13:00 in Berlin, 21:00 in Tokyo, as Ada asked.',
  ],
  [
    { dates: ['2026-12-08'], clockFrom: 900, clockTo: 1020 },
    {
      start: start + 12 * HALF_HOUR,
      decided: byWish('dates', 'clockFrom', 'clockTo'),
      people: both({ isUnliked: true }, {}),
    },
    'The meeting is now on Tuesday, 8 December at 16:00 in Berlin, 0:00 on Wednesday in Tokyo: after 15:00 in Berlin, as Ada asked.',
  ],
  [
    { dates: ['2026-12-09'] },
    {
      drawbacks: [
        { kind: 'wish', part: 'dates', why: 'no_common_time', because: [{ email: bob.email, rule: 'work_hours' }] },
      ],
    },
    `No time on Wednesday, 9 December suits both, as Bob does not work then, so the meeting is now on ${WHEN}.`,
  ],
  [
    { relative: 'later', weekdaysUnwanted: ['monday'] },
    { decided: byWish('relative'), drawbacks: [{ kind: 'wish', part: 'weekdaysUnwanted', why: 'no_common_time' }] },
    `Every time that suits both is on a Monday, so the meeting is now on ${WHEN}: later in the day than before, as Ada asked.`,
  ],
  [
    { dates: ['2026-12-14', '2026-12-15', '2026-12-16', '2026-12-17'], clockTo: 720 },
    { decided: byWish('clockTo'), drawbacks: [{ kind: 'wish', part: 'dates', why: 'other_parts' }] },
    `No time between Monday, 14 December and Thursday, 17 December in the morning suits both, so the meeting is now on ${WHEN}: in the morning, as Ada asked.`,
  ],
  [
    { earliest: Date.parse('2026-12-09T23:00:00Z'), notBeforeOldStart: true },
    { decided: byWish('notBeforeOldStart'), drawbacks: [{ kind: 'wish', part: 'earliest', why: 'no_common_time' }] },
    `Every time that suits both is before Thursday, 10 December, so the meeting is now on ${WHEN}: no sooner than planned, as Ada asked.`,
  ],
])('%j: %j', (wish, some, sentences) => {
  expect(describePick(facts(some), asked(wish))).toBe(sentences);
});

test('a preview says also what the date shows, and an asked break', () => {
  const met = facts({ decided: byWish('dates'), avoided: [{ kind: 'back_to_back', email: ada.email }] });
  const wish = { dates: ['2026-12-08'], pause: true };
  expect(describePick(met, asked(wish), true)).toBe(
    'The reason: on Tuesday and with a break before and after, as Ada asked.',
  );
  expect(describePick(met, asked(wish))).toBe(
    `The meeting is now on ${WHEN}, with a break before and after, as Ada asked.`,
  );
  expect(describePick(facts({ avoided: met.avoided }), asked({ pause: true }), true)).toBe(
    'The reason: with a break before and after, as Ada asked.',
  );
});

test('a wish that was told rather than asked for is worded as a preference', () => {
  const met = facts({ decided: byWish('clockTo') });
  expect(describePick(met, { ...asked({ clockTo: 720 }), isTaste: true })).toBe(
    `The meeting is now on ${WHEN}: in the morning, as Ada prefers.`,
  );
});
