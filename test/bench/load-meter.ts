import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { World } from '../local/world.ts';

/** What a part of the bench did and what it kept busy. */
export interface Metered {
  done: number;
  seconds: number;
  /** Requests to Postgres, each a statement or a batch, and the statements in them. */
  requests: number;
  statements: number;
  /** Cores that were busy: the Worker's process, this one, which is all the stand-ins, and everybody else's. */
  worker: number;
  standIns: number;
  others: number;
}

const CLOCK_TICKS_PER_SECOND = 100;
/** A process of one thread that is this busy can do no more. */
const FULL = 0.85;

/** Counts what reaches Postgres and who is at work, from now on; `workerPid` names the Worker's process of the moment. */
export function createMeter({ neon }: World, workerPid: () => number | undefined) {
  let [requests, statements] = [0, 0];
  const answer = neon.fetch;
  neon.fetch = async (request) => {
    const body = (await request.clone().json()) as { queries?: unknown[] };
    requests += 1;
    statements += body.queries?.length ?? 1;
    return answer(request);
  };

  const read = () => ({
    at: performance.now() / 1_000,
    requests,
    statements,
    worker: secondsOf(workerPid()),
    own: Object.values(process.cpuUsage()).reduce((sum, micros) => sum + micros, 0) / 1e6,
    machine: busySeconds(),
  });

  /** Runs a part, which answers how much it did. */
  return async (run: () => Promise<number>): Promise<Metered> => {
    const from = read();
    const done = await run();
    const to = read();
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
    };
  };
}

/** What was as busy as it can be; where nothing was, the parts waited for one another. */
export function boundOf({ worker, standIns, others }: Metered): string {
  if (standIns >= FULL) return 'the stand-ins, one thread';
  if (worker >= FULL) return 'the Worker, one thread';
  const count = cpus().length;
  return worker + standIns + others >= FULL * count ? `the machine, ${count} cores` : 'waits between its steps';
}

/** Seconds of CPU a process has used; none where the system does not say. */
function secondsOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

const busySeconds = () =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1_000;
