import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

// The planted files must find vitest.
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/tandem');
const PROGRAM = `
  import { runVitest } from ${JSON.stringify(join(import.meta.dirname, 'vitest.ts'))};
  process.exitCode = await runVitest({ options: ['--project=planted'], args: ['--shard=1/1'] });`;

const GREEN = "import { test } from 'vitest'; test('is green', () => {});";
const RED = "import { expect, test } from 'vitest'; test('is red', () => expect(1).toBe(2));";
/** Is red in the first run alone, of which it leaves a trace. */
const FLAKY = `
import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
describe('a suite', () => {
  test('is red once', () => {
    const wasRun = existsSync('trace');
    writeFileSync('trace', '');
    expect(wasRun).toBe(true);
  });
  test('is always green', () => {});
});`;
let folder: string;
beforeEach(() => {
  mkdirSync(CACHE, { recursive: true });
  folder = mkdtempSync(join(CACHE, 'planted-'));
  const planted = folder;
  onTestFinished(() => rmSync(planted, { recursive: true }));
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    "export default { test: { projects: [{ test: { name: 'planted', include: ['*.test.ts'] } }] } };",
  );
});

/** Runs the planted test files. Returns the exit code, what was printed, and what the report of flaky tests has. */
function run(files: Record<string, string>, reports = true) {
  for (const [name, source] of Object.entries(files)) writeFileSync(join(folder, `${name}.test.ts`), source);
  const report = join(folder, 'flaky.txt');
  writeFileSync(report, '');
  const { FLAKY_REPORT: _, ...rest } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    cwd: folder,
    env: { ...rest, NO_COLOR: '1', ...(reports ? { FLAKY_REPORT: report } : {}) },
    encoding: 'utf8',
  });
  return { status, printed: stdout + stderr, flaky: readFileSync(report, 'utf8') };
}

test('a file that is red once runs again on its own, and is named with its red test', () => {
  const { status, printed, flaky } = run({ flaky: FLAKY, green: GREEN });
  expect({ status, flaky }).toEqual({ status: 0, flaky: 'flaky: flaky.test.ts a suite is red once\n' });
  expect(printed).toContain('Red, so it runs once more on its own: flaky.test.ts');
  expect(printed).toContain('Test Files  1 failed | 1 passed (2)');
  expect(printed).toContain('Test Files  1 passed (1)');
});

test('a file that is red twice fails the run, beside one that is red once', () => {
  const { status, printed } = run({ flaky: FLAKY, red: RED });
  expect(status).toBe(1);
  expect(printed).toContain('Red, so it runs once more on its own: red.test.ts');
});

test('many red files fail the run at once', () => {
  const { status, printed } = run(Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`red${at}`, RED])));
  expect(status).toBe(1);
  expect(printed).not.toContain('runs once more');
});

test('without a report, red is red', () => {
  const { status, printed, flaky } = run({ flaky: FLAKY }, false);
  expect({ status, flaky }).toEqual({ status: 1, flaky: '' });
  expect(printed).not.toContain('runs once more');
});
