import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examine } from '../../functions/cli/doctor.ts';
import { migrateDatabase } from '../../schema/migrate.ts';
import { createBrowser } from '../local/browser.ts';
import { temporaryDatabase } from '../local/open-db.ts';
import { createSecrets, type PlatformKeys } from '../local/platforms.ts';
import { HOSTS } from '../local/targets.ts';
import { startWorld, type World } from '../local/world.ts';
import { createClient } from '../support/worlds/client.ts';
import { preparedScript } from '../support/worlds/prepared.ts';

const SCRIPT = fileURLToPath(new URL('../../functions/cli/admin.ts', import.meta.url));
let database: Awaited<ReturnType<typeof temporaryDatabase>>;
let world: World;

beforeAll(async () => {
  database = await temporaryDatabase(process.env.TEST_POSTGRES ?? '');
  world = await startWorld({ postgresUrl: database.url, script: await preparedScript(), patience: 20 });
});
afterAll(async () => {
  await world.close();
  await database.drop();
});

async function admin(...args: string[]) {
  const { KEY_CHECK_SECRET } = world.secrets;
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url, KEY_CHECK_SECRET };
  const child = spawn(process.execPath, [SCRIPT, ...args, '--as', 'olga'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) child[stream].on('data', (part) => (said[stream] += part));
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { status, stdout: said.stdout.trim(), stderr: said.stderr.trim() };
}
const json = async <T>(...args: string[]) => JSON.parse((await admin(...args, '--json')).stdout) as T;
const clientOf = (key: string) => createClient(world.baseUrl, key);
const create = (name: string) => world.platforms.create({ name, plan: 'pro', redirect_uris: [] });

async function person(platform: PlatformKeys): Promise<string> {
  const email = `person.${randomUUID().slice(0, 8)}@people.test`;
  world.google.addUser({ email, timezone: 'UTC' });
  await world.connectCalendar(platform, email);
  return email;
}

const logOf = async (key: string) => {
  const { body } = await clientOf(key).send('GET', '/v1/platform/audit-log');
  const { entries } = body as { entries: { action: string; by: { kind: string; id: string } }[] };
  return entries.map(({ action, by }) => `${action} by ${by.kind} ${by.id}`).toReversed();
};

test('lists and shows platforms, renames them and changes their plan, which counts at once', async () => {
  const platform = await create('Acme');
  const api = clientOf(platform.secret_key);
  expect((await admin('platforms', 'list')).stdout).toMatch(
    new RegExp(`^id +name +plan +state +people +meetings +created_at\n(.*\n)*${platform.id} +Acme +pro +active +0 +0 `),
  );
  const asked = await admin('platforms', 'rename', platform.id, 'Acme Ltd');
  expect(asked).toEqual({
    status: 1,
    stdout: '',
    stderr: `Rename ${platform.id} to "Acme Ltd"? Nothing was changed, because nobody could answer this question. Add --yes to answer yes.`,
  });
  expect((await admin('platforms', 'rename', platform.id, 'Acme Ltd', '--yes')).status).toBe(0);
  expect((await admin('platforms', 'plan', platform.id, 'gold', '--yes')).stderr).toContain('The plan must be one of');
  expect((await admin('platforms', 'plan', platform.id, 'scale', '--yes')).status).toBe(0);
  expect((await api.send('GET', '/v1/platform/settings')).body).toMatchObject({ name: 'Acme Ltd', plan: 'scale' });
  expect(await json('platforms', 'show', platform.id)).toMatchObject({
    name: 'Acme Ltd',
    state: 'active',
    secret_keys: expect.stringMatching(/^sk_live_….{4}$/),
  });
  expect(await logOf(platform.secret_key)).toEqual([
    'platform.renamed by operator olga',
    'platform.plan_changed by operator olga',
  ]);
  expect((await admin('platforms', 'show', 'plat_none')).stderr).toBe(
    'Tandem has no platform plat_none. "npm run admin -- platforms list" shows the IDs of all platforms.',
  );
});

test('reissues a stolen key: the thief is out, the owner is in', async () => {
  const platform = await create('Robbed');
  const stolen = await clientOf(platform.secret_key).send('POST', '/v1/platform/regenerate-key');
  const { api_key: thief } = stolen.body as { api_key: string };
  expect((await clientOf(thief).calendars()).status).toBe(200);
  const { stdout, status } = await admin('platforms', 'reissue-key', platform.id, '--yes');
  const [key = '', said] = stdout.split('\n');
  expect([status, said]).toEqual([0, 'Give this key to the platform now, because it is not shown again.']);
  expect(key).toMatch(/^sk_live_[\w-]{43}[0-9a-f]{10}$/);
  expect([(await clientOf(thief).calendars()).status, (await clientOf(key).calendars()).status]).toEqual([401, 200]);
  expect(await logOf(key)).toEqual([
    expect.stringMatching(/^key\.replaced by key sk_live_/),
    'key.reissued by operator olga',
  ]);
  const kept = await json<{ key: string }>(
    ...['platforms', 'reissue-key', platform.id, '--yes', '--keep-old-for-hours', '2'],
  );
  expect([(await clientOf(key).calendars()).status, (await clientOf(kept.key).calendars()).status]).toEqual([200, 200]);
  expect((await admin('platforms', 'reissue-key', platform.id, '--keep-old-for-hours', '73')).stderr).toBe(
    '--keep-old-for-hours must be a whole number from 1 to 72.',
  );
});

test('suspends and resumes', async () => {
  const platform = await create('Late payer');
  const api = clientOf(platform.secret_key);
  expect((await api.calendars()).status).toBe(200);
  expect((await admin('platforms', 'suspend', platform.id, '--yes')).status).toBe(0);
  const refused = await api.calendars();
  expect([refused.status, refused.body]).toMatchObject([403, { code: 'platform_suspended' }]);
  expect((await admin('platforms', 'list')).stdout).toMatch(new RegExp(`${platform.id} +Late payer +pro +suspended`));
  expect((await admin('platforms', 'resume', platform.id, '--yes')).status).toBe(0);
  expect((await api.calendars()).status).toBe(200);
  expect(await logOf(platform.secret_key)).toEqual([
    'platform.suspended by operator olga',
    'platform.resumed by operator olga',
  ]);
});

test('finds and shows people, disconnects and erases them; the next tick revokes the grant', async () => {
  const platform = await create('Clinic');
  const [ada, bob] = [await person(platform), await person(platform)];
  expect(await json('people', 'find', ada.slice(0, 12))).toMatchObject([{ email: ada, connected: 1 }]);
  expect((await admin('people', 'show', ada.toUpperCase())).stdout).toMatch(
    new RegExp(`email +${ada}\n(.*\n)*platforms +${platform.id} Clinic`),
  );
  expect((await admin('people', 'disconnect', ada, '--platform', platform.id, '--yes')).status).toBe(0);
  expect(await json('people', 'show', ada)).toMatchObject({ platforms: null, status: 'disconnected' });
  expect((await admin('people', 'erase', bob)).stderr).toContain('Add --yes');
  expect((await admin('people', 'erase', bob, '--yes')).status).toBe(0);
  expect((await admin('people', 'show', bob)).stderr).toBe(
    `Tandem knows nobody with the email address or ID ${bob}. Check the spelling.`,
  );
  const revocations = async () =>
    (await json<{ what: string }[]>('pending')).filter(({ what }) => what === 'revocation');
  expect(await revocations()).toHaveLength(2);
  expect(await logOf(platform.secret_key)).toEqual([
    'person.disconnected by operator olga',
    'person.disconnected by operator olga',
  ]);
  await world.worker.runScheduled(world.clock.now());
  expect(await revocations()).toEqual([]);
});

test('finds a guest and their proposal by the address, and erases one platform’s guest', async () => {
  const platforms = [await create('Mentors'), await create('Tutors')];
  const guest = `grace.${randomUUID().slice(0, 8)}@elsewhere.test`;
  const offers: { proposal_id: string }[] = [];
  for (const platform of platforms) {
    const attendees = [await person(platform), guest];
    const { body } = await clientOf(platform.secret_key).send('POST', '/v1/proposals', {
      ...{ attendees, duration_minutes: 30, title: 'Mentoring' },
    });
    offers.push(body as { proposal_id: string });
  }
  const [first, second] = platforms.map(({ id }) => id);
  const found = await json<{ id: string; guest_of: string }[]>('people', 'find', guest.slice(0, 14));
  expect(found).toMatchObject([
    { email: guest, status: 'guest', connected: 0 },
    { email: guest, status: 'guest', connected: 0 },
  ]);
  expect(found.map(({ guest_of: platform }) => platform).toSorted()).toEqual([first, second].toSorted());
  expect((await json<{ what: string }[]>('find', guest)).map(({ what }) => what).toSorted()).toEqual(
    ['person', 'person', 'proposal', 'proposal'].toSorted(),
  );
  expect(await json('find', offers[0]?.proposal_id ?? '')).toMatchObject([{ what: 'proposal', state: 'open' }]);

  const several = await admin('people', 'erase', guest, '--yes');
  expect([several.status, several.stderr]).toEqual([
    1,
    expect.stringContaining('is the address of guests of 2 platforms.'),
  ]);
  const one = found.find(({ guest_of: platform }) => platform === first)?.id ?? '';
  expect(several.stderr).toContain(`${one} (guest of ${first})`);
  expect(await json('people', 'show', one)).toMatchObject({ email: guest, guest_of: first, proposals: 1, meetings: 0 });
  expect((await admin('people', 'erase', one, '--yes')).status).toBe(0);
  expect(await json('people', 'find', guest)).toMatchObject([{ guest_of: second }]);
  expect(await json('people', 'show', guest)).toMatchObject({ guest_of: second, guests: null });
  await world.worker.runScheduled(world.clock.now());
  expect(await json('find', offers[0]?.proposal_id ?? '')).toMatchObject([{ what: 'proposal', state: 'withdrawn' }]);
  expect(await logOf(platforms[0]?.secret_key ?? '')).toEqual(['person.erased by operator olga']);

  world.google.addUser({ email: guest, timezone: 'UTC' });
  await world.connectCalendar(await create('Third'), guest);
  expect(await json('people', 'show', guest)).toMatchObject({
    guest_of: null,
    guests: expect.stringContaining(`(guest of ${second})`),
  });
});

test('disconnects a person from every platform at once, and nobody else', async () => {
  const webhook = (name: string) => `https://${HOSTS.inbox}/${name}`;
  const make = (name: string) =>
    world.platforms.create({ name, plan: 'pro', redirect_uris: [], webhook_url: webhook(name) });
  const [spa, gym] = [await make('spa'), await make('gym')];
  const [ada, bob] = [await person(spa), await person(spa)];
  await world.connectCalendar(gym, ada);
  expect((await admin('people', 'disconnect', ada)).stderr).toBe(
    `End the access of every platform to the calendar of ${ada}? Nothing was changed, because nobody could answer this question. Add --yes to answer yes.`,
  );
  expect(await json('people', 'find', ada)).toMatchObject([{ email: ada, connected: 2 }]);
  expect((await admin('people', 'disconnect', ada, '--yes')).stdout).toBe(
    'The access to the calendar has ended. Within a minute, Tandem sends the webhook events and revokes the access at Google.',
  );
  expect(await json('people', 'show', ada)).toMatchObject({ platforms: null, status: 'disconnected' });
  expect(await json('people', 'show', bob)).toMatchObject({ status: 'connected' });
  for (const { secret_key } of [spa, gym]) {
    expect(await logOf(secret_key)).toEqual(['person.disconnected by operator olga']);
    expect((await clientOf(secret_key).availability({ attendees: [ada, bob] })).status).toBe(404);
  }
  await world.worker.runScheduled(world.clock.now());
  await world.qstash.deliverDue();
  const told = world.inbox.deliveries().map(({ url, body_text }) => ({ url, event: JSON.parse(body_text) }));
  const ended = told.filter(({ event }) => event.event_type === 'user.calendar.disconnected');
  // Events of earlier tests may arrive late, at other addresses.
  for (const url of [webhook('spa'), webhook('gym')])
    expect(ended.filter((one) => one.url === url).map(({ event }) => event.data.user_email)).toEqual([ada]);
  const again = await admin('people', 'disconnect', ada, '--yes');
  expect([again.status, again.stderr]).toEqual([
    1,
    "No platform has access to this person's calendar, so there is nothing to disconnect.",
  ]);
  expect(await logOf(spa.secret_key)).toEqual(['person.disconnected by operator olga']);
});

test('finds a meeting, its job, its delivery, a person and the changes of a request; says what is pending', async () => {
  const platform = await world.platforms.create({
    name: 'Shop',
    plan: 'pro',
    redirect_uris: [],
    webhook_url: 'https://inbox.test/shop',
  });
  const [ada, bob] = [await person(platform), await person(platform)];
  const api = clientOf(platform.secret_key);
  const start_time = new Date(world.clock.now() + 48 * 3_600_000).toISOString();
  const booking = { attendees: [ada, bob], start_time, duration_minutes: 30, title: 'Tea' };
  world.qstash.setKnobs({ hold: true });
  const booked = await api.schedule(booking);
  const { meeting_id } = booked.body as { meeting_id: string };
  const found = await json<{ what: string; id: string }[]>('find', meeting_id);
  expect(found.map(({ what }) => what).toSorted()).toEqual(['delivery', 'meeting']);
  const delivery = found.find(({ what }) => what === 'delivery')?.id ?? '';
  expect(await json('find', delivery)).toMatchObject([{ what: 'delivery', id: delivery }]);
  expect((await json<{ what: string }[]>('find', ada)).map(({ what }) => what)).toContain('person');
  const { body } = await api.send('POST', '/v1/schedule/auto', { attendees: [ada, bob] });
  const { job_id } = body as { job_id: string };
  expect(await json('find', job_id)).toMatchObject([{ what: 'job', state: 'processing' }]);
  const rotated = await api.send('POST', '/v1/platform/webhook/rotate-secret');
  expect(await json('find', rotated.headers.get('x-request-id') ?? '')).toMatchObject([
    { what: 'change', state: expect.stringMatching(/^secret\.rotated by key sk_live_/) },
  ]);
  const pending = await json<{ what: string; id: string; why: string }[]>('pending');
  expect(pending).toContainEqual(expect.objectContaining({ what: 'job', id: job_id, why: 'no run has begun' }));
  expect(pending.filter(({ what }) => what === 'delivery').map(({ why }) => why)).toContain('no attempt was made yet');
  expect((await admin('find', 'nothing')).stdout).toMatch(/^Tandem has nothing with the ID or email address nothing\./);
  world.qstash.setKnobs({ hold: false });
});

test('deletes a platform: keys, webhook, sessions and connections are gone, meetings and people stay', async () => {
  const platform = await create('Gone');
  const [ada, bob] = [await person(platform), await person(platform)];
  const api = clientOf(platform.secret_key);
  const start_time = new Date(world.clock.now() + 72 * 3_600_000).toISOString();
  const booked = await api.schedule({ attendees: [ada, bob], start_time, duration_minutes: 30, title: 'Last' });
  const { meeting_id } = booked.body as { meeting_id: string };
  const link = (await api.send('POST', '/v1/platform/dashboard-link')).body as { url: string };
  expect((await admin('platforms', 'delete', platform.id, '--yes')).stdout).toBe(
    `${platform.id} is deleted. People disconnected: 2.`,
  );
  expect((await api.calendars()).status).toBe(401);
  expect((await createBrowser([new URL(world.baseUrl).host]).open(link.url)).status).toBe(400);
  expect(await json('people', 'show', ada)).toMatchObject({ platforms: null, meetings: 1 });
  expect(await json('find', meeting_id)).toContainEqual(expect.objectContaining({ what: 'meeting' }));
  expect(await json('platforms', 'show', platform.id)).toMatchObject({ state: 'deleted', secret_keys: null });
  expect((await admin('platforms', 'resume', platform.id, '--yes')).status).toBe(1);
  expect((await admin('platforms', 'delete', platform.id, '--yes')).stdout).toContain('People disconnected: 0.');
});

test('a wrong command says how to call it', async () => {
  expect((await admin('platforms', 'suspend')).stderr).toBe(
    'This command needs other arguments. Call it as: npm run admin -- platforms suspend <platform id>',
  );
  const { status, stderr } = await admin('dance');
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^There is no command "dance"\.\n\nnpm run admin -- <command>/),
  ]);
});

const CREATE = fileURLToPath(new URL('../../functions/cli/platform-create.ts', import.meta.url));
const GIVEN = ['--name', 'Acme', '--email', 'owner@acme.com', '--plan', 'starter'];
const { TOKEN_KEYS, KEY_CHECK_SECRET } = createSecrets();

function runCreate(args: string[], DATABASE_URL: string) {
  const env = { PATH: process.env.PATH, TOKEN_KEYS, KEY_CHECK_SECRET, DATABASE_URL };
  const { status, stdout, stderr } = spawnSync(process.execPath, [CREATE, ...args], { env, encoding: 'utf8' });
  return { status, stdout, stderr: stderr.trim() };
}

describe('platform:create on a Postgres that is not Neon', () => {
  const admin = process.env.TEST_POSTGRES ?? '';
  let database: Awaited<ReturnType<typeof temporaryDatabase>>;
  beforeAll(async () => {
    database = await temporaryDatabase(admin);
  });
  afterAll(() => database.drop());

  async function stored(): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      "select name, plan, url, (select count(*)::int from api_keys) as keys, (select string_agg(action || ' by ' || actor_kind, ', ') from audit_log) as log from platforms left join webhook_endpoints on platform_id = platforms.id",
    );
    await client.end();
    return rows;
  }

  test('before it is migrated, says what to run', () => {
    expect(runCreate(GIVEN, database.url)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The database has no tables yet. Run npm run db:migrate first.',
    });
  });

  test('makes the platform with its endpoint, and prints what is shown once', async () => {
    await migrateDatabase(database.url);
    const { status, stdout, stderr } = runCreate([...GIVEN, '--webhook-url', 'https://acme.com/hook'], database.url);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^Platform {9}plat_\S+\nSecret key {7}sk_live_\S+\nPublishable key {2}pk_live_\S+\nWebhook secret {3}whsec_\S+\nSave these keys and secrets now/,
    );
    expect(await stored()).toEqual([
      { name: 'Acme', plan: 'starter', url: 'https://acme.com/hook', keys: 2, log: 'platform.created by operator' },
    ]);
  });

  test('is a database that the doctor finds well', async () => {
    const findings = await examine({ DATABASE_URL: database.url }, () => Promise.reject(new Error('nobody asked')));
    expect(findings).toContainEqual({
      name: 'Database',
      state: 'ok',
      text: expect.stringMatching(/^PostgreSQL \d\d with the newest schema\.$/),
    });
  });

  test('leaves nothing behind of one that it refuses', async () => {
    const before = await stored();
    const { status, stderr } = runCreate([...GIVEN, '--webhook-url', 'http://acme.com/hook'], database.url);
    expect([status, stderr]).toEqual([1, 'The webhook URL must begin with https://.']);
    expect(await stored()).toEqual(before);
  });

  test.each([
    [
      'nobody listens',
      'postgres://postgres@127.0.0.1:1/tandem',
      'No database listens at the host and port of DATABASE_URL. Start the database, or correct DATABASE_URL.',
    ],
    ['it is no URL', 'tandem', 'DATABASE_URL must be a URL that begins with postgresql://.'],
  ])('where %s, says so in one sentence', (_name, url, expected) => {
    expect(runCreate(GIVEN, url)).toEqual({ status: 1, stdout: '', stderr: expected });
  });

  test('where the server has no such database, says so', () => {
    expect(runCreate(GIVEN, new URL('/tandem_nowhere', database.url).href).stderr).toBe(
      'The server of DATABASE_URL has no database with the name in DATABASE_URL. Create the database, or correct DATABASE_URL.',
    );
  });
});
