import { execFileSync } from 'node:child_process';
import { Redis } from 'ioredis';
import pg from 'pg';
import { end, refuse } from '../functions/cli/command.ts';
import { runProgram, runVitest } from './support/runs/vitest.ts';

/**
 * Returns the environment of suites on a real Postgres and a real Redis. Says which there are, and returns undefined if
 * one does not answer.
 */
async function findServers(database = 'tandem_test'): Promise<NodeJS.ProcessEnv | undefined> {
  const servers = {
    TEST_DATABASE: process.env.TEST_DATABASE ?? database,
    TEST_POSTGRES: process.env.TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres',
    TEST_REDIS: process.env.TEST_REDIS ?? 'redis://127.0.0.1:6379',
  };
  const found = await Promise.all([
    report('PostgreSQL', 'TEST_POSTGRES', servers.TEST_POSTGRES, postgresVersion),
    report('Redis', 'TEST_REDIS', servers.TEST_REDIS, redisVersion),
  ]);
  return found.includes(false) ? undefined : { ...process.env, ...servers };
}

async function report(
  server: string,
  variable: string,
  url: string,
  ask: (url: string) => Promise<string>,
): Promise<boolean> {
  const { host } = new URL(url);
  try {
    console.log(`${server} ${await ask(url)} at ${host}`);
    return true;
  } catch (error) {
    console.error(`NO ${server.toUpperCase()}: ${host} does not answer (${error}). ${variable} names another.`);
    return false;
  }
}

async function postgresVersion(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  return rows[0]?.server_version ?? 'of no version';
}

async function redisVersion(url: string): Promise<string> {
  const client = new Redis(url, { lazyConnect: true, connectTimeout: 10_000, retryStrategy: () => null });
  // The failed call reports the error as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return /redis_version:(\S+)/.exec(await client.info('server'))?.[1] ?? 'of no version';
  } finally {
    client.disconnect();
  }
}

type Suite = { projects: string[]; files?: string; database?: string } | { program: string[]; packages?: string };
const QUICK: Suite = { projects: ['parts', 'worker'] };
const SUITES: Record<string, Suite> = {
  long: { projects: ['long'] },
  engine: { projects: ['parts', 'long'], files: 'test/lib/engine' },
  mcp: { projects: ['worker', 'long'], files: 'test/functions/mcp' },
  pages: { projects: ['pages'] },
  servers: { projects: ['servers'], database: 'tandem_test' },
  races: { projects: ['races'], database: 'tandem_races' },
  chaos: { program: ['test/chaos/run.ts'] },
  stories: { program: ['test/stories/run.ts'] },
  openapi: { program: ['test/openapi/clients.ts'], packages: 'test/openapi' },
  google: { program: ['--env-file-if-exists=.dev.vars', 'test/local/google/check.ts'] },
};

const [name = '', ...rest] = process.argv.slice(2);
const asksHow = process.argv.slice(2).some((flag) => flag === '--help' || flag === '-h');
// Chaos has flags of its own and says so itself.
const USAGE = `npm test [-- <suite>] [<files> and flags of vitest, or of the suite's own program]\n\nSuites, which test/README.md describes: ${Object.keys(SUITES).join(', ')}. Without one, the quick tests run.`;
if (asksHow && name !== 'chaos') end({ print: `${USAGE}\n`, exitCode: 0 });
const named = SUITES[name];
process.exitCode = await run(named ?? QUICK, named === undefined ? process.argv.slice(2) : rest);

async function run(suite: Suite, args: string[]): Promise<number> {
  if ('program' in suite) {
    if (suite.packages !== undefined) execFileSync('npm', ['ci', '--prefix', suite.packages], { stdio: 'inherit' });
    return runProgram([...suite.program, ...args]);
  }
  await mustKnow(args);
  const { projects, files, database } = suite;
  const env = database === undefined ? process.env : await findServers(database);
  if (env === undefined) return 1;
  const options = projects.map((project) => `--project=${project}`);
  return runVitest({ options, args: files === undefined ? args : [files, ...args], env });
}

/** Ends the program at a flag that vitest does not know, which vitest itself would report with a stack trace. */
async function mustKnow(args: string[]): Promise<void> {
  if (!args.some((arg) => arg.startsWith('-'))) return;
  const { createCLI } = await import('vitest/node');
  const cli = createCLI();
  try {
    cli.parse(['node', 'vitest', 'run', ...args], { run: false });
    cli.matchedCommand?.checkUnknownOptions();
  } catch (error) {
    end(refuse(`${(error as Error).message.replaceAll('`', "'")}.`, USAGE));
  }
}
