import { beforeAll, describe, expect, test } from 'vitest';
import { act } from '../chaos/acts.ts';
import type { Scene } from '../chaos/asking.ts';
import type { Wanted } from '../chaos/coverage.ts';
import { unaccounted } from '../chaos/model.ts';
import { rest } from '../chaos/scene.ts';
import type { Ask, ShownProposal, Trace } from '../chaos/trace.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';
import { EVENT_LIES, liar, playedTrace } from './lies.ts';

healAfterEach();

// The checker must accept a true history of proposals. It must reject the same history with a single lie in it.

/** Operations to play in this order. Each is repeated until a client was told of a success. */
const WANTED: (Wanted & Ask['operation'])[] = [
  ...(['propose', 'accept', 'propose', 'choose', 'propose', 'decline', 'propose', 'refuse'] as const),
  ...(['propose', 'withdraw', 'propose', 'counter', 'book', 'proposemove', 'accept'] as const),
  ...(['offer', 'choose', 'propose', 'bookfree'] as const),
];
const MOST_TRIES = 40;
const ENDS = ['accepted', 'declined', 'countered', 'expired', 'withdrawn'];

let trace: Trace;

beforeAll(async () => {
  trace = await playedTrace(
    async (scene) => {
      for (const [at, what] of WANTED.entries()) await until(scene, what, at);
      await act(scene, 'expire', seeded(3));
      await act(scene, 'deliver', seeded(1));
      await rest(scene, { isForgiving: true });
      // Every proposal ends by its time, some with a booking.
      await world.advance(49 * 3_600_000);
      await rest(scene, { isForgiving: true });
    },
    { doesOffer: true },
  );
});

/** Plays an operation with other choices each time until a client was told that it is done. */
async function until(scene: Scene, what: Wanted & Ask['operation'], at: number): Promise<void> {
  const { asks } = scene.recorder.trace;
  const before = asks.length;
  for (let n = 0; n < MOST_TRIES; n += 1) {
    await act(scene, what, seeded(100 * at + n));
    if (asks.slice(before).some((ask) => isDone(ask) && ask.operation === what)) return;
  }
  throw new Error(`no ${what} was done in ${MOST_TRIES} tries`);
}

const isDone = ({ answers }: Ask) => [200, 201, 303].includes(answers.at(-1)?.status ?? 500);
const parsed = (text: string) => JSON.parse(text);
const lie = liar(() => trace);
const ended = (status: string) => trace.shown.proposals.filter((one) => one.status === status);
const found = (copy: Trace, id: string) =>
  copy.shown.proposals.find(({ proposal_id }) => proposal_id === id) as ShownProposal;
const unnoticed = (change: (copy: Trace, id: string) => void) =>
  trace.shown.proposals.flatMap(({ proposal_id: id, status }) =>
    lie((copy) => change(copy, id)).length > 0 ? [] : [`${status} ${id}`],
  );

test('a true history is accounted for, and it has every end', () => {
  expect(unaccounted(trace)).toEqual([]);
  const statuses = new Set(trace.shown.proposals.map(({ status }) => status));
  expect([...statuses].sort()).toEqual([...ENDS].sort());
  expect(ended('accepted').some(({ moves_meeting_id: moved }) => moved !== null)).toBe(true);
  expect(trace.shown.proposals.some(({ counter_of: from }) => from !== null)).toBe(true);
});

describe('the checker rejects a proposal', () => {
  test('that is left out', () =>
    expect(
      unnoticed(({ shown }, id) => {
        shown.proposals = shown.proposals.filter(({ proposal_id }) => proposal_id !== id);
      }),
    ).toEqual([]));

  test('that ended otherwise than it is shown', () =>
    expect(
      unnoticed((copy, id) => {
        const one = found(copy, id);
        one.status = one.status === 'expired' ? 'withdrawn' : 'expired';
      }),
    ).toEqual([]));

  test('that nobody asked for', () => {
    const first = trace.shown.proposals.find((one) => one.counter_of === null && one.moves_meeting_id === null);
    expect(
      lie((copy) => {
        copy.asks = copy.asks.filter(({ title }) => title !== first?.title);
      }).join(),
    ).toContain('nobody asked for the proposal');
    expect(
      lie((copy) => copy.shown.proposals.push({ ...(first as ShownProposal), proposal_id: 'prop_x' })).join(),
    ).toContain('was proposed more than once');
  });

  test('that ended although nobody asked for it', () => {
    for (const operations of [['accept', 'choose'], ['decline', 'refuse'], ['counter'], ['withdraw']])
      expect(
        lie((copy) => {
          copy.asks = copy.asks.filter(({ operation }) => !operations.includes(operation));
        }),
      ).not.toEqual([]);
  });

  test('that still holds a time after its end, or has a second accepted one', () => {
    for (const { proposal_id: id, times } of trace.shown.proposals)
      for (const status of ['held', 'accepted'])
        for (const [at, time] of times.entries()) {
          if (time.status === status) continue;
          const wrong = lie((copy) => Object.assign(found(copy, id).times[at] ?? {}, { status }));
          expect(wrong, `${id} ${at} ${status}`).not.toEqual([]);
        }
  });

  test('that has another meeting, or that of another proposal', () => {
    const [one, other] = ended('accepted');
    for (const meeting_id of ['meet_x', null, other?.meeting_id ?? ''])
      expect(lie((copy) => Object.assign(found(copy, one?.proposal_id ?? ''), { meeting_id }))).not.toEqual([]);
  });

  test('that was accepted when a calendar was known to be full', () => {
    for (const { attendees, times } of ended('accepted').filter(
      ({ ended_at, expires_at }) => (ended_at ?? '') < expires_at,
    )) {
      const [email = ''] = attendees;
      const time = times.find(({ status }) => status === 'accepted');
      const [start, end] = [Date.parse(time?.start_time ?? ''), Date.parse(time?.end_time ?? '')];
      const filled = { kind: 'filled' as const, email, start, end, at: 0, clock: 0, done: 0 };
      expect(lie(({ acts }) => acts.push(filled)).join()).toContain('had become busy');
    }
  });

  test('that was accepted at another time than its meeting has', () => {
    for (const { proposal_id: id } of ended('accepted'))
      expect(
        lie((copy) => {
          for (const time of found(copy, id).times)
            if (time.status === 'accepted') Object.assign(time, { start_time: '2030-01-01T00:00:00Z' });
        }),
      ).not.toEqual([]);
  });
});

describe('an event about a proposal', () => {
  const events = () => [
    ...new Set(
      trace.arrivals
        .map(({ text }) => parsed(text))
        .filter(({ event_type: type }) => type.startsWith('proposal.'))
        .map(({ id }): string => id),
    ),
  ];
  const missed = (change: (copy: Trace, id: string) => unknown) =>
    events().filter((id) => lie((copy) => change(copy, id)).length === 0);

  test.each(EVENT_LIES)('is noticed when it %s, whichever it is', (_how, change) => expect(missed(change)).toEqual([]));
});

describe('the checker rejects an answer', () => {
  const answers = (operations: Ask['operation'][]) =>
    trace.asks.flatMap((ask, at) => (operations.includes(ask.operation) && isDone(ask) ? [at] : []));

  test.each(['propose', 'proposemove', 'offer'] as const)('to %s with another id or link', (operation) => {
    for (const at of answers([operation]))
      for (const [part, lied] of [
        [/"prop_\w+"/, '"prop_x"'],
        [/\/p\/[\w-]+/, '/p/x'],
      ] as const)
        expect(
          lie(({ asks }) => {
            for (const answer of asks[at]?.answers ?? []) answer.text = answer.text.replace(part, lied);
          }),
        ).not.toEqual([]);
  });

  test.each(['accept', 'choose', 'decline', 'refuse', 'withdraw', 'counter'] as const)(
    'to %s that says it is done of a proposal that ended otherwise',
    (operation) => {
      for (const at of answers([operation])) {
        const { proposalId = '' } = trace.asks[at] ?? {};
        const { status } = found(trace, proposalId);
        const other = trace.shown.proposals.find((one) => one.status !== status);
        expect(lie(({ asks }) => Object.assign(asks[at] ?? {}, { proposalId: other?.proposal_id }))).not.toEqual([]);
      }
    },
  );
});

test('an event for a proposal that nobody accepted, or at a time that was not offered, is noticed', () => {
  const { meeting_id: id } = ended('accepted').find((one) => one.moves_meeting_id === null) ?? {};
  const at = trace.calls.findIndex(({ meetingId }) => meetingId === id);
  expect(lie(({ calls }) => Object.assign(calls[at] ?? {}, { start: 0 }))).not.toEqual([]);
  expect(lie(({ calls }) => calls.push({ ...(calls[at] as Trace['calls'][number]), eventId: 'another' }))).not.toEqual(
    [],
  );
});
