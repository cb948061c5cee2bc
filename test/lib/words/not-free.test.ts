import { expect, test } from 'vitest';
import { bestStart } from '../../../lib/engine/rank/find-slots.ts';
import { noTimesIn } from '../../../lib/engine/rules/no-times.ts';
import type { Objection } from '../../../lib/engine/rules/objections.ts';
import { type SaidObjection, sayNotFree, sayTaken } from '../../../lib/words/explanation.ts';
import { sayNoTimes, saySuggestions } from '../../../lib/words/no-times.ts';
import { at, everyDay, search, span } from '../engine/people.ts';

const ADA = 'ada.adams@example.com';
const BEN = 'ben.brown@example.com';
const NOTICE = 'A meeting starts at least 15 minutes from now.';

const objection = (email: string | null, rule: SaidObjection['rule'], more: Partial<SaidObjection> = {}) => ({
  email,
  rule,
  detail: NOTICE,
  ...more,
});

const SECOND_DAY = { date: '2028-12-26', name: 'Second Christmas Day' };
const BOXING_DAY = { date: '2028-12-26', name: 'Boxing Day' };

test.each<[SaidObjection[], string]>([
  [[objection(null, 'notice')], `It does not work. ${NOTICE}`],
  [[objection(BEN, 'busy')], 'It does not work: Ben is not free.'],
  [[objection(ADA, 'work_hours')], "It does not work: it is outside Ada's work hours."],
  [
    [objection(ADA, 'work_hours'), objection(BEN, 'busy')],
    "It suits neither: it is outside Ada's work hours, and Ben is not free.",
  ],
  [[objection(ADA, 'busy'), objection(BEN, 'busy')], 'It suits neither: Ada and Ben are not free.'],
  [
    [objection(ADA, 'work_hours'), objection(BEN, 'work_hours')],
    'It suits neither: it is outside the work hours of both.',
  ],
  [
    [objection(ADA, 'focus_block'), objection(BEN, 'standing_rule', { words: 'never before 10' })],
    'It suits neither: Ada keeps that time for focus, and Ben rules that time out with “never before 10”.',
  ],
  [
    [objection(ADA, 'buffer'), objection(BEN, 'day_limit'), objection(BEN, 'held')],
    'It suits neither: Ada needs more time around meetings, Ben has no room for another meeting that day, and a proposal holds that time for Ben.',
  ],
  [
    [objection(ADA, 'holiday', { holiday: SECOND_DAY }), objection(BEN, 'holiday', { holiday: BOXING_DAY })],
    'It suits neither: Tuesday, 26 December is Second Christmas Day, a day off for Ada, and Tuesday, 26 December is Boxing Day, a day off for Ben.',
  ],
  [
    [objection(ADA, 'holiday', { holiday: BOXING_DAY }), objection(BEN, 'holiday', { holiday: BOXING_DAY })],
    'It suits neither: Tuesday, 26 December is Boxing Day, a day off for both.',
  ],
  [[objection(ADA, 'busy'), objection(null, 'notice')], `It does not work: Ada is not free. ${NOTICE}`],
])('%j', (against, sentence) => {
  expect(sayNotFree(against, [ADA, BEN])).toBe(sentence);
});

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

const standing = (email: string, rule: 'busy' | 'focus_block' | 'buffer' | 'work_hours' | 'day_limit'): Objection => {
  const about = { email, timeZone: 'UTC', meeting: { start: 0, end: 1 } };
  if (rule === 'day_limit') return { ...about, rule, maxMeetingsPerDay: 3 };
  return rule === 'buffer' ? { ...about, rule, bufferMinutes: 15 } : { ...about, rule };
};
const PAIR = [ADA, BEN] as const;

test.each<[string, Objection[], string]>([
  ['one person who is busy', [standing(BEN, 'busy')], 'Ben is not free then'],
  ['both, once', [standing(ADA, 'busy'), standing(BEN, 'busy')], 'Ada and Ben are not free then'],
  ['a busy person and not their buffer', [standing(BEN, 'busy'), standing(BEN, 'buffer')], 'Ben is not free then'],
  ['a person with a full day as one who is busy', [standing(BEN, 'day_limit')], 'Ben is not free then'],
  ['a full and busy day once', [standing(BEN, 'busy'), standing(BEN, 'day_limit')], 'Ben is not free then'],
  ['time for focus', [standing(ADA, 'focus_block')], 'Ada keeps that time for focus'],
  ['nobody for what only brings a warning', [standing(ADA, 'work_hours')], 'the two people are not both free then'],
])('a refused booking names %s', (_, against, expected) => {
  expect(sayTaken(against, PAIR)).toBe(expected);
});
