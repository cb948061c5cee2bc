import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examine } from '../../functions/cli/doctor.ts';
import { migrateDatabase } from '../../schema/migrate.ts';
import { temporaryDatabase } from '../local/open-db.ts';
import { createSecrets } from '../local/platforms.ts';

const SCRIPT = fileURLToPath(new URL('../../functions/cli/platform-create.ts', import.meta.url));
const GIVEN = ['--name', 'Acme', '--email', 'owner@acme.com', '--plan', 'starter'];
const { TOKEN_KEYS, KEY_CHECK_SECRET } = createSecrets();

/** Runs `npm run platform:create` and returns its output and exit code. */
function create(args: string[], DATABASE_URL: string) {
  const env = { PATH: process.env.PATH, TOKEN_KEYS, KEY_CHECK_SECRET, DATABASE_URL };
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { env, encoding: 'utf8' });
  return { status, stdout, stderr: stderr.trim() };
}

describe('platform:create on a Postgres that is not Neon', () => {
  const admin = process.env.TEST_POSTGRES ?? '';
  let database: Awaited<ReturnType<typeof temporaryDatabase>>;
  beforeAll(async () => {
    database = await temporaryDatabase(admin);
  });
  afterAll(() => database.drop());

  async function stored(): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      "select name, plan, url, (select count(*)::int from api_keys) as keys, (select string_agg(action || ' by ' || actor_kind, ', ') from audit_log) as log from platforms left join webhook_endpoints on platform_id = platforms.id",
    );
    await client.end();
    return rows;
  }

  test('before it is migrated, says what to run', () => {
    expect(create(GIVEN, database.url)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The database has no tables yet. Run npm run db:migrate first.',
    });
  });

  test('makes the platform with its endpoint, and prints what is shown once', async () => {
    await migrateDatabase(database.url);
    const { status, stdout, stderr } = create([...GIVEN, '--webhook-url', 'https://acme.com/hook'], database.url);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^Platform {9}plat_\S+\nSecret key {7}sk_live_\S+\nPublishable key {2}pk_live_\S+\nWebhook secret {3}whsec_\S+\nSave these keys and secrets now/,
    );
    expect(await stored()).toEqual([
      { name: 'Acme', plan: 'starter', url: 'https://acme.com/hook', keys: 2, log: 'platform.created by operator' },
    ]);
  });

  test('is a database that the doctor finds well', async () => {
    const findings = await examine({ DATABASE_URL: database.url }, () => Promise.reject(new Error('nobody asked')));
    expect(findings).toContainEqual({
      name: 'Database',
      state: 'ok',
      text: expect.stringMatching(/^PostgreSQL \d\d with the newest schema\.$/),
    });
  });

  test('leaves nothing behind of one that it refuses', async () => {
    const before = await stored();
    const { status, stderr } = create([...GIVEN, '--webhook-url', 'http://acme.com/hook'], database.url);
    expect([status, stderr]).toEqual([1, 'The webhook URL must begin with https://.']);
    expect(await stored()).toEqual(before);
  });

  test.each([
    [
      'nobody listens',
      'postgres://postgres@127.0.0.1:1/tandem',
      'No database listens at the host and port of DATABASE_URL. Start the database, or correct DATABASE_URL.',
    ],
    ['it is no URL', 'tandem', 'DATABASE_URL must be a URL that begins with postgresql://.'],
  ])('where %s, says so in one sentence', (_name, url, expected) => {
    expect(create(GIVEN, url)).toEqual({ status: 1, stdout: '', stderr: expected });
  });

  test('where the server has no such database, says so', () => {
    expect(create(GIVEN, new URL('/tandem_nowhere', database.url).href).stderr).toBe(
      'The server of DATABASE_URL has no database with the name in DATABASE_URL. Create the database, or correct DATABASE_URL.',
    );
  });
});
