// Tests the OpenAPI document with other people's tools. Two linters must find nothing. The clients of two generators
// must compile under `tsc --strict` and play the main flow against a local stack:
//
//   npm test -- openapi
//
// The tools have a package of their own, because they are as large as everything that `npm test` needs besides the
// Worker's runtime.
import { execFile, execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { ASSETS, buildAssets } from '../../functions/cli/assets.ts';
import { seed } from '../local/seed.ts';
import { startWorld } from '../local/world.ts';

const here = import.meta.dirname;
const made = join(here, 'made');
const document = join(ASSETS, 'openapi.json');
const PROGRAMS = ['openapi-fetch', 'hey-api'];

await buildAssets();
rmSync(made, { recursive: true, force: true });
run('redocly', 'lint', document);
run('spectral', 'lint', '--fail-severity=hint', '-r', 'spectral.yaml', document);
run('openapi-typescript', document, '-o', 'made/schema.ts');
run('openapi-ts', '-i', document, '-o', 'made/hey', '-c', '@hey-api/client-fetch', '--silent');
run('tsc', '-p', 'programs');
await play();

function run(name: string, ...args: string[]): void {
  console.log(`\n$ ${name} ${args.join(' ')}`);
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off' };
  execFileSync(join(here, 'node_modules/.bin', name), args, { cwd: here, stdio: 'inherit', env });
}

async function play(): Promise<void> {
  const world = await startWorld();
  try {
    const { platform, users } = await seed(world);
    const attendees = users.slice(0, 2).map(({ email }) => email);
    const env = {
      ...process.env,
      BASE_URL: world.baseUrl,
      KEY: platform.secret_key ?? '',
      ATTENDEES: attendees.join(),
    };
    for (const name of PROGRAMS) {
      const outfile = join(made, `${name}.mjs`);
      const entryPoints = [join(here, 'programs', `${name}.ts`)];
      await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
      const { stdout } = await promisify(execFile)(process.execPath, [outfile], { env });
      console.log(`\n${stdout.trim()}`);
    }
  } finally {
    await world.close();
  }
}
