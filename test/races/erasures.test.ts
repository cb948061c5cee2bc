import { expect, test } from 'vitest';
import { HOUR } from '../../lib/engine/time/dates.ts';
import { rows } from '../support/checks/rows.ts';
import { statisticsViolations } from '../support/checks/statistics.ts';
import { booked, readByTick } from '../support/people/calendars.ts';
import { iso, PATCH_EVENT } from '../support/people/meetings.ts';
import type { Answer } from '../support/worlds/client.ts';
import { dying, eventually, quiet } from '../support/worlds/quiet.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

type Meeting = Awaited<ReturnType<typeof booked>>;

const LONGEST_LOCK_SECONDS = 60;

/** Lists the texts in which an address or a name of a person still is, for the person's own id. */
const left = (userId: string, email: string) =>
  world.neon.query(
    `select m.id, m.title, m.description, m.metadata, p.email from meetings m join meeting_people p on p.meeting_id = m.id
    where p.user_id = $1 and concat_ws(' ', m.title, m.description, m.location, m.metadata::text, p.email) ilike '%' || $2 || '%'`,
    [userId, email],
  );

/**
 * Has Bob delete his account. Rows of his are locked meanwhile, so the deletion stands half done until `act` is
 * over or waits for it.
 */
async function whileErased(
  { platform, bob }: Meeting,
  act: () => Promise<unknown>,
  rows: 'api_keys where user_id' | 'meeting_months where party' = 'api_keys where user_id',
): Promise<string> {
  const { api_key: key } = await world.connect(platform, bob.email);
  const [row] = await world.neon.query('select id from users where email = $1', [bob.email]);
  const userId = String(row?.id);
  const locked = world.neon
    .query(
      `do $$ begin perform 1 from ${rows} = '${userId}' for update; perform pg_sleep(${LONGEST_LOCK_SECONDS}); end $$`,
    )
    .catch(() => undefined);
  await waiting(0, 1);
  const erasing = fetch(`${world.baseUrl}/v1/user`, { method: 'DELETE', headers: { authorization: `Bearer ${key}` } });
  await waiting(1);
  const acting = act();
  await Promise.race([acting, waiting(2).catch(() => undefined)]);
  await world.neon.query(
    "select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
  );
  await Promise.all([locked, erasing, acting]);
  expect((await erasing).status).toBe(200);
  await quiet([platform]);
  return userId;
}

/** Waits until so many sessions wait for a lock, and so many sleep. */
const waiting = (least: number, asleep = 0) =>
  eventually(async () => {
    const [found] = await world.neon.query(
      `select count(*) filter (where wait_event_type = 'Lock')::int as locks, count(*) filter (where wait_event = 'PgSleep')::int as asleep
      from pg_stat_activity where datname = current_database()`,
    );
    expect(found?.locks).toBeGreaterThanOrEqual(least);
    expect(found?.asleep).toBeGreaterThanOrEqual(asleep);
  });

test('a booking that waits for a deletion keeps nothing of the deleted person', async () => {
  const meeting = await booked();
  const { platform, ada, bob, start } = meeting;
  let answer: Answer | undefined;
  const userId = await whileErased(meeting, async () => {
    answer = await platform.api.schedule({
      attendees: [ada.email, bob.email],
      start_time: iso(start + 5 * HOUR),
      duration_minutes: 30,
      title: `Lunch with ${bob.email}`,
      description: `Ask ${bob.email}`,
      metadata: { guest: bob.email },
    });
  });
  expect(await left(userId, bob.email)).toEqual([]);
  expect(answer?.status).toBe(404);
  expect(await statisticsViolations([platform])).toEqual([]);
});

test('a reschedule that waits for a deletion keeps nothing of the deleted person', async () => {
  const meeting = await booked();
  const { platform, id, ada, bob } = meeting;
  await world.neon.query('update meetings set title = $2, metadata = $3 where id = $1', [
    id,
    `Lunch with ${bob.email}`,
    JSON.stringify({ guest: bob.email }),
  ]);
  const userId = await whileErased(meeting, () =>
    platform.api.send('POST', `/v1/meetings/${id}/reschedule`, {
      requested_by: ada.email,
      reason: 'Something came up',
    }),
  );
  expect(await left(userId, bob.email)).toEqual([]);
  expect(await statisticsViolations([platform])).toEqual([]);
});

test('metadata of an update that is committed after a deletion keeps nothing of the deleted person', async () => {
  const meeting = await booked();
  const { platform, id, bob, start } = meeting;
  const change = { start_time: iso(start + HOUR), end_time: iso(start + 2 * HOUR), metadata: { guest: bob.email } };
  await dying({ ...PATCH_EVENT, mode: 'kill_after' }, () => platform.api.send('PUT', `/v1/meetings/${id}`, change));
  const userId = await whileErased(meeting, async () => undefined);
  expect(await left(userId, bob.email)).toEqual([]);
  expect(
    (await rows<{ status: string }>('select status from meetings where platform_id = any($1)', [platform]))[0],
  ).toEqual({ status: 'updated' });
});

test('an answer that waits for a deletion leaves no counter of the deleted person', async () => {
  const meeting = await booked();
  const { platform, ada, bob, eventId, inCalendar } = meeting;
  inCalendar(bob.email, { responseStatus: 'accepted' });
  await eventually(async () => {
    const answers = await world.neon.query('select response_status from event_answers where event_id = $1', [eventId]);
    expect(answers).toContainEqual({ response_status: 'accepted' });
  });
  const userId = await whileErased(
    meeting,
    async () => {
      world.google.settings.pushes = 'lost';
      inCalendar(bob.email, { responseStatus: 'tentative' });
      await readByTick(ada.email);
    },
    'meeting_months where party',
  );
  expect(await world.neon.query('select * from meeting_months where party = $1', [userId])).toEqual([]);
  expect(await statisticsViolations([platform])).toEqual([]);
});
