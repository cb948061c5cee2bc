import { execFileSync } from 'node:child_process';
import { end, refuse } from '../functions/cli/command.ts';
import { findServers } from './support/runs/servers.ts';
import { runProgram, runVitest } from './support/runs/vitest.ts';

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
