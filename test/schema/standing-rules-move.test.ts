import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseBefore } from '../support/worlds/former-schema.ts';

let database: Awaited<ReturnType<typeof databaseBefore>>;
beforeAll(async () => {
  database = await databaseBefore('standing_rules');
}, 60_000);
afterAll(() => database.close());

const RULES = [
  { id: 'rule_b', quote: 'nothing before 10', kind: 'times', verdict: 'never', clock: { from: 0, to: 600 } },
  { id: 'rule_a', quote: 'three a day', kind: 'most_per_day', most: 3 },
];

test('the rules in the preferences become rows in their order, and leave the preferences', async () => {
  const put = (id: string, preferences: object) =>
    database.query('insert into users (id, email, preferences, created_at) values ($1, $1, $2, now())', [
      id,
      JSON.stringify(preferences),
    ]);
  await put('usr_rules', { buffer_minutes: 15, scheduling_context: 'nothing before 10', standing_rules: RULES });
  await put('usr_none', { standing_rules: [] });
  await put('usr_never', { buffer_minutes: 30 });
  await database.migrate();
  expect(
    await database.query(
      'select id, user_id, source, position, kind, part, quote, created_at <= now() as is_past from standing_rules order by position',
    ),
  ).toEqual([
    {
      id: 'rule_b',
      user_id: 'usr_rules',
      source: 'scheduling_context',
      position: 1,
      kind: 'times',
      part: { verdict: 'never', clock: { from: 0, to: 600 } },
      quote: 'nothing before 10',
      is_past: true,
    },
    {
      id: 'rule_a',
      user_id: 'usr_rules',
      source: 'scheduling_context',
      position: 2,
      kind: 'most_per_day',
      part: { most: 3 },
      quote: 'three a day',
      is_past: true,
    },
  ]);
  expect(await database.query('select id, preferences from users order by id')).toEqual([
    { id: 'usr_never', preferences: { buffer_minutes: 30 } },
    { id: 'usr_none', preferences: {} },
    { id: 'usr_rules', preferences: { buffer_minutes: 15, scheduling_context: 'nothing before 10' } },
  ]);
});
