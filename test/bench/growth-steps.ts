import pg from 'pg';
import { DAY } from '../../lib/engine/time/dates.ts';
import { createBrowser } from '../local/browser.ts';
import { type Query, Statements, toText } from '../local/neon.ts';
import type { PlatformKeys } from '../local/platforms.ts';
import type { World } from '../local/world.ts';
import { PLATFORM_READS, USER_READS } from '../support/checks/plain-reads.ts';
import { type Answer, createClient } from '../support/worlds/client.ts';

interface Cast {
  platform: PlatformKeys;
  /** Addresses of the person with thousands of meetings and of a person with few. */
  busy: string;
  friend: string;
  userKey: string;
  /** Number of the walk. Each walk books at times of its own. */
  round: number;
}

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
    ...PLATFORM_READS,
    `/v1/platform/users/status?email=${enc(busy)}`,
    `/v1/users/${enc(busy)}/status`,
    `/v1/meetings?limit=200&from=${at(-30, 0)}&to=${at(30, 0)}`,
    `/v1/meetings?attendee=${enc(busy)}`,
    `/v1/users/${enc(busy)}/meetings`,
    `/v1/users/${enc(busy)}/meetings?status=cancelled&from=${at(-30, 0)}`,
    `/v1/users/${enc(busy)}/availability`,
    `/v1/platform/oauth-url?user_email=${enc(busy)}`,
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
  const { deliveries, pagination } = (await ask(api, 'GET', '/v1/platform/webhook/logs?limit=5')).body as {
    deliveries: { id: string }[];
    pagination: { next_cursor: string };
  };
  await ask(api, 'GET', `/v1/platform/webhook/logs?cursor=${pagination.next_cursor}`);
  await ask(api, 'GET', `/v1/platform/webhook/logs/${deliveries[4]?.id}`);
  await ask(api, 'POST', `/v1/platform/webhook/logs/${deliveries[4]?.id}/replay`);
  await ask(api, 'POST', '/v1/platform/webhook/replay', { since: new Date(world.clock.now() - 60_000).toISOString() });
  for (const path of USER_READS) await ask(own, 'GET', path);
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

const LIST = '/dashboard/meetings?';
const LOG = '/dashboard/webhooks?';

/**
 * Pages of the dashboard with their filters: a part of a title that every meeting of the bench has, and one that none
 * has; every filter of deliveries alone and with others, also with values that no delivery has, for which Postgres must
 * look longest.
 */
const pages = ({ busy, day, url }: { busy: string; day: string; url: string }): [name: string, path: string][] => [
  ['the first page', '/dashboard'],
  ['a person', `/dashboard/people/${encodeURIComponent(busy)}`],
  ['meetings by title', `${LIST}title=review`],
  ['meetings by a title that none has', `${LIST}title=no+such+title`],
  ['a person’s meetings by title', `${LIST}title=review&attendee=${encodeURIComponent(busy)}`],
  ['a person’s meetings by a title that none has', `${LIST}title=none&attendee=${encodeURIComponent(busy)}`],
  ['meetings by title and status', `${LIST}title=review&status=cancelled`],
  ['deliveries', LOG],
  ['deliveries by status', `${LOG}status=failed`],
  ['deliveries by event', `${LOG}event=meeting.scheduled`],
  ['deliveries by event, rescheduled', `${LOG}event=meeting.rescheduled`],
  ['deliveries by event, of which there are none', `${LOG}event=proposal.expired`],
  ['deliveries by event and status', `${LOG}event=meeting.scheduled&status=pending`],
  ['deliveries by URL', `${LOG}url=${encodeURIComponent('https://fill.test')}`],
  ['deliveries by a URL to which none was sent', `${LOG}url=${encodeURIComponent(url)}`],
  ['deliveries of a day', `${LOG}from=${day}&to=${day}`],
  [
    'deliveries by all filters',
    `${LOG}from=${day}&event=meeting.scheduled&status=failed&url=${encodeURIComponent(url)}`,
  ],
];

async function walkDashboard(
  world: World,
  { platform, busy }: { platform: PlatformKeys; busy: string },
  begin: (step: string) => void,
): Promise<void> {
  begin('the dashboard is opened');
  const { body } = await createClient(world.baseUrl, platform.secret_key).send('POST', '/v1/platform/dashboard-link');
  const browser = createBrowser([new URL(world.baseUrl).host]);
  await browser.submit(await browser.open(String((body as { url: string }).url)), '/dashboard/enter');
  const day = new Date(world.clock.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  for (const [name, path] of pages({ busy, day, url: 'https://former.test/hooks' })) {
    begin(`the dashboard: ${name}`);
    const { status } = await browser.open(`${world.baseUrl}${path}`);
    if (status !== 200) throw new Error(`${path}: ${status}`);
  }
}

/**
 * Statements whose cost may grow with the database, keyed by text that only the statement has, each with the reason.
 */
const REASONS: [RegExp, string][] = [
  [
    /strpos\(lower\("meetings"\."title"\)/,
    'no index finds a part of a title, so a search reads the meetings of 92 days, or all of one person',
  ],
  [
    /inner join "meeting_people" "own" .* where \("own"\."user_id" = /s,
    'GET /v1/user/export reads all that a person has, some at a time',
  ],
  [
    /"meeting_people" "own" .*where \(+"own"\."platform_id" = /s,
    'a page of a person’s meetings, and their count, look each row up in up to four indexes, which are a level deeper then',
  ],
  [
    /"meetings"\."platform_id" = .*"meetings"\."starts_at" >= .* limit /s,
    'ten thousand meetings leave the platform less than a page in the two months that are asked for',
  ],
  [
    /^select "meetings"\."id", .* from "meetings" .*where .*"meetings"\."platform_id" = /s,
    'a page of a platform’s meetings looks each row up in three indexes, which are a level deeper then',
  ],
  [
    /^select "meetings"\."platform_id" = \$1, "meetings"\."status", "meetings"\."lease_until"|^select "users"\."id", "users"\."email", .* from standing_rules r/s,
    'a meeting’s people, their calendars and their rules are looked up in some ten indexes, which are a level deeper then',
  ],
  [
    /jsonb_agg\(jsonb_build_object\('email', p\.email, 'response'/,
    'what a person has to come is looked up meeting by meeting in two indexes, which are a level deeper then',
  ],
  [
    /^\s*update "busy_snapshots" set due_at = .*with recursive tenants/s,
    'a look at the index for each of twenty platforms, all of which is one page at first',
  ],
  [
    /^\s*update "deliveries" w set asked_at = .*with recursive tenants/s,
    'a look at the index for each of twenty platforms, all of which is one page at first',
  ],
  [
    /sum\("made"\).* from "meeting_months" where "meeting_months"\."party" = /s,
    'the months of a platform, one row for each of some twenty-four, lie on other pages where many people have months too',
  ],
  [
    /^\s*delete from "batches" .*with recursive tenants/s,
    'a look at the index for each of twenty platforms, of which ten thousand meetings leave only some a batch',
  ],
  [
    /lower\("holds"\."during"\).* from "holds" inner join "users"|\(select h\.user_id, h\.meeting_id from holds h where/s,
    'the GiST index of who is held when has more branches to look into; a millisecond at a million meetings',
  ],
  [
    /insert into "holds" \(.*left_on_day\)/s,
    'a booking looks both people up in the GiST index of who is held when, twice each, and writes them into three indexes, all of which are deeper then; half a millisecond at ten million meetings',
  ],
  [
    /from "deliveries" (?:left join "meetings" .* )?where \(?"deliveries"\."platform_id" = \$\d+ .*order by .* desc limit/s,
    'a page of the log reads a page of the table for each of its rows where the database is large enough to scatter them',
  ],
  [
    /^select distinct "meetings"\."id".* from "holds" inner join "holds" "other"/s,
    'what two people hold with each other is looked for among all that one of the two has to come, of whom the planner chooses',
  ],
  [
    /from "connections" inner join "users" .* order by "connections"\."connected_at" asc/s,
    'ten thousand meetings leave the platform a hundred people, fewer than a page or, without a limit, a statement reads of them',
  ],
  [
    /^select count\(\*\) from "connections" where \("connections"\."platform_id"/,
    'how many people a platform has is counted in their index, some sixty to a page; two milliseconds for ten thousand',
  ],
  [
    /^\s*select \(select count\(\*\) from "meetings" m where m\.platform_id|^select to_char\("created_at" at time zone 'UTC', 'YYYY-MM-DD'\)/,
    'the first page counts what happened in a day, and the meetings that were made in thirty days, one by one; the bench’s smallest size has no more than a few hours of them',
  ],
  [
    /^\s*select \(select count\(\*\)::int from \(\s*select from "deliveries"/,
    'deliveries are counted up to a thousand of each status, of which ten thousand meetings leave fewer: at 300,000 meetings it reads 4 % more than at 100,000',
  ],
];

/** Returns the reason why this statement's cost may grow with the database, or undefined if it may not. */
export const reasonFor = (query: string): string | undefined => REASONS.find(([pattern]) => pattern.test(query))?.[1];

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

export interface Measured {
  /** Step of the bench that first sent the statement. */
  step: string;
  query: string;
  buffers: number[];
  tookMs: number[];
  /** Nodes of the query plan, each with its index or table, and the tables that were read from end to end. */
  nodes: string[];
  scanned: Set<string>;
}

const SAMPLES = 5;

/**
 * Runs each statement of the product under EXPLAIN and rolls it back, before the statement itself runs. It does so
 * `SAMPLES` times and in the same transaction as the product, so that each statement of a batch sees the effects of
 * those before it.
 */
export function watchStatements({ neon }: World, url: string, currentStep: () => string) {
  const found = new Map<string, Measured>();
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  const answer = neon.fetch;
  neon.fetch = async (request) => {
    const parsed = Statements.safeParse(await request.clone().json());
    for (let sample = 0; sample < SAMPLES; sample += 1) await measure(parsed.data ?? []);
    return answer(request);
  };

  async function measure(statements: Query[]): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      for (const statement of statements) await explain(client, statement);
    } catch {
      // Postgres refused the batch, and will refuse the real batch too.
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  async function explain(client: pg.PoolClient, { query, params }: Query): Promise<void> {
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode; 'Execution Time': number }[] }>(
      `explain (analyze, buffers, format json) ${query}`,
      params.map(toText),
    );
    const [result] = rows[0]?.['QUERY PLAN'] ?? [];
    if (result === undefined) throw new Error(`no plan for ${query}`);
    const all = flat(result.Plan);
    const entry = found.get(query) ?? {
      step: currentStep(),
      query,
      buffers: [],
      tookMs: [],
      nodes: [],
      scanned: new Set(),
    };
    found.set(query, entry);
    entry.buffers.push(result.Plan['Shared Hit Blocks'] + result.Plan['Shared Read Blocks']);
    entry.tookMs.push(result['Execution Time']);
    entry.nodes = all.map((node) =>
      [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' '),
    );
    for (const node of all)
      if (node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== undefined)
        entry.scanned.add(node['Relation Name']);
  }

  return {
    /** Returns the measurements since the last call, by statement. */
    take() {
      const taken = new Map(found);
      found.clear();
      return taken;
    },
    async stop() {
      neon.fetch = answer;
      await pool.end();
    },
  };
}

const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)];
