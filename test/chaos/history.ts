import { setTimeout as pause } from 'node:timers/promises';
import { violations } from '../support/checker.ts';
import { isFinal } from '../support/checks/answers.ts';
import { freshPerson, freshPlatform } from '../support/factories.ts';
import { callsEnded, quiet } from '../support/quiet.ts';
import { seeded } from '../support/seeded.ts';
import { heal, world } from '../support/world.ts';
import { act, calls, comeBack, insist, type Scene } from './acts.ts';
import { befall } from './calamities.ts';
import { type Cell, type Coverage, nameOf } from './coverage.ts';
import { unaccounted } from './model.ts';
import { type Plan, planOf, type Wave } from './plan.ts';
import { startTrace } from './trace.ts';

const PLATFORMS = 2;
const PEOPLE = 4;
const DAY = 86_400_000;
const MOST_TRIES = 12;

/** What a history did, and what is wrong after it. */
export interface Outcome {
  seed: number;
  operations: Record<string, number>;
  calamities: Record<string, number>;
  met: Coverage;
  faults: number;
  found: string[];
}

/** Plays one seed's history, lets the world come to rest, and asks every party whether all is well. */
export async function play(seed: number): Promise<Outcome> {
  const plan = planOf(seed);
  const scene = await openScene();
  const outcome: Outcome = { seed, operations: {}, calamities: {}, met: {}, faults: 0, found: [] };
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
      outcome.faults += hits;
    }
    await rest(scene, plan);
    const scope = await scopeOf(scene);
    outcome.found = [...(await violations(scope)), ...(await unaccounted(scene.recorder.trace, scope))];
  } catch (error) {
    outcome.found.push(`the history broke off: ${error instanceof Error ? error.stack : error}`);
  } finally {
    scene.recorder.stop();
    heal();
  }
  return outcome;
}

const count = (table: Record<string, number>, name: string, by = 1) => {
  table[name] = (table[name] ?? 0) + by;
};

async function openScene(): Promise<Scene> {
  world.inbox.clear();
  world.traffic.clear();
  const platforms = await Promise.all(Array.from({ length: PLATFORMS }, () => freshPlatform({ plan: 'enterprise' })));
  const people = Array.from({ length: PEOPLE }, (_, n) => freshPerson({ name: `p${n}` }));
  for (const platform of platforms) {
    await platform.api.send('PUT', '/v1/platform/webhook', { timeout_seconds: 2 });
    for (const { email } of people) await world.connectCalendar(platform, email);
  }
  const [first, firstPlatform] = [people[0], platforms[0]];
  const keyed = first && firstPlatform && (await world.connect(firstPlatform, first.email));
  const day = Math.ceil(world.clock.now() / DAY) * DAY + 4 * DAY;
  await world.qstash.deliverDue();
  const scene: Scene = {
    platforms,
    people: people.map((person) => (keyed?.email === person.email ? { ...person, api_key: keyed.api_key } : person)),
    day,
    recorder: startTrace(),
    away: new Map(),
  };
  return scene;
}

/** Everything of a wave at once; then the Worker is up again, and what is due is done by half. */
async function playWave(scene: Scene, { wanted, calamities }: Wave, outcome: Outcome): Promise<void> {
  const done = wanted.map(({ what, seed }) => {
    count(outcome.operations, what);
    return act(scene, what, seeded(seed)).catch(() => undefined);
  });
  const suffered = calamities.map(async ({ what, seed, afterMs }) => {
    await pause(afterMs);
    count(outcome.calamities, what);
    const during = wanted.map((one) => `${what} | ${one.what}`);
    for (const name of new Set(during)) count(outcome.met, name);
    await befall(scene, what, seeded(seed)).catch(() => undefined);
  });
  await Promise.all([...done, ...suffered]);
  await world.worker.ready();
}

/** Nothing fails any more: who comes back is back, all that is due is done, and every client gets its last word. */
async function rest(scene: Scene, plan: Plan): Promise<void> {
  const { recorder, platforms } = scene;
  heal();
  world.clock.skew(0);
  await world.worker.ready();
  await world.advance(0);
  recorder.trace.quietFrom = recorder.now();
  await callsEnded();
  if (plan.isForgiving)
    for (const [email, from] of scene.away) for (const platform of [...from]) await comeBack(scene, email, platform);
  await world.qstash.deliverDue();
  await world.advance(95_000);
  await world.worker.runScheduled(world.clock.now());
  for (const ask of recorder.trace.asks) {
    const call = calls.get(ask);
    if (ask.key === undefined || call === undefined || ask.answers.some(isFinal)) continue;
    await insist(scene, ask, call, MOST_TRIES);
  }
  await quiet(platforms);
  for (const { api } of platforms)
    await api.send('POST', '/v1/platform/webhook/replay', { since: new Date(0).toISOString(), status: 'failed' });
  await quiet(platforms);
}

/** Whom and what the checks are about; calendars that are closed to us, or changed by their owner, are not ours to answer for. */
async function scopeOf({ platforms, away, recorder }: Scene) {
  const { asks, acts } = recorder.trace;
  const changed = acts.flatMap(({ kind, eventId }) => (kind === 'moved' || kind === 'deleted' ? (eventId ?? []) : []));
  return {
    platforms,
    wishes: asks,
    closed: new Set([...away].filter(([, from]) => from.size > 0).map(([email]) => email)),
    changed: new Set(changed),
  };
}
