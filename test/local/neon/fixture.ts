import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bigint, date, integer, jsonb, numeric, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const people = pgTable('people', {
  id: integer().primaryKey(),
  email: text().notNull().unique('people_email'),
  seenAt: timestamp({ withTimezone: true }),
  settings: jsonb(),
  tags: text().array(),
  balance: numeric({ precision: 12, scale: 3 }),
  counter: bigint({ mode: 'bigint' }),
  born: date(),
});

/** Statements that create the tests' tables. */
export const schema = [
  'create extension if not exists btree_gist',
  `create table people (id int primary key, email text not null constraint people_email unique, "seenAt" timestamptz,
    settings jsonb, tags text[], balance numeric(12, 3), counter bigint, born date)`,
  `create table holds (who text, during tstzrange,
    constraint holds_no_overlap exclude using gist (who with =, during with &&))`,
];

/** Writes a folder with one drizzle migration of these statements. */
export async function migrationFolder(statements: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'neon-migrations-'));
  await mkdir(join(folder, 'meta'));
  const journal = {
    version: '7',
    dialect: 'postgresql',
    entries: [{ idx: 0, version: '7', when: 1_700_000_000_000, tag: '0000_first', breakpoints: true }],
  };
  await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify(journal));
  await writeFile(join(folder, '0000_first.sql'), statements.join('\n--> statement-breakpoint\n'));
  return folder;
}
