import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

interface Report {
  success: boolean;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

/** Longest time that a run of the suites takes. A run that hangs is ended, because it says nothing. */
const LONGEST_RUN_MS = 30 * 60_000;

interface Wanted {
  files: string[];
  /** Projects of vitest.config.ts to run the files in. */
  projects: string[];
  env: Record<string, string>;
}

/**
 * Result of a run, with the first failed test and its failure. `broken` means that the run failed although no test
 * failed.
 */
interface End {
  end: 'green' | 'red' | 'broken';
  first?: string;
  message?: string;
}

/** Runs test files in `folder` until one test fails. A run that hangs is killed with all its processes. */
export async function runVitest(folder: string, { files, projects, env }: Wanted): Promise<End> {
  const reportPath = join(folder, 'report.json');
  await rm(reportPath, { force: true });
  const args = ['run', ...files, '--bail=1', '--reporter=json', `--outputFile=${reportPath}`];
  for (const project of projects) args.push(`--project=${project}`);
  const child = spawn(process.execPath, [join(folder, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: 'ignore',
    detached: true,
  });
  const killAll = () => child.pid === undefined || process.kill(-child.pid, 'SIGKILL');
  process.once('exit', killAll);
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    killAll();
  }, LONGEST_RUN_MS);
  await once(child, 'close');
  clearTimeout(limit);
  process.off('exit', killAll);
  if (isLate) return { end: 'broken', first: `it did not end within ${LONGEST_RUN_MS / 60_000} minutes` };
  const text = await readFile(reportPath, 'utf8').catch(() => undefined);
  if (text === undefined) return { end: 'broken', first: 'it does not run' };
  const { success, testResults }: Report = JSON.parse(text);
  if (success) return { end: 'green' };
  const failed = testResults.flatMap((file) => file.assertionResults).find(({ status }) => status === 'failed');
  if (failed !== undefined) return { end: 'red', first: failed.fullName, message: failed.failureMessages.join('\n') };
  const file = testResults.find(({ status }) => status === 'failed');
  return { end: 'broken', first: file?.message.split('\n')[0] ?? 'it does not run' };
}
