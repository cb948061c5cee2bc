import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFlags } from '../../functions/cli/command.ts';
import { takeShare } from '../support/fuzz/seeded.ts';
import { runVitest } from '../support/runs/vitest.ts';
import { type Coverage, coverageTables } from './coverage.ts';
import type { Outcome } from './history.ts';
import { KEPT_SEEDS, planOf, toKept } from './plan.ts';

const DAY_MS = 86_400_000;

interface Chosen {
  /** Parses seeds: "17", "3,9" or "1-500". */
  seeds?: string | undefined;
  /** Returns this many seeds that change with the date. */
  today?: string | undefined;
  /** Parses a share: "2/5" is the second fifth of the seeds. */
  share: string;
}

/** Returns the seeds to play, with the kept ones first unless the seeds are given one by one. */
function chooseSeeds({ seeds, today, share }: Chosen, now = Date.now()): number[] {
  const count = Number(today ?? 0);
  const first = 1_000_000 + Math.floor(now / DAY_MS) * count;
  const named = seeds === undefined ? between(first, first + count - 1) : seeds.split(',').flatMap(range);
  const kept = seeds === undefined || seeds.includes('-') ? Object.keys(KEPT_SEEDS).map(Number) : [];
  return takeShare([...kept, ...named.filter((seed) => !kept.includes(seed))], share);
}

function range(text: string): number[] {
  const [first = Number.NaN, last = first] = text.split('-').map(Number);
  if (!(first <= last)) throw new Error(`"${text}" names no seeds`);
  return between(first, last);
}

const between = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

interface Played {
  outcomes: Outcome[];
  seeds: number[];
  seconds: number;
  /** True if a cell that was never met counts as a failure. */
  isWhole: boolean;
}

const KILLS = ['the Worker dies', 'the stack dies'];

/** Prints what was played, met and found. Returns false if anything was wrong or missing. */
function report({ outcomes, seeds, seconds, isWhole }: Played): boolean {
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
      `${wrong.length} seeds found something wrong`,
    ].join('\n'),
  );
  return outcomes.length === seeds.length && wrong.length === 0 && (!isWhole || empty.length === 0);
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

// Plays seeds in several worlds at a time, each with a database of its own. Prints which calls failed, and everything
// that was wrong at the end.

const USAGE = `npm test -- chaos [--seeds 1-500 | --today 10] [--share 1/1] [--worlds 3] [--whole] [--plan 17]
  --seeds   which histories: "17", "3,9", "1-500"
  --today   so many that change with the date (the default, with 24)
  --share   "2/5" plays the second fifth of them
  --worlds  how many worlds play at a time
  --whole   a cell of the tables that was never met is a failure too
  --plan    plays nothing and shows this seed's plan as kept-seeds.json keeps it`;

const A_WORLD = 50;

const { values } = readFlags(USAGE, {
  seeds: { type: 'string' },
  today: { type: 'string', default: '24' },
  share: { type: 'string', default: '1/1' },
  worlds: { type: 'string', default: '3' },
  whole: { type: 'boolean', default: false },
  plan: { type: 'string' },
});

if (values.plan !== undefined) {
  console.log(JSON.stringify(toKept(planOf(Number(values.plan)))));
  process.exit(0);
}

const seeds = chooseSeeds(values);
const worlds = Math.min(Number(values.worlds), seeds.length);
const size = Math.min(A_WORLD, Math.ceil(seeds.length / worlds));
const parts = Array.from({ length: Math.ceil(seeds.length / size) }, (_, at) =>
  seeds.slice(at * size, (at + 1) * size),
);
const folder = await mkdtemp(join(tmpdir(), 'tandem-chaos-'));
const started = Date.now();
const waiting = [...parts.entries()];
const codes: number[] = [];
await Promise.all(Array.from({ length: worlds }, (_, world) => playOn(world)));
const outcomes = await readOutcomes();
await rm(folder, { recursive: true });
const isGreen = report({ outcomes, seeds, seconds: (Date.now() - started) / 1_000, isWhole: values.whole });
process.exitCode = isGreen && codes.every((code) => code === 0) ? 0 : 1;

async function playOn(world: number): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [part, mine] = next;
    codes.push(await playPart(part, mine, world));
  }
}

async function playPart(part: number, mine: number[], world: number): Promise<number> {
  const { TEST_POSTGRES = 'postgres://postgres@127.0.0.1:5432/postgres', TEST_REDIS = 'redis://127.0.0.1:6379' } =
    process.env;
  const env = {
    ...process.env,
    TEST_POSTGRES,
    TEST_REDIS,
    TEST_DATABASE: `${process.env.TEST_DATABASE ?? 'tandem_chaos'}_${world}`,
    CHAOS_SEEDS: mine.join(),
    CHAOS_REPORT: join(folder, `part-${part}.jsonl`),
  };
  // What the first run found does not count if the second finds nothing.
  const onAgain = () => rmSync(env.CHAOS_REPORT, { force: true });
  return runVitest({ options: ['--project=chaos'], env, onAgain });
}

async function readOutcomes(): Promise<Outcome[]> {
  const files = parts.map((_, part) => join(folder, `part-${part}.jsonl`));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts.flatMap((text) => text.split('\n').filter(Boolean)).map((line) => JSON.parse(line));
}
