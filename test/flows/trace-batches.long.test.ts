import { beforeAll, describe, expect, test } from 'vitest';
import { act } from '../chaos/acts.ts';
import type { Scene } from '../chaos/asking.ts';
import { unaccounted } from '../chaos/model.ts';
import { rest } from '../chaos/scene.ts';
import type { ShownBatch, Trace } from '../chaos/trace.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import type { Result } from '../support/people/batches.ts';
import { healAfterEach } from '../support/worlds/world.ts';
import { EVENT_LIES, liar, playedTrace } from './lies.ts';

healAfterEach();

// The checker must accept a true history of batches. It must reject the same history with a single lie in it.

const BATCHES = 10;

let trace: Trace;

beforeAll(async () => {
  trace = await playedTrace(async (scene) => {
    for (let n = 0; n < BATCHES; n += 1) await act(scene, 'batch', seeded(n + 1));
    await act(scene, 'batchstop', seeded(1));
    await act(scene, 'deliver', seeded(1));
    await commitOne(scene);
    await rest(scene, { isForgiving: true });
  });
});

async function commitOne(scene: Scene): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    await act(scene, 'batchcommit', seeded(n));
    const commits = scene.recorder.trace.asks.filter(({ operation }) => operation === 'batchcommit');
    if (commits.some(({ answers }) => answers.at(-1)?.status === 202)) return;
  }
  throw new Error('no dry run was committed');
}

const lie = liar(() => trace);
const unnoticed = (change: (batch: ShownBatch, copy: Trace) => void) =>
  trace.shown.batches.flatMap(({ batch_id: id, status }, at) =>
    lie((copy) => change(copy.shown.batches[at] as ShownBatch, copy)).length > 0 ? [] : [`${status} ${id}`],
  );
const unnoticedOf = (change: (result: Result) => void) =>
  trace.shown.batches.flatMap(({ meetings }, at) =>
    meetings.flatMap(({ reference, state }, index) =>
      lie((copy) => change(copy.shown.batches[at]?.meetings[index] as Result)).length > 0
        ? []
        : [`${state} ${reference}`],
    ),
  );

test('a true history is accounted for, and it has batches of every end', () => {
  expect(unaccounted(trace)).toEqual([]);
  const { batches } = trace.shown;
  expect(new Set(batches.map(({ status }) => status))).toEqual(new Set(['completed', 'cancelled', 'planned']));
  const states = new Set(batches.flatMap(({ meetings }) => meetings.map(({ state }) => state)));
  for (const state of ['booked', 'failed', 'cancelled', 'placed']) expect(states).toContain(state);
});

describe('the checker rejects a batch', () => {
  test('that is left out', () =>
    expect(
      unnoticed(({ batch_id: id }, { shown }) => {
        shown.batches = shown.batches.filter((one) => one.batch_id !== id);
      }),
    ).toEqual([]));

  test('that ended otherwise than it is shown', () =>
    expect(
      unnoticed((batch) => {
        batch.status = batch.status === 'completed' ? 'cancelled' : 'completed';
      }),
    ).toEqual([]));

  test('that lost a reference, or has one twice', () => {
    expect(unnoticed(({ meetings }) => meetings.pop())).toEqual([]);
    expect(unnoticed(({ meetings }) => meetings.push(meetings[0] as Result))).toEqual([]);
  });

  test('whose end was told twice, or never', () => {
    const isEnd = ({ text }: { text: string }) => JSON.parse(text).event_type === 'batch.completed';
    const ends = trace.arrivals.filter(isEnd);
    expect(ends.length).toBeGreaterThan(1);
    for (const { text } of ends)
      for (const [how, change] of EVENT_LIES)
        expect(
          lie((copy) => change(copy, JSON.parse(text).id)),
          how,
        ).not.toEqual([]);
  });

  test('that was stopped although nobody asked, or booked although nobody committed', () => {
    for (const operation of ['batchstop', 'batchcommit'])
      expect(
        lie((copy) => {
          copy.asks = copy.asks.filter((ask) => ask.operation !== operation);
        }),
      ).not.toEqual([]);
  });
});

describe('the checker rejects a reference', () => {
  test('that ended otherwise than it is shown', () =>
    expect(
      unnoticedOf((result) => {
        result.state = result.state === 'booked' ? 'unplaced' : 'booked';
      }),
    ).toEqual([]));

  test('with another meeting, or a reason that it should not have, or none', () => {
    expect(
      unnoticedOf((result) => {
        result.meeting_id = result.meeting_id === null ? 'meet_x' : null;
      }),
    ).toEqual([]);
    expect(
      unnoticedOf((result) => {
        const reason = { code: 'ROUND_LIMIT', message: '', suggestions: [], relaxations: [] } as const;
        result.reason = result.reason === null ? { ...reason, suggestions: [], relaxations: [] } : null;
      }),
    ).toEqual([]);
  });

  test('with another person', () => expect(unnoticedOf((result) => result.attendees.reverse())).toEqual([]));
});
