import { type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyDatabase } from '../support/worlds/prepared.ts';
import { createNeon, type Neon } from './neon.ts';

const URL_SEEN = 'postgresql://tandem:secret@db.neon.test/tandem';

// Files of one test worker share the client's fetch function, so the next file must find the one of before.
const { fetchFunction } = neonConfig;
afterAll(() => {
  neonConfig.fetchFunction = fetchFunction;
});

describe('Neon', () => {
  let stand: Neon;
  let client: NeonQueryFunction<false, false>;

  beforeAll(async () => {
    stand = await createNeon({ snapshot: await emptyDatabase() });
    neonConfig.fetchFunction = (url: string, init: RequestInit) => stand.fetch(new Request(url, init));
    client = neon(URL_SEEN);
    await client.query('create table people (id int primary key, email text not null)');
  });
  afterAll(() => stand.close());

  const ask = async (body: string, connectionString = URL_SEEN) =>
    stand.fetch(
      new Request('https://api.neon.test/sql', {
        method: 'POST',
        headers: { 'neon-connection-string': connectionString },
        body,
      }),
    );
  const refusal = (query: Promise<unknown>) => query.then(() => undefined).catch((error) => error.cause ?? error);

  test('turns parameters that are not text into what Postgres reads', async () => {
    const params = [['x', null, 'say "hi"'], { a: 1 }, true];
    const answer = await ask(
      JSON.stringify({ query: 'select $1::text[] as a, $2::jsonb as j, $3::bool as b', params }),
    );
    expect(await answer.json()).toMatchObject({ rows: [['{x,NULL,"say \\"hi\\""}', '{"a": 1}', 't']] });
  });

  test('refuses two statements in one query', async () => {
    expect(await refusal(client.query('select 1; select 2'))).toMatchObject({ code: '42601' });
  });

  test('keeps nothing of one request for the next', async () => {
    await client`set statement_timeout = 1234`;
    await client`begin`;
    await client`insert into people (id, email) values (1, 'a')`;
    expect(await client`show statement_timeout`).toEqual([{ statement_timeout: '0' }]);
    expect(await stand.query('select id from people')).toEqual([{ id: 1 }]);
  });

  test.each([
    ['no connection string', '', '{"query":"select 1"}', 400],
    ['a body over 10 MiB', URL_SEEN, JSON.stringify({ query: ' '.repeat(10 * 1024 * 1024) }), 413],
    ['an answer over 10 MiB', URL_SEEN, `{"query":"select repeat('x', 10485760)"}`, 507],
  ])('refuses %s', async (_name, connectionString, body, status) => {
    expect((await ask(body, connectionString)).status).toBe(status);
  });
});

test('a database out of reach is a server error without a code', async () => {
  const stand = await createNeon({ postgresUrl: 'postgres://nobody@127.0.0.1:9/none' });
  neonConfig.fetchFunction = (url: string, init: RequestInit) => stand.fetch(new Request(url, init));
  await expect(neon(URL_SEEN)`select 1`).rejects.toThrow(/^Server error \(HTTP status 500\)/);
  await stand.close();
});
