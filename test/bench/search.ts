import { execFileSync } from 'node:child_process';
import { withDateFnsTz } from './search-date-fns.ts';
import { withEngine } from './search-engine.ts';
import { type BenchInput, benchInput, type Contestant } from './search-input.ts';
import { limit } from './search-limit.ts';
import { withLuxon } from './search-luxon.ts';
import { withTemporal } from './search-temporal.ts';

const DAYS = [14, 30, 90];
const BUSY = [10, 100, 1000];
const INPUTS_PER_CELL = 20;
const CONTESTANTS: [string, Contestant][] = [
  ['limit', limit],
  ['engine', withEngine],
  ['temporal', withTemporal],
  ['date-fns-tz', withDateFnsTz],
  ['luxon', withLuxon],
];

interface Timing {
  median: number;
  p99: number;
}

interface Cell {
  days: number;
  busy: number;
  timings: Map<string, Timing>;
  kilobytes: number;
}

const cells = DAYS.flatMap((days) => BUSY.map((busy) => measureCell(days, busy)));
printTable(cells);
printGrowth(cells);
printCold();

function measureCell(days: number, busy: number): Cell {
  const inputs = inputsOf(days, busy);
  for (const input of inputs) checkAgreement(input);
  const timings = new Map(CONTESTANTS.map(([name, search]) => [name, time(search, inputs)]));
  return { days, busy, timings, kilobytes: Number(inNewProcess('allocation', String(days), String(busy))) };
}

function inputsOf(days: number, busy: number): BenchInput[] {
  return Array.from({ length: INPUTS_PER_CELL }, (_, i) =>
    benchInput(i % 2 === 0 ? 'spring' : 'autumn', days, busy, i),
  );
}

function checkAgreement(input: BenchInput): void {
  const [expected, ...answers] = CONTESTANTS.map(([, search]) =>
    JSON.stringify(search(input).map(({ start_time, end_time, score }) => [start_time, end_time, score])),
  );
  for (const [i, answer] of answers.entries())
    if (answer !== expected)
      throw new Error(`${CONTESTANTS[i + 1]?.[0]} disagrees with the limit:\n${answer}\n${expected}\n${input.first}`);
}

function time(search: Contestant, inputs: BenchInput[]): Timing {
  run(search, inputs, 300, 200);
  const samples = run(search, inputs, 4000, 1500).sort((a, b) => a - b);
  return { median: quantile(samples, 0.5), p99: quantile(samples, 0.99) };
}

function run(search: Contestant, inputs: BenchInput[], budgetMs: number, most: number): number[] {
  const samples: number[] = [];
  const until = performance.now() + budgetMs / 4;
  for (let i = 0; samples.length < most && (samples.length < 40 || performance.now() < until); i++) {
    const input = inputs[i % inputs.length] as BenchInput;
    const from = performance.now();
    search(input);
    samples.push(performance.now() - from);
  }
  return samples;
}

function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function inNewProcess(what: string, ...args: string[]): string {
  const file = new URL('./search-alone.ts', import.meta.url).pathname;
  const flags = ['--expose-gc', '--max-semi-space-size=512', '--min-semi-space-size=512'];
  return execFileSync(process.execPath, [...(what === 'cold' ? [] : flags), file, what, ...args], { encoding: 'utf8' });
}

function printTable(rows: Cell[]): void {
  const names = CONTESTANTS.map(([name]) => name);
  console.log('New York and Berlin, 30 minutes, provider strings in, ranked slots out; ms, median / p99\n');
  console.log(['days', 'busy', ...names, 'engine : limit', 'KB allocated'].join(' | '));
  for (const { days, busy, timings, kilobytes } of rows) {
    const times = names.map((name) => {
      const { median, p99 } = timings.get(name) ?? { median: Number.NaN, p99: Number.NaN };
      return `${median.toFixed(3)} / ${p99.toFixed(3)}`;
    });
    console.log([days, busy, ...times, ratio(timings, 'engine', 'limit'), kilobytes.toFixed(0)].join(' | '));
  }
}

function ratio(timings: Map<string, Timing>, a: string, b: string): string {
  return ((timings.get(a)?.median ?? 0) / (timings.get(b)?.median ?? 1)).toFixed(2);
}

function printGrowth(rows: Cell[]): void {
  const median = (days: number, busy: number) =>
    rows.find((row) => row.days === days && row.busy === busy)?.timings.get('engine')?.median ?? Number.NaN;
  console.log('\nGrowth of the engine');
  for (const busy of BUSY)
    console.log(`${busy} busy: 14 → 90 days (× 6.4) takes × ${(median(90, busy) / median(14, busy)).toFixed(1)}`);
  for (const days of DAYS)
    console.log(`${days} days: 10 → 1000 busy (× 100) takes × ${(median(days, 1000) / median(days, 10)).toFixed(1)}`);
}

function printCold(): void {
  const runs = Array.from({ length: 15 }, () => inNewProcess('cold').split(' ').map(Number));
  console.log(`\nCold, in ${runs.length} new processes, ms, median / worst`);
  for (const [i, name] of ['loading the engine and the first formatter', 'the first search'].entries()) {
    const samples = runs.map((run) => run[i] ?? Number.NaN).sort((a, b) => a - b);
    console.log(`${name}: ${quantile(samples, 0.5).toFixed(1)} / ${quantile(samples, 1).toFixed(1)}`);
  }
}
