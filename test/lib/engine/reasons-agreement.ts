import fc from 'fast-check';
import { expect } from 'vitest';
import { bestStart } from '../../../lib/engine/rank/find-slots.ts';
import { candidateStarts } from '../../../lib/engine/rules/candidates.ts';
import { type Relaxation, relaxationsOf } from '../../../lib/engine/rules/relaxations.ts';
import { type Cause, causesOf } from '../../../lib/engine/rules/why-empty.ts';
import type { Search, SearchedPerson, WorkHours } from '../../../lib/engine/types.ts';
import { minuteOf, wallAt } from './oracle/clock.ts';
import { allowedStarts } from './oracle/rules.ts';
import { dates } from './people.ts';
import { randomSearch } from './random-search.ts';

/** Returns every single change that is possible, applied to the search itself. */
function* changesOf(empty: Search): Generator<[change: string, changed: Search]> {
  for (let minutes = 15; minutes < empty.durationMinutes; minutes += 15)
    yield [`shorter_duration ${minutes}`, { ...empty, durationMinutes: minutes }];
  const end = new Date(Date.parse(empty.window.end) + 7 * 86_400_000).toISOString().slice(0, 10);
  yield [`more_days ${end}`, { ...empty, window: dates(empty.window.start, end) }];
  const misses: { label: string; longer: Search; missedBy: number }[] = [];
  for (const role of ['requester', 'other'] as const) {
    const { [role]: one } = empty;
    const change = (rules: Partial<SearchedPerson>) => ({ ...empty, [role]: { ...one, ...rules } });
    yield [`no_buffer ${one.email}`, change({ bufferMinutes: 0 })];
    if (one.maxMeetingsPerDay < 10)
      yield [`one_more_meeting_a_day ${one.email}`, change({ maxMeetingsPerDay: one.maxMeetingsPerDay + 1 })];
    for (const block of one.focusBlocks)
      yield [
        `without_focus_block ${one.email} ${block.day} ${block.start} ${block.end}`,
        change({ focusBlocks: one.focusBlocks.toSpliced(one.focusBlocks.indexOf(block), 1) }),
      ];
    for (const rule of one.standing ?? [])
      if (rule.verdict === 'never')
        yield [
          `without_rule ${one.email} ${rule.words}`,
          change({ standing: one.standing?.filter((other) => other !== rule) }),
        ];
    for (const [day] of one.holidays ?? [])
      yield [
        `work_on_holiday ${one.email} ${new Date(day * 86_400_000).toISOString().slice(0, 10)}`,
        change({ holidays: new Map([...(one.holidays ?? [])].filter(([other]) => other !== day)) }),
      ];
    const { workHours } = one;
    const days = [workHours.monday, workHours.tuesday, workHours.wednesday, workHours.thursday, workHours.friday];
    const usual = [...days, workHours.saturday, workHours.sunday].find(({ enabled }) => enabled);
    const [saturday, sunday] = [workHours.saturday, workHours.sunday].map((day) => (day.enabled ? day : usual));
    if (saturday && sunday) yield [`weekends ${one.email}`, change({ workHours: { ...workHours, saturday, sunday } })];
    const neverMeet = causesOf(empty).filter(({ rule }) => rule === 'work_hours').length === 2;
    for (const end of neverMeet ? (['start', 'end'] as const) : [])
      for (let quarter = 1; quarter <= 96; quarter++) {
        const minute = (end === 'start' ? 96 - quarter : quarter) * 15;
        const clock = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
        const hours = Object.entries(workHours).map(([day, own]) => {
          const isLonger = end === 'start' ? clock < own.start : clock > own.end;
          return [day, isLonger ? { ...own, [end]: clock } : own];
        });
        const longer = change({ workHours: Object.fromEntries(hours) as WorkHours });
        const [first] = allowedStarts(longer);
        if (first === undefined) continue;
        const missedBy = outsideHours(one, end, first, empty.durationMinutes);
        misses.push({ label: `longer_hours ${one.email} ${end} ${clock}`, longer, missedBy });
        break;
      }
  }
  misses.sort((a, b) => a.missedBy - b.missedBy);
  for (const [i, { label, longer, missedBy }] of misses.entries())
    if (i === 0 || missedBy <= 180) yield [label, longer];
}

/** Returns the minutes by which a meeting lies before the start or after the end of the person's hours that day. */
function outsideHours(one: SearchedPerson, end: 'start' | 'end', first: number, durationMinutes: number): number {
  const start = wallAt(one.timeZone, first);
  const own = minuteOf(one.workHours[start.weekday][end]);
  if (end === 'start') return own - start.minute;
  return (wallAt(one.timeZone, first + durationMinutes * 60_000).minute || 1440) - own;
}

const labelOf = (relaxation: Relaxation) => {
  const { change, email } = relaxation;
  if (change === 'shorter_duration') return `${change} ${relaxation.durationMinutes}`;
  if (change === 'more_days') return `${change} ${relaxation.endDate}`;
  if (change === 'without_rule') return `${change} ${email} ${relaxation.words}`;
  if (change === 'work_on_holiday') return `${change} ${email} ${relaxation.holiday.date}`;
  if (change === 'longer_hours')
    return `${change} ${email} ${relaxation.start === undefined ? `end ${relaxation.end}` : `start ${relaxation.start}`}`;
  if (change !== 'without_focus_block') return `${change} ${email}`;
  const { day, start, end } = relaxation.focusBlock;
  return `${change} ${email} ${day} ${start} ${end}`;
};

/**
 * Checks, for random searches that found nothing, that causes and changes are those of the oracle. Returns the kinds
 * that occurred.
 */
export function expectReasonsToAgree({ numRuns, seed }: { numRuns: number; seed?: number }) {
  const rules = new Set<string>();
  const changes = new Set<string>();
  fc.assert(
    fc.property(randomSearch, (random) => {
      const empty = { ...random, daysKnownAfter: 7 };
      fc.pre(candidateStarts(empty).length === 0);
      const causes = causesOf(empty);
      const named = causes.filter(({ email, rule }) => email !== null && rule !== 'work_hours');
      const under = (left?: Cause) =>
        allowedStarts(empty, (email, rule) =>
          named.some((cause) => cause !== left && cause.email === email && cause.rule === rule),
        ).length;
      expect(under()).toBe(0);
      for (const cause of named) expect(under(cause)).toBeGreaterThan(0);
      for (const { rule } of causes) rules.add(rule);

      const opened = [...changesOf(empty)].map(([label, changed]) => ({ label, opens: allowedStarts(changed).length }));
      const longest = opened.findLast(({ label, opens }) => label.startsWith('shorter') && opens > 0)?.label;
      const all = opened
        .filter(({ label, opens }) => opens > 0 && (!label.startsWith('shorter') || label === longest))
        .sort((a, b) => b.opens - a.opens);
      const found = relaxationsOf(empty, bestStart).map((relaxation) => ({
        label: labelOf(relaxation),
        opens: relaxation.opens,
      }));
      expect(found.map(({ opens }) => opens)).toEqual(all.slice(0, 5).map(({ opens }) => opens));
      for (const one of found) expect(all).toContainEqual(one);
      for (const { change } of relaxationsOf(empty, bestStart)) changes.add(change);
    }),
    { numRuns, ...(seed === undefined ? {} : { seed }) },
  );
  return { rules, changes };
}
