import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AutoSearch } from '../../../lib/engine/rank/auto-factors.ts';
import { rankAuto } from '../../../lib/engine/rank/rank-auto.ts';
import { describePick } from '../../../lib/words/reasoning.ts';
import { allowedStarts } from '../engine/oracle/rules.ts';
import { at, dates, everyDay, search, span } from '../engine/people.ts';
import { randomAuto } from '../engine/random-picks.ts';
import { flexible } from '../engine/rank/auto-search.ts';
import { CLAUSES } from './clauses.ts';

/** Returns the clauses of a text after its first words, and fails if anything is left over. */
function clausesOf(text: string): string[] {
  const [first = '', ...sentences] = text.replace(/\.$/, '').split('. ');
  const reasons = first.split(/\d:\d\d(?: in [A-Z][^:]*| UTC\S*)?: /)[1];
  return [...(reasons ? split(reasons) : []), ...sentences.flatMap(split)];
}

/** A list is split only where a clause begins, so that "Mondays and Fridays" stays whole. */
const split = (sentence: string) =>
  sentence.includes("'s turn to meet") ? [sentence.replace(/^It /, '')] : clauses(sentence);

const clauses = (sentence: string) =>
  sentence
    .replace(/^It |^it (?=starts|ends|runs|goes|comes|is on|is in|is outside|is back|leaves)/, '')
    .replace(/; it /g, '; ')
    .split(
      /; |, and (?=avoids|keeps|leaves)|(?:, and |, | and )(?=it is|mid-morning|within the|the first time|\w+day is|\w+s suit|\w+s are|(?:Ada|Bob) likes|starts|ends|runs|goes|comes|is (?:on|in|outside|back)|leaves)/,
    )
    .map((clause) => clause.replace(/^(?=mid-morning|within the|the first time)/, 'it is '));

const { ORACLE_SEED } = process.env;
const RUNS = 1_500;
/**
 * Number of rounds. Some clauses need a rare week, so further rounds draw cases for the clauses that have not occurred
 * yet.
 */
const ROUNDS = 8;

const AFTERNOONS = everyDay('14:00', '17:00');
/** A search whose later picks have nothing but their nearness for them. Random weeks hardly ever have such picks. */
const ONLY_NEAR: AutoSearch = {
  ...search(
    { workHours: AFTERNOONS },
    { workHours: AFTERNOONS },
    { window: dates('2026-05-04', '2026-05-15'), now: at('2026-05-04T06:00Z') },
  ),
  requesterPreferences: flexible,
  otherPreferences: flexible,
};

/** A search whose only time lies between two events of the requester. Random weeks seldom have one. */
const ONLY_BETWEEN: AutoSearch = {
  ...search(
    {
      workHours: AFTERNOONS,
      busy: [span('2026-05-04T14:00Z', '2026-05-04T15:00Z'), span('2026-05-04T15:30Z', '2026-05-04T17:00Z')],
    },
    { workHours: AFTERNOONS },
  ),
  requesterPreferences: flexible,
  otherPreferences: flexible,
};

test('no clause of a reasoning says what is not so', { timeout: 600_000 }, () => {
  const first = Number(ORACLE_SEED ?? Date.now() % 1e9);
  const unsaid = new Set(CLAUSES.map(([pattern]) => String(pattern)));
  for (let round = 0; round < ROUNDS && (round === 0 || unsaid.size > 0); round += 1)
    judgeClauses(first + round, unsaid);
  expect([...unsaid]).toEqual([]);
});

function judgeClauses(seed: number, unsaid: Set<string>): void {
  fc.assert(
    fc.property(randomAuto, (drawn) => {
      const named = {
        ...drawn,
        requester: { ...drawn.requester, email: 'ada.adams@example.com' },
        other: { ...drawn.other, email: 'bob.brown@example.com' },
      };
      const starts = allowedStarts(named);
      for (const slot of rankAuto(named).ranked.slice(0, 4)) {
        const text = describePick(slot.facts());
        for (const clause of clausesOf(text)) {
          const [known, holds] = CLAUSES.find(([pattern]) => pattern.test(clause)) ?? [];
          expect({ text, clause, isKnown: known !== undefined }).toMatchObject({ isKnown: true });
          const words = known?.exec(clause)?.slice(1) ?? [];
          expect({ text, clause, holds: holds?.({ search: named, starts, ...slot }, ...words) }).toEqual({
            text,
            clause,
            holds: true,
          });
          unsaid.delete(String(known));
        }
      }
    }),
    { numRuns: RUNS, seed, examples: [[ONLY_NEAR], [ONLY_BETWEEN]] },
  );
}
