// Plays a night: one batch of 2,000 meetings of 1,500 people, from the request to the last webhook, on a real Postgres in
// a database of its own that is dropped at the end, a real Redis and the real Worker. Local stand-ins replace everyone
// else:
//
//   TEST_POSTGRES=postgres://postgres@127.0.0.1:5432/postgres TEST_REDIS=redis://127.0.0.1:6379 npm run bench -- night
//
// NIGHT_PAIRS (2000) is the number of meetings, NIGHT_PEOPLE (1500) that of people, and NIGHT_DOWN (0) the percentage of
// people whose Google calendar answers 503 all night. 60 mentors have 20 meetings each, and every calendar is half full.
// Nobody has a snapshot, so that each calendar is read live twice: for the search and for the booking. The bench prints
// the calls to each party, and how long the parts took. It exits with 1 if a meeting of the batch has no end, if an end
// has no reason, or if a booked meeting is not exactly one event in the requester's calendar.

import { setTimeout as pause } from 'node:timers/promises';
import { DAY, HOUR } from '../../lib/engine/time/dates.ts';
import { HOSTS } from '../local/targets.ts';
import { randomFrom } from '../support/fuzz/seeded.ts';
import type { Batch } from '../support/people/batches.ts';
import { createClient } from '../support/worlds/client.ts';
import { printTable } from './figures.ts';
import { type Metered, meteredWorld } from './load-meter.ts';

const { NIGHT_PAIRS = '2000', NIGHT_PEOPLE = '1500', NIGHT_DOWN = '0' } = process.env;
const [PAIRS, PEOPLE, DOWN] = [NIGHT_PAIRS, NIGHT_PEOPLE, NIGHT_DOWN].map(Number) as [number, number, number];
const [MENTORS, EACH] = [Math.ceil(PEOPLE / 25), 20];
const AT_ONCE = 8;
const BUSY_DAYS = 16;
const LONGEST_MS = 20 * 60_000;
const PARTIES = ['neon', 'redis', 'google', 'qstash', 'inbox'] as const;

const COUNTS = `select count(*) filter (where state = 'open')::int as open, count(*) filter (where state = 'booked')::int as booked
  from batch_meetings where batch_id = $1`;
const ENDED = 'select 1 from batches where id = $1 and ended_at is not null';
const UNDELIVERED = "select 1 from deliveries where status = 'pending' limit 1";

const { world, startMeter, close } = await meteredWorld();
try {
  process.exitCode = (await night()) ? 0 : 1;
} finally {
  await close();
}

async function night(): Promise<boolean> {
  world.google.settings.pushes = 'lost';
  const platform = await world.platforms.create({
    name: 'Night',
    plan: 'enterprise',
    webhook_url: `https://${HOSTS.inbox}/night`,
  });
  await world.neon.query(
    `update webhook_endpoints set events = '{meeting.scheduled,batch.completed}' where platform_id = $1`,
    [platform.id],
  );
  const random = randomFrom(1);
  const emails = Array.from({ length: PEOPLE }, (_, n) => `person${n}@people.test`);
  await inParallel(emails, async (email) => {
    world.google.addUser({ email, timezone: 'UTC' });
    fillHalf(email, random);
    await world.connectCalendar(platform, email);
  });
  await world.qstash.deliverDue();
  for (const email of emails) if (random() * 100 < DOWN) world.google.settings.habits.set(email, 'down');

  const meter = startMeter();
  const calls = countCalls();
  const api = createClient(world.baseUrl, platform.secret_key);
  const meetings = pairsOf(emails, random).map((attendees, n) => ({ reference: `pair ${n}`, attendees }));
  const read = async (query: string) => (await api.send('GET', `/v1/batches/${id}?${query}`)).body as Batch;
  const sent = await api.send('POST', '/v1/schedule/batch', { meetings });
  if (sent.status !== 202) throw new Error(sent.text);
  const id = (sent.body as { batch_id: string }).batch_id;
  world.qstash.start();
  const settled = async (isDone: () => Promise<boolean>) => {
    const until = Date.now() + LONGEST_MS;
    while (!(await isDone())) {
      if (Date.now() > until) throw new Error('the night does not end');
      await pause(100);
      await skipWait(id);
    }
  };
  const counts = async () => (await world.neon.query(COUNTS, [id]))[0] as Record<'booked' | 'open', number>;
  const parts: [string, Metered, Record<string, number>][] = [];
  const measure = async (name: string, run: () => Promise<number>) => {
    const before = { ...calls };
    const metered = await meter(run);
    parts.push([name, metered, Object.fromEntries(PARTIES.map((party) => [party, calls[party] - before[party]]))]);
  };
  await measure('searched and planned', async () => {
    await settled(async () => {
      const { open, booked } = await counts();
      return open === 0 || booked > 0;
    });
    return PAIRS;
  });
  await measure('booked, with webhooks', async () => {
    await settled(async () => (await world.neon.query(ENDED, [id])).length > 0);
    await settled(async () => (await world.neon.query(UNDELIVERED)).length === 0);
    return (await counts()).booked;
  });
  await world.qstash.stop();
  report(parts);
  return check(await allPages(read), meetings);
}

/** Moves the clock to the batch's next run, if the batch waits for it. */
async function skipWait(id: string): Promise<void> {
  const [due] = await world.neon.query(
    'select next_run_at from batches where id = $1 and lease_until is null and next_run_at is not null',
    [id],
  );
  const wait = due === undefined ? 0 : Number(due.next_run_at) - world.clock.now();
  if (wait > 1_000) await world.advance(wait);
}

/** Makes half of a person's work hours busy, in pieces of half an hour. */
function fillHalf(email: string, random: () => number): void {
  const today = Math.floor(world.clock.now() / DAY) * DAY;
  for (let day = 0; day < BUSY_DAYS; day += 1)
    for (let half = 16; half < 36; half += 1) {
      if (random() < 0.5) continue;
      const start = today + day * DAY + (half * HOUR) / 2;
      world.google.addBusy({
        email,
        start: new Date(start).toISOString(),
        end: new Date(start + HOUR / 2).toISOString(),
      });
    }
}

/** Returns the pairs: each mentor with twenty people of their own, and random further pairs. */
function pairsOf(emails: string[], random: () => number): [string, string][] {
  return Array.from({ length: PAIRS }, (_, n) => {
    const isMentoring = n < MENTORS * EACH && MENTORS + n < PEOPLE;
    const [one, other] = isMentoring ? [n % MENTORS, MENTORS + n] : [n % PEOPLE, Math.floor(random() * (PEOPLE - 1))];
    return [emails[one] ?? '', emails[other >= one && !isMentoring ? other + 1 : other] ?? ''];
  });
}

async function inParallel<T>(all: T[], act: (one: T) => Promise<void>): Promise<void> {
  const line = [...all];
  const next = async () => {
    for (let one = line.shift(); one !== undefined; one = line.shift()) await act(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

function countCalls(): Record<(typeof PARTIES)[number], number> {
  const counts = { neon: 0, redis: 0, google: 0, qstash: 0, inbox: 0 };
  for (const party of PARTIES) {
    const answer = world[party].fetch;
    world[party].fetch = async (request) => {
      counts[party] += 1;
      return answer(request);
    };
  }
  return counts;
}

async function allPages(read: (query: string) => Promise<Batch>): Promise<Batch> {
  const first = await read('limit=200');
  let { next_cursor: cursor } = first.pagination;
  while (cursor !== null) {
    const page = await read(`limit=200&cursor=${cursor}`);
    first.meetings.push(...page.meetings);
    cursor = page.pagination.next_cursor;
  }
  return first;
}

/** Prints how the references ended. Returns false unless each of them is accounted for. */
function check({ status, counts, meetings }: Batch, sent: { reference: string }[]): boolean {
  const reasons = Map.groupBy(
    meetings.flatMap(({ reason }) => reason?.code ?? []),
    (code) => code,
  );
  console.log(
    `\n${status}: ${JSON.stringify(counts)}, ${[...reasons].map(([code, all]) => `${code} ${all.length}`).join(', ') || 'no reasons'}`,
  );
  const wrong = [
    ...(meetings.map(({ reference }) => reference).join() === sent.map(({ reference }) => reference).join()
      ? []
      : ['other references than were sent']),
    ...meetings.flatMap(({ reference, state, reason, meeting_id: id, attendees }) => {
      if (state !== 'booked')
        return ['unplaced', 'failed'].includes(state) && reason !== null && id === null ? [] : [reference];
      const events = world.google
        .events(attendees[0] ?? '')
        .filter(({ extendedProperties }) => extendedProperties?.private?.tandem_meeting_id === id);
      return events.length === 1 && events[0]?.status !== 'cancelled' ? [] : [`${reference}: ${events.length} events`];
    }),
  ];
  console.log(wrong.length === 0 ? 'every reference is accounted for' : `wrong: ${wrong.join(', ')}`);
  return wrong.length === 0;
}

function report(parts: [string, Metered, Record<string, number>][]): void {
  printTable([
    ['', 'meetings', 'seconds', 'a second', 'statements each', ...PARTIES, 'cores: Worker', 'stand-ins', 'others'],
    ...parts.map(([name, metered, calls]) => [
      name,
      String(metered.done),
      metered.seconds.toFixed(1),
      (metered.done / metered.seconds).toFixed(1),
      (metered.statements / metered.done).toFixed(1),
      ...PARTIES.map((party) => String(calls[party])),
      metered.worker.toFixed(2),
      metered.standIns.toFixed(2),
      metered.others.toFixed(2),
    ]),
  ]);
}
