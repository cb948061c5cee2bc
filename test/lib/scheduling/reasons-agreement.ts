import fc from 'fast-check';
import { expect } from 'vitest';
import { candidateStarts } from '../../../lib/scheduling/candidates.ts';
import { type Relaxation, relaxationsOf } from '../../../lib/scheduling/relaxations.ts';
import type { Person, Search } from '../../../lib/scheduling/types.ts';
import { type Cause, causesOf } from '../../../lib/scheduling/why-empty.ts';
import { allowedStarts } from './oracle/rules.ts';
import { dates } from './people.ts';
import { randomSearch } from './random-search.ts';

/** Every single change there is, made to the search itself. */
function* changesOf(empty: Search): Generator<[change: string, changed: Search]> {
  for (let minutes = 15; minutes < empty.durationMinutes; minutes += 15)
    yield [`shorter_duration ${minutes}`, { ...empty, durationMinutes: minutes }];
  const end = new Date(Date.parse(empty.window.end) + 7 * 86_400_000).toISOString().slice(0, 10);
  yield [`more_days ${end}`, { ...empty, window: dates(empty.window.start, end) }];
  for (const role of ['requester', 'other'] as const) {
    const { [role]: one } = empty;
    const change = (rules: Partial<Person>) => ({ ...empty, [role]: { ...one, ...rules } });
    yield [`no_buffer ${one.email}`, change({ bufferMinutes: 0 })];
    if (one.maxMeetingsPerDay < 10)
      yield [`one_more_meeting_a_day ${one.email}`, change({ maxMeetingsPerDay: one.maxMeetingsPerDay + 1 })];
    for (const block of one.focusBlocks)
      yield [
        `without_focus_block ${one.email} ${block.day} ${block.start} ${block.end}`,
        change({ focusBlocks: one.focusBlocks.toSpliced(one.focusBlocks.indexOf(block), 1) }),
      ];
    const { workHours } = one;
    const days = [workHours.monday, workHours.tuesday, workHours.wednesday, workHours.thursday, workHours.friday];
    const usual = [...days, workHours.saturday, workHours.sunday].find(({ enabled }) => enabled);
    const [saturday, sunday] = [workHours.saturday, workHours.sunday].map((day) => (day.enabled ? day : usual));
    if (saturday && sunday) yield [`weekends ${one.email}`, change({ workHours: { ...workHours, saturday, sunday } })];
  }
}

const labelOf = (relaxation: Relaxation) => {
  const { change, email } = relaxation;
  if (change === 'shorter_duration') return `${change} ${relaxation.durationMinutes}`;
  if (change === 'more_days') return `${change} ${relaxation.endDate}`;
  if (change !== 'without_focus_block') return `${change} ${email}`;
  const { day, start, end } = relaxation.focusBlock;
  return `${change} ${email} ${day} ${start} ${end}`;
};

/** On so many random searches that found nothing, the causes and the changes that are told are the oracle's; answers which kinds there were. */
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
      const found = relaxationsOf(empty).map((relaxation) => ({ label: labelOf(relaxation), opens: relaxation.opens }));
      expect(found.map(({ opens }) => opens)).toEqual(all.slice(0, 5).map(({ opens }) => opens));
      for (const one of found) expect(all).toContainEqual(one);
      for (const { change } of relaxationsOf(empty)) changes.add(change);
    }),
    { numRuns, ...(seed === undefined ? {} : { seed }) },
  );
  return { rules, changes };
}
