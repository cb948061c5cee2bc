// Prints the size and start-up time of a deployed Worker, which `wrangler` builds from `wrangler.toml`:
//
//   npm run bench -- bundle
//
// Start-up is the time that `wrangler check startup` samples while workerd loads the module, without the idle samples,
// BENCH_STARTS (7) times. The bench guards against growth: it exits with 1 if the Worker is over 600 KiB gzip, or over
// 100 ms at its fastest start. A busy machine disturbs the fastest start least.
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

await buildAssets();
const folder = mkdtempSync(join(tmpdir(), 'tandem-bundle-'));
try {
  const config = readFileSync(join(root, 'wrangler.toml'), 'utf8');
  writeFileSync(CONFIG, config.replace('"node functions/cli/deploy.ts production --check"', '""'));
  const { raw, gzip, packages } = build();
  const starts = Array.from({ length: STARTS }, measureStart);
  const fastest = Math.min(...starts);
  printTable([
    ['KiB', 'KiB gzip', `start-up ms, median of ${STARTS}`, 'fastest'],
    [kib(raw), kib(gzip), ms(quantile(starts, 0.5)), ms(fastest)],
  ]);
  printPackages(packages);
  console.log(`\n${gzip <= LIMIT_KIB * 1024 ? 'Within' : 'OVER'} the limit of ${LIMIT_KIB} KiB gzip`);
  console.log(
    `${fastest <= LIMIT_MS ? 'Within' : 'OVER'} the limit of ${LIMIT_MS} ms at the fastest of ${STARTS} starts`,
  );
  process.exitCode = gzip <= LIMIT_KIB * 1024 && fastest <= LIMIT_MS ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
  rmSync(CONFIG, { force: true });
}

function build() {
  const out = join(folder, 'shipped');
  wrangler('deploy', '--dry-run', ...PRODUCTION, '--outdir', out, '--metafile');
  const code = readFileSync(join(out, 'worker.js'));
  const { outputs } = Metafile.parse(readJson(join(out, 'bundle-meta.json')));
  const packages = new Map<string, number>();
  for (const { inputs } of Object.values(outputs))
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      const packageName = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? `our ${file.split('/')[0]}`;
      packages.set(packageName, (packages.get(packageName) ?? 0) + bytesInOutput);
    }
  return { raw: code.length, gzip: gzipSync(code).length, packages };
}

/** Returns the milliseconds that a fresh workerd is busy until it has loaded the Worker's module. */
function measureStart(): number {
  const file = join(folder, 'startup.cpuprofile');
  wrangler('check', 'startup', '--outfile', file, `--args=${PRODUCTION.join(' ')}`);
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

function printPackages(packages: Map<string, number>): void {
  const heaviest = [...packages].sort(([, a], [, b]) => b - a).slice(0, HEAVIEST);
  const all = [...packages].reduce((sum, [name, bytes]) => sum + (name.startsWith('our ') ? 0 : bytes), 0);
  console.log('\nThe heaviest, KiB before gzip');
  printTable([...heaviest, ['all packages', all] as const].map(([name, bytes]) => [name, kib(bytes)]));
}

function kib(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
