import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSlots } from '../../../lib/engine/rank/find-slots.ts';
import type { Search, SearchedPerson } from '../../../lib/engine/types.ts';
import { withWords } from '../../../lib/words/found.ts';
import { PAIRS, pairAt } from '../../stories/corpus.ts';
import { minuteOf, wallAt } from '../engine/oracle/clock.ts';
import { sidesBeside } from '../engine/oracle/comfort.ts';
import { isSoonAfterNight } from '../engine/oracle/overnight.ts';
import { intervalsOf } from '../engine/oracle/rules.ts';
import { randomSearch } from '../engine/random-search.ts';
import { COMPARISONS } from './compared.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Said {
  search: Search;
  start: number;
  end: number;
}
type Holds = (one: SearchedPerson, said: Said, words: string) => boolean;

const named = ({ requester, other }: Search, who: string) =>
  who === 'both' ? [requester, other] : [who === 'Ada' ? requester : other];

/** Returns the minutes without a meeting before and after a time, and no more than an hour's. */
function gapsAround({ busy, meetings }: SearchedPerson, { start, end }: Said): [number, number] {
  const all = [...intervalsOf(busy), ...meetings].filter((one) => one.start < one.end);
  const isTaken = (at: number) => all.some((one) => at >= one.start && at < one.end);
  const gap = (at: (step: number) => number) => {
    for (let step = 0; step < 60; step++) if (isTaken(at(step))) return step;
    return 60;
  };
  return [gap((step) => start - (step + 1) * MINUTE), gap((step) => end + step * MINUTE)];
}

function keepsFree({ timeZone, focusBlocks, standing = [] }: SearchedPerson, at: number): boolean {
  const { weekday, minute } = wallAt(timeZone, at);
  const never = standing.filter(({ verdict }) => verdict === 'never').flatMap(({ blocks }) => blocks);
  return [...focusBlocks, ...never].some(
    ({ day, start, end }) => day === weekday && minute >= minuteOf(start) && minute < minuteOf(end),
  );
}

const sidesOf = (one: SearchedPerson, { start, end }: Said) => sidesBeside(one, start, end);

const isFreeAround = (one: SearchedPerson, said: Said, minutes: number): boolean => {
  if (gapsAround(one, said).some((gap) => gap < minutes)) return false;
  for (let at = said.start - minutes * MINUTE; at < said.end + minutes * MINUTE; at += MINUTE)
    if (keepsFree(one, at)) return false;
  return true;
};
const hasRoom: Holds = (one, said) => isFreeAround(one, said, 30);

/** What sentences say about the time around a meeting, with the condition under which it is true. */
const CLAUSES: [RegExp, Holds][] = [
  [/back to back(?: and [a-z ]+)? for (\w+)/, (one, said) => sidesOf(one, said) > 0],
  [/with room to breathe before and after/, hasRoom],
  [
    /at short notice(?: and [a-z ]+)? for (\w+)/,
    (one, { search: { now }, start }) => isSoonAfterNight(one, now, start),
  ],
];

/** Returns true if a meeting ends after 18:00 on a clock. */
function isPastSix(timeZone: string, { start, end }: Said): boolean {
  const [first, last] = [wallAt(timeZone, start), wallAt(timeZone, end)];
  return last.date !== first.date || last.minute > 1080;
}

const withNames = (search: Search): Search => ({
  ...search,
  requester: { ...search.requester, email: 'ada@example.com' },
  other: { ...search.other, email: 'bob@example.com' },
});

function judge(search: Search, met: Set<string>): void {
  const { slots } = withWords(findSlots(search));
  for (const { start, end, reason } of slots) {
    const said = { search, start, end };
    const others = slots.flatMap((other) => (other.start === start ? [] : other.start));
    for (const [comparison, holds] of COMPARISONS) {
      const found = comparison.exec(reason);
      if (found === null) continue;
      met.add(String(comparison));
      const [words, ...blanks] = found;
      const isTrue = holds({ search, own: start, others }, ...blanks);
      expect({ reason, words, isTrue }).toEqual({ reason, words, isTrue: true });
    }
    for (const [clause, holds] of CLAUSES) {
      const [words, who = 'both'] = clause.exec(reason) ?? [];
      if (words === undefined) continue;
      met.add(String(clause));
      const isTrue = named(search, who).every((one) => holds(one, said, words));
      expect({ reason, words, isTrue }).toEqual({ reason, words, isTrue: true });
    }
    // No sentence hides that somebody meets early or late, also where another one has said so in full.
    for (const { timeZone } of [search.requester, search.other]) {
      if (wallAt(timeZone, start).minute < 480) expect(reason).toMatch(/\bearly\b/);
      else if (isPastSix(timeZone, said)) expect(reason).toMatch(/\blate\b|last free/);
    }
    for (const one of [search.requester, search.other])
      if (start - search.now > 2 * HOUR && isSoonAfterNight(one, search.now, start))
        expect(reason).toMatch(/at short notice/);
    // No praise hides that another meeting is right beside this one.
    for (const one of [search.requester, search.other])
      if (sidesOf(one, said) > 0) expect(reason).toMatch(/back to back/);
  }
}

test('what a sentence says about breaks, room, notice and the other times is so, and a missing break is always said', () => {
  const met = new Set<string>();
  // Some clauses are rare, so this goes on beyond the pairs of the corpus.
  for (let i = 0; i < 3 * PAIRS; i += 1) judge(withNames(pairAt(i)), met);
  fc.assert(
    fc.property(randomSearch, (search) => judge(withNames(search), met)),
    { numRuns: 150, seed: 26 },
  );
  expect([...met].sort()).toEqual([...CLAUSES, ...COMPARISONS].map(([clause]) => String(clause)).sort());
});
