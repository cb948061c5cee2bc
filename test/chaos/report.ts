import { type Coverage, coverageTables } from './coverage.ts';
import type { Outcome } from './history.ts';
import { KEPT_SEEDS } from './kept-seeds.ts';

interface Played {
  outcomes: Outcome[];
  seeds: number[];
  seconds: number;
  /** True if a cell that was never met counts as a failure. */
  isWhole: boolean;
}

const KILLS = ['the Worker dies', 'the stack dies'];

/** Prints what was played, met and found. Returns false if anything was wrong or missing. */
export function report({ outcomes, seeds, seconds, isWhole }: Played): boolean {
  const met = sum(outcomes.map((one) => one.met));
  const calamities = sum(outcomes.map((one) => one.calamities));
  const operations = sum(outcomes.map((one) => one.operations));
  const { text, empty, modes } = coverageTables(met);
  const wrong = outcomes.filter(({ found }) => found.length > 0);
  const kills = Object.entries({ ...modes, ...calamities }).filter(
    ([name]) => /^dies/.test(name) || KILLS.includes(name),
  );
  console.log(text);
  if (isWhole) console.log(`\nNever met (${empty.length}): ${empty.join('; ') || 'none'}`);
  for (const { seed, found } of wrong)
    console.log(
      `\nseed ${seed}${KEPT_SEEDS[seed] ? ` (kept: ${KEPT_SEEDS[seed].story})` : ''}:\n  ${found.join('\n  ')}`,
    );
  console.log(
    [
      `\n${outcomes.length} of ${seeds.length} seeds in ${Math.round(seconds)} s, ${(seconds / outcomes.length).toFixed(1)} s a seed`,
      `${total(operations)} operations ${show(operations)}`,
      `${total(modes)} calls met a fault ${show(modes)}`,
      `${total(calamities)} calamities ${show(calamities)}`,
      `${total(Object.fromEntries(kills))} kills of the Worker, alone or with the stack`,
      `told ${show(sum(outcomes.map(({ told }) => told)))}`,
      `${empty.length} cells of the tables never met`,
      ...replays(outcomes),
      `${wrong.length} seeds found something wrong`,
    ].join('\n'),
  );
  return outcomes.length === seeds.length && wrong.length === 0 && (!isWhole || empty.length === 0);
}

/** Counts the wishes that ended as they did the first time, for seeds that were played more than once. */
function replays(outcomes: Outcome[]): string[] {
  const ways = new Map<number, string[][]>();
  for (const { seed, way } of outcomes) ways.set(seed, [...(ways.get(seed) ?? []), way]);
  const pairs = [...ways.values()].flatMap(([first = [], ...others]) => others.map((other) => ({ first, other })));
  const wishes = pairs.flatMap(({ first, other }) => first.map((end, at) => end === other[at]));
  const same = wishes.filter(Boolean).length;
  return pairs.length === 0
    ? []
    : [`${same} of ${wishes.length} wishes of ${pairs.length} replayed seeds ended as before`];
}

function sum(tables: Coverage[]): Coverage {
  const all: Coverage = {};
  for (const table of tables) for (const [name, times] of Object.entries(table)) all[name] = (all[name] ?? 0) + times;
  return all;
}

const total = (table: Coverage) => Object.values(table).reduce((one, other) => one + other, 0);
const show = (table: Coverage) =>
  Object.entries(table)
    .sort(([, one], [, other]) => other - one)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
