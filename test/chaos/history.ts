import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { violations } from '../support/checker.ts';
import { seeded } from '../support/seeded.ts';
import { heal, world } from '../support/world.ts';
import { act, type Scene } from './acts.ts';
import { befall } from './calamities.ts';
import { type Cell, type Coverage, nameOf } from './coverage.ts';
import { keptPlan } from './kept-plans.ts';
import { toldIn } from './model/told.ts';
import { unaccounted } from './model.ts';
import { planOf, type Wave } from './plan.ts';
import { openScene, rest, scopeOf, wholeTrace } from './scene.ts';

/** What a history did, and what is wrong after it. */
export interface Outcome {
  seed: number;
  operations: Record<string, number>;
  calamities: Record<string, number>;
  met: Coverage;
  /** What the platforms were told, by type and reason. */
  told: Record<string, number>;
  /** What became of each wish, in the order of the wishes: the same each time a seed goes the same way. */
  way: string[];
  found: string[];
}

/** Plays one seed's history, lets the world come to rest, and asks every party whether all is well. */
export async function play(seed: number): Promise<Outcome> {
  const plan = keptPlan(seed) ?? planOf(seed);
  const scene = await openScene();
  const outcome: Outcome = {
    seed,
    operations: {},
    calamities: {},
    met: {},
    told: {},
    way: [],
    found: [],
  };
  const planted: Cell[] = [];
  try {
    for (const wave of plan.waves) {
      for (const cell of wave.cells) {
        world.faults.add(cell.fault);
        planted.push(cell);
      }
      await playWave(scene, wave, outcome);
    }
    for (const [at, { hits }] of world.faults.list().entries()) {
      const cell = planted[at];
      if (cell !== undefined && hits > 0) count(outcome.met, nameOf(cell), hits);
    }
    await rest(scene, plan);
    outcome.found = [...(await violations(scopeOf(scene))), ...unaccounted(await wholeTrace(scene))];
    for (const { type, data } of toldIn(scene.recorder.trace))
      count(outcome.told, data.reason === undefined ? type : `${type} ${data.reason}`);
  } catch (error) {
    outcome.found.push(`the history broke off: ${inspect(error)}`);
  } finally {
    scene.recorder.stop();
    heal();
    outcome.way = scene.recorder.trace.asks.map(({ operation, answers }) => `${operation} ${answers.at(-1)?.status}`);
  }
  return outcome;
}

const count = (table: Record<string, number>, name: string, by = 1) => {
  table[name] = (table[name] ?? 0) + by;
};

/** Everything of a wave at once; then the Worker is up again, and what is due is done by half. */
async function playWave(scene: Scene, { wanted, calamities }: Wave, outcome: Outcome): Promise<void> {
  const done = wanted.map(({ what, seed }) => {
    count(outcome.operations, what);
    return act(scene, what, seeded(seed)).catch(() => undefined);
  });
  const suffered = calamities.map(async ({ what, seed, afterMs }) => {
    await pause(afterMs);
    if (!(await befall(scene, what, seeded(seed)).catch(() => true))) return;
    count(outcome.calamities, what);
    for (const name of new Set(wanted.map((one) => `${what} | ${one.what}`))) count(outcome.met, name);
  });
  await Promise.all([...done, ...suffered]);
  await world.worker.ready();
}
