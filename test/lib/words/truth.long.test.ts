import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AutoSearch } from '../../../lib/engine/rank/auto-factors.ts';
import { findSlots } from '../../../lib/engine/rank/find-slots.ts';
import { rankAuto } from '../../../lib/engine/rank/rank-auto.ts';
import { describePick } from '../../../lib/words/reasoning.ts';
import { withWords } from '../../../lib/words/slots.ts';
import { allowedStarts } from '../engine/oracle/rules.ts';
import { at, dates, everyDay, search, span } from '../engine/people.ts';
import { randomAuto } from '../engine/picks-agreement.ts';
import { flexible, weighted } from '../engine/rank/auto-search.ts';
import { CLAUSES } from './clauses.ts';

/** The words with which a clause begins, before which a list of clauses is split. */
const BEGINNING =
  /(?:, and | and |, but |, (?=avoids|keeps|leaves))(?=avoids|keeps|leaves|it's|no earlier|\w+day is|\w+s suit|\w+s are|(?:Ada|Bob) likes|early|late|over lunch|at short notice|a Friday|a time|first thing|straight after|right before|between|Christmas Eve|New Year's Eve|the (?:day|only|earliest)|in the|on a|outside|mid-morning|with room)/;

/** Returns the clauses of a text after its first words. */
function clausesOf(text: string): string[] {
  const [first = '', ...sentences] = text.replace(/\.$/, '').split('. ');
  const reasons = /\d:\d\d(?: in [A-Z][^:]*?| UTC\S*?)?: (.*)$/.exec(first)?.[1];
  return [...(reasons === undefined ? [] : [reasons.split('; ')[0] ?? '']), ...sentences].flatMap((sentence) =>
    sentence.split(BEGINNING).map((clause) => clause.replace(/^[Ii]t's |^It (?=avoids|keeps|leaves)/, '')),
  );
}

const { ORACLE_SEED } = process.env;
const RUNS = 1_000;
/**
 * Number of rounds. Some clauses need a rare week, so further rounds draw cases for the clauses that have not occurred
 * yet.
 */
const ROUNDS = 8;

/** Returns a search in which Tandem picks the time, for two people who like all times alike. */
const toPick = (...[requester, other, more]: Parameters<typeof search>): AutoSearch => ({
  ...search(requester, other, more),
  requesterPreferences: flexible,
  otherPreferences: flexible,
});

const AFTERNOONS = everyDay('14:00', '17:00');
/** A search whose later picks have nothing but their nearness for them. Random weeks hardly ever have such picks. */
const ONLY_NEAR = toPick(
  { workHours: AFTERNOONS },
  { workHours: AFTERNOONS },
  { window: dates('2026-05-04', '2026-05-15'), now: at('2026-05-04T06:00Z') },
);

/** A search whose only time lies between two events of the requester. Random weeks seldom have one. */
const ONLY_BETWEEN = toPick(
  {
    workHours: AFTERNOONS,
    busy: [span('2026-05-04T14:00Z', '2026-05-04T15:00Z'), span('2026-05-04T15:30Z', '2026-05-04T17:00Z')],
  },
  { workHours: AFTERNOONS },
);

/** A search that only the minimum notice keeps from its first free time. */
const HELD_BACK: AutoSearch = { ...toPick({}, {}, { now: at('2026-05-04T10:05Z') }), context: 'urgent' };

/** A search whose best time is on a day that the requester's own words rule out. */
const RULED_OUT = toPick(
  {
    standing: [
      { words: 'never on Mondays', verdict: 'never', blocks: [{ day: 'monday', start: '00:00', end: '24:00' }] },
    ],
  },
  {},
  { window: dates('2026-05-04', '2026-05-05') },
);

/** A search whose only time lies twelve minutes from two events of somebody who has learned to want breaks. */
const LITTLE_ROOM: AutoSearch = {
  ...toPick(
    {
      workHours: AFTERNOONS,
      busy: [span('2026-05-04T14:00Z', '2026-05-04T15:03Z'), span('2026-05-04T15:57Z', '2026-05-04T17:00Z')],
    },
    { workHours: AFTERNOONS },
    { window: dates('2026-05-04', '2026-05-04') },
  ),
  requesterPreferences: weighted({ bufferImportance: 2 }),
};

test('no clause about an offered or a picked time says what is not so', { timeout: 600_000 }, () => {
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
      const { slots } = withWords(findSlots(named));
      const offered = slots.map(({ start, end, reason }) => {
        const others = slots.flatMap((other) => (other.start === start ? [] : other.start));
        return { start, end, text: reason, others };
      });
      const picked = rankAuto(named)
        .ranked.slice(0, 4)
        .map((slot) => ({ ...slot, text: describePick(slot.facts()) }));
      for (const { text, ...slot } of [...offered, ...picked]) {
        for (const clause of clausesOf(text)) {
          const [known, holds] = CLAUSES.find(([pattern]) => pattern.test(clause)) ?? [];
          expect({ text, clause, isKnown: known !== undefined }).toEqual({ text, clause, isKnown: true });
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
    { numRuns: RUNS, seed, examples: [[ONLY_NEAR], [ONLY_BETWEEN], [HELD_BACK], [RULED_OUT], [LITTLE_ROOM]] },
  );
}
