import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };

function run(command: string, ...args: string[]) {
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' };
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}

test.each(['production', 'staging'])('the repository as it is deploys no %s: it says what to set and where', (name) => {
  const { status, said } = run(process.execPath, 'functions/cli/deploy.ts', name, '--dry-run');
  expect(status).toBe(1);
  expect(said).toBe(`Not deployed: [env.${name}] in wrangler.toml is incomplete.
- The setting routes is missing. Add the route of the Worker.
- BASE_URL is missing in vars.
- OWN_DOMAIN is missing in vars.
- SUPPORT_EMAIL is missing in vars.
functions/README.md, "Addresses and company", says what belongs there.
`);
});

test.each(['production', 'staging'])('wrangler deploy --env %s, run directly, ends at the same check', (name) => {
  const wrangler = ['node_modules/wrangler/bin/wrangler.js', 'deploy', '--env', name, '--dry-run'];
  const { status, said } = run(process.execPath, ...wrangler);
  expect(status).toBe(1);
  expect(said).toContain(`Not deployed: [env.${name}] in wrangler.toml is incomplete.`);
  expect(said).toContain('- The setting routes is missing.');
  expect(said).not.toContain('Total Upload');
});

test('wrangler deploy without an environment ends with what to run instead', () => {
  const { status, said } = run(process.execPath, 'node_modules/wrangler/bin/wrangler.js', 'deploy', '--dry-run');
  expect(status).toBe(1);
  expect(said).toContain('Deploy with npm run deploy or npm run deploy -- staging');
  expect(said).toContain('Develop with npm run dev');
  expect(said).not.toContain('Total Upload');
});

const programs = Object.entries(packageJson.scripts).flatMap(([name, script]): [string, string][] => {
  const program = /(?:^|&& )(?:exec )?node .*?(\S+\.ts)/.exec(script)?.[1];
  return program === undefined || name === 'test' ? [] : [[name, program]];
});

test.each(programs)(
  'npm run %s knows --help and -h, and refuses a flag that it does not know by its name',
  (_, program) => {
    const help = run(process.execPath, program, '--help');
    expect(help).toEqual({ status: 0, said: expect.stringContaining('npm ') });
    expect(run(process.execPath, program, '-h')).toEqual(help);
    const refused = run(process.execPath, program, '--nonsense');
    expect(refused).toEqual({ status: 2, said: `Unknown option '--nonsense'.\n\n${help.said}` });
  },
);

test.each(['db:migrate', 'deploy', 'platform:create', 'admin', 'doctor', 'tokens:reseal', 'reading'] as const)(
  'npm run %s reads .dev.vars',
  (name) => {
    expect(packageJson.scripts[name]).toContain('--env-file-if-exists=.dev.vars');
  },
);
