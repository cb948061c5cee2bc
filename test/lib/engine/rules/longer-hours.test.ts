import { expect, test } from 'vitest';
import { findSlots } from '../../../../lib/engine/rank/find-slots.ts';
import { withWords } from '../../../../lib/words/found.ts';
import { at, dates, everyDay, MONDAY, search } from '../people.ts';

const office = everyDay('09:00', '18:00');
/** Chloe in London starts at 8:00, and Ada in Sydney ends at 18:30 while it is 9:30 there. */
const sydney = { timeZone: 'Australia/Sydney', workHours: everyDay('09:00', '18:30') };
const london = { email: 'chloe@example.com', timeZone: 'Europe/London', workHours: everyDay('10:00', '18:00') };

test('two people whose hours never meet are shown the nearest miss on both clocks', () => {
  const found = findSlots(search(sydney, london, { window: dates(MONDAY, MONDAY) }));
  const { slots, message, relaxations = [], suggestions } = withWords(found);
  expect(slots).toEqual([]);
  expect(message).toBe(
    "Ada's and Chloe's work hours do not overlap on Monday, 4 May. 10:00 in London is 19:00 in Sydney, so the meeting would end an hour after Ada's day ends.",
  );
  const first = at('2026-05-04T09:00Z');
  expect(relaxations[0]).toEqual({
    change: 'longer_hours',
    email: 'ada@example.com',
    end: '19:30',
    opens: 1,
    first,
    best: first,
  });
  expect(suggestions).toEqual([
    'If Ada worked until 19:30, the only time would be Monday, 4 May at 19:00 in Sydney, 10:00 in London.',
    'If Chloe worked from 9:00, the only time would be Monday, 4 May at 18:00 in Sydney, 9:00 in London.',
  ]);
});

test('a person who works later misses by the end of the meeting', () => {
  const evening = { ...london, workHours: everyDay('10:15', '18:00') };
  const found = findSlots(search({ ...sydney, workHours: office }, evening, { window: dates(MONDAY, MONDAY) }));
  const { message } = withWords(found);
  expect(message).toContain(
    ". 10:15 in London is 19:15 in Sydney, so the meeting would end 1 hour 45 minutes after Ada's day ends.",
  );
});

test('nothing is said of longer hours where the hours meet and something else stands in the way', () => {
  const busy = [{ start: Date.parse('2026-05-04T00:00Z'), end: Date.parse('2026-05-05T00:00Z') }];
  const { message, relaxations } = withWords(findSlots(search({ workHours: office, busy }, { workHours: office })));
  expect(message).toBe("Ada's busy times leave no half hour free for both on Monday, 4 May.");
  expect(relaxations).toEqual([]);
});
