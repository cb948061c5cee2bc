import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orRefuse, refusalOf, refuse } from '../../schema/refusals.ts';
import { createNeon, type Neon } from '../local/neon.ts';
import { openDb } from '../local/open-db.ts';
import { migratedDatabase } from '../support/worlds/prepared.ts';

let neon: Neon;
beforeAll(async () => {
  neon = await createNeon({ snapshot: await migratedDatabase() });
}, 60_000);
afterAll(() => neon.close());

const DECISIONS = ['quota_exhausted', 'not_connected', 'not_in_hand', 'credential_ended'] as const;
const NOBODY = sql`(select id from users where id = 'nobody')`;

test.each(DECISIONS)('a statement that decides on %s fails its batch by that name', async (decision) => {
  const db = openDb(neon);
  const batch = db.batch([
    db.execute(sql`insert into users (id, email, created_at) values (${decision}, ${decision}, now())`),
    db.execute(sql`select ${orRefuse(NOBODY, decision)}`),
  ]);
  expect(await batch.then(() => 'went in', refusalOf)).toBe(decision);
  expect(await neon.query('select id from users where id = $1', [decision])).toEqual([]);
});

test('a refusal in an unevaluated branch does not fail the batch', async () => {
  const db = openDb(neon);
  const { rows } = await db.execute(sql`
    select ${orRefuse(sql`'constant'`, 'not_connected')} as constant,
      case when 1 = 1 then 'yes' else ${refuse('not_in_hand')} end as decided,
      case when ${true}::boolean then 'yes' else ${refuse('quota_exhausted')} end as given`);
  expect(rows).toEqual([{ constant: 'constant', decided: 'yes', given: 'yes' }]);
});

test.each([
  ['a null where a value must stand', sql`insert into users (id) values (null)`],
  ['another error of the same kind', sql`select refuse('something else')`],
])('%s is no refusal', async (_what, statement) => {
  const failure = openDb(neon).execute(statement);
  expect(await failure.then(() => 'went in', refusalOf)).toBeUndefined();
});
