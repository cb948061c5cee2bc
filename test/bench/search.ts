import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { quantile } from './figures.ts';
import { withEngine } from './search-engine.ts';
import { type BenchInput, benchInput, type Contestant } from './search-input.ts';
import { withDateFnsTz, withLuxon, withTemporal } from './search-libraries.ts';
import { limit } from './search-limit.ts';
import { wholeRequest } from './search-request.ts';

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
await printShare(cells);

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

/** Every contestant gives the limit's answer, down to the last word of it. */
function checkAgreement(input: BenchInput): void {
  const expected = limit(input);
  for (const [name, search] of CONTESTANTS)
    assert.deepEqual(search(input), expected, `${name} disagrees with the limit on ${input.first}, ${input.days} days`);
}

function time(search: Contestant, inputs: BenchInput[]): Timing {
  run(search, inputs, 300, 200);
  const samples = run(search, inputs, 4000, 1500);
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
  console.log('\nGrowth of the engine');
  for (const busy of BUSY)
    console.log(
      `${busy} busy: 14 → 90 days (× 6.4) takes × ${(medianOf(rows, 90, busy) / medianOf(rows, 14, busy)).toFixed(1)}`,
    );
  for (const days of DAYS)
    console.log(
      `${days} days: 10 → 1000 busy (× 100) takes × ${(medianOf(rows, days, 1000) / medianOf(rows, days, 10)).toFixed(1)}`,
    );
}

function printCold(): void {
  const runs = Array.from({ length: 15 }, () => inNewProcess('cold').split(' ').map(Number));
  console.log(`\nCold, in ${runs.length} new processes, ms, median / worst`);
  for (const [i, name] of ['loading the engine and the first formatter', 'the first search'].entries()) {
    const samples = runs.map((run) => run[i] ?? Number.NaN);
    console.log(`${name}: ${quantile(samples, 0.5).toFixed(1)} / ${quantile(samples, 1).toFixed(1)}`);
  }
}

/** What there is to win for somebody who waits: the most that the engine takes of a request which nobody holds up. */
async function printShare(rows: Cell[]): Promise<void> {
  const request = await wholeRequest();
  const engine = medianOf(rows, 30, 10);
  const share = ((100 * engine) / request).toFixed(1);
  console.log(
    `\nA whole request for 30 days, all other parties on this machine: ${request.toFixed(1)} ms; the engine is ${share} % of it`,
  );
}

function medianOf(rows: Cell[], days: number, busy: number): number {
  return rows.find((row) => row.days === days && row.busy === busy)?.timings.get('engine')?.median ?? Number.NaN;
}
