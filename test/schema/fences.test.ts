import { globSync, readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { orRefuse, refusalOf, refuse } from '../../schema/db.ts';
import { createNeon } from '../local/neon.ts';
import { openDb } from '../local/open-db.ts';
import { looseFences } from '../support/checks/fences.ts';
import { migratedDatabase } from '../support/worlds/prepared.ts';

/** Locks or conditions by which each batch keeps other writers out while it decides. A new batch must be added here. */
const BATCHES: Record<string, string[]> = {
  'schema/meetings/finish.ts': ['the meeting’s row first, under its lease'],
  'schema/delivery/deliveries-redeliver.ts': ['an advisory lock of the platform first'],
  'lib/meetings/protocol/operation.ts': ['the end of the lease first', 'one statement'],
  'lib/meetings/protocol/reconcile.ts': ['the lease first; what follows only reads', 'the end of the lease first'],
  'lib/meetings/protocol/claim.ts': ['the lease first; where it took nothing the batch is refused'],
  'lib/meetings/verbs/schedule.ts': ['all of it new; a refusal or a constraint fails it', 'reads'],
  'lib/meetings/jobs/run.ts': [
    'the job’s lease first; what follows only reads',
    'the job’s row first, under its lease',
  ],
  'lib/meetings/verbs/best-time.ts': ['reads'],
  'lib/meetings/verbs/reschedule.ts': ['reads'],
  'lib/meetings/batches/batch.ts': [
    'all of it new; a refusal or a constraint fails it',
    'the batch’s row first, if it has not ended',
    'reads',
  ],
  'lib/meetings/batches/search.ts': ['the batch’s row first'],
  'lib/meetings/batches/place.ts': ['the batch’s row first'],
  'lib/meetings/batches/run.ts': ['the batch’s row first, under its lease'],
  'lib/meetings/jobs/job.ts': ['reads', 'all of it new; a refusal or a constraint fails it', 'the job’s row first'],
  'lib/calendars/grants/end-connections.ts': ['the account’s lease first', 'the account’s lease first'],
  'lib/calendars/connect/commit-connection.ts': [
    'the account’s lock first; it is refused while a revocation is on its way',
    'the account’s lock first; it is refused while a revocation is on its way',
  ],
  'lib/calendars/snapshot/read.ts': ['the snapshot’s row first, under its lease'],
  'lib/calendars/blocking/choice.ts': ['the account’s row first, if it is as it was read'],
  'schema/access/revocations.ts': [
    'reads alone; a revocation that is tried afterwards is noticed',
    'the account’s row first: what ends from then on is held too',
  ],
  'lib/calendars/disconnect.ts': ['the account’s lock first'],
  'lib/people/account/erase.ts': [
    'the account’s lock first',
    'the account’s lock first',
    'the lock of the guest’s address first',
    'decides nothing: each statement picks its own rows',
  ],
  'lib/webhooks/endpoint.ts': ['all of it new'],
  'lib/webhooks/deliver.ts': ['each statement under the lease of its own delivery'],
  'lib/people/regenerate-key.ts': ['the user’s lock first', 'the user’s lock first'],
  'lib/people/operator-commands.ts': ['the account’s lock first'],
  'lib/learning/learn-from-reason.ts': ['the user’s lock first'],
  'lib/learning/ledger.ts': ['reads'],
  'lib/platforms/dashboard.ts': [
    'one insert, and what follows if it went in',
    'the session’s row first, and what follows if this browser has it',
    'one session, and only while it is open',
    'the sessions under the condition that the caller’s own is open',
    'reads',
    'reads',
  ],
  'lib/platforms/operator-commands.ts': ['all of it new', ...Array(5).fill('the platform’s lock first')],
  'lib/kit/change.ts': ['the platform’s lock first, as the audit log compares with what was', 'the user’s lock first'],
  'functions/pages/dashboard/session.ts': ['reads'],
  'lib/kit/page-session.ts': ['one session, and only while it is open'],
  'lib/platforms/keys.ts': ['reads', 'the platform’s lock first'],
  'lib/platforms/people.ts': ['reads', 'reads', 'reads'],
  'lib/meetings/follow/declined.ts': ['the meeting’s row first'],
  'lib/meetings/follow/follow-calendar.ts': ['the account’s token first, if nobody has read further', 'one statement'],
  'lib/meetings/read/read.ts': ['reads', 'reads', 'reads'],
  'lib/meetings/proposals/propose.ts': ['all of it new; both people’s lock before their time'],
  'lib/meetings/proposals/accept.ts': ['the proposal’s row first; the rest only while nobody accepts it'],
  'lib/meetings/proposals/end.ts': ['the proposal’s row first', 'the proposal’s row first, if it is still open'],
  'schema/upkeep/sealed.ts': ['reads'],
  'lib/meetings/proposals/read.ts': ['reads', 'reads'],
  'lib/availability/read-people.ts': ['reads', 'reads'],
  'lib/people/own-page.ts': ['reads'],
  'lib/people/agents.ts': Array(4).fill('the user’s lock first'),
  'lib/meetings/proposals/own.ts': ['reads'],
  'lib/webhooks/delivery-log.ts': ['reads', 'reads', 'reads'],
  'schema/db.ts': ['what it is given, in its order'],
};

test('every batch is known, and how it keeps others out', () => {
  const files = globSync('{functions,lib,schema}/**/*.{ts,tsx}', { exclude: ['**/node_modules/**'] }).sort();
  const found = files.flatMap((file) => {
    const count = [...readFileSync(file, 'utf8').matchAll(/\bbatch\((?!\))/g)].length;
    return count === 0 ? [] : [[file, count]];
  });
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(BATCHES).map(([file, reasons]) => [file, reasons.length])),
  );
});

const guarded = 'delete from holds where meeting_id = $1 and exists (select 1 from meetings m where m.owner = $2)';

test.each([
  ['the leased row last', [guarded, 'update meetings set status = $1 where meetings.id = $2 and meetings.owner = $3']],
  ['another row first', ['update usage set used = used - 1 from meetings where meetings.owner = $1', guarded]],
  [
    'only a read first',
    ['select id from meetings where id = $1', guarded, 'update meetings set a = 1 where meetings.owner = $1'],
  ],
  [
    'a null that may go in',
    ['insert into usage values ($1)', 'insert into notes values ((select m.id from meetings m where m.owner = $1))'],
  ],
  [
    'an insert first',
    [
      'insert into delivery_attempts select id from deliveries where deliveries.owner = $1',
      'update deliveries set attempts = 1 where deliveries.owner = $1',
    ],
  ],
])('%s is not fenced', (_name, batch) => expect(looseFences(batch)).toHaveLength(1));

const neon = await createNeon({ snapshot: await migratedDatabase() });
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
