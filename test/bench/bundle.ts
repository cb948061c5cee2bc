// What a deployed Worker weighs and how long it takes to start, beside the same Worker unminified, built by `wrangler`
// from `wrangler.toml`:
//
//   npm run bench:bundle
//
// Start-up is what `wrangler check startup` samples while workerd loads the module, without the idle samples; both builds
// take turns, BENCH_STARTS (5) times each. Times are printed and judge nothing; it ends with 1 when the Worker is over
// its goal in bytes.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import { ms, printTable, quantile } from './figures.ts';

const GOAL_KIB = 230;
const HEAVIEST = 12;
const PRODUCTION = ['--env', 'production'];
const STARTS = Number(process.env.BENCH_STARTS ?? 5);

const Metafile = z.object({
  outputs: z.record(z.string(), z.object({ inputs: z.record(z.string(), z.object({ bytesInOutput: z.number() })) })),
});
const Profile = z.object({
  nodes: z.array(z.object({ id: z.number(), callFrame: z.object({ functionName: z.string() }) })),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

interface Build {
  name: string;
  flags: string[];
  raw: number;
  gzip: number;
  packages: Map<string, number>;
  starts: number[];
}

const folder = mkdtempSync(join(tmpdir(), 'tandem-bundle-'));
try {
  const shipped = build('shipped', []);
  const unminified = build('unminified', ['--minify=false']);
  for (let i = 0; i < STARTS; i++) for (const each of [unminified, shipped]) each.starts.push(measureStart(each));
  printBuilds([unminified, shipped]);
  printPackages(unminified, shipped);
  const isLight = shipped.gzip <= GOAL_KIB * 1024;
  console.log(`\n${isLight ? 'Within' : 'OVER'} the goal of ${GOAL_KIB} KiB gzip`);
  process.exitCode = isLight ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}

function build(name: string, flags: string[]): Build {
  const out = join(folder, name);
  wrangler('deploy', '--dry-run', ...PRODUCTION, '--outdir', out, '--metafile', ...flags);
  const code = readFileSync(join(out, 'worker.js'));
  const { outputs } = Metafile.parse(readJson(join(out, 'bundle-meta.json')));
  const packages = new Map<string, number>();
  for (const { inputs } of Object.values(outputs))
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      const packageName = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? `our ${file.split('/')[0]}`;
      packages.set(packageName, (packages.get(packageName) ?? 0) + bytesInOutput);
    }
  return { name, flags, raw: code.length, gzip: gzipSync(code).length, packages, starts: [] };
}

/** Milliseconds a fresh workerd is busy until the Worker's module is loaded. */
function measureStart({ flags }: Build): number {
  const file = join(folder, 'startup.cpuprofile');
  wrangler('check', 'startup', '--outfile', file, `--args=${[...PRODUCTION, ...flags].join(' ')}`);
  const { nodes, samples, timeDeltas } = Profile.parse(readJson(file));
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id));
  return samples.reduce((sum, id, i) => sum + (idle.has(id) ? 0 : (timeDeltas[i] ?? 0)), 0) / 1000;
}

function wrangler(...args: string[]): void {
  const script = join(createRequire(import.meta.url).resolve('wrangler/package.json'), '../bin/wrangler.js');
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false' };
  execFileSync(process.execPath, [script, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function printBuilds(builds: Build[]): void {
  printTable([
    ['', 'KiB', 'KiB gzip', `start-up ms, median of ${STARTS}`, 'fastest'],
    ...builds.map(({ name, raw, gzip, starts }) => [
      name,
      kib(raw),
      kib(gzip),
      ms(quantile(starts, 0.5)),
      ms(Math.min(...starts)),
    ]),
  ]);
}

function printPackages(before: Build, after: Build): void {
  const heaviest = [...after.packages].sort(([, a], [, b]) => b - a).slice(0, HEAVIEST);
  console.log('\nThe heaviest, KiB before gzip');
  printTable([
    ['', before.name, after.name],
    ...heaviest.map(([name, bytes]) => [name, kib(before.packages.get(name) ?? 0), kib(bytes)]),
    ['all packages', kib(ofPackages(before)), kib(ofPackages(after))],
  ]);
}

function ofPackages({ packages }: Build): number {
  return [...packages].reduce((sum, [name, bytes]) => sum + (name.startsWith('our ') ? 0 : bytes), 0);
}

function kib(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
