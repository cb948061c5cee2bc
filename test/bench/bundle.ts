// Prints the size and start-up time of a deployed Worker, beside the same Worker unminified. `wrangler` builds both
// from `wrangler.toml`:
//
//   npm run bench -- bundle
//
// Start-up is the time that `wrangler check startup` samples while workerd loads the module, without the idle samples.
// The two builds take turns, BENCH_STARTS (7) times each. The bench guards against growth: it exits with 1 if the
// shipped Worker is over 600 KiB gzip, or over 100 ms at its fastest start. A busy machine disturbs the fastest start
// least.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import { buildAssets } from '../../functions/cli/assets.ts';
import { ms, printTable, quantile } from './figures.ts';

const LIMIT_KIB = 600;
const LIMIT_MS = 100;
const HEAVIEST = 12;
const root = join(import.meta.dirname, '../..');
/** Copy of wrangler.toml without the check that an environment is complete: this Worker is built and not deployed. */
const CONFIG = join(root, `wrangler.bench-${process.pid}.toml`);
const PRODUCTION = ['--env', 'production', '--config', CONFIG];
const STARTS = Number(process.env.BENCH_STARTS ?? 7);

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

await buildAssets();
const folder = mkdtempSync(join(tmpdir(), 'tandem-bundle-'));
try {
  const config = readFileSync(join(root, 'wrangler.toml'), 'utf8');
  writeFileSync(CONFIG, config.replace('"node functions/cli/deploy.ts production --check"', '""'));
  const shipped = build('shipped', []);
  const unminified = build('unminified', ['--minify=false']);
  for (let i = 0; i < STARTS; i++) for (const each of [unminified, shipped]) each.starts.push(measureStart(each));
  printBuilds([unminified, shipped]);
  printPackages(unminified, shipped);
  const isLight = shipped.gzip <= LIMIT_KIB * 1024;
  const isQuick = Math.min(...shipped.starts) <= LIMIT_MS;
  console.log(`\n${isLight ? 'Within' : 'OVER'} the limit of ${LIMIT_KIB} KiB gzip`);
  console.log(`${isQuick ? 'Within' : 'OVER'} the limit of ${LIMIT_MS} ms at the fastest of ${STARTS} starts`);
  process.exitCode = isLight && isQuick ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
  rmSync(CONFIG, { force: true });
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

/** Returns the milliseconds that a fresh workerd is busy until it has loaded the Worker's module. */
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
