import { setTimeout as pause } from 'node:timers/promises';
import { violations } from '../support/checker.ts';
import { isSettled } from '../support/checks/said.ts';
import { freshPerson, freshPlatform } from '../support/factories.ts';
import { callsEnded, quiet } from '../support/quiet.ts';
import { seeded } from '../support/seeded.ts';
import { heal, leaveNothingUndone, world } from '../support/world.ts';
import { act, calls, comeBack, consentWithKey, insist, type Scene } from './acts.ts';
import { befall } from './calamities.ts';
import { type Cell, type Coverage, nameOf } from './coverage.ts';
import { toldIn } from './model/told.ts';
import { unaccounted } from './model.ts';
import { type Plan, planOf, type Wave } from './plan.ts';
import { askForAll } from './shown.ts';
import { startTrace, type Trace } from './trace.ts';

const PLATFORMS = 2;
const PEOPLE = 4;
const DAY = 86_400_000;
const MOST_TRIES = 12;
const WEBHOOK_TIMEOUT_SECONDS = 1;

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
  ms: number;
  found: string[];
}

/** Plays one seed's history, lets the world come to rest, and asks every party whether all is well. */
export async function play(seed: number): Promise<Outcome> {
  const started = Date.now();
  const plan = planOf(seed);
  const scene = await openScene();
  const outcome: Outcome = {
    seed,
    operations: {},
    calamities: {},
    met: {},
    told: {},
    way: [],
    ms: 0,
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
    outcome.found.push(`the history broke off: ${error instanceof Error ? error.stack : error}`);
  } finally {
    scene.recorder.stop();
    heal();
    outcome.way = scene.recorder.trace.asks.map(({ operation, answers }) => `${operation} ${answers.at(-1)?.status}`);
    outcome.ms = Date.now() - started;
  }
  return outcome;
}

const count = (table: Record<string, number>, name: string, by = 1) => {
  table[name] = (table[name] ?? 0) + by;
};

async function openScene(): Promise<Scene> {
  await leaveNothingUndone();
  world.inbox.clear();
  world.traffic.clear();
  const platforms = await Promise.all(Array.from({ length: PLATFORMS }, () => freshPlatform({ plan: 'enterprise' })));
  const people = Array.from({ length: PEOPLE }, (_, n) => freshPerson({ name: `p${n}` }));
  const day = Math.ceil(world.clock.now() / DAY) * DAY + 4 * DAY;
  const scene: Scene = { platforms, people, day, recorder: startTrace(), away: new Map() };
  scene.recorder.trace.platforms = platforms.map(({ id, webhookUrl }) => ({ id, webhookUrl }));
  await Promise.all(
    platforms.map(({ api }) => api.send('PUT', '/v1/platform/webhook', { timeout_seconds: WEBHOOK_TIMEOUT_SECONDS })),
  );
  await Promise.all(
    people.map(async (person, n) => {
      for (const platform of platforms) await comeBack(scene, person.email, platform);
      const [platform] = platforms;
      if (n === 0 && platform !== undefined)
        scene.userKey = (await consentWithKey(scene, person.email, platform)).api_key;
    }),
  );
  await world.qstash.deliverDue();
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
    if (!(await befall(scene, what, seeded(seed)).catch(() => true))) return;
    count(outcome.calamities, what);
    for (const name of new Set(wanted.map((one) => `${what} | ${one.what}`))) count(outcome.met, name);
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
    if (ask.key === undefined || call === undefined || ask.answers.some(isSettled)) continue;
    await insist(scene, ask, call, MOST_TRIES);
  }
  await quiet(platforms);
  for (const { api } of platforms)
    await api.send('POST', '/v1/platform/webhook/replay', { since: new Date(0).toISOString(), status: 'failed' });
  await quiet(platforms);
}

const awayFromSome = ({ away }: Scene) => [...away].filter(([, from]) => from.size > 0).map(([email]) => email);

/** The trace with how it ended. */
async function wholeTrace(scene: Scene): Promise<Trace> {
  const { platforms, people, recorder } = scene;
  const addresses = people.map(({ email }) => email);
  const shown = await askForAll(platforms, addresses, recorder.trace.asks);
  return { ...recorder.trace, shown, closed: awayFromSome(scene), endedAt: world.clock.now() };
}

/** Whom and what the checks are about; calendars that are closed to us, or changed by their owner, are not ours to answer for. */
function scopeOf(scene: Scene) {
  const { platforms, recorder } = scene;
  const { asks, acts } = recorder.trace;
  return {
    platforms,
    wishes: asks.flatMap(({ platform, ...ask }) => {
      const whose = platforms.find(({ id }) => id === platform);
      return whose === undefined ? [] : [{ ...ask, platform: whose }];
    }),
    closed: new Set(awayFromSome(scene)),
    changed: new Set(
      acts.flatMap(({ kind, eventId }) => (kind === 'moved' || kind === 'deleted' ? (eventId ?? []) : [])),
    ),
  };
}
