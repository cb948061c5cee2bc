import { expect, test } from 'vitest';
import { holidayName, holidayOn } from '../../../lib/words/holiday-name.ts';

test.each([
  ['Thanksgiving Day', 'Thanksgiving Day'],
  ['Easter Monday', 'Easter Monday'],
  ['Coming of Age Day', 'Coming of Age Day'],
  ['Our Lady of Guadalupe', 'Our Lady of Guadalupe'],
  ["King's Day", "King's Day"],
  ['National Holiday', 'a national holiday'],
  ['Bank Holiday (observed)', 'a bank holiday (observed)'],
  ['National Day of Spain', 'the National Day of Spain'],
  ['Day of Reconciliation', 'the Day of Reconciliation'],
  ['2nd day of the New Year', 'the 2nd day of the New Year'],
  ['Early May bank holiday', 'the Early May bank holiday'],
  ['The first day of January', 'the first day of January'],
  ["King's Birthday", "the King's Birthday"],
  ["Prophet's Birthday (the date may move by a day)", "the Prophet's Birthday"],
  ['Immaculate Conception', 'the Immaculate Conception'],
])('the holiday %s stands in a sentence as %s', (name, expected) => {
  expect(holidayName(name)).toBe(expected);
});

test('a date that depends on the moon is a holiday only probably', () => {
  expect(holidayOn('Eid al-Fitr (the date may move by a day)')).toBe('probably Eid al-Fitr');
  expect(holidayOn('Labor Day')).toBe('Labor Day');
});
