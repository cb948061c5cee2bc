import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runVitest } from './run-vitest.ts';

// Switches off one safeguard of the calendars' snapshots at a time, in a temporary copy, and shows that the histories turn
// red each time.

const SAFEGUARDS = [
  {
    name: 'a read is of the generation it began with',
    file: 'schema/busy-snapshots/queries.ts',
    from: 'syncedGen: generation,',
    to: 'syncedGen: sql`${busySnapshots.dirtyGen}`,',
  },
  {
    name: 'an answer with errors is unknown, not free',
    file: 'lib/adapters/google-calendar.ts',
    from: 'if (calendar?.busy === undefined || (calendar.errors?.length ?? 0) > 0)',
    to: 'if (calendar?.busy === undefined)',
  },
  {
    name: 'what is read rolls on each day',
    file: 'lib/calendars/snapshot/timing.ts',
    from: 'Math.floor((now - midnight) / DAY) * DAY + midnight',
    to: 'Math.floor((now - midnight) / (60 * DAY)) * 60 * DAY + midnight',
  },
  {
    name: 'a push is believed for its channel’s secret only',
    file: 'schema/watch-channels/queries.ts',
    from: 'eq(watchChannels.tokenHash, tokenHash), ',
    to: 'tokenHash === undefined ? undefined : undefined, ',
  },
];
const SUITE = ['test/lib/calendars/snapshot-histories.long.test.ts'];
const { SNAPSHOT_RUNS = '150' } = process.env;

const root = resolve(import.meta.dirname, '../..');
const copy = await mkdtemp(join(tmpdir(), 'tandem-calendars-'));
try {
  for (const path of ['functions', 'lib', 'schema', 'test', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    await cp(join(root, path), join(copy, path), { recursive: true });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const whole = await runVitest(copy, SUITE, { SNAPSHOT_RUNS });
  console.log(whole.failed === 0 ? 'green  nothing switched off' : 'RED    nothing switched off');
  const survivors: string[] = [];
  for (const { name, file, from, to } of SAFEGUARDS) {
    const path = join(copy, file);
    const source = await readFile(path, 'utf8');
    if (source.split(from).length !== 2) throw new Error(`"${from}" must match exactly one place of ${file}`);
    await writeFile(
      path,
      source.replace(from, () => to),
    );
    const { failed } = await runVitest(copy, SUITE, { SNAPSHOT_RUNS });
    await writeFile(path, source);
    if (failed === 0) survivors.push(name);
    console.log(`${failed === 0 ? 'GREEN ' : 'red   '} ${name}`);
  }
  console.log(
    `${SAFEGUARDS.length - survivors.length} of ${SAFEGUARDS.length} safeguards turned the histories red when switched off`,
  );
  process.exitCode = whole.failed === 0 && survivors.length === 0 ? 0 : 1;
} finally {
  await rm(copy, { recursive: true });
}
