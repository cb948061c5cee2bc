import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rankAuto } from '../../../lib/scheduling/rank-auto.ts';
import { describePick } from '../../../lib/wording/reasoning.ts';
import { allowedStarts } from '../scheduling/oracle/rules.ts';
import { randomAuto } from '../scheduling/random-picks.ts';
import { CLAUSES } from './clauses.ts';

/** The clauses of a text after its first words, with nothing left over. */
function clausesOf(text: string): string[] {
  const [first = '', ...sentences] = text.replace(/\.$/, '').split('. ');
  const reasons = first.split('): ')[1] ?? first.split(/Bob Brown: /)[1];
  return [...(reasons ? split(reasons) : []), ...sentences.flatMap(split)];
}

/** Lists are split where a clause begins, so that "Mondays and Fridays" stays whole. */
const split = (sentence: string) => (sentence.startsWith('Their') ? [sentence] : clauses(sentence));

const clauses = (sentence: string) =>
  sentence
    .replace(/^It |^it (?=starts|ends|runs|is on|is in|is back)/, '')
    .replace(/; it /g, '; ')
    .split(
      /; |, and (?=avoids|keeps)|(?:, and |, | and )(?=it is|mid-morning|soon|the first time|every|\w+s suit|\w+s are|(?:Ada|Bob) likes|starts|ends|runs|is (?:on|in|back))/,
    )
    .map((clause) =>
      clause.startsWith('Nothing')
        ? `n${clause.slice(1)}`
        : clause.replace(/^(?=mid-morning|soon|the first time)/, 'it is '),
    );

test('no clause of a reasoning says what is not so', { timeout: 120_000 }, () => {
  const said = new Map<string, number>();
  fc.assert(
    fc.property(randomAuto, (search) => {
      const named = {
        ...search,
        requester: { ...search.requester, email: 'ada.adams@example.com' },
        other: { ...search.other, email: 'bob.brown@example.com' },
      };
      const starts = allowedStarts(named);
      for (const slot of rankAuto(named).ranked.slice(0, 4)) {
        const text = describePick(slot.facts());
        for (const clause of clausesOf(text)) {
          const [known, holds] = CLAUSES.find(([pattern]) => pattern.test(clause)) ?? [];
          expect({ text, clause, isKnown: known !== undefined }).toMatchObject({ isKnown: true });
          const words = known?.exec(clause)?.slice(1) ?? [];
          expect({ text, clause, holds: holds?.({ search: named, starts, ...slot }, ...words) }).toMatchObject({
            holds: true,
          });
          said.set(String(known), (said.get(String(known)) ?? 0) + 1);
        }
      }
    }),
    { numRuns: 1_500 },
  );
  expect(CLAUSES.map(([pattern]) => String(pattern)).filter((pattern) => !said.has(pattern))).toEqual([]);
});
