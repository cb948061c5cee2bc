import { expect, test } from 'vitest';
import { findSlots } from '../../../../lib/engine/rank/find-slots.ts';
import { readBy } from '../../../../lib/engine/rank/overnight.ts';
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

test('a person whose night it is has read of a meeting once they have worked for two hours of the next day', () => {
  expect(readBy(person(berliner), now)).toBeGreaterThan(at('2026-09-28T00:00Z'));
  const early = person({ ...berliner, workHours: everyDay('06:00', '14:00'), holidays: undefined });
  expect(readBy(early, now)).toBe(at('2026-09-27T06:00Z'));
  expect(readBy(early, at('2026-09-27T10:00Z'))).toBe(at('2026-09-27T10:00Z'));
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
  expect(onTheClock).toEqual(['09-28T14:00', '09-28T14:15', '09-28T14:30', '09-28T15:00', '09-28T13:00']);
});
