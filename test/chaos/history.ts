import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { violations } from '../support/checks/checker.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import { heal, world } from '../support/worlds/world.ts';
import { act } from './acts.ts';
import type { Scene } from './asking.ts';
import { befall } from './calamities.ts';
import { type Cell, type Coverage, nameOf } from './coverage.ts';
import { toldIn } from './model/told.ts';
import { unaccounted } from './model.ts';
import { keptPlan, type Plan, planOf, type Wave } from './plan.ts';
import { openScene, rest, scopeOf, wholeTrace } from './scene.ts';

export interface Outcome {
  seed: number;
  operations: Record<string, number>;
  calamities: Record<string, number>;
  met: Coverage;
  /** Webhook events that the platforms received, by type and reason. */
  told: Record<string, number>;
  found: string[];
}

/** Time after which a history that has not ended is given up, in ms. It is less than the time limit of its test. */
const LONGEST_HISTORY_MS = 9 * 60_000;

/** Plays one seed's history, lets the world come to rest, and checks the result from every party's view. */
export async function play(seed: number): Promise<Outcome> {
  const plan = keptPlan(seed) ?? planOf(seed);
  const scene = await openScene(plan);
  const outcome: Outcome = { seed, operations: {}, calamities: {}, met: {}, told: {}, found: [] };
  const doing = new Set<string>();
  try {
    await inTime(playPlan(scene, plan, { outcome, doing }), doing);
  } catch (error) {
    outcome.found.push(`the history broke off: ${inspect(error)}`);
  } finally {
    scene.recorder.stop();
    heal();
  }
  return outcome;
}

interface Progress {
  outcome: Outcome;
  doing: Set<string>;
}

async function playPlan(scene: Scene, plan: Plan, progress: Progress): Promise<void> {
  const { outcome, doing } = progress;
  const planted: Cell[] = [];
  for (const wave of plan.waves) {
    for (const cell of wave.cells) {
      world.faults.add(cell.fault);
      planted.push(cell);
    }
    await playWave(scene, wave, progress);
  }
  for (const [at, { hits }] of world.faults.list().entries()) {
    const cell = planted[at];
    if (cell !== undefined && hits > 0) count(outcome.met, nameOf(cell), hits);
  }
  await during(doing, 'coming to rest', rest(scene, plan));
  outcome.found = [...(await violations(scopeOf(scene))), ...unaccounted(await wholeTrace(scene))];
  for (const { type, data } of toldIn(scene.recorder.trace)) {
    const reason = data.reason ?? data.changes?.reason;
    count(outcome.told, reason === undefined ? type : `${type} ${reason}`);
  }
}

async function during<T>(doing: Set<string>, name: string, work: Promise<T>): Promise<T> {
  doing.add(name);
  return work.finally(() => doing.delete(name));
}

/** Rejects if the history does not end, and says what it waits for. */
async function inTime(history: Promise<void>, doing: Set<string>): Promise<void> {
  const limit = new AbortController();
  const hung = pause(LONGEST_HISTORY_MS, undefined, { signal: limit.signal }).then(() => {
    const open = world.traffic.list().filter(({ end }) => end === null);
    const calls = open.map(({ target, method, path }) => `${target} ${method} ${path}`);
    throw new Error(`it hangs while doing ${[...doing].join(', ')}; open calls: ${calls.join(', ') || 'none'}`);
  });
  return Promise.race([history, hung]).finally(() => limit.abort());
}

const count = (table: Record<string, number>, name: string, by = 1) => {
  table[name] = (table[name] ?? 0) + by;
};

/**
 * Runs all operations of a wave at once. Then starts the Worker again if it was killed, and does part of the work that
 * is due.
 */
async function playWave(scene: Scene, { wanted, calamities }: Wave, { outcome, doing }: Progress): Promise<void> {
  const done = wanted.map(({ what, seed }) => {
    count(outcome.operations, what);
    return during(
      doing,
      `${what} ${seed}`,
      act(scene, what, seeded(seed)).catch(() => undefined),
    );
  });
  const suffered = calamities.map(async ({ what, seed, afterMs }) => {
    await pause(afterMs);
    const happened = befall(scene, what, seeded(seed)).catch(() => true);
    if (!(await during(doing, what, happened))) return;
    count(outcome.calamities, what);
    for (const name of new Set(wanted.map((one) => `${what} | ${one.what}`))) count(outcome.met, name);
  });
  await Promise.all([...done, ...suffered]);
  await world.worker.ready();
}
