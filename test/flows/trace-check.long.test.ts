import { beforeAll, describe, expect, test } from 'vitest';
import { act } from '../chaos/acts.ts';
import { befall } from '../chaos/calamities.ts';
import type { Wanted } from '../chaos/coverage.ts';
import { toldIn } from '../chaos/model/told.ts';
import { unaccounted } from '../chaos/model.ts';
import { rest } from '../chaos/scene.ts';
import type { Ask, Trace } from '../chaos/trace.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';
import { EVENT_LIES, liar, playedTrace } from './lies.ts';

healAfterEach();

// The checker must accept a true history. It must reject the same history with a single lie in it.

/** Operations to play in this order. Each is repeated until a client with an idempotency key was told of a success. */
const WANTED: (Wanted & Ask['operation'])[][] = [
  ['book', 'bookfree', 'auto'],
  ['bookfree', 'book', 'update'],
  ['reschedule', 'cancel'],
];
const MOST_TRIES = 20;

let trace: Trace;

beforeAll(async () => {
  trace = await playedTrace(async (scene) => {
    const { asks } = scene.recorder.trace;
    for (const [at, wave] of WANTED.entries()) {
      for (const what of wave) {
        const before = asks.length;
        for (let n = 0; n < MOST_TRIES && !asks.slice(before).some((ask) => isDone(ask, what)); n += 1)
          await act(scene, what, seeded(100 * at + n));
      }
      await act(scene, 'deliver', seeded(at));
    }
    await world.advance(60_000);
    await act(scene, 'disconnect', seeded(10));
    await befall(scene, 'a person takes access away', seeded(2));
    await befall(scene, 'two Workers remember a key that is replaced', seeded(3));
    await rest(scene, { isForgiving: false });
  });
});

const lie = liar(() => trace);
const isDone = ({ operation, key, answers }: Ask, what: Ask['operation']) =>
  operation === what && key !== undefined && (answers.at(-1)?.status ?? 500) < 300;
const parsed = (text: string) => JSON.parse(text);
const answered = (operation: Ask['operation'], { asks }: Trace) => {
  const ask = asks.find((one) => isDone(one, operation));
  const answer = ask?.answers.at(-1);
  if (ask === undefined || answer === undefined) throw new Error(`no ${operation} was answered in this history`);
  return { ask, answer };
};
const OPERATIONS: Ask['operation'][] = ['book', 'bookfree', 'auto', 'update', 'cancel', 'reschedule'];

test('a true history is accounted for', () => {
  expect(unaccounted(trace)).toEqual([]);
  const types = new Set(trace.arrivals.map(({ text }) => parsed(text).event_type));
  expect([...types].sort()).toEqual([
    'meeting.cancelled',
    'meeting.scheduled',
    'meeting.scheduling.completed',
    'meeting.updated',
    'user.calendar.connected',
    'user.calendar.disconnected',
  ]);
  const reasons = toldIn(trace).flatMap(({ type, data }) => (type.startsWith('user.') ? (data.reason ?? []) : []));
  expect(new Set(reasons)).toEqual(new Set(['user_requested', 'revoked']));
  expect(new Set(trace.calls.map(({ method }) => method))).toEqual(new Set(['POST', 'PATCH', 'DELETE']));
});

describe('the checker rejects an answer that was never given', () => {
  test.each(OPERATIONS)('%s, another meeting or job', (operation) => {
    const found = lie((copy) => {
      const { answer } = answered(operation, copy);
      answer.text = answer.text.replace(/"(meet|job)_\w+"/, '"$1_another"');
    });
    expect(found).not.toEqual([]);
  });

  test.each(['book', 'bookfree', 'update', 'reschedule'] as const)('%s, another time', (operation) => {
    const found = lie((copy) => {
      const { answer } = answered(operation, copy);
      answer.text = answer.text.replace(/T(\d\d):/, (_, hour) => `T${hour === '03' ? '04' : '03'}:`);
    });
    expect(found).not.toEqual([]);
  });

  test.each(['book', 'bookfree'] as const)('%s, a refusal for good of what was made', (operation) => {
    const found = lie((copy) => {
      const { answer } = answered(operation, copy);
      Object.assign(answer, { status: 409, text: '{"error":{"code":"slot_taken"}}' });
    });
    expect(found.join()).toContain('and it was made');
  });

  test.each(OPERATIONS)('%s, a second answer under its key', (operation) => {
    const found = lie((copy) => {
      const { ask, answer } = answered(operation, copy);
      ask.answers.push({ ...answer, text: `${answer.text} ` });
    });
    expect(found.join()).toContain(' and ');
  });

  test.each(OPERATIONS)('%s, none at all', (operation) => {
    const found = lie((copy) => {
      const { answer } = answered(operation, copy);
      Object.assign(answer, { status: 500, text: '{}' });
    });
    expect(found.join()).toContain('never got an answer');
  });

  test('a meeting that takes place is said to be none', () => {
    const found = lie((copy) => {
      const live = copy.shown.meetings.find(({ status }) => status === 'scheduled')?.meeting_id ?? '';
      const { ask, answer } = answered('cancel', copy);
      copy.asks.push({ ...ask, key: undefined, meetingId: live, answers: [{ ...answer, status: 404, text: NONE }] });
    });
    expect(found.join()).toContain('had not ended');
  });
});

describe('the use of a key at two Workers', () => {
  test('is noticed when a replaced key was accepted, by whichever Worker', () => {
    const late = trace.keyUses.flatMap(({ status }, at) => (status === 401 ? [at] : []));
    expect(new Set(late.map((at) => trace.keyUses[at]?.worker))).toEqual(new Set([0, 1]));
    const [end] = trace.keyEnds;
    for (const at of late.filter((one) => (trace.keyUses[one]?.sent ?? 0) > (end?.done ?? 0)))
      expect(lie(({ keyUses }) => Object.assign(keyUses[at] ?? {}, { status: 200 })).join()).toContain(
        'accepted a key after it was replaced',
      );
  });

  test('is noticed when a key was refused that nobody had replaced', () => {
    expect(lie(({ keyUses }) => Object.assign(keyUses[0] ?? {}, { status: 401 })).join()).toContain(
      'refused a key that nobody had replaced',
    );
    expect(lie((copy) => copy.keyEnds.splice(0)).join()).toContain('refused a key that nobody had replaced');
  });
});

const NONE = '{"error":{"code":"meeting_not_found"}}';

describe('a webhook', () => {
  const eventsOf = ({ arrivals }: Trace) => [...new Map(arrivals.map((one) => [parsed(one.text).id, one])).values()];
  const unnoticed = (change: (copy: Trace, id: string) => unknown) =>
    eventsOf(trace).flatMap(({ text }) => {
      const { id, event_type } = parsed(text);
      return lie((copy) => change(copy, id)).length > 0 ? [] : [`${event_type} ${id}`];
    });

  const toOther: typeof EVENT_LIES = [
    [
      'comes to the other platform',
      (copy, id) => {
        const other = (url: string) => copy.platforms.find(({ webhookUrl }) => webhookUrl !== url)?.webhookUrl ?? '';
        for (const arrival of copy.arrivals) if (parsed(arrival.text).id === id) arrival.url = other(arrival.url);
      },
    ],
  ];

  test.each([...EVENT_LIES, ...toOther])('is noticed when it %s, whichever it is', (_how, change) =>
    expect(unnoticed(change)).toEqual([]),
  );

  test('is noticed when it comes again and again', () => {
    const found = lie((copy) => {
      const [first] = copy.arrivals;
      if (first) copy.arrivals.push(...Array.from({ length: 21 }, () => first));
    });
    expect(found.join()).toContain('arrived 22 times');
  });

  test('a booking that nobody made is not called off for an unknown outcome', () => {
    const found = lie((copy) => {
      const cancelled = copy.arrivals.find(({ text }) => parsed(text).event_type === 'meeting.cancelled');
      const told = parsed(cancelled?.text ?? '{}');
      const data = { ...told.data, meeting_id: 'meet_x', cancelled_by: 'tandem', reason: 'outcome_unknown' };
      if (cancelled)
        copy.arrivals.push({ ...cancelled, deliveryId: 'x', text: JSON.stringify({ ...told, id: 'wh_x', data }) });
    });
    expect(found.join()).toContain('was never made');
  });
});

describe('a calendar call', () => {
  const each = (change: (copy: Trace, at: number) => void) =>
    trace.calls.flatMap(({ method, eventId }, at) =>
      lie((copy) => change(copy, at)).length > 0 ? [] : [`${method} ${eventId}`],
    );

  test('is missed when it is left out, whichever it is', () =>
    expect(each((copy, at) => copy.calls.splice(at, 1))).toEqual([]));

  test('is noticed when it also makes, moves or deletes another event, whichever it is', () =>
    expect(
      each((copy, at) => {
        const call = copy.calls[at];
        const other = copy.calls.find(({ eventId }) => eventId !== call?.eventId)?.eventId ?? '';
        const eventId = call?.method === 'POST' ? 'another' : other;
        if (call) copy.calls.push({ ...call, eventId, ...(call.start ? { start: call.start + 60_000 } : {}) });
      }),
    ).toEqual([]));

  test('a second event for one meeting is noticed', () =>
    expect(
      each((copy, at) => {
        const made = copy.calls[at]?.method === 'POST' ? copy.calls[at] : copy.calls[0];
        if (made) copy.calls.splice(at + 1, 0, { ...made, eventId: 'a-second-one' });
      }),
    ).toEqual([]));
});

describe('the checker rejects a final state with', () => {
  test('a meeting that is left out, elsewhere or in another state', () => {
    const unnoticed = trace.shown.meetings.flatMap(({ meeting_id: id }) => {
      const lies: ((copy: Trace) => void)[] = [
        ({ shown }) =>
          shown.meetings.splice(
            shown.meetings.findIndex(({ meeting_id }) => meeting_id === id),
            1,
          ),
        ...[{ start_time: '2030-01-01T00:00:00.000Z' }, { status: 'rescheduled?' }, { attendees: ['a', 'b'] }].map(
          (wrong) => (copy: Trace) =>
            Object.assign(copy.shown.meetings.find(({ meeting_id }) => meeting_id === id) ?? {}, wrong),
        ),
      ];
      return lies.flatMap((change, at) => (lie(change).length > 0 ? [] : [`${id}, lie ${at}`]));
    });
    expect(unnoticed).toEqual([]);
  });

  test('a job with another end', () => {
    for (const wrong of [{ status: 'failed' }, { result: {} }, { status: 'processing' }])
      expect(lie(({ shown }) => Object.assign(shown.jobs[0] ?? {}, wrong))).not.toEqual([]);
  });

  test('a grant that is gone, or still there', () => {
    expect(lie(({ shown }) => shown.connections.pop())).not.toEqual([]);
    const gone = trace.acts.find(({ kind }) => kind === 'disconnecting');
    const connection = { platform: gone?.platform ?? '', email: gone?.email ?? '', status: 'connected' };
    expect(lie(({ shown }) => shown.connections.push(connection))).not.toEqual([]);
    expect(lie(({ shown }) => Object.assign(shown.searches[0] ?? {}, { status: 500 }))).not.toEqual([]);
  });

  test('a time that is offered though somebody is busy', () => {
    const found = lie(({ shown }) => {
      const search = shown.searches.find(({ text }) => parsed(text).slots.length > 0);
      const [slot] = parsed(search?.text ?? '{"slots":[]}').slots;
      search?.busy.push({ start: slot.start_time, end: slot.end_time });
    });
    expect(found.join()).toContain('when one of them is busy');
  });

  test('two meetings of a person at one time, one of which was to be free', () => {
    const found = lie((copy) => {
      const [known, chosen] = twoOfOnePerson(copy);
      const text = JSON.stringify(copy);
      const moved = text
        .replaceAll(iso(chosen.start), iso(known.start))
        .replaceAll(iso(chosen.end), iso(known.end))
        .replaceAll(String(chosen.start), String(known.start));
      Object.assign(copy, JSON.parse(moved));
    });
    expect(found.join()).toContain('was to be free and was made over');
  });
});

describe('the checker rejects a meeting whose event in the end', () => {
  test.each<[string, string, (events: Trace['events']) => unknown]>([
    ['is gone', 'outlives the end', (events) => events.splice(0)],
    [
      'is later',
      'not at the time',
      (events) => events.map((event) => Object.assign(event, { start: event.start + 1 })),
    ],
    [
      'has another title',
      'not by the title',
      (events) => events.map((event) => Object.assign(event, { title: 'Tea' })),
    ],
    [
      'has another link',
      'not with the link',
      (events) => events.map((event) => Object.assign(event, { link: 'gone' })),
    ],
    ['has no guests', 'with others', (events) => events.map((event) => Object.assign(event, { guests: [] }))],
  ])('%s', (_name, said, change) => {
    const found = lie((copy) => void change(copy.events));
    expect(found.filter((sentence) => sentence.includes(said))).not.toEqual([]);
  });
});

const iso = (ms = 0) => new Date(ms).toISOString().replace('.000', '');

/**
 * Returns a booking and a later `require_free` booking of one of its people, which was requested after the first was
 * answered. No request changed either meeting.
 */
function twoOfOnePerson({ asks, shown }: Trace): [Ask, Ask] {
  const isMade = ({ title }: Ask) => shown.meetings.some((one) => one.title === title && one.status === 'scheduled');
  const made = asks.filter((ask) => ask.title !== undefined && ask.start !== undefined && isMade(ask));
  for (const chosen of made.filter(({ operation }) => operation === 'bookfree'))
    for (const known of made) {
      const isShared = known.attendees?.some((email) => chosen.attendees?.includes(email));
      if (isShared && (known.answers.at(-1)?.came ?? 0) < chosen.first && known !== chosen) return [known, chosen];
    }
  throw new Error('no two meetings of one person were booked in this history');
}
