import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { World } from '../local/world.ts';

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

/** Starts to count Postgres requests and CPU time. `workerPid` returns the id of the current Worker process. */
export function createMeter({ neon }: World, workerPid: () => number | undefined) {
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
