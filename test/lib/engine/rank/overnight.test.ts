import { expect, test } from 'vitest';
import { findSlots } from '../../../../lib/engine/rank/find-slots.ts';
import { isOvernight, isSoonAfterNight } from '../../../../lib/engine/rank/overnight.ts';
import { DEFAULT_WORK_HOURS } from '../../../../lib/engine/rules/defaults.ts';
import { at, dates, everyDay, person, search } from '../people.ts';

/** Works from 00:30 to 03:30, but not on Sunday, 27 September, a holiday. */
const berliner = {
  timeZone: 'Europe/Berlin',
  workHours: everyDay('00:30', '03:30'),
  holidays: new Map([[at('2026-09-27T00:00Z') / 86_400_000, 'Hill Day']]),
};
/** 02:00 in Berlin on the holiday. */
const now = at('2026-09-27T00:00Z');

test('a start exactly 24 hours away is at short notice if only 90 minutes of work lie before it, and a later one is not', () => {
  expect(isSoonAfterNight(person(berliner), now, at('2026-09-28T00:00Z'))).toBe(true);
  expect(isSoonAfterNight(person(berliner), now, at('2026-09-28T00:01Z'))).toBe(false);
});

test('a start 24 hours away is not overnight if more than an hour of work lies before it', () => {
  const isOvernightAt = (start: string) => isOvernight(person(berliner), now, at(start));
  expect(['2026-09-27T23:30Z', '2026-09-27T23:31Z', '2026-09-28T00:00Z'].map(isOvernightAt)).toEqual([
    true,
    false,
    false,
  ]);
});

test('a start exactly 24 hours away and at short notice is not offered before one that leaves more time', () => {
  const { slots } = findSlots(
    search({ timeZone: 'Pacific/Chatham', workHours: DEFAULT_WORK_HOURS }, berliner, {
      durationMinutes: 15,
      window: dates('2026-09-26', '2026-09-28'),
      now,
    }),
  );
  const onTheClock = slots.map(({ startTime }) => startTime.slice(5, 16));
  expect(onTheClock).toEqual(['09-28T14:00', '09-28T14:15', '09-28T14:30', '09-28T14:45', '09-28T15:00']);
});
