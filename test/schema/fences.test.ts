import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { looseFences } from '../support/checks/fences.ts';

/** How each batch keeps others out while it decides; a new batch has to say so here. */
const BATCHES: Record<string, string[]> = {
  'schema/meetings/finish-queries.ts': ['the meeting’s row first, under its lease'],
  'schema/deliveries/replay-queries.ts': ['an advisory lock of the platform first'],
  'lib/meetings/operation.ts': ['the end of the lease first', 'one statement'],
  'lib/meetings/reconcile.ts': ['the end of the lease first'],
  'lib/meetings/claim.ts': ['the claim first; a null fails it'],
  'lib/meetings/schedule.ts': ['all of it new; a null or a constraint fails it'],
  'lib/jobs/end.ts': ['the job’s row first, under its lease'],
  'lib/jobs/accept.ts': ['all of it new; a null or a constraint fails it'],
  'lib/calendars/grants/end.ts': ['the account’s claim first'],
  'lib/calendars/grants/reauthorization.ts': ['the account’s claim first'],
  'lib/calendars/connect/keep-grant.ts': [
    'the account’s lock first; a null fails it while a revocation is on its way',
    'the account’s lock first; a null fails it while a revocation is on its way',
  ],
  'lib/calendars/blocking/stored.ts': ['the account’s row first, if it is as it was read'],
  'schema/revocations/queries.ts': ['the account’s row first: what ends from then on is held too'],
  'lib/calendars/disconnect.ts': ['the account’s lock first'],
  'lib/users/erase.ts': ['the account’s lock first', 'the account’s lock first'],
  'lib/webhooks/test-webhook.ts': ['all of it new'],
  'lib/users/preferences.ts': ['the user’s lock first'],
  'lib/users/key.ts': ['the user’s lock first'],
  'lib/learning/learn-from-reason.ts': ['the user’s lock first'],
  'lib/learning/ledger.ts': ['reads', 'the user’s lock first', 'the user’s lock first'],
  'lib/retention.ts': ['decides nothing: each statement picks its own rows'],
  'lib/platforms/create-platform.ts': ['all of it new', 'all of it new'],
  'lib/platforms/settings.ts': ['decides nothing: what is given is written'],
  'lib/platforms/dashboard.ts': ['reads', 'reads'],
  'lib/platforms/keys.ts': ['reads'],
  'lib/platforms/people.ts': ['reads'],
  'lib/platforms/users.ts': ['reads'],
  'lib/meetings/follow-calendar.ts': ['the account’s token first, if nobody has read further'],
  'lib/meetings/read.ts': ['reads', 'reads'],
  'lib/meetings/life.ts': ['reads'],
  'lib/availability/read-people.ts': ['reads', 'reads'],
  'lib/users/page.ts': ['reads'],
  'lib/webhooks/delivery-log.ts': ['reads', 'reads'],
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
  [
    'what follows the leased row',
    ['update meetings set status = $1 where meetings.id = $2 and meetings.owner = $3', guarded],
  ],
  [
    'what follows a lock',
    ['select id from jobs where id = $1 for no key update', 'update jobs j set a = 1 where j.owner = $1'],
  ],
  ['what is read before', ['select id from users', 'update meetings set owner = $1 where meetings.id = $2', guarded]],
  [
    'what fails the batch',
    [
      'insert into usage values ($1)',
      'insert into pending_operations values ((select m.id from meetings m where m.owner = $1))',
    ],
  ],
  ['what asks for no lease', ['insert into users values ($1)', 'update users set name = $1 where id = $2']],
])('%s is fenced', (_name, batch) => expect(looseFences(batch)).toEqual([]));

test.each([
  ['the leased row last', [guarded, 'update meetings set status = $1 where meetings.id = $2 and meetings.owner = $3']],
  ['another row first', ['update usage set used = used - 1 from meetings where meetings.owner = $1', guarded]],
  [
    'only a read first',
    ['select id from meetings where id = $1', guarded, 'update meetings set a = 1 where meetings.owner = $1'],
  ],
  [
    'an insert first',
    [
      'insert into delivery_attempts select id from deliveries where deliveries.owner = $1',
      'update deliveries set attempts = 1 where deliveries.owner = $1',
    ],
  ],
])('%s is not', (_name, batch) => expect(looseFences(batch)).toHaveLength(1));
