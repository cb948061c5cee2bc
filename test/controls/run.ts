import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { end, readFlags, refuse } from '../../functions/cli/command.ts';
import { BOOKING } from './booking.ts';
import { CALENDARS } from './calendars.ts';
import { CHAOS, CHAOS_SEEDS } from './chaos.ts';
import { type Control, edited } from './control.ts';
import { ENGINE } from './engine.ts';
import { KEYS } from './keys.ts';

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
  /** Projects of vitest.config.ts to run the files in, the quick ones first. */
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

/** Runs test files in `folder`, one project after another, until one test fails: most faults are seen by a quick one. */
async function runVitest(folder: string, wanted: Wanted): Promise<End> {
  for (const project of wanted.projects) {
    const run = await runProject(folder, wanted, project);
    if (run.end !== 'green') return run;
  }
  return { end: 'green' };
}

/** A run that hangs is killed with all its processes. */
async function runProject(folder: string, { files, env }: Wanted, project: string): Promise<End> {
  const reportPath = join(folder, 'report.json');
  await rm(reportPath, { force: true });
  const args = ['run', ...files, `--project=${project}`, '--passWithNoTests', '--bail=1'];
  args.push('--reporter=json', `--outputFile=${reportPath}`);
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

// Applies one control at a time in a temporary copy, and shows that the suites fail each time. A control that cannot be
// applied, that breaks more than it should, or that fails without what it says, proves nothing.

const SERVERS = {
  TEST_DATABASE: process.env.TEST_DATABASE ?? 'tandem_controls',
  TEST_POSTGRES: process.env.TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  TEST_REDIS: process.env.TEST_REDIS ?? 'redis://127.0.0.1:6379',
};
const EMBEDDED = ['parts', 'worker', 'long'];
const KINDS: Record<string, { controls: Control[]; projects: string[]; env: Record<string, string> }> = {
  booking: { controls: BOOKING, projects: [...EMBEDDED, 'races', 'servers'], env: SERVERS },
  calendars: { controls: CALENDARS, projects: EMBEDDED, env: { SNAPSHOT_RUNS: '100' } },
  keys: { controls: KEYS, projects: EMBEDDED, env: {} },
  chaos: { controls: CHAOS, projects: ['chaos'], env: { ...SERVERS, CHAOS_SEEDS } },
  engine: {
    controls: ENGINE,
    projects: EMBEDDED,
    env: { ORACLE_RUNS: '300', ORACLE_SHRINKS: 'no', TEST_SHARE: '1/9' },
  },
};

const USAGE = `npm run controls -- <${Object.keys(KINDS).join(' | ')}> [part of a control's name]`;
const [kind = '', part = ''] = readFlags(USAGE, {}, { words: true }).words;
const chosen = KINDS[kind];
if (chosen === undefined) end(refuse('Name a kind of controls.', USAGE));
const { env, projects } = chosen;
const controls = chosen.controls.filter(({ name }) => name.includes(part));
const root = resolve(import.meta.dirname, '../..');
for (const { edits } of controls) for (const edit of edits) edited(root, edit);

const copy = mkdtempSync(join(tmpdir(), 'tandem-controls-'));
process.once('exit', () => rmSync(copy, { recursive: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts', 'wrangler.toml'];
for (const path of ['functions', 'lib', 'schema', 'test', ...settings])
  cpSync(join(root, path), join(copy, path), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

const suites = [...new Set(controls.flatMap((control) => control.suites))];
const whole = await runVitest(copy, { files: suites, projects, env });
console.log(
  whole.end === 'green' ? 'green   nothing changed' : `${whole.end.toUpperCase()}  nothing changed: ${whole.first}`,
);
let proven = 0;
for (const { name, edits, suites, says = '' } of controls) {
  for (const edit of edits) writeFileSync(join(copy, edit.file), edited(copy, edit));
  const run = await runVitest(copy, { files: suites, projects, env });
  const { end, first } = run.message?.includes(says) === false ? { ...run, end: 'broken' } : run;
  for (const { file } of edits) writeFileSync(join(copy, file), readFileSync(join(root, file)));
  if (end === 'red') proven += 1;
  console.log(
    end === 'red' ? `red     ${name}: ${first}` : `${end.toUpperCase()}  ${name}${first ? `: ${first}` : ''}`,
  );
}
console.log(`${proven} of ${controls.length} controls turned the suites red`);
process.exitCode = whole.end === 'green' && proven === controls.length ? 0 : 1;
