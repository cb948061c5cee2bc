import { describe, expect, test } from 'vitest';
import { NOT_VALID, wholeError } from '../../support/checks/errors.ts';
import { tick } from '../../support/people/calendars.ts';
import { atDashboard, headingOf, linkFor, newBrowser, visit } from '../../support/people/dashboard.ts';
import { freshPerson, freshPlatform, type TestPlatform, webhooksOf } from '../../support/people/factories.ts';
import { bookable, callsOf, seen, toNextMinute } from '../../support/people/meetings.ts';
import { authorizeUrl } from '../../support/people/signing-in.ts';
import type { Answer } from '../../support/worlds/client.ts';
import { hold, met } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const KEY_CHECK = { target: 'neon', body_match: 'from \\\\"api_keys' } as const;
const messageOf = ({ body }: Answer) => (body as { error: { message: string } }).error.message;
const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

/** Creates a platform whose key the Worker knows, with a meeting, and functions that reschedule it and ask for jobs. */
async function known(plan = 'enterprise') {
  const made = await bookable({ plan });
  const { platform, body } = made;
  const { meeting_id: id } = (await platform.api.schedule(body)).body as { meeting_id: string };
  const asked = { requested_by: body.attendees[1], reason: 'Too early, rather on a Friday.' };
  const reschedule = (change: object = {}, options = {}, meeting = id) =>
    platform.api.send('POST', `/v1/meetings/${meeting}/reschedule`, { ...asked, ...change }, options);
  const auto = (change: object = {}, options = {}) =>
    platform.api.send('POST', '/v1/schedule/auto', { attendees: body.attendees, ...change }, options);
  return { ...made, id, reschedule, auto };
}

type Known = Awaited<ReturnType<typeof known>>;

const endKeyAt = ({ platform }: Known, at: number) =>
  world.neon.query("update api_keys set revoked_at = $2 where platform_id = $1 and kind = 'secret'", [
    platform.id,
    new Date(at).toISOString(),
  ]);

const setPlan = ({ platform }: Known, plan: string) =>
  world.neon.query('update platforms set plan = $2 where id = $1', [platform.id, plan]);

/** Returns the rows that a reschedule or a job changes. */
async function stateOf({ platform }: Known) {
  const rows = async (table: string) =>
    world.neon.query(`select to_jsonb(t) as row from ${table} t where platform_id = $1 order by t::text`, [
      platform.id,
    ]);
  const learned = await world.neon.query(
    `select l.weight from learning_ledger l join connections c on c.user_id = l.user_id where c.platform_id = $1`,
    [platform.id],
  );
  const tables = ['meetings', 'jobs', 'proposals', 'idempotency_keys', 'deliveries', 'usage', 'connections'];
  return [learned, ...(await Promise.all(tables.map(rows)))];
}

/** Checks that a request called no calendar, queue or model, and changed no row. */
async function expectNothingDone(at: Known, send: () => Promise<Answer>): Promise<Answer> {
  const before = await stateOf(at);
  const answer = await send();
  expect([callsOf(answer, 'google'), callsOf(answer, 'qstash'), callsOf(answer, 'llm')]).toEqual([0, 0, 0]);
  expect(await stateOf(at)).toEqual(before);
  return answer;
}

const RESCHEDULES: [what: string, send: (at: Known) => Promise<Answer>][] = [
  ['a reschedule', ({ reschedule }) => reschedule()],
  ['a reschedule with an Idempotency-Key', ({ reschedule }) => reschedule({}, keyed('move'))],
  ['a reschedule that proposes times', ({ reschedule }) => reschedule({ propose: true })],
  ['a reschedule of a meeting that is not there', ({ reschedule }) => reschedule({}, {}, 'mtg_0')],
  ['a reschedule without a reason', ({ reschedule }) => reschedule({ reason: undefined })],
  ['a reschedule for a stranger', ({ reschedule }) => reschedule({ requested_by: 'stranger@people.test' })],
];
const JOBS: typeof RESCHEDULES = [
  ['a job', ({ auto }) => auto()],
  ['a job with an Idempotency-Key', ({ auto }) => auto({}, keyed('job'))],
  ['a job without attendees', ({ auto }) => auto({ attendees: undefined })],
  ['a job of strangers', ({ auto }) => auto({ attendees: ['a@people.test', 'b@people.test'] })],
  ['a job whose body is too long', ({ auto }) => auto({ metadata: { long: 'x'.repeat(70_000) } })],
];

describe('with a key that was revoked since the Worker knew it', () => {
  test.each([...RESCHEDULES, ...JOBS])('%s gets 401 and does nothing', async (_what, send) => {
    const at = await known();
    await endKeyAt(at, world.clock.now());
    const answer = await expectNothingDone(at, () => send(at));
    expect(seen(answer)).toEqual(NOT_VALID);
    const again = await send(at);
    expect([seen(again), callsOf(again, 'neon')]).toEqual([NOT_VALID, 0]);
  });

  test.each<[what: string, send: (at: Known) => Promise<Answer>]>([
    ['job', ({ auto }) => auto({}, keyed('kept'))],
    ['reschedule', ({ reschedule }) => reschedule({}, keyed('kept'))],
  ])('the kept answer of a %s is not given', async (_what, send) => {
    const at = await known();
    const first = await send(at);
    const replayed = await send(at);
    expect([seen(replayed), replayed.headers.get('idempotent-replayed')]).toEqual([seen(first), 'true']);
    await endKeyAt(at, world.clock.now());
    const answer = await expectNothingDone(at, () => send(at));
    expect([seen(answer), answer.headers.get('idempotent-replayed')]).toEqual([NOT_VALID, null]);
  });

  test.each([
    ['without an Idempotency-Key', {}],
    ['with the Idempotency-Key of that request', keyed('first')],
  ])('a reschedule %s leaves a change that another request left unfinished as it is', async (_how, options) => {
    const at = await known();
    const lost = hold({ target: 'google', match: 'PATCH ', times: 1 });
    const unfinished = at.reschedule({}, keyed('first'));
    await met(lost);
    const before = new Date(world.clock.now() - 1).toISOString();
    await world.neon.query('update meetings set lease_until = $2 where id = $1', [at.id, before]);
    await world.neon.query('update idempotency_keys set lease_until = $2 where resource_id = $1', [at.id, before]);
    await world.neon.query(
      'update pending_operations set due_at = $2 where event_id = (select provider_event_id from meetings where id = $1)',
      [at.id, before],
    );
    await endKeyAt(at, world.clock.now());
    const answer = await expectNothingDone(at, () => at.reschedule({}, options));
    expect(answer.status).toBe(401);
    world.faults.clear();
    await unfinished;
  });
});

test('with a key that is replaced, a job and a reschedule succeed in its last seconds, and get 401 after them', async () => {
  const at = await known();
  await endKeyAt(at, world.clock.now() + 20_000);
  expect([(await at.auto()).status, (await at.reschedule()).status]).toEqual([202, 200]);
  await world.advance(21_000);
  expect([(await at.auto()).status, (await at.reschedule({}, {}, 'mtg_0')).status]).toEqual([401, 401]);
});

test.each([
  ['a reschedule', 2, ({ reschedule }: Known) => reschedule()],
  ['a job', 1, ({ auto }: Known) => auto()],
])('%s beyond the limit of the minute does nothing but its look-ups', async (_what, most, send) => {
  const at = await known('developer');
  await toNextMinute();
  const statuses: number[] = [];
  while (statuses.length < 70 && statuses.at(-1) !== 429) statuses.push((await at.platform.api.calendars()).status);
  const answer = await expectNothingDone(at, () => send(at));
  expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([429, '0']);
  expect(callsOf(answer, 'neon')).toBeLessThanOrEqual(most);
});

test.each<[what: string, status: number, send: (at: Known) => Promise<Answer>]>([
  [
    'reschedules',
    404,
    ({ reschedule, id }) =>
      reschedule(
        {},
        {},
        id.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
  ],
  ['jobs', 202, ({ auto }) => auto()],
])(
  'of two hundred %s at once exactly those pass that the limit of the minute has left',
  async (_what, status, send) => {
    const at = await known('starter');
    await setPlan(at, 'developer');
    await toNextMinute();
    await at.platform.api.calendars();
    const left = Number((await at.platform.api.calendars()).headers.get('x-ratelimit-remaining'));
    const answers = await Promise.all(Array.from({ length: 200 }, () => send(at)));
    const passed = answers.filter((answer) => answer.status === status).length;
    const refused = answers.filter((answer) => answer.status === 429).length;
    expect([left, passed, refused]).toEqual([58, 58, 142]);
  },
);

describe('while the check of the key takes long', () => {
  test('a reschedule loads its meeting and waits with everything else', async () => {
    const at = await known();
    await expect.poll(() => world.traffic.list().every(({ end }) => end !== null)).toBe(true);
    world.traffic.clear();
    const held = hold(KEY_CHECK);
    const rescheduled = at.reschedule();
    await met(held);
    const neon = () => world.traffic.list().filter(({ target }) => target === 'neon');
    await expect
      .poll(() =>
        neon()
          .map(({ end }) => end === null)
          .sort(),
      )
      .toEqual([false, true]);
    const [check] = neon().filter(({ end }) => end === null);
    world.faults.clear();
    const answer = await rescheduled;
    const calendars = world.traffic.list().filter(({ target }) => target === 'google');
    expect(calendars.filter(({ start }) => start < (check?.end ?? Infinity))).toEqual([]);
    expect([answer.status, callsOf(answer, 'neon'), callsOf(answer, 'google')]).toEqual([200, 4, 6]);
  });

  test('a reschedule whose key cannot be checked changes nothing', async () => {
    const at = await known();
    world.faults.add({ ...KEY_CHECK, mode: 'status', status: 500 });
    const answer = await expectNothingDone(at, () => at.reschedule());
    expect([answer.status, messageOf(answer)]).toEqual([500, expect.stringContaining('Try again in a minute.')]);
    world.faults.clear();
    expect((await at.reschedule()).status).toBe(200);
  });
});

describe('the plan counts as it is now', () => {
  const spend = ({ platform }: Known) =>
    world.neon.query(
      `insert into usage (platform_id, month, used, confirmed, quota) values ($1, $2, 25, 25, 25)
       on conflict (platform_id, month) do update set used = 25, confirmed = 25, quota = 25`,
      [platform.id, new Date(world.clock.now()).toISOString().slice(0, 7)],
    );

  test('a platform that only asks for jobs gets the rate limit of its new plan within a minute', async () => {
    const at = await known('scale');
    const limits = async () => {
      const answer = await at.auto();
      return [answer.headers.get('x-ratelimit-limit'), callsOf(answer, 'neon')];
    };
    expect(await limits()).toEqual(['300', 1]);
    await setPlan(at, 'developer');
    expect(await limits()).toEqual(['300', 1]);
    await world.advance(60_000);
    expect([await limits(), await limits()]).toEqual([
      ['300', 2],
      ['60', 1],
    ]);
  });

  test('a job beyond the former quota is accepted, and one beyond the new quota is not', async () => {
    const at = await known('developer');
    await spend(at);
    const over = await at.auto();
    expect([over.status, over.body]).toMatchObject([429, { code: 'quota_exceeded', limit: 25, used: 25 }]);
    for (const plan of ['starter', 'pro', 'growth', 'scale', 'enterprise']) {
      await setPlan(at, plan);
      expect([plan, (await at.auto()).status]).toEqual([plan, 202]);
    }
    await setPlan(at, 'developer');
    expect((await at.auto()).body).toMatchObject({ code: 'quota_exceeded', limit: 25, used: 25 });
  });
});

test('a job that is refused where its key cannot be checked is not said to have been stored', async () => {
  const at = await known();
  world.faults.add({ ...KEY_CHECK, mode: 'status', status: 500 });
  const answer = await at.auto({ attendees: undefined });
  expect([answer.status, messageOf(answer)]).toEqual([500, expect.stringContaining('Try again in a minute.')]);
});

test('a job that may have been stored says so', async () => {
  const at = await known();
  world.faults.add({ target: 'neon', body_match: 'insert into \\\\"jobs', mode: 'after', times: 1 });
  const answer = await at.auto();
  expect([answer.status, messageOf(answer)]).toEqual([500, expect.stringContaining('may have been made anyway')]);
  expect(await world.neon.query('select 1 from jobs where platform_id = $1', [at.platform.id])).toHaveLength(1);
});

test('the log has the platform of a job that succeeded, and not of one whose key no longer works', async () => {
  const at = await known();
  const platformIn = ({ headers }: Answer): unknown => {
    const id = headers.get('x-request-id') ?? '';
    const line = world.logs().findLast((one) => one.includes(id) && one.includes('"message":"request"'));
    return JSON.parse(line ?? '{}').platform_id;
  };
  expect(platformIn(await at.auto())).toBe(at.platform.id);
  await endKeyAt(at, world.clock.now());
  expect(platformIn(await at.auto())).toBeUndefined();
});

const setSuspended = ({ id }: Pick<TestPlatform, 'id'>, isSuspended: boolean) =>
  world.neon.query(`update platforms set suspended_at = ${isSuspended ? 'now()' : 'null'} where id = $1`, [id]);

interface Ready {
  oldest_unfinished_booking_age_seconds: number | null;
}

const TWO_DAYS_SECONDS = 2 * 86_400;

const SUSPENDED = wholeError({
  error: 'Platform suspended',
  message:
    'This platform is suspended, so its API keys do not work. Ask the operator of this service to resume the platform.',
});

describe('a suspended platform', () => {
  test.each(['known', 'new'])(
    'is refused with 403 at every call, with a key that is %s to the Worker',
    async (seen) => {
      const { platform, body } = await bookable();
      const auto = { attendees: body.attendees };
      if (seen === 'known') expect((await platform.api.calendars()).status).toBe(200);
      await setSuspended(platform, true);
      for (const answer of [
        await platform.api.calendars(),
        await platform.api.schedule(body),
        await platform.api.send('POST', '/v1/schedule/auto', auto),
        await platform.api.send('POST', '/v1/schedule/auto', auto, { headers: { 'Idempotency-Key': 'suspended' } }),
        await platform.api.send('POST', '/v1/meetings/mtg_1/reschedule', {
          requested_by: auto.attendees[0],
          reason: 'x',
        }),
        await platform.api.send('POST', '/v1/platform/regenerate-key'),
        await platform.api.send('POST', '/v1/platform/dashboard-link'),
      ])
        expect([answer.status, answer.body]).toEqual([403, SUSPENDED]);
      await setSuspended(platform, false);
      expect((await platform.api.calendars()).status).toBe(200);
    },
  );

  test('has its jobs and webhooks wait, and then end as if nothing had been', async () => {
    const { platform, body } = await bookable();
    world.qstash.setKnobs({ hold: true });
    const accepted = await platform.api.send('POST', '/v1/schedule/auto', { attendees: body.attendees });
    const { job_id } = accepted.body as { job_id: string };
    expect((await platform.api.schedule(body)).status).toBe(200);
    await setSuspended(platform, true);
    world.qstash.setKnobs({ hold: false });
    const before = (await webhooksOf(platform)).length;
    await world.advance(10 * 60_000);
    await tick();
    expect((await webhooksOf(platform)).length).toBe(before);
    const [job] = await world.neon.query('select status, attempts from jobs where id = $1', [job_id]);
    expect(job).toEqual({ status: 'processing', attempts: 0 });

    await setSuspended(platform, false);
    await tick();
    await webhooksOf(platform);
    await tick();
    const told = (await webhooksOf(platform)).map(({ body: { event_type } }) => event_type);
    expect(told).toEqual(expect.arrayContaining(['meeting.scheduled', 'meeting.scheduling.completed']));
    expect((await platform.api.send('GET', `/v1/jobs/${job_id}`)).body).toMatchObject({ status: 'completed' });
  });

  test('has no dashboard, and its links connect nobody, while people keep their own pages', async () => {
    const { platform, ada } = await bookable();
    const link = await linkFor(platform);
    const { browser } = await atDashboard(platform);
    const me = await world.signIn(ada.email);
    await setSuspended(platform, true);
    expect(headingOf(await visit(browser, '/dashboard'))).toBe('You are not signed in');
    expect(headingOf(await newBrowser().open(link))).toBe('This link does not open the dashboard');
    const connect = await newBrowser().open(authorizeUrl(platform, freshPerson().email));
    expect(connect.status).toBe(400);
    expect(connect.html).toContain('is suspended, so it cannot connect calendars until the operator resumes it');
    expect((await me.browser.open(`${world.baseUrl}/me`)).html).toContain('Who has access to your calendar');
    expect((await world.signIn(ada.email)).page.html).toContain('Test platform');
  });

  test('is no reason to alarm: what waits for it is not the oldest work', async () => {
    const platform = await freshPlatform();
    await world.neon.query(
      `insert into jobs (id, platform_id, status, request, created_at, next_run_at)
       values ('sched_suspended', $1, 'processing', '{}', now() - interval '3 days', null)`,
      [platform.id],
    );
    const ready = async () => {
      const headers = { authorization: `Bearer ${world.secrets.HEALTH_TOKEN}` };
      const answer = await fetch(`${world.baseUrl}/health/ready`, { headers });
      return ((await answer.json()) as Ready).oldest_unfinished_booking_age_seconds ?? 0;
    };
    expect(await ready()).toBeGreaterThan(TWO_DAYS_SECONDS);
    await setSuspended(platform, true);
    expect(await ready()).toBeLessThan(TWO_DAYS_SECONDS);
    await world.neon.query("delete from jobs where id = 'sched_suspended'");
  });
});
