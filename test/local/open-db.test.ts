import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { emptyDatabase } from '../support/worlds/prepared.ts';
import { createNeon } from './neon.ts';
import { openDb } from './open-db.ts';

const snapshot = await emptyDatabase();
const [one, other] = await Promise.all([createNeon({ snapshot }), createNeon({ snapshot })]);
afterAll(() => Promise.all([one.close(), other.close()]));

test('the product’s client reaches the database of its own world', async () => {
  await one.query('create table mark (name text)');
  await openDb(one).execute(sql`insert into mark values ('one')`);
  expect(await one.query('select name from mark')).toEqual([{ name: 'one' }]);
  await expect(openDb(other).execute(sql`select name from mark`)).rejects.toMatchObject({ cause: { code: '42P01' } });
});
