import { randomUUID } from 'node:crypto';
import { isSettled, meetingIdIn } from '../support/checks/said.ts';
import type { seeded } from '../support/fuzz/seeded.ts';
import type { TestPerson, TestPlatform } from '../support/people/factories.ts';
import { newKey } from '../support/people/operations.ts';
import type { Answer } from '../support/worlds/client.ts';
import { world } from '../support/worlds/world.ts';
import type { Ask, Recorder } from './trace.ts';

export type Random = ReturnType<typeof seeded>;

/** Platforms over shared people, with everything that happened to them so far. */
export interface Scene {
  platforms: TestPlatform[];
  people: TestPerson[];
  /** People with a calendar who never connect it. Proposals and their meetings invite them. */
  guests: TestPerson[];
  userKey?: string;
  /** Day on which meetings start at half hours. There are few half hours, so that requests often compete for one. */
  day: number;
  recorder: Recorder;
  /** Number of times that a client sends a request before it gives up until the end, if not as often as usual. */
  patience?: number;
  away: Map<string, Set<TestPlatform>>;
}

const MINUTE = 60_000;
export const HALF_HOUR = 30 * MINUTE;
const SLOTS = 14;
const PATIENCE = 4;
/** Lifetime of an idempotency key. After a day, a retry would be a new request. */
const KEY_LIVES_MS = 23 * 60 * MINUTE;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 90_000;

export const at = (scene: Scene, random: Random) => scene.day + random.below(SLOTS) * HALF_HOUR;
export const iso = (ms: number) => new Date(ms).toISOString();
export const pairOf = (scene: Scene, random: Random) => {
  const [one, other] = random.shuffle(scene.people);
  return [one?.email ?? '', other?.email ?? ''] as [string, string];
};

/**
 * Returns a meeting that its client knows of, from the answer or from a webhook about its job, its proposal or itself. Prefers those requested last.
 */
export function knownMeeting({ recorder, platforms }: Scene, random: Random) {
  const { asks, arrivals } = recorder.trace;
  const told = arrivals.map(({ text }) => JSON.parse(text).data);
  const ends = new Map(
    told.map(({ job_id, proposal_id, metadata, meeting_id }) => [job_id ?? proposal_id ?? metadata?.pair, meeting_id]),
  );
  const known = asks.flatMap(({ answers, attendees, platform: id, proposalId, operation, title }) => {
    const platform = platforms.find((one) => one.id === id);
    const said = answers.find(({ status, text }) => status < 300 && text.startsWith('{'))?.text ?? '{}';
    const meetingId: string | undefined =
      meetingIdIn(said) ?? ends.get(JSON.parse(said).job_id ?? proposalId ?? (operation === 'pair' ? title : '') ?? '');
    return platform && attendees && meetingId ? [{ id: meetingId, platform, attendees }] : [];
  });
  return known.length === 0 ? undefined : random.pick(random.below(3) > 0 ? known.slice(-6) : known);
}

type Call = (headers: Record<string, string>) => Promise<Answer>;

/**
 * Sends a request like a client that needs to know the outcome: it retries under the same key while the answer may
 * still change.
 */
export async function insist(scene: Scene, ask: Ask, call: Call, tries = PATIENCE): Promise<void> {
  for (let n = 0; n < tries && world.clock.now() < ask.since + KEY_LIVES_MS; n += 1) {
    const sent = scene.recorder.now();
    const headers = {
      'X-Request-Id': `${ask.operation}-${randomUUID()}`,
      ...(ask.key === undefined ? {} : { 'Idempotency-Key': ask.key }),
    };
    const answer = await call(headers).catch(() => undefined);
    if (answer === undefined) ask.broken += 1;
    else {
      const { status, text } = answer;
      ask.answers.push({ status, text, sent, came: scene.recorder.now(), clock: world.clock.now() });
      if (isSettled(answer)) return;
    }
    if (ask.key === undefined) return;
    const told = Number(answer?.headers.get('retry-after') ?? 0) * 1_000;
    await world.pause(Math.min(LONGEST_PAUSE_MS, told || FIRST_PAUSE_MS * 2 ** n));
  }
}

/** Requests that can be sent again once all is quiet. */
export const calls = new WeakMap<Ask, Call>();

export async function want(
  scene: Scene,
  {
    platform,
    ...wanted
  }: Omit<Ask, 'platform' | 'first' | 'since' | 'answers' | 'broken'> & { platform: TestPlatform },
  call: Call,
): Promise<void> {
  const asked: Ask = {
    ...wanted,
    platform: platform.id,
    first: scene.recorder.now(),
    since: world.clock.now(),
    answers: [],
    broken: 0,
  };
  scene.recorder.trace.asks.push(asked);
  for (const { title, attendees } of wanted.pairs ?? [])
    scene.recorder.trace.asks.push({
      ...asked,
      operation: 'pair',
      key: undefined,
      pairs: [],
      title,
      attendees,
      answers: [],
    });
  calls.set(asked, call);
  await insist(scene, asked, call, scene.patience);
}

export const keyed = (random: Random) => (random.below(4) > 0 ? newKey() : undefined);
