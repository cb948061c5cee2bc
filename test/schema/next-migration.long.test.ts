import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { createNeon } from '../local/neon.ts';
import { migratedDatabase } from '../support/worlds/prepared.ts';

// The copy of the tables must find the packages.
const CACHE = 'node_modules/.cache/tandem';
mkdirSync(CACHE, { recursive: true });
const folder = mkdtempSync(join(CACHE, 'next-migration-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const path of ['schema', 'drizzle.config.ts', 'package.json'])
  cpSync(path, join(folder, path), { recursive: true });

const MIGRATIONS = join(folder, 'schema/migrations');
const files = () => globSync('**/*.*', { cwd: MIGRATIONS }).toSorted();

/** Does what `npm run db:generate` does, in the copy. */
async function generate(): Promise<string> {
  const drizzle = join(process.cwd(), 'node_modules/drizzle-kit/bin.cjs');
  const { stdout } = await promisify(execFile)(process.execPath, [drizzle, 'generate', '--name', 'next'], {
    cwd: folder,
  });
  return stdout;
}

function edit(file: string, from: string, to: string): void {
  const source = readFileSync(join(folder, file), 'utf8');
  expect(source.split(from)).toHaveLength(2);
  writeFileSync(join(folder, file), source.replace(from, to));
}

test('the tables are those of the migrations', async () => {
  const before = files();
  expect(await generate()).toContain('No schema changes');
  expect(files()).toEqual(before);
});

test('a changed table makes the next migration, which brings a deployed database on with its rows', async () => {
  const deployed = await createNeon({ snapshot: await migratedDatabase() });
  try {
    await deployed.query(`insert into users (id, email, created_at) values ('usr_a', 'a@a.test', now())`);
    const before = files();
    const { length: count } = globSync('*.sql', { cwd: MIGRATIONS });
    edit(
      'schema/tables/users.ts',
      "guestEmail: text('guest_email'),",
      "guestEmail: text('guest_email'), note: text(),",
    );
    await generate();
    const number = String(count).padStart(4, '0');
    expect(files().filter((file) => !before.includes(file))).toEqual([
      `${number}_next.sql`,
      `meta/${number}_snapshot.json`,
    ]);
    expect(readFileSync(join(MIGRATIONS, `${number}_next.sql`), 'utf8')).toBe(
      'ALTER TABLE "users" ADD COLUMN "note" text;',
    );

    await deployed.migrate(MIGRATIONS);
    await deployed.migrate(MIGRATIONS);
    expect(await deployed.query('select id, email, note from users')).toEqual([
      { id: 'usr_a', email: 'a@a.test', note: null },
    ]);
    expect(await deployed.query('select count(*)::int as count from drizzle.__drizzle_migrations')).toEqual([
      { count: count + 1 },
    ]);

    // Only the last snapshot is needed for the migration after it.
    for (const file of before) if (file.endsWith('_snapshot.json')) rmSync(join(MIGRATIONS, file));
    expect(await generate()).toContain('No schema changes');
  } finally {
    await deployed.close();
  }
});
