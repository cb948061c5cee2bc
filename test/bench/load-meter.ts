import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { MINUTE } from '../../lib/engine/time/dates.ts';
import { temporaryDatabase } from '../local/open-db.ts';
import { startWorld, type World } from '../local/world.ts';

/** Throughput of one part of the load bench, and the resources that the part used. */
export interface Metered {
  done: number;
  seconds: number;
  requests: number;
  statements: number;
  /** Number of busy cores: of the Worker's process, of this process with all stand-ins, and of all other processes. */
  worker: number;
  standIns: number;
  others: number;
  /** CPU time in seconds of Postgres' processes for this database, or NaN if Postgres runs elsewhere. */
  postgresSeconds: number;
}

const CLOCK_TICKS_PER_SECOND = 100;
/** Load at which a process with a single thread can do no more. */
const FULL = 0.85;

/** Starts a world on real servers, in a database of its own that is dropped at the end, with a meter of its parts. */
export async function meteredWorld() {
  const { TEST_POSTGRES = 'postgres://postgres@127.0.0.1:5432/postgres', TEST_REDIS = 'redis://127.0.0.1:6379' } =
    process.env;
  let workerPid: number | undefined;
  const database = await temporaryDatabase(TEST_POSTGRES);
  const world = await startWorld({
    postgresUrl: database.url,
    redisUrl: TEST_REDIS,
    onWorkerd: (pid) => {
      workerPid = pid;
    },
  });
  return {
    world,
    startMeter: () => createMeter(world, () => workerPid),
    async close() {
      await world.close();
      await database.drop();
    },
  };
}

/** Starts to count Postgres requests and CPU time. `workerPid` returns the id of the current Worker process. */
function createMeter({ neon }: World, workerPid: () => number | undefined) {
  let [requests, statements] = [0, 0];
  neon.onRequest = (bodyText) => {
    const body = JSON.parse(bodyText) as { queries?: unknown[] };
    requests += 1;
    statements += body.queries?.length ?? 1;
  };

  const read = async () => ({
    at: performance.now() / 1_000,
    requests,
    statements,
    worker: secondsOf(workerPid()),
    own: Object.values(process.cpuUsage()).reduce((sum, micros) => sum + micros, 0) / 1e6,
    machine: busySeconds(),
    postgres: await postgresProcesses(neon),
  });

  /** Measures one part of the bench. `run` returns the number of operations it did. */
  return async (run: () => Promise<number>): Promise<Metered> => {
    const from = await read();
    const done = await run();
    const to = await read();
    const seconds = to.at - from.at;
    const cores = (name: 'worker' | 'own' | 'machine') => (to[name] - from[name]) / seconds;
    return {
      done,
      seconds,
      requests: to.requests - from.requests,
      statements: to.statements - from.statements,
      worker: cores('worker'),
      standIns: cores('own'),
      others: cores('machine') - cores('worker') - cores('own'),
      postgresSeconds: usedBetween(from.postgres, to.postgres),
    };
  };
}

/** Names the resource that was used up. If none was, the operations of the part waited for one another. */
export function boundOf({ worker, standIns, others }: Metered): string {
  if (standIns >= FULL) return 'the stand-ins, one thread';
  if (worker >= FULL) return 'the Worker, one thread';
  const count = cpus().length;
  return worker + standIns + others >= FULL * count ? `the machine, ${count} cores` : 'waits between its steps';
}

/** Returns the seconds of CPU time that a process has used, or 0 if the system does not tell. */
function secondsOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** Returns the seconds of CPU time of each Postgres process that serves this database, by its id. */
async function postgresProcesses(neon: World['neon']): Promise<Map<number, number>> {
  const rows = await neon.query(
    "select pid from pg_stat_activity where datname = current_database() and inet_server_addr() << '127.0.0.0/8'",
  );
  return new Map(rows.map(({ pid }) => [Number(pid), secondsOf(Number(pid))]));
}

/** Adds up what processes used between two looks. A process that ended in between is left out. */
function usedBetween(from: Map<number, number>, to: Map<number, number>): number {
  if (to.size === 0) return Number.NaN;
  return [...to].reduce((sum, [pid, seconds]) => sum + seconds - (from.get(pid) ?? 0), 0);
}

const busySeconds = () =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1_000;

export type Scene = Awaited<ReturnType<typeof platformWithPair>>;

export async function platformWithPair(world: World, name: string, webhookUrl?: string) {
  const platform = await world.platforms.create({
    name,
    plan: 'enterprise',
    ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
  });
  const emails = ['ada', 'bob'].map((person) => `${person}.${name}@people.test`);
  for (const email of emails) {
    world.google.addUser({ email, timezone: 'UTC' });
    await world.connectCalendar(platform, email);
  }
  return { id: platform.id, key: platform.secret_key, emails };
}

/** Reserves bookings whose writers died before they reached the calendar. */
export async function reserveOverdue(world: World, { id, emails }: Scene, count: number, agoMs: number): Promise<void> {
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
      `insert into meeting_people (meeting_id, platform_id, starts_at, user_id, email, position)
      select m.id, m.platform_id, m.starts_at, u.id, u.email, case when u.email = $2 then 0 else 1 end
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
      `insert into pending_operations (event_id, platform_id, kind, intent, due_at, created_at)
      select provider_event_id, platform_id, 'book', '{"kind":"book"}', lease_until, created_at from meetings where id like $1 || '%'`,
      [prefix],
    ],
  ];
  for (const [text, values] of statements) await world.neon.query(text, values);
}

export async function unfinishedOf(world: World, { id }: Scene): Promise<number> {
  const [row] = await world.neon.query(
    "select count(*)::int as left from meetings where platform_id = $1 and status = 'pending'",
    [id],
  );
  return Number(row?.left);
}
