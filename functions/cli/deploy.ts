import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { findTroubles } from '../http/env.ts';
import { findBroken } from '../openapi/contract.ts';
import { buildAssets } from './assets.ts';
import { end, readFlags, refuse } from './command.ts';
import { carryReleased, currentContract, readReleased, release } from './release.ts';

const NEEDED = ['BASE_URL', 'OWN_DOMAIN', 'SUPPORT_EMAIL'];
/** Variables without which a Worker runs, but pages of it are 404. */
const WANTED = ['COMPANY_NAME', 'CONTACT_EMAIL', 'SECURITY_EXPIRES'];

const Route = z.union([z.string(), z.object({ pattern: z.string() })]);

export type Deployable = { routes?: unknown[] | undefined; vars: Record<string, unknown> };

export function findObstacles({ routes = [], vars }: Deployable): string[] {
  const hosts = routes.map((route) => {
    const parsed = Route.parse(route);
    return (typeof parsed === 'string' ? parsed : parsed.pattern).replace(/\/.*$/, '');
  });
  const inVars = [
    ...NEEDED.filter((name) => !(name in vars)).map((name) => `${name} is missing in vars.`),
    ...findTroubles(vars).flatMap(({ name, trouble }) => (name in vars ? `${name} in vars ${trouble}.` : [])),
  ];
  if (hosts.length === 0) return ['The setting routes is missing. Add the route of the Worker.', ...inVars];
  const isServed = inVars.length > 0 || hosts.includes(new URL(String(vars.BASE_URL)).hostname);
  return isServed
    ? inVars
    : [`No route has the host of BASE_URL, ${String(vars.BASE_URL)}. Add a route with this host.`];
}

/**
 * Production must serve only released clients: customers install one by its address and keep its hash, so a changed one
 * could no longer be installed. `wrangler deploy` runs this too, as the environment's build command, so that it cannot
 * go around the check.
 */
async function isReady(environment: string): Promise<boolean> {
  await buildAssets();
  const { unstable_readConfig: readConfig } = await import('wrangler');
  const config = readConfig({ config: 'wrangler.toml', env: environment });
  const missing = findObstacles(config);
  const unset = [...WANTED.filter((name) => !(name in config.vars)), ...(config.placement ? [] : ['placement'])];
  if (unset.length > 0) console.error(`[env.${environment}] in wrangler.toml does not set ${unset.join(', ')}.`);
  if (missing.length > 0) {
    console.error(`Not deployed: [env.${environment}] in wrangler.toml is incomplete.`);
    for (const obstacle of missing) console.error(`- ${obstacle}`);
    console.error('functions/README.md, "Addresses and company", says what belongs there.');
    return false;
  }
  if (environment !== 'production') return true;
  const { released, now } = currentContract();
  const baseUrl = String(config.vars.BASE_URL);
  const obstacles = [...findBroken(released, now), ...(await carryReleased(readReleased(), { baseUrl }))];
  for (const obstacle of obstacles) console.error(`Not deployed: ${obstacle}`);
  return obstacles.length === 0;
}

/** Returns the exit code. Does nothing if wrangler.toml is incomplete. What production then serves counts as released. */
async function deploy(environment: string, isDry: boolean, options: string[]): Promise<number> {
  if (!(await isReady(environment))) return 1;
  const wrangler = join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'bin/wrangler.js');
  const args = [wrangler, 'deploy', '--env', environment, ...(isDry ? ['--dry-run'] : []), ...options];
  const status = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
  if (status === 0 && !isDry && environment === 'production') release();
  return status;
}

const USAGE = `npm run deploy -- [production | staging] [--dry-run] [--outdir <folder>] [--message <text>] [--tag <text>]

Deploys production unless you name staging. --check looks for obstacles alone; wrangler gets the other flags.`;
const [TEXT, YES] = [{ type: 'string' }, { type: 'boolean' }] as const;

if (import.meta.main) {
  const flags = { check: YES, 'dry-run': YES, outdir: TEXT, message: TEXT, tag: TEXT };
  const { values, words } = readFlags(USAGE, flags, { words: true });
  const { check = false, 'dry-run': isDry = false, ...texts } = values;
  const [environment = 'production', ...more] = words;
  if (!['production', 'staging'].includes(environment) || more.length > 0)
    end(refuse(`There is no environment ${words.join(' ')}.`, USAGE));
  const options = Object.entries(texts).map(([name, text]) => `--${name}=${text}`);
  if (check) process.exitCode = (await isReady(environment)) ? 0 : 1;
  else process.exitCode = await deploy(environment, isDry, options);
}
