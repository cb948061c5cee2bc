import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
/** So many red files are no bad luck, and running each of them again would take longer than it tells. */
const MOST_AGAIN = 5;

interface VitestRun {
  options: string[];
  /** Further arguments of the first run, such as files or a shard. */
  args?: string[];
  env?: NodeJS.ProcessEnv;
  /** Callback before a file runs again. */
  onAgain?: () => void;
}

/**
 * Runs vitest and returns its exit code. If the environment has FLAKY_REPORT, each red test file runs once more, on its
 * own: a file that is green then counts as green, and the report gets a line for each of its tests that were red.
 */
export async function runVitest({ options, args = [], env = process.env, onAgain }: VitestRun): Promise<number> {
  const report = env.FLAKY_REPORT;
  if (report === undefined) return runProgram([VITEST, 'run', ...options, ...args], env);
  const folder = mkdtempSync(join(tmpdir(), 'tandem-run-'));
  try {
    const json = join(folder, 'results.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${json}`];
    const code = await runProgram([VITEST, 'run', ...options, ...args, ...reporters], env);
    const red = code === 0 || !existsSync(json) ? [] : redFilesIn(json);
    if (red.length === 0 || red.length > MOST_AGAIN) return code;
    for (const { file, tests } of red) {
      console.log(`\nRed, so it runs once more on its own: ${file}`);
      onAgain?.();
      if ((await runProgram([VITEST, 'run', ...options, file], env)) !== 0) return code;
      appendFileSync(report, tests.map((name) => `flaky: ${file} ${name}\n`).join(''));
    }
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Results {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

/** Reads the red test files of a run, each with the names of its red tests, or else with the file's own failure. */
function redFilesIn(json: string): { file: string; tests: string[] }[] {
  const { testResults }: Results = JSON.parse(readFileSync(json, 'utf8'));
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    if (status !== 'failed') return [];
    const tests = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName);
    return [{ file: relative('', name), tests: tests.length > 0 ? tests : [message.split('\n', 1).join()] }];
  });
}

/** Runs a program of Node in a process of its own, which a signal reaches too. Returns its exit code. */
export async function runProgram(args: string[], env = process.env): Promise<number> {
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  const end = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  const [code] = await once(child, 'close');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
  return Number(code ?? 1);
}
