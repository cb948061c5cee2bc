import type { PlatformKeys } from '../local/platforms.ts';
import type { World } from '../local/world.ts';
import { type Answer, createClient } from '../support/worlds/client.ts';
import { walkDashboard } from './growth-dashboard.ts';

interface Cast {
  platform: PlatformKeys;
  /** Addresses of the person with thousands of meetings and of a person with few. */
  busy: string;
  friend: string;
  userKey: string;
  /** Number of the walk. Each walk books at times of its own. */
  round: number;
}

const DAY = 86_400_000;

/**
 * Runs every kind of request at least once, as the big platform and its busy person. Each request has a name for the
 * report.
 */
export async function walk(
  world: World,
  { platform, busy, friend, userKey, round }: Cast,
  begin: (step: string) => void,
) {
  const api = createClient(world.baseUrl, platform.secret_key);
  const own = createClient(world.baseUrl, userKey);
  const attendees = [busy, friend];
  const at = (days: number, hour: number) =>
    new Date(Math.floor(world.clock.now() / DAY) * DAY + days * DAY + hour * 3_600_000).toISOString();
  const run = `${Date.now()}`;
  const later = 40 + 10 * round;

  async function ask(client: typeof api, method: string, path: string, body?: unknown, key?: string): Promise<Answer> {
    begin(`${method} ${path.replace(/meet_\w+|sched_\w+|batch_\w+|wh_del_\w+|[\w.]+%40[\w.]+/g, '…').split('?')[0]}`);
    const answer = await client.send(
      method,
      path,
      body,
      key === undefined ? {} : { headers: { 'Idempotency-Key': key } },
    );
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }
  const idOf = ({ body }: Answer, field = 'meeting_id') => String((body as Record<string, unknown>)[field]);
  const enc = encodeURIComponent;

  for (const path of [
    '/v1/calendars',
    '/v1/platform/dashboard',
    '/v1/platform/users',
    `/v1/platform/users/status?email=${enc(busy)}`,
    '/v1/platform/settings',
    `/v1/users/${enc(busy)}/status`,
    '/v1/meetings',
    `/v1/meetings?limit=200&from=${at(-30, 0)}&to=${at(30, 0)}`,
    `/v1/meetings?attendee=${enc(busy)}`,
    `/v1/users/${enc(busy)}/meetings`,
    `/v1/users/${enc(busy)}/meetings?status=cancelled&from=${at(-30, 0)}`,
    `/v1/users/${enc(busy)}/availability`,
    `/v1/platform/oauth-url?user_email=${enc(busy)}`,
    '/v1/platform/webhook',
    '/v1/platform/webhook/logs',
    '/v1/platform/webhook/logs?limit=200&event=meeting.scheduled&status=failed',
  ])
    await ask(api, 'GET', path);
  await ask(api, 'POST', '/v1/availability', { attendees });
  const explained = { attendees, start_time: at(3, 10), duration_minutes: 30 };
  await ask(api, 'POST', '/v1/availability/explain', explained);

  const meeting = { attendees, duration_minutes: 30, title: 'Growth' };
  const plain = idOf(await ask(api, 'POST', '/v1/schedule', { ...meeting, start_time: at(later, 3) }));
  const kept = { ...meeting, start_time: at(later + 1, 3), require_free: true };
  await ask(api, 'POST', '/v1/schedule', kept, `kept-${run}`);
  await ask(api, 'POST', '/v1/schedule', kept, `kept-${run}`);
  await ask(api, 'GET', `/v1/meetings/${plain}`);
  await ask(api, 'PUT', `/v1/meetings/${plain}`, { start_time: at(later + 2, 3), end_time: at(later + 2, 4) });
  const moved = idOf(
    await ask(api, 'POST', `/v1/meetings/${plain}/reschedule`, {
      meeting_id: plain,
      requested_by: busy,
      reason: 'That is too early for me, and never on Mondays.',
    }),
    'new_meeting_id',
  );
  await ask(api, 'DELETE', `/v1/meetings/${moved}`);
  const job = idOf(await ask(api, 'POST', '/v1/schedule/auto', { attendees, title: 'Auto' }, `auto-${run}`), 'job_id');
  begin('what the queue delivers');
  await world.qstash.deliverDue();
  await ask(api, 'GET', `/v1/jobs/${job}`);
  const meetings = [1, 2, 3].map((n) => ({ reference: `pair ${n}`, attendees, title: 'Growth' }));
  const batchOf = async (more: object, key?: string) =>
    idOf(await ask(api, 'POST', '/v1/schedule/batch', { meetings, ...more }, key), 'batch_id');
  const sent = await batchOf({}, `batch-${run}`);
  const planned = await batchOf({ dry_run: true });
  const stopped = await batchOf({});
  await ask(api, 'DELETE', `/v1/batches/${stopped}`);
  begin('the runs of batches');
  await world.qstash.deliverDue();
  await ask(api, 'GET', `/v1/batches/${sent}?limit=200`);
  await ask(api, 'POST', `/v1/batches/${planned}/commit`);
  begin('the runs of batches');
  await world.qstash.deliverDue();
  await ask(api, 'POST', '/v1/platform/webhook/test');
  const { deliveries } = (await ask(api, 'GET', '/v1/platform/webhook/logs?limit=5')).body as {
    deliveries: { id: string }[];
  };
  await ask(api, 'POST', `/v1/platform/webhook/logs/${deliveries[4]?.id}/replay`);
  await ask(api, 'POST', '/v1/platform/webhook/replay', { since: new Date(world.clock.now() - 60_000).toISOString() });
  for (const path of ['/v1/user/info', '/v1/user/preferences', '/v1/user/learning', '/v1/user/export'])
    await ask(own, 'GET', path);
  await ask(own, 'PUT', '/v1/user/preferences', { buffer_minutes: 15, scheduling_context: 'Mornings are best.' });
  await ask(own, 'PUT', '/v1/user/preferences', { buffer_minutes: 0 });
  await walkDashboard(world, { platform, busy }, begin);
  begin('a tick with nothing to do');
  await world.advance(61_000);
  await world.worker.runScheduled(world.clock.now());
  begin('a tick with work');
  const lost = idOf(await ask(api, 'POST', '/v1/schedule', { ...meeting, start_time: at(later + 3, 3) }));
  await overdue(world, lost);
  await world.worker.runScheduled(world.clock.now());
  begin('what the queue delivers');
  await world.qstash.deliverDue();
  begin('a person comes and goes');
  const guest = `guest.${run}@people.test`;
  world.google.addUser({ email: guest, timezone: 'UTC' });
  await world.connectCalendar(platform, guest);
  await world.signIn(guest);
  await ask(api, 'DELETE', `/v1/calendars/${enc(guest)}`);
}

/** Leaves a booking as a writer leaves it that died after it created the event. */
const overdue = ({ neon }: World, id: string) =>
  neon.query(
    `with booking as (update meetings set status = 'pending', owner = 'own_dead', lease_until = updated_at where id = $1 returning *),
    unconfirmed as (update usage u set confirmed = confirmed - 1 from booking where u.platform_id = booking.platform_id and u.month = booking.usage_month)
    insert into pending_operations (event_id, platform_id, kind, intent, due_at, created_at)
    select provider_event_id, platform_id, 'book', '{"kind":"book"}', updated_at, updated_at from booking`,
    [id],
  );
