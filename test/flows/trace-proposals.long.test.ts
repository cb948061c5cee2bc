import { beforeAll, describe, expect, test } from 'vitest';
import { act } from '../chaos/acts.ts';
import type { Scene } from '../chaos/asking.ts';
import type { Wanted } from '../chaos/coverage.ts';
import { unaccounted } from '../chaos/model.ts';
import { openScene, rest, wholeTrace } from '../chaos/scene.ts';
import type { Ask, ShownProposal, Trace } from '../chaos/trace.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';
import { EVENT_LIES, liar } from './lies.ts';

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
  const scene = await openScene({ doesOffer: true });
  try {
    for (const [at, what] of WANTED.entries()) await until(scene, what, at);
    for (let n = 0; n < 8; n += 1) {
      await act(scene, 'propose', seeded(9_000 + n));
      await act(scene, 'bookfree', seeded(8_000 + n));
    }
    await act(scene, 'expire', seeded(3));
    await act(scene, 'deliver', seeded(1));
    await rest(scene, { isForgiving: true });
    // Every proposal ends by its time, some with a booking.
    await world.advance(49 * 3_600_000);
    await rest(scene, { isForgiving: true });
    trace = await wholeTrace(scene);
  } finally {
    scene.recorder.stop();
  }
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

  test.each([...ENDS, 'open'])('that is shown as %s and ended otherwise', (status) =>
    expect(
      unnoticed((copy, id) => {
        const one = found(copy, id);
        one.status = one.status === status ? 'unknown' : status;
      }),
    ).toEqual([]),
  );

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

  test('whose held time was given to a meeting that had to be free', () => {
    const [proposal, booking] = heldDuringBooking();
    const wrong = lie((copy) => {
      const [time] = found(copy, proposal.proposal_id).times;
      Object.assign(time ?? {}, { start_time: iso(booking.start), end_time: iso(booking.end) });
    });
    expect(wrong.join()).toContain(`that ${proposal.proposal_id} of`);
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

  test('is noticed when it tells of another end, whichever it is', () =>
    expect(
      missed((copy, id) => {
        for (const arrival of copy.arrivals.filter(({ text }) => parsed(text).id === id)) {
          const now = arrival.text.includes('"proposal.withdrawn"') ? 'proposal.declined' : 'proposal.withdrawn';
          arrival.text = arrival.text.replace(/"proposal\.\w+"/, `"${now}"`);
        }
      }),
    ).toEqual([]));
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

  test('that refuses because of an end that did not happen', () => {
    const [one] = ended('withdrawn');
    const at = trace.asks.findIndex(({ operation }) => operation === 'withdraw');
    const text =
      '{"error":{"code":"proposal_ended","message":"This can no longer be changed, because it is declined."}}';
    const answer = { status: 409, text, sent: 1, came: 2, clock: 0 };
    expect(
      lie(({ asks }) =>
        asks.push({ ...(asks[at] as Ask), key: undefined, proposalId: one?.proposal_id ?? '', answers: [answer] }),
      ).join(),
    ).toContain('and is withdrawn');
  });
});

test('an event for a proposal that nobody accepted, or at a time that was not offered, is noticed', () => {
  const { meeting_id: id } = ended('accepted').find((one) => one.moves_meeting_id === null) ?? {};
  const at = trace.calls.findIndex(({ meetingId }) => meetingId === id);
  expect(lie(({ calls }) => Object.assign(calls[at] ?? {}, { start: 0 }))).not.toEqual([]);
  expect(lie(({ calls }) => calls.push({ ...(calls[at] as Trace['calls'][number]), eventId: 'another' }))).not.toEqual(
    [],
  );
});

const iso = (ms = 0) => new Date(ms).toISOString();

/** Returns a proposal, and a booking of its requester that had to be free and was made while nobody ended the proposal. */
function heldDuringBooking(): [ShownProposal, Ask] {
  const { asks, shown } = trace;
  for (const booking of asks.filter((ask) => ask.operation === 'bookfree' && ask.answers.at(-1)?.status === 200))
    for (const { title, first, answers } of asks.filter((ask) => ask.operation === 'propose' && isDone(ask))) {
      const proposal = shown.proposals.find((one) => one.title === title && one.counter_of === null);
      const ends = asks.filter((ask) => ask.proposalId === proposal?.proposal_id).map((ask) => ask.first);
      const [known, until] = [answers.at(-1)?.came ?? 0, Math.min(...ends, trace.quietFrom)];
      const isDuring = first < known && known < booking.first && (booking.answers.at(-1)?.came ?? 0) < until;
      if (proposal && isDuring && booking.attendees?.includes(proposal.attendees[0] ?? '')) return [proposal, booking];
    }
  throw new Error('no booking was made while a proposal of its requester was open');
}
