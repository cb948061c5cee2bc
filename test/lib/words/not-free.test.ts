import { expect, test } from 'vitest';
import type { SaidObjection } from '../../../lib/words/explanation.ts';
import { sayNotFree } from '../../../lib/words/not-free.ts';

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
