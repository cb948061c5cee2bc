import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/neon-http';
import { bigint, date, integer, jsonb, numeric, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emptyDatabase } from '../support/worlds/prepared.ts';
import { createDatabase, createNeon, dropDatabase, type Neon } from './neon.ts';

const URL_SEEN = 'postgresql://tandem:secret@db.neon.test/tandem';
const adminUrl = process.env.TEST_POSTGRES_URL;
const backends = ['PGlite', ...(adminUrl === undefined ? [] : ['Postgres'])];

// Files of one test worker share the client's fetch function, so the next file must find the one of before.
const { fetchFunction } = neonConfig;
afterAll(() => {
  neonConfig.fetchFunction = fetchFunction;
});

describe.each(backends)('Neon over %s', (backend) => {
  let stand: Neon;
  let client: NeonQueryFunction<false, false>;
  let seen: Request[] = [];
  const databaseName = `tandem_neon_test_${process.pid}`;

  beforeAll(async () => {
    stand = await createNeon(
      backend === 'PGlite'
        ? { snapshot: await emptyDatabase() }
        : { postgresUrl: await createDatabase(adminUrl ?? '', databaseName) },
    );
    neonConfig.fetchFunction = (url: string, init: RequestInit) => {
      const request = new Request(url, init);
      seen.push(request.clone());
      return stand.fetch(request);
    };
    client = neon(URL_SEEN);
    for (const statement of schema) await client.query(statement);
  });
  beforeEach(async () => {
    await client.query('truncate people, holds');
    seen = [];
  });
  afterAll(async () => {
    await stand.close();
    if (backend === 'Postgres') await dropDatabase(adminUrl ?? '', databaseName);
  });

  const db = () => drizzle({ client });
  const ask = async (body: string, path = '/sql', headers: Record<string, string> = {}) =>
    stand.fetch(
      new Request(`https://api.neon.test${path}`, {
        method: 'POST',
        headers: { 'neon-connection-string': URL_SEEN, ...headers },
        body,
      }),
    );
  const refusal = (query: Promise<unknown>) => query.then(() => undefined).catch((error) => error.cause ?? error);

  test('answers a query with parameters', async () => {
    expect(await client`select ${1}::int as n, ${'a'}::text as t, ${null}::text as nothing`).toEqual([
      { n: 1, t: 'a', nothing: null },
    ]);
    expect(seen[0]?.url).toBe('https://api.neon.test/sql');
  });

  test('reports fields, command and row count', async () => {
    const result = await client.query("insert into people (id, email) values (1, 'a'), (2, 'b') returning id", [], {
      fullResults: true,
    });
    expect(result).toMatchObject({ command: 'INSERT', rowCount: 2, rows: [{ id: 1 }, { id: 2 }] });
    expect(result.fields[0]).toMatchObject({ name: 'id', dataTypeID: 23, columnID: 1, format: 'text' });
    expect(await client.query('create temp table t ()', [], { fullResults: true })).toMatchObject({
      command: 'CREATE',
      rowCount: null,
      rows: [],
    });
  });

  test('carries every column type there and back through drizzle', async () => {
    const row = {
      id: 1,
      email: 'ana@x.test',
      seenAt: new Date('2026-03-29T01:30:00.123Z'),
      settings: { days: [1, 2], note: 'it\'s "quoted"', nested: { empty: null } },
      tags: ['plain', 'with, comma', 'with "quote"', '', 'back\\slash'],
      balance: '123456789.125',
      counter: 9_007_199_254_740_993n,
      born: '1999-12-31',
    };
    await db().insert(people).values(row);
    expect(await db().select().from(people)).toEqual([row]);
    expect(await stand.query('select email, counter, tags, "seenAt" from people where id = $1', [1])).toEqual([
      { email: row.email, counter: '9007199254740993', tags: row.tags, seenAt: row.seenAt },
    ]);
  });

  test('turns parameters that are not text into what Postgres reads', async () => {
    const params = [['x', null, 'say "hi"'], { a: 1 }, true];
    const answer = await ask(
      JSON.stringify({ query: 'select $1::text[] as a, $2::jsonb as j, $3::bool as b', params }),
    );
    expect(await answer.json()).toMatchObject({ rows: [['{x,NULL,"say \\"hi\\""}', '{"a": 1}', 't']] });
  });

  test('commits a batch whole', async () => {
    const [added, listed] = await db().batch([
      db().insert(people).values({ id: 1, email: 'a' }).returning({ id: people.id }),
      db().select({ email: people.email }).from(people),
    ]);
    expect({ added, listed }).toEqual({ added: [{ id: 1 }], listed: [{ email: 'a' }] });
  });

  test('rolls a batch back when a later statement breaks a constraint', async () => {
    const failure = await refusal(
      db().batch([
        db().insert(people).values({ id: 1, email: 'a' }),
        db().insert(people).values({ id: 2, email: 'a' }),
      ]),
    );
    expect(failure).toMatchObject({ code: '23505', constraint: 'people_email', table: 'people', severity: 'ERROR' });
    expect(await db().select().from(people)).toEqual([]);
  });

  test('names the constraint of a single statement at err.cause', async () => {
    await db().insert(people).values({ id: 1, email: 'a' });
    const error = await db()
      .insert(people)
      .values({ id: 1, email: 'b' })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'Error',
      cause: { name: 'NeonDbError', code: '23505', constraint: 'people_pkey', detail: 'Key (id)=(1) already exists.' },
    });
  });

  test('refuses overlapping holds by exclusion', async () => {
    const hold = (during: string) => client`insert into holds values ('ana', ${during}::tstzrange)`;
    await hold('[2026-01-01 10:00+00,2026-01-01 11:00+00)');
    await hold('[2026-01-01 11:00+00,2026-01-01 12:00+00)');
    expect(await refusal(hold('[2026-01-01 10:30+00,2026-01-01 10:45+00)'))).toMatchObject({
      code: '23P01',
      constraint: 'holds_no_overlap',
    });
  });

  test('lets one of a hundred concurrent claims win', async () => {
    const claims = await Promise.allSettled(
      Array.from({ length: 100 }, () =>
        client.transaction([
          client`insert into holds values ('ana', '[2026-01-01 10:00+00,2026-01-01 11:00+00)')`,
          client`insert into holds values ('ben', '[2026-01-01 10:00+00,2026-01-01 11:00+00)')`,
        ]),
      ),
    );
    expect(claims.filter((claim) => claim.status === 'fulfilled')).toHaveLength(1);
    expect(await client`select count(*)::int as n from holds`).toEqual([{ n: 2 }]);
  });

  test('refuses two statements in one query', async () => {
    expect(await refusal(client.query('select 1; select 2'))).toMatchObject({ code: '42601' });
  });

  test('obeys the batch headers', async () => {
    const [rows] = await client.transaction([client`show transaction_isolation`], { isolationLevel: 'Serializable' });
    expect(rows).toEqual([{ transaction_isolation: 'serializable' }]);
    const writing = client.transaction([client`insert into people (id, email) values (1, 'a')`], { readOnly: true });
    expect(await refusal(writing)).toMatchObject({ code: '25006' });
  });

  test('keeps nothing of one request for the next', async () => {
    await client`set statement_timeout = 1234`;
    await client`begin`;
    await client`insert into people (id, email) values (1, 'a')`;
    expect(await client`show statement_timeout`).toEqual([{ statement_timeout: '0' }]);
    expect(await stand.query('select id from people')).toEqual([{ id: 1 }]);
  });

  test('answers many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => client`select ${n}::int as n`));
    expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 200 }, (_, n) => n));
  });

  test.each([
    ['another path', '/v2/sql', URL_SEEN, '{"query":"select 1"}', 400],
    ['no connection string', '/sql', '', '{"query":"select 1"}', 400],
    ['a connection string that is no Postgres URL', '/sql', 'https://db.neon.test', '{"query":"select 1"}', 400],
    ['a body that is no JSON', '/sql', URL_SEEN, '{', 400],
    ['a body without a query', '/sql', URL_SEEN, '{}', 400],
    ['a body over 10 MiB', '/sql', URL_SEEN, JSON.stringify({ query: ' '.repeat(10 * 1024 * 1024) }), 413],
    ['an answer over 10 MiB', '/sql', URL_SEEN, `{"query":"select repeat('x', 10485760)"}`, 507],
  ])('refuses %s', async (_name, path, connectionString, body, status) => {
    const answer = await ask(body, path, { 'neon-connection-string': connectionString });
    expect(answer.status).toBe(status);
  });

  test('refuses an unknown isolation level', async () => {
    const answer = await ask('{"queries":[]}', '/sql', { 'neon-batch-isolation-level': 'Sloppy' });
    expect(answer.status).toBe(400);
  });

  test('applies a migration folder once, however often it is asked', async () => {
    const folder = await migrationFolder(['create table migrated (id int)', 'insert into migrated values (1)']);
    await stand.migrate(folder);
    await Promise.all([stand.migrate(folder), stand.migrate(folder)]);
    expect(await db().execute(sql`select id from migrated`)).toMatchObject({ rows: [{ id: 1 }] });
    await rm(folder, { recursive: true });
  });
});

test('a data folder keeps its rows for the next start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'neon-data-'));
  const first = await createNeon({ dataDir, snapshot: await emptyDatabase() });
  await first.query('create table kept (id int)');
  await first.query('insert into kept values (7)');
  await first.close();
  const second = await createNeon({ dataDir });
  expect(await second.query('select id from kept')).toEqual([{ id: 7 }]);
  await second.close();
  await rm(dataDir, { recursive: true });
});

test('a database out of reach is a server error without a code', async () => {
  const stand = await createNeon({ postgresUrl: 'postgres://nobody@127.0.0.1:9/none' });
  neonConfig.fetchFunction = (url: string, init: RequestInit) => stand.fetch(new Request(url, init));
  await expect(neon(URL_SEEN)`select 1`).rejects.toThrow(/^Server error \(HTTP status 500\)/);
  await stand.close();
});

const people = pgTable('people', {
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
const schema = [
  'create extension if not exists btree_gist',
  `create table people (id int primary key, email text not null constraint people_email unique, "seenAt" timestamptz,
    settings jsonb, tags text[], balance numeric(12, 3), counter bigint, born date)`,
  `create table holds (who text, during tstzrange,
    constraint holds_no_overlap exclude using gist (who with =, during with &&))`,
];

/** Writes a folder with one drizzle migration of these statements. */
async function migrationFolder(statements: string[]): Promise<string> {
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
