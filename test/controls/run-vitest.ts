import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

interface Report {
  success: boolean;
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
}

/** Runs test files in `folder` until one test fails; answers how many failed and the first one's name. */
export async function runVitest(folder: string, files: string[], env: Record<string, string>) {
  const reportPath = join(folder, 'report.json');
  await rm(reportPath, { force: true });
  const args = ['run', ...files, '--bail=1', '--reporter=json', `--outputFile=${reportPath}`];
  const child = spawn(process.execPath, [join(folder, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  await once(child, 'close');
  const report: Report = JSON.parse(
    await readFile(reportPath, 'utf8').catch(() => '{"success": false, "testResults": []}'),
  );
  const failed = report.testResults
    .flatMap((file) => file.assertionResults)
    .filter(({ status }) => status === 'failed');
  return { failed: report.success ? 0 : Math.max(1, failed.length), first: failed[0]?.fullName ?? 'it does not run' };
}
