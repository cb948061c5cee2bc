import { expect, test } from 'vitest';
import { readByRules } from '../../../lib/reader/rules/read.ts';
import { readContext } from '../../../lib/reader/rules/read-context.ts';
import { describeReading } from '../../../lib/words/understood.ts';

// The meeting is on Wednesday 2 December 2026 at 15:00 in London, and the text is written on Monday 30 November.
const calendar = { today: 20_787, oldDay: 20_789, oldMinute: 900, durationMinutes: 30, timeZone: 'Europe/London' };
const understood = (text: string, timeZone: string | undefined = calendar.timeZone) =>
  describeReading(readByRules(text, { ...calendar, timeZone })).understood.flatMap(({ kind, meaning }) =>
    kind === 'standing' ? [] : [meaning],
  );

test.each([
  ['9am Eastern on Thursday please', ['On Thursday, 3 December, between 14:00 and 14:30']],
  ['Could we do 6.30pm IST on Friday?', ['On Friday, 4 December, between 13:00 and 13:30']],
  ['15:00 GMT Friday', ['On Friday, 4 December, between 15:00 and 15:30']],
  ['between 2pm and 4pm Berlin time on Thursday', ['On Thursday, 3 December, between 13:00 and 15:00']],
  ['6 pm my time (Bangalore) on Friday', ['On Friday, 4 December, between 12:30 and 13:00']],
  ["I'm in San Francisco this week, can it be 9am or later for me?", ['From 17:00 on']],
  ['noon my time on Friday', ['On Friday, 4 December, between 12:00 and 12:30']],
])('a time on other clocks: %s', (text, meanings) => {
  expect(understood(text)).toEqual(meanings);
});

test.each([
  ['a zone that is unknown', '6 pm my time (Bhopalganj) on Friday'],
  ['a time that falls on another day', '10pm Pacific on Thursday'],
  ['an hour within what looks like an absence', "I'm in New York this week, can we do 10am Thursday?"],
])('%s is not acted on', (_, text) => {
  expect(understood(text)).toEqual([]);
});

test('without a zone of the asker, a time on other clocks is not understood', () => {
  const { timeZone: _, ...general } = calendar;
  expect(describeReading(readByRules('9am Eastern on Thursday', general)).understood).toEqual([]);
});

const at = Date.UTC(2026, 10, 30);
test.each([
  ['Nothing after 2.30pm London time', 'Asia/Kolkata', ['Never after 20:00']],
  ['No calls before 9am Eastern', 'Europe/Berlin', ['Never before 15:00']],
  ["I'm on Lisbon time, so nothing before 10 Lisbon time", undefined, ['Never before 10:00']],
  ["I'm on Lisbon time, so nothing before 10 Lisbon time", 'Europe/Berlin', ['Never before 11:00']],
  ["I'm on Lisbon time, nothing before 10 my time", 'Europe/Lisbon', ['Never before 10:00']],
  ['Nothing after 2.30pm London time', undefined, []],
  ['No meetings after 6pm Sydney time', 'Europe/London', []],
])('a scheduling context with a zone: %s, for somebody in %s', (text, zone, meanings) => {
  expect(describeReading(readContext(text, { timeZone: zone, at })).understood.map(({ meaning }) => meaning)).toEqual(
    meanings,
  );
});
