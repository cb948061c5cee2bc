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
    assertionResults: { status: string; fullName: string }[];
  }[];
}

/** How a run ended, with the first test that failed; `broken` when no test did and it did not pass either. */
interface End {
  end: 'green' | 'red' | 'broken';
  first?: string;
}

/** Runs test files in `folder` until one test fails. */
export async function runVitest(folder: string, files: string[], env: Record<string, string>): Promise<End> {
  const reportPath = join(folder, 'report.json');
  await rm(reportPath, { force: true });
  const args = ['run', ...files, '--bail=1', '--reporter=json', `--outputFile=${reportPath}`];
  const child = spawn(process.execPath, [join(folder, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  await once(child, 'close');
  const text = await readFile(reportPath, 'utf8').catch(() => undefined);
  if (text === undefined) return { end: 'broken', first: 'it does not run' };
  const { success, testResults }: Report = JSON.parse(text);
  if (success) return { end: 'green' };
  const failed = testResults.flatMap((file) => file.assertionResults).find(({ status }) => status === 'failed');
  if (failed !== undefined) return { end: 'red', first: failed.fullName };
  const file = testResults.find(({ status }) => status === 'failed');
  return { end: 'broken', first: file?.message.split('\n')[0] ?? 'it does not run' };
}
