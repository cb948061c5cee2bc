import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFlags } from '../../functions/cli/command.ts';
import { runVitest } from '../support/runs/vitest.ts';
import type { Outcome } from './history.ts';
import { toKept } from './kept-plans.ts';
import { planOf } from './plan.ts';
import { report } from './report.ts';
import { chooseSeeds } from './seeds.ts';

// Plays seeds in several worlds at a time, each with a database of its own. Prints which calls failed, and everything
// that was wrong at the end.

const USAGE = `npm test -- chaos [--seeds 1-500 | --today 10] [--share 1/1] [--worlds 3] [--whole] [--plan 17]
  --seeds   which histories: "17", "3,9", "1-500"; one that is named twice is played twice, and the ways are compared
  --today   so many that change with the date (the default, with 24)
  --share   "2/5" plays the second fifth of them
  --worlds  how many worlds play at a time
  --whole   a cell of the tables that was never met is a failure too
  --plan    plays nothing and shows this seed's plan as kept-seeds.ts keeps it`;

/** Number of seeds that one world plays before a fresh world takes over. */
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
