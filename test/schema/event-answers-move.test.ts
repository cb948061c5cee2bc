import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR } from '../../lib/engine/time/dates.ts';
import { databaseBefore } from '../support/worlds/former-schema.ts';

let database: Awaited<ReturnType<typeof databaseBefore>>;
beforeAll(async () => {
  database = await databaseBefore('event_answers');
}, 60_000);
afterAll(() => database.close());

const at = (time: string) => `2026-03-02T${time}:00.000Z`;

interface Given {
  id: string;
  event: string;
  status: string;
  from?: string;
  made?: string;
  declineDue?: string;
  /** The answer and its time of the requester, ada, and of the other attendee, bob. */
  ada?: [response: string, at?: string];
  bob?: [response: string, at?: string];
  pending?: string;
}

/** One meeting for each state that the table could have. Events are `e…`, meetings `meet_…`. */
const MEETINGS: Given[] = [
  { id: 'meet_silent', event: 'e1', status: 'scheduled' },
  { id: 'meet_accepted', event: 'e2', status: 'updated', bob: ['accepted', '11:00'], pending: 'link' },
  // A replacement of the meeting above that was given up. The event is still the first meeting's.
  { id: 'meet_given_up', event: 'e2', status: 'failed', bob: ['accepted', '11:00'] },
  // A chain of three, in which the answer was copied to each replacement.
  { id: 'meet_first', event: 'e3', status: 'rescheduled', bob: ['accepted', '11:00'] },
  {
    id: 'meet_second',
    event: 'e3',
    status: 'rescheduled',
    from: 'meet_first',
    made: '12:00',
    bob: ['accepted', '11:00'],
  },
  {
    id: 'meet_third',
    event: 'e3',
    status: 'scheduled',
    from: 'meet_second',
    made: '13:00',
    bob: ['accepted', '11:00'],
  },
  // The answer came between two copies, so only the replaced meeting has it.
  { id: 'meet_late', event: 'e4', status: 'rescheduled', bob: ['declined', '11:00'] },
  { id: 'meet_heir', event: 'e4', status: 'scheduled', from: 'meet_late', made: '12:00' },
  // The person changed their mind after the reschedule.
  { id: 'meet_before', event: 'e5', status: 'rescheduled', bob: ['declined', '11:00'] },
  { id: 'meet_after', event: 'e5', status: 'updated', from: 'meet_before', made: '12:00', bob: ['tentative', '14:00'] },
  { id: 'meet_declined', event: 'e6', status: 'scheduled', declineDue: '11:30', bob: ['declined', '11:00'] },
  { id: 'meet_dealt', event: 'e7', status: 'scheduled', bob: ['declined', '11:00'] },
  {
    id: 'meet_host',
    event: 'e8',
    status: 'scheduled',
    declineDue: '11:30',
    ada: ['declined', '11:00'],
    bob: ['accepted', '15:00'],
  },
  { id: 'meet_cancelled', event: 'e9', status: 'cancelled', bob: ['accepted', '10:30'] },
  { id: 'meet_pending', event: 'e10', status: 'pending', pending: 'book' },
  { id: 'meet_failed', event: 'e11', status: 'failed', pending: 'verify' },
  // A reschedule that is not finished: the event is still the live meeting's.
  { id: 'meet_moving', event: 'e12', status: 'scheduled', bob: ['accepted', '11:00'], pending: 'move' },
  {
    id: 'meet_reserved',
    event: 'e12',
    status: 'pending',
    from: 'meet_moving',
    made: '12:00',
    bob: ['accepted', '11:00'],
  },
  // Work on both the replaced meeting and its replacement, of which one row is left.
  { id: 'meet_old', event: 'e13', status: 'rescheduled', pending: 'verify' },
  { id: 'meet_z_new', event: 'e13', status: 'scheduled', from: 'meet_old', made: '12:00', pending: 'verify' },
];

async function insert({ id, event, status, from, made = '10:00', declineDue, pending, ...answers }: Given) {
  const time = (text: string | undefined) => (text === undefined ? null : at(text));
  await database.query(
    `insert into meetings (id, platform_id, organizer_id, status, title, location, starts_at, ends_at, provider_event_id,
      exclusive, rescheduled_from, created_at, updated_at, decline_due_at, failed_at)
    values ($1, 'plat_a', 'ada', $2, 'Tea', 'Meet', '2026-04-01', '2026-04-02', $3, false, $4, $5, $5, $6, $7)`,
    [id, status, event, from ?? null, at(made), time(declineDue), status === 'failed' ? at(made) : null],
  );
  const { ada = ['accepted'], bob = ['needsAction'] } = answers;
  for (const [position, [user, [response, answered]]] of Object.entries({ ada, bob }).entries())
    await database.query(
      `insert into meeting_people (meeting_id, platform_id, starts_at, user_id, email, position, response_status, responded_at)
      values ($1, 'plat_a', '2026-04-01', $2, $2, $3, $4, $5)`,
      [id, user, position, response, time(answered)],
    );
  if (pending !== undefined)
    await database.query(
      `insert into pending_operations (meeting_id, kind, platform_id, intent, due_at, attempts, created_at)
      values ($1, $2, 'plat_a', $3, $4, 2, $4)`,
      [id, pending, JSON.stringify({ of: id }), at(made)],
    );
}

/** Counters as the former schema counted them: every shown meeting with its own answer, from its own making. */
const BEFORE = { accepted: 7, accepted_fast: 6, accepted_ms: 8.5 * HOUR };
/** Counters of the last meeting of each event, from the making of the event's first meeting. */
const AFTER = { accepted: 5, accepted_fast: 4, accepted_ms: 8.5 * HOUR };

test('answers, counters and pending work move to the event, row by row', async () => {
  await database.query(
    `insert into platforms (id, name, email, plan, created_at) values ('plat_a', 'A', 'a@a.test', 'pro', now())`,
  );
  for (const user of ['ada', 'bob'])
    await database.query('insert into users (id, email, created_at) values ($1, $1, now())', [user]);
  for (const meeting of MEETINGS) await insert(meeting);
  for (const [party, month, { accepted, accepted_fast, accepted_ms }] of [
    ['bob', '2026-03', BEFORE],
    ['plat_a', '2026-03', BEFORE],
    ['ada', '2026-03', { accepted: 0, accepted_fast: 0, accepted_ms: 0 }],
    ['bob', '2026-02', { accepted: 3, accepted_fast: 2, accepted_ms: 5 }],
  ] as const)
    await database.query(
      `insert into meeting_months (party, month, made, rescheduled, cancelled, accepted, accepted_fast, accepted_ms, morning, afternoon, evening)
      values ($1, $2, 20, 5, 1, $3, $4, $5, 0, 0, 0)`,
      [party, month, accepted, accepted_fast, accepted_ms],
    );

  await database.migrate();

  const answer = (event_id: string, response_status: string, responded: string | null, due: string | null = null) => ({
    event_id,
    user_id: 'bob',
    platform_id: 'plat_a',
    response_status,
    responded_at: responded && new Date(at(responded)),
    untold: false,
    decline_due_at: due && new Date(at(due)),
  });
  expect(await database.query('select * from event_answers order by substr(event_id, 2)::int, user_id desc')).toEqual([
    answer('e2', 'accepted', '11:00'),
    answer('e3', 'accepted', '11:00'),
    answer('e4', 'declined', '11:00'),
    answer('e5', 'tentative', '14:00'),
    answer('e6', 'declined', '11:00', '11:30'),
    answer('e7', 'declined', '11:00'),
    answer('e8', 'accepted', '15:00'),
    { ...answer('e8', 'declined', '11:00', '11:30'), user_id: 'ada' },
    answer('e9', 'accepted', '10:30'),
    answer('e12', 'accepted', '11:00'),
  ]);

  const events = await database.query('select id, provider_event_id from meetings');
  expect(Object.fromEntries(events.map(({ id, provider_event_id }) => [id, provider_event_id]))).toEqual({
    ...Object.fromEntries(MEETINGS.map(({ id, event }) => [id, event])),
    meet_given_up: 'meet_given_up',
  });

  const work = (event_id: string, kind: string, of: string, due = '10:00') => ({
    event_id,
    kind,
    intent: { of },
    due_at: new Date(at(due)),
    attempts: 2,
  });
  expect(
    await database.query(
      'select event_id, kind, intent, due_at, attempts from pending_operations order by substr(event_id, 2)::int',
    ),
  ).toEqual([
    work('e2', 'link', 'meet_accepted'),
    work('e10', 'book', 'meet_pending'),
    work('e11', 'verify', 'meet_failed'),
    work('e12', 'move', 'meet_moving'),
    work('e13', 'verify', 'meet_z_new', '12:00'),
  ]);

  const counters = await database.query(
    'select party, month, made, accepted, accepted_fast, accepted_ms::int from meeting_months order by party, month',
  );
  expect(counters).toEqual([
    { party: 'ada', month: '2026-03', made: 20, accepted: 0, accepted_fast: 0, accepted_ms: 0 },
    { party: 'bob', month: '2026-02', made: 20, accepted: 3, accepted_fast: 2, accepted_ms: 5 },
    { party: 'bob', month: '2026-03', made: 20, ...AFTER },
    { party: 'plat_a', month: '2026-03', made: 20, ...AFTER },
  ]);
});
