import { expect, test } from 'vitest';
import { bestStart } from '../../../lib/engine/rank/find-slots.ts';
import { noTimesIn } from '../../../lib/engine/rules/no-times.ts';
import { sayNoTimes, saySuggestions } from '../../../lib/words/no-times.ts';
import { at, everyDay, search, span } from '../engine/people.ts';

const said = (...args: Parameters<typeof search>) => {
  const none = noTimesIn(search(...args), bestStart);
  return [sayNoTimes(none), ...saySuggestions(none)];
};

test('work hours that meet for too short a time do not overlap by the length of the meeting', () => {
  const [message] = said({ workHours: everyDay('08:00', '12:15') }, { workHours: everyDay('12:00', '18:00') });
  expect(message).toMatch(/^Ada's and Bob's work hours do not overlap by 30 minutes on Monday, 4 May\. /);
});

test('work hours that never meet do not overlap', () => {
  const [message] = said({ workHours: everyDay('08:00', '12:00') }, { workHours: everyDay('13:00', '18:00') });
  expect(message).toMatch(/^Ada's and Bob's work hours do not overlap on Monday, 4 May\. /);
});

test('work hours on one clock are compared without naming it twice', () => {
  const [message] = said({ workHours: everyDay('08:00', '12:00') }, { workHours: everyDay('12:00', '18:00') });
  expect(message).toMatch(/ A meeting at 12:00 would end half an hour after Ada's day ends\.$/);
});

const BUSY = { busy: [span('2026-05-04T00:00Z', '2026-05-31T00:00Z')] };

test('a search with a full week behind it says until when Tandem has looked', () => {
  expect(said(BUSY, {}, { daysKnownAfter: 7 })).toEqual([
    "Ada's busy times leave no half hour free for both on Monday, 4 May. Tandem looked as far as Monday, 11 May and found no time that suits both.",
  ]);
  expect(said(BUSY, {}, { daysKnownAfter: 7, within: span('2026-05-04T09:00Z', '2026-05-04T17:00Z') })).toEqual([
    "Ada's busy times leave no half hour free for both in the preferred time range.",
  ]);
  expect(said(BUSY)).toEqual(["Ada's busy times leave no half hour free for both on Monday, 4 May."]);
});

test('a suggested time over lunch says so', () => {
  const busy = [span('2026-05-04T00:00Z', '2026-05-05T12:00Z'), span('2026-05-05T13:00Z', '2026-05-12T00:00Z')];
  expect(said({ busy }, {}, { daysKnownAfter: 7, now: at('2026-05-01T00:00Z') })).toContain(
    'The next good time is Tuesday, 5 May at 12:15, over lunch for both.',
  );
});
