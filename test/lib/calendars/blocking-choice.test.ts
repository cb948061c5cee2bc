import { describe, expect, test } from 'vitest';
import { type Blocking, follow, mainAlone, UNLISTED } from '../../../lib/calendars/blocking/choice.ts';
import { isSameMailbox, workingHours } from '../../../lib/calendars/connect/commit-connection.ts';
import { wholePreferences } from '../../../lib/person/person.ts';
import type { StoredPreferences } from '../../../schema/api/preferences.ts';

const own = (id: string) => ({ id, name: id, isOwned: true });
const others = (id: string) => ({ id, name: id, isOwned: false });
const LIST = [own('primary'), own('team'), others('boss')];
const listed = (given: Partial<Blocking> = {}): Blocking => ({ ...UNLISTED, isListed: true, ...given });

describe('what blocks follows the list of calendars', () => {
  test.each<[name: string, former: Blocking, calendars: string[], missing: string[]]>([
    [
      'what blocked before, though it is another’s now',
      listed({ calendars: ['boss'] }),
      ['primary', 'team', 'boss'],
      [],
    ],
    ['nothing gone that was unticked, untold', listed({ missing: ['old'], freed: ['old'] }), ['primary', 'team'], []],
    ['what was refused, once more', listed({ missing: ['boss'] }), ['primary', 'team', 'boss'], []],
    [
      'the main one, where nothing else is left',
      listed({ chosen: ['old'], freed: ['primary', 'team'], calendars: ['old'] }),
      ['primary'],
      ['old'],
    ],
  ])('%s', (_name, former, calendars, missing) => {
    expect(follow(former, LIST)).toEqual({ ...former, calendars, missing, isListed: true });
  });

  test('what was said is kept by somebody whose list may not be seen any more, and holds when it may again', () => {
    const alone = mainAlone(listed({ calendars: ['boss'], chosen: ['boss'], freed: ['team'] }));
    expect(alone).toEqual({ ...UNLISTED, chosen: ['boss'], freed: ['team'] });
    expect(follow(alone, LIST).calendars).toEqual(['primary', 'boss']);
  });
});

test.each([
  ['jane.doe@gmail.com', 'janedoe@gmail.com', true],
  ['jane.doe+work@gmail.com', 'JaneDoe@googlemail.com', true],
  ['jane.doe@gmail.com', 'jane.roe@gmail.com', false],
  ['jane.doe@acme.test', 'janedoe@acme.test', false],
  ['jane+work@acme.test', 'jane@acme.test', false],
  ['jane@münchen.de', 'Jane@xn--mnchen-3ya.de', true],
  ['jane@gmail.com.evil.test', 'jane@gmail.com', false],
])('%s and %s: %s', (one, other, isSame) => {
  expect(isSameMailbox(one, other)).toBe(isSame);
});

const hoursIn = (set: StoredPreferences) => {
  const preferences = wholePreferences({ preferences: set, calendarTimeZone: 'UTC' });
  const { start, end } = workingHours(preferences);
  return [start, end];
};
const off = { enabled: false };

test.each<[name: string, preferences: StoredPreferences, hours: number[]]>([
  ['nothing set', {}, [8, 18]],
  ['whole hours', { work_hours: { monday: { enabled: true, start: '09:00', end: '17:00' } } }, [9, 17]],
  ['hours widened to whole ones', { work_hours: { monday: { enabled: true, start: '09:30', end: '17:45' } } }, [9, 18]],
  ['until midnight', { work_hours: { monday: { enabled: true, start: '20:15', end: '24:00' } } }, [20, 24]],
  [
    'the first day of work, in the order of the week',
    { work_hours: { wednesday: { enabled: true, start: '12:00', end: '13:00' }, monday: off, tuesday: off } },
    [12, 13],
  ],
])('the connected event tells the hours of %s', (_name, preferences, hours) => {
  expect(hoursIn(preferences)).toEqual(hours);
});
