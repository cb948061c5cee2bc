import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { type Query, Statements } from '../../local/neon.ts';
import { askByTick, readByTick, searchable, snapshotOf, sourcesOf } from '../../support/people/calendars.ts';
import { connectedPerson, freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { booked, freshPair, inHours, iso } from '../../support/people/meetings.ts';
import { propose } from '../../support/people/proposing.ts';
import type { Answer } from '../../support/worlds/client.ts';
import { eventually } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const googleCalls = (answer: Answer) =>
  world.traffic
    .list()
    .filter((call) => call.target === 'google' && call.request_id === answer.headers.get('x-request-id'));
/**
 * Returns the channels whose first message (the provider's sync message) has arrived. The provider sends it once the
 * channel pushes.
 */
const verifiedChannels = (email: string) =>
  world.neon.query(
    'select 1 from watch_channels w join users u on u.id = w.user_id where u.email = $1 and w.verified_at is not null',
    [email],
  );
const sources = async (...given: Parameters<typeof sourcesOf>) =>
  (await sourcesOf(...given)).map((read) => ('source' in read ? read.source : read));

test('a search is served from what was read, says so, and asks the calendar of nobody', async () => {
  const { platform, ada, bob, search } = await searchable();
  expect(await sources(platform, [ada.email, bob.email])).toEqual(['google', 'google']);
  await readByTick(ada.email, bob.email);
  const answer = await search();
  const readAt = new Date(Number((await snapshotOf(ada.email))?.read_at_ms)).toISOString();
  expect((answer.body as { calendars: object[] }).calendars).toEqual([
    { email: ada.email, read_at: readAt, source: 'snapshot' },
    { email: bob.email, read_at: expect.any(String), source: 'snapshot' },
  ]);
  expect(googleCalls(answer)).toEqual([]);
});

test('a read that another platform caused serves none, and shows in no answer', async () => {
  const { platform, other, ada, bob, search } = await searchable();
  const people = [ada.email, bob.email];
  await readByTick(...people);
  const lastSync = async ({ api }: typeof platform) =>
    ((await api.status(ada.email)).body as { last_sync: string }).last_sync;
  const before = await lastSync(platform);
  await world.advance(2 * HOUR);
  expect((await search(other)).status).toBe(200);
  await eventually(async () => {
    await askByTick(...people);
    expect(await sources(other, people)).toEqual(['snapshot', 'snapshot']);
  });
  expect(await lastSync(other)).not.toBe(before);
  expect(await lastSync(platform)).toBe(before);
  // Its own search reads the calendars, and so does the tick after it, which then serves it.
  expect(await sources(platform, people)).toEqual(['google', 'google']);
  await eventually(async () => {
    await askByTick(...people);
    expect(await sources(platform, people)).toEqual(['snapshot', 'snapshot']);
  });
  expect(Date.parse(await lastSync(platform))).toBeGreaterThan(world.clock.now() - MINUTE);
});

test('of two reads soon after one another, the second is the other platform’s', async () => {
  const { platform, other, ada, bob, search } = await searchable();
  const people = [ada.email, bob.email];
  await readByTick(...people);
  await world.advance(2 * HOUR);
  const used = (by: typeof platform) =>
    eventually(async () => {
      expect((await search(by)).status).toBe(200);
      await askByTick(...people);
      expect(await sources(by, people)).toEqual(['snapshot', 'snapshot']);
    });
  await used(platform);
  await world.advance(20_000);
  await used(other);
  expect(await sources(platform, people)).toEqual(['google', 'google']);
});

test('under one `read_at` a search answers the same, though another platform reserves its first time meanwhile', async () => {
  const { platform, other, ada, bob } = await searchable();
  const attendees = [ada.email, bob.email];
  const search = async () => {
    const { body } = await platform.api.send('POST', '/v1/availability?fresh=true', { attendees });
    return body as { calendars: object[]; slots: { start_time: string }[] };
  };
  // On a slow machine the second in which a read serves others may be over too soon.
  const first = await eventually(async () => {
    await world.advance(2_000);
    const before = await search();
    const [slot] = before.slots;
    const offer = { attendees, times: [slot?.start_time], duration_minutes: 30, title: 'Theirs' };
    const proposed = await propose(other, offer);
    expect(proposed.status).toBe(201);
    const after = await search();
    expect(after.calendars).toEqual(before.calendars);
    expect(after).toEqual(before);
    return slot;
  });
  await world.advance(2_000);
  expect((await search()).slots.map(({ start_time }) => start_time)).not.toContain(first?.start_time);
});

test('fresh=true asks the calendars whatever was read before, of two people or one', async () => {
  const { platform, ada, bob } = await searchable();
  await readByTick(ada.email, bob.email);
  expect(await sources(platform, [ada.email, bob.email], '?fresh=true')).toEqual(['google', 'google']);
  expect(await sources(platform, [ada.email, bob.email], '?fresh=false')).toEqual(['snapshot', 'snapshot']);
  const one = async (query: string) => {
    const { body } = await platform.api.send('GET', `/v1/users/${ada.email}/availability${query}`);
    return (body as { calendars: { source: string }[] }).calendars.map(({ source }) => source);
  };
  expect(await one('')).toEqual(['snapshot']);
  expect(await one('?fresh=true')).toEqual(['google']);
  const { status, body } = await platform.api.send('GET', `/v1/users/${ada.email}/availability?fresh=yes`);
  expect(status).toBe(400);
  expect(body).toMatchObject({ message: '`fresh` must be true or false.', field: 'fresh' });
});

test('a change in the calendar comes by push, and until it is read the calendar itself is asked', async () => {
  const { platform, ada, bob } = await searchable();
  await readByTick(ada.email, bob.email);
  await eventually(async () => expect(await verifiedChannels(ada.email)).toHaveLength(1));
  await world.advance(20_000);
  const start = new Date(world.clock.now() + DAY).toISOString();
  const end = new Date(world.clock.now() + DAY + 3_600_000).toISOString();
  world.google.addBusy({ email: ada.email, start, end });
  await world.google.settled();
  expect(await sources(platform, [ada.email, bob.email])).toEqual(['google', 'snapshot']);
  await readByTick(ada.email);
  expect((await snapshotOf(ada.email))?.busy).toEqual([Date.parse(start), Date.parse(end)]);
  expect(await sources(platform, [ada.email, bob.email])).toEqual(['snapshot', 'snapshot']);
});

test('what the service books itself is known at once, and booking never trusts what was read before', async () => {
  const { platform, ada, bob } = await searchable();
  await readByTick(ada.email, bob.email);
  world.google.settings.pushes = 'lost';
  const start = new Date(Math.ceil(world.clock.now() / DAY) * DAY + 3 * DAY + 10 * 3_600_000);
  const booked = await platform.api.schedule({
    attendees: [ada.email, bob.email],
    start_time: start.toISOString(),
    duration_minutes: 30,
    title: 'Talk',
    require_free: true,
  });
  world.google.settings.pushes = 'sent';
  expect(booked.status).toBe(200);
  expect(googleCalls(booked).filter(({ path }) => path.includes('freeBusy'))).toHaveLength(2);
  expect(await sources(platform, [ada.email, bob.email])).toEqual(['google', 'google']);
});

test('without pushes a snapshot serves nobody, with them for five minutes', async () => {
  const { platform, ada, bob } = await searchable();
  await readByTick(ada.email, bob.email);
  await world.neon.query(
    'update watch_channels set verified_at = null where user_id in (select id from users where email = $1)',
    [bob.email],
  );
  expect(await sources(platform, [ada.email, bob.email])).toEqual(['snapshot', 'google']);
  await world.advance(15 * 60_000);
  expect(await sources(platform, [ada.email, bob.email])).toEqual(['google', 'google']);
});

test('a search beyond what was read asks the calendars', async () => {
  const { platform, ada, bob } = await searchable();
  await readByTick(ada.email, bob.email);
  const date_range = { start_date: new Date(world.clock.now() + 110 * DAY).toISOString().slice(0, 10) };
  const { body } = await platform.api.availability({ attendees: [ada.email, bob.email], date_range });
  expect((body as { calendars: object[] }).calendars).toMatchObject([{ source: 'google' }, { source: 'google' }]);
});

/** Connects Ada, whose calendar is full, and Bob, whose calendar is empty, with one platform, and Cara with another. */
async function strangers() {
  const [theirs, asking] = [await freshPlatform({ plan: 'enterprise' }), await freshPlatform({ plan: 'enterprise' })];
  const [ada, bob] = [await connectedPerson(theirs), await connectedPerson(theirs)];
  const guest = await connectedPerson(theirs);
  const cara = await connectedPerson(asking);
  for (let hours = 24; hours < 36; hours += 1)
    await booked({ pair: { platform: theirs, ada, bob: guest }, start: inHours(hours) });
  await readByTick(ada.email, bob.email, guest.email, cara.email);
  return { theirs, asking, ada, bob, cara, guest };
}

test('a search reads as much for a stranger with a full calendar as for an empty one and for nobody', async () => {
  const { theirs, asking, ada, bob, cara, guest } = await strangers();
  const requests = (other: string) => [
    () => asking.api.availability({ attendees: [cara.email, other] }),
    () => asking.api.availability({ attendees: [other, cara.email], duration_minutes: 60 }),
    () => asking.api.send('GET', `/v1/users/${other}/availability`),
  ];
  const work = async (email: string) => {
    const found: unknown[] = [];
    for (const request of requests(email)) {
      const { answer, statements } = await statementsOf(request);
      expect(answer.status).toBe(404);
      found.push([statements.length, await rowsRead(statements, ['holds', 'busy_snapshots', 'meetings'])]);
    }
    return found;
  };
  const ofNobody = await work(freshPerson().email);
  expect(await work(bob.email)).toEqual(ofNobody);
  expect(await work(ada.email)).toEqual(ofNobody);

  const own = await statementsOf(() => theirs.api.availability({ attendees: [ada.email, guest.email] }));
  expect(own.answer.status).toBe(200);
  expect(await rowsRead(own.statements, ['holds', 'busy_snapshots'])).toBeGreaterThanOrEqual(24);
});

/** Runs a request, and returns with its answer the statements that the Worker sent to Postgres meanwhile, in any order. */
async function statementsOf<A>(request: () => Promise<A>): Promise<{ answer: A; statements: Query[] }> {
  const statements: Query[] = [];
  const send = world.neon.fetch;
  world.neon.fetch = async (sent) => {
    statements.push(...Statements.parse(await sent.clone().json()));
    return send(sent);
  };
  try {
    return { answer: await request(), statements };
  } finally {
    world.neon.fetch = send;
  }
}

interface Node {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Node[];
}

const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)];

/** Counts the rows that these statements take from these tables, run again. Leaves out statements that write. */
async function rowsRead(statements: readonly Query[], tables: readonly string[]): Promise<number> {
  let count = 0;
  for (const { query, params } of statements) {
    if (!/^\s*select/i.test(query) || /for update|for no key/i.test(query)) continue;
    const [row] = await world.neon.query(`explain (analyze, format json) ${query}`, params);
    const plan = row?.['QUERY PLAN'] as string | [{ Plan: Node }];
    const [{ Plan }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: Node }];
    for (const node of flat(Plan))
      if (tables.includes(node['Relation Name'] ?? '')) count += node['Actual Rows'] * node['Actual Loops'];
  }
  return count;
}

const readsOf = () => world.traffic.list().filter(({ path }) => path.includes('/freeBusy')).length;

/** Most reads of one person's calendar in the time that passes on the world's clock, because each serves for a second. */
async function mostReadsDuring(act: () => Promise<unknown>): Promise<number> {
  const began = world.clock.now();
  await act();
  return 1 + Math.floor((world.clock.now() - began) / 1_000);
}

test.each([
  ['for an event', async (email: string, start: string, end: string) => world.google.addBusy({ email, start, end })],
  [
    'through another platform',
    async (email: string, start_time: string) => {
      const other = await freshPlatform({ plan: 'enterprise' });
      const carol = await connectedPerson(other, { name: 'carol' });
      await world.connectCalendar(other, email);
      const attendees = [carol.email, email];
      expect((await other.api.schedule({ attendees, start_time, duration_minutes: 30, title: 'Taken' })).status).toBe(
        200,
      );
    },
  ],
])(
  'bookings that are refused at once, of a time that is taken %s, share their looks and their searches',
  async (_how, take) => {
    const { platform, ada, bob } = await freshPair();
    const [start = '', end = ''] = [48, 48.5].map((hours) => iso(inHours(hours)));
    await take(bob.email, start, end);
    await world.advance(2_000);
    const body = { attendees: [ada.email, bob.email], start_time: start, duration_minutes: 30, title: 'Late' };
    const book = async () => (await platform.api.schedule({ ...body, require_free: true })).status;
    const before = readsOf();
    const most = await mostReadsDuring(async () =>
      expect(await Promise.all(Array.from({ length: 20 }, book))).toEqual(Array(20).fill(409)),
    );
    expect(readsOf() - before).toBeLessThanOrEqual(2 * 2 * most);
  },
);

test('a look of a moment ago never lets a booking pass: an event made since refuses it', async () => {
  const { platform, ada, bob } = await freshPair();
  const [start = '', end = '', later = ''] = [48, 48.5, 50].map((hours) => iso(inHours(hours)));
  const body = { attendees: [ada.email, bob.email], duration_minutes: 30, title: 'Late', require_free: true };
  world.google.addBusy({ email: bob.email, start, end });
  expect((await platform.api.schedule({ ...body, start_time: start })).status).toBe(409);
  world.google.addBusy({ email: bob.email, start: later, end: iso(inHours(50.5)) });
  expect((await platform.api.schedule({ ...body, start_time: later })).status).toBe(409);
  expect((await platform.api.schedule({ ...body, start_time: iso(inHours(52)) })).status).toBe(200);
});

test('a fresh read goes on when the request that began it was answered, and serves the one that waits for it', async () => {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const [ada, failing] = [await connectedPerson(platform, { name: 'ada' }), await connectedPerson(platform)];
  await world.advance(2_000);
  const { habits } = world.google.settings;
  habits.set(ada.email, 'slow').set(failing.email, 'down');
  const attendees = [ada.email, failing.email];
  expect((await platform.api.send('POST', '/v1/availability?fresh=true', { attendees })).status).toBe(500);
  const served = await platform.api.send('GET', `/v1/users/${ada.email}/availability?fresh=true`);
  habits.delete(ada.email);
  habits.delete(failing.email);
  expect(served.status).toBe(200);
});
