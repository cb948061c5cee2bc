import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Coverage, coverageTables } from './coverage.ts';
import type { Outcome } from './history.ts';

// Plays seeds in parts, each on a database of its own, and shows what failed, where, and what was wrong in the end.

const USAGE = `npm run test:chaos -- [--seeds 1-24] [--parts 2] [--whole]
  --seeds  which histories: "17", "3,9", "1-500"
  --parts  how many worlds play at a time
  --whole  a cell of the tables that was never met is a failure too`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1-24' },
    parts: { type: 'string', default: '2' },
    whole: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const seeds = values.seeds.split(',').flatMap((range) => {
  const [first = Number.NaN, last = first] = range.split('-').map(Number);
  if (!(first <= last)) throw new Error(`"${range}" names no seeds.\n${USAGE}`);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
});
const parts = Math.min(Number(values.parts), seeds.length);
const folder = await mkdtemp(join(tmpdir(), 'tandem-chaos-'));
const started = Date.now();
const codes = await Promise.all(Array.from({ length: parts }, (_, part) => playPart(part)));
const outcomes = await readOutcomes();
await rm(folder, { recursive: true });
process.exitCode = report() ? 0 : 1;

async function playPart(part: number): Promise<number> {
  const { TEST_POSTGRES = 'postgres://postgres@127.0.0.1:5432/postgres', TEST_REDIS = 'redis://127.0.0.1:6379' } =
    process.env;
  const env = {
    ...process.env,
    TEST_POSTGRES,
    TEST_REDIS,
    TEST_DATABASE: `${process.env.TEST_DATABASE ?? 'tandem_chaos'}_${part}`,
    CHAOS_SEEDS: seeds.filter((_, at) => at % parts === part).join(),
    CHAOS_REPORT: join(folder, `part-${part}.jsonl`),
  };
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'chaos'], {
    env,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'close');
  return Number(code ?? 1);
}

async function readOutcomes(): Promise<Outcome[]> {
  const files = Array.from({ length: parts }, (_, part) => join(folder, `part-${part}.jsonl`));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts.flatMap((text) => text.split('\n').filter(Boolean)).map((line) => JSON.parse(line));
}

function report(): boolean {
  const sum = (tables: Coverage[]) => {
    const all: Coverage = {};
    for (const table of tables) for (const [name, times] of Object.entries(table)) all[name] = (all[name] ?? 0) + times;
    return all;
  };
  const total = (table: Coverage) => Object.values(table).reduce((one, other) => one + other, 0);
  const [operations, calamities] = [sum(outcomes.map((o) => o.operations)), sum(outcomes.map((o) => o.calamities))];
  const { text, empty } = coverageTables(sum(outcomes.map(({ met }) => met)));
  const wrong = outcomes.filter(({ found }) => found.length > 0);
  const faults = outcomes.reduce((all, one) => all + one.faults, 0);
  console.log(text);
  if (empty.length > 0) console.log(`\nNever met (${empty.length}): ${empty.join('; ')}`);
  for (const { seed, found } of wrong) console.log(`\nseed ${seed}:\n  ${found.join('\n  ')}`);
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  console.log(
    `\n${outcomes.length} of ${seeds.length} seeds in ${minutes} min; ${total(operations)} operations, ${faults} calls met a fault, ` +
      `${total(calamities)} calamities; ${wrong.length} seeds found something wrong`,
  );
  console.log(`operations ${JSON.stringify(operations)}\ncalamities ${JSON.stringify(calamities)}`);
  const isWhole = !values.whole || empty.length === 0;
  return codes.every((code) => code === 0) && outcomes.length === seeds.length && wrong.length === 0 && isWhole;
}
