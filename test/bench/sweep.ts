// How a sweep works off what a long outage left behind: on a real Postgres, in a database of its own that is dropped at the
// end, through the real Worker and the local stand-ins of everyone else:
//
//   TEST_POSTGRES=postgres://postgres@127.0.0.1:5432/postgres npm run bench:sweep
//
// BENCH_OVERDUE (10,000) bookings of one platform are overdue, and every tick another platform has one of its own, younger
// than all of them. Google takes BENCH_GOOGLE_MS (50) to answer. A tick comes each minute: what it leaves over of that is
// added to the time told. Beside it stand what an operation costs and how busy the machine was, which bounds it here. It ends with 1 when ten minutes were not enough, or the other platform's work waited for a second tick.
import { loadavg } from 'node:os';
import { createSecrets } from '../local/secrets.ts';
import { temporaryDatabase } from '../local/temporary-database.ts';
import { startWorld } from '../local/world.ts';
import { ms, printTable, quantile } from './figures.ts';

const {
  TEST_POSTGRES = 'postgres://postgres@127.0.0.1:5432/postgres',
  BENCH_OVERDUE = '10000',
  BENCH_GOOGLE_MS = '50',
} = process.env;
const COUNT = Number(BENCH_OVERDUE);
const MINUTE = 60_000;
const LIMIT = 10 * MINUTE;

const database = await temporaryDatabase(TEST_POSTGRES);
const world = await startWorld({ postgresUrl: database.url, secrets: createSecrets() });
try {
  process.exitCode = (await bench()) ? 0 : 1;
} finally {
  await world.close();
  await database.drop();
}

async function bench(): Promise<boolean> {
  const [many, few] = [await platformWithPair('many'), await platformWithPair('few')];
  await reserve(many, COUNT, 10 * MINUTE);
  world.latency.set({ google: Number(BENCH_GOOGLE_MS) });
  const waits: number[] = [];
  let [ticks, total, worked] = [0, 0, 0];
  const calls = { neon: 0, google: 0 };
  for (let left = COUNT; left > 0 && total < 2 * LIMIT; left = await leftOf(many)) {
    await reserve(few, 1, MINUTE);
    world.traffic.clear();
    const started = Date.now();
    const ticking = world.worker.runScheduled(world.clock.now());
    while ((await leftOf(few)) > 0 && Date.now() - started < MINUTE) await new Promise((next) => setTimeout(next, 20));
    waits.push(Date.now() - started);
    await ticking;
    const took = Date.now() - started;
    ticks += 1;
    worked += took;
    for (const { target } of world.traffic.list()) if (target === 'neon' || target === 'google') calls[target] += 1;
    const isLast = (await leftOf(many)) === 0;
    total += isLast ? took : Math.max(took, MINUTE);
    if (!isLast) await world.advance(Math.max(0, MINUTE - took));
    console.log(`tick ${ticks}: ${ms(took)} ms, ${await leftOf(many)} left, load ${loadavg()[0]?.toFixed(1)}`);
  }
  printTable([
    [
      'overdue',
      'ticks',
      'minutes in all',
      'a second',
      'Postgres each',
      'Google each',
      'other platform, median ms',
      'longest',
    ],
    [
      COUNT,
      ticks,
      (total / MINUTE).toFixed(1),
      (COUNT / (worked / 1_000)).toFixed(0),
      (calls.neon / COUNT).toFixed(2),
      (calls.google / COUNT).toFixed(2),
      ms(quantile(waits, 0.5)),
      ms(Math.max(...waits)),
    ].map(String),
  ]);
  return total <= LIMIT && (await leftOf(many)) === 0 && Math.max(...waits) < MINUTE;
}

type Scene = Awaited<ReturnType<typeof platformWithPair>>;

async function platformWithPair(name: string) {
  const platform = await world.platforms.create({ name, plan: 'enterprise' });
  const emails = ['ada', 'bob'].map((person) => `${person}.${name}@people.test`);
  for (const email of emails) {
    world.google.addUser({ email, timezone: 'UTC' });
    await world.connectCalendar(platform, email);
  }
  return { id: platform.id, emails };
}

/** Bookings whose writers died before they reached the calendar, as the reservation leaves them. */
async function reserve({ id, emails }: Scene, count: number, agoMs: number): Promise<void> {
  const now = world.clock.now();
  const since = new Date(now - agoMs).toISOString();
  const month = new Date(now).toISOString().slice(0, 7);
  const prefix = `meet_${id.slice(5, 13)}${Date.now()}x`;
  const start = new Date(now + 48 * 60 * MINUTE).toISOString();
  const statements: [string, unknown[]][] = [
    [
      `insert into usage (platform_id, month, used, confirmed, quota) values ($1, $2, $3, 0, null)
      on conflict (platform_id, month) do update set used = usage.used + $3::int`,
      [id, month, count],
    ],
    [
      `insert into meetings (id, platform_id, organizer_id, status, title, location, starts_at, ends_at, provider_event_id,
        exclusive, usage_month, owner, lease_until, created_at, updated_at)
      select $1 || n, $2, (select id from users where email = $3), 'pending', 'Overdue', 'Google Meet',
        $4::timestamptz + n * interval '1 minute', $4::timestamptz + n * interval '1 minute' + interval '30 minutes',
        md5($1 || n), false, $5, 'own_dead', $6::timestamptz + n * interval '1 ms', $6, $6
      from generate_series(1, $7::int) n`,
      [prefix, id, emails[0], start, month, since, count],
    ],
    [
      `insert into meeting_people (meeting_id, platform_id, starts_at, user_id, email, position, response_status)
      select m.id, m.platform_id, m.starts_at, u.id, u.email, case when u.email = $2 then 0 else 1 end, 'needsAction'
      from meetings m, users u where m.id like $1 || '%' and u.email in ($2, $3)`,
      [prefix, ...emails],
    ],
    [
      `insert into holds (meeting_id, user_id, event_id, during, exclusive, conflicts)
      select m.id, p.user_id, m.provider_event_id, tstzrange(m.starts_at, m.ends_at), false, 0
      from meetings m join meeting_people p on p.meeting_id = m.id where m.id like $1 || '%'`,
      [prefix],
    ],
    [
      `insert into pending_operations (meeting_id, platform_id, kind, intent, due_at, created_at)
      select id, platform_id, 'book', '{"kind":"book"}', lease_until, created_at from meetings where id like $1 || '%'`,
      [prefix],
    ],
  ];
  for (const [text, values] of statements) await world.neon.query(text, values);
}

async function leftOf({ id }: Scene): Promise<number> {
  const [row] = await world.neon.query(
    "select count(*)::int as left from meetings where platform_id = $1 and status = 'pending'",
    [id],
  );
  return Number(row?.left);
}
