import { randomUUID } from 'node:crypto';
import { newKey } from '../support/people/operations.ts';
import { world } from '../support/worlds/world.ts';
import { keyed, pairOf, type Random, type Scene, want } from './asking.ts';
import type { BatchWanted } from './coverage.ts';
import type { Ask, BatchPair } from './trace.ts';

type Action = (scene: Scene, random: Random) => Promise<void>;

const [FEWEST, MOST] = [3, 8];
const DAY = 86_400_000;
const LENGTHS = [15, 30, 60];

const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);

/** Returns three to eight pairs of people, at times with one who never connected a calendar. */
function somePairs(scene: Scene, random: Random): BatchPair[] {
  return Array.from({ length: FEWEST + random.below(MOST - FEWEST + 1) }, (_, n) => {
    const [requester, other] = pairOf(scene, random);
    const isStrange = random.below(8) === 0;
    const attendees: [string, string] = [requester, isStrange ? random.pick(scene.guests).email : other];
    return { reference: `pair ${n}`, title: `Meeting ${randomUUID()}`, attendees };
  });
}

/** Returns limits and dates of a round. The dates are often few, so that its pairs compete with other meetings. */
function someOptions(scene: Scene, random: Random) {
  const range = { start_date: dateOf(scene.day), end_date: dateOf(scene.day + random.below(3) * DAY) };
  return {
    ...(random.below(2) === 0 ? { date_range: range } : {}),
    ...(random.below(4) === 0 ? { max_per_person: 1 + random.below(3) } : {}),
    ...(random.below(4) === 0 ? { max_per_day: 1 + random.below(2) } : {}),
  };
}

/** Returns a batch of the last ones that a client was told the id of. */
function knownBatch({ recorder, platforms }: Scene, random: Random, isWanted: (ask: Ask) => boolean) {
  const known = recorder.trace.asks.filter(isWanted).flatMap(({ answers, platform: id }) => {
    const platform = platforms.find((one) => one.id === id);
    return platform === undefined ? [] : batchIdsIn(answers).map((batchId) => ({ platform, batchId }));
  });
  return known.length === 0 ? undefined : random.pick(known.slice(-3));
}

const batchIdsIn = (answers: Ask['answers']) =>
  answers.flatMap(({ status, text }) => (status === 202 ? [String(JSON.parse(text).batch_id)] : []));

/** Lets a client commit a dry run. Such a request can be repeated without a key of its own. */
export const commitBatch = (scene: Scene, platform: Scene['platforms'][number], batchId: string) =>
  want(scene, { operation: 'batchcommit', platform, key: newKey(), batchId }, (headers) =>
    platform.api.send('POST', `/v1/batches/${batchId}/commit`, undefined, { headers }),
  );

/** Actions about batches, keyed by operation. */
export const BATCH_ACTIONS: Record<BatchWanted, Action> = {
  async batch(scene, random) {
    const platform = random.pick(scene.platforms);
    const pairs = somePairs(scene, random);
    const isDryRun = random.below(3) === 0;
    const body = {
      meetings: pairs.map(({ title, reference, attendees }) => ({
        ...{ reference, attendees, title, metadata: { pair: title } },
        ...{ duration_minutes: random.pick(LENGTHS), priority: random.below(3) },
      })),
      ...someOptions(scene, random),
      ...(isDryRun ? { dry_run: true } : {}),
    };
    const asked = { operation: 'batch', platform, key: keyed(random), pairs, isDryRun } as const;
    await want(scene, asked, (headers) => platform.api.send('POST', '/v1/schedule/batch', body, { headers }));
  },
  async batchcommit(scene, random) {
    await world.qstash.deliverDue();
    const known = knownBatch(scene, random, ({ isDryRun }) => isDryRun === true);
    if (known !== undefined) await commitBatch(scene, known.platform, known.batchId);
  },
  async batchstop(scene, random) {
    const known = knownBatch(scene, random, ({ operation }) => operation === 'batch');
    if (known === undefined) return;
    const { platform, batchId } = known;
    await want(scene, { operation: 'batchstop', platform, key: newKey(), batchId }, (headers) =>
      platform.api.send('DELETE', `/v1/batches/${batchId}`, undefined, { headers }),
    );
  },
};
