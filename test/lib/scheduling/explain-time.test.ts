import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainTime } from '../../../lib/scheduling/explain-time.ts';
import { findSlots } from '../../../lib/scheduling/find-slots.ts';
import { allowedStarts, objectionsTo, rankedStarts } from './oracle.ts';
import { at, dates, person, span } from './people.ts';
import { randomSearch } from './random-search.ts';

const MINUTE = 60_000;
const TIMES_PER_SEARCH = 20;
const SEARCHES = Math.max(500, Math.ceil(Number(process.env.ORACLE_RUNS ?? 0) / 6));

const ada = person({
  focusBlocks: [{ day: 'tuesday', start: '09:00', end: '10:00', reason: 'secret plan' }],
  bufferMinutes: 15,
  maxMeetingsPerDay: 1,
  busy: [span('2026-05-05T15:00Z', '2026-05-05T16:00Z')],
  meetings: [span('2026-05-07T15:00Z', '2026-05-07T16:00Z')],
});
const bob = person({ email: 'bob@example.com', timeZone: 'Europe/Berlin' });
const search = {
  requester: ada,
  other: bob,
  durationMinutes: 30,
  window: dates('2026-05-05', '2026-05-08'),
  now: at('2026-05-05T12:00Z'),
};

describe('the rules against a time', () => {
  test.each([
    ['2026-05-05T12:00:00Z', [[null, 'notice']]],
    ['2026-05-05T13:00:00Z', [['ada@example.com', 'focus_block']]],
    ['2026-05-05T14:05:00Z', [[null, 'quarter_hour']]],
    ['2026-05-05T14:45:00Z', [['ada@example.com', 'busy']]],
    ['2026-05-05T14:30:00Z', [['ada@example.com', 'buffer']]],
    [
      '2026-05-05T16:00:00Z',
      [
        ['ada@example.com', 'buffer'],
        ['bob@example.com', 'work_hours'],
      ],
    ],
    ['2026-05-06T16:00:00Z', [['bob@example.com', 'work_hours']]],
    ['2026-05-07T12:00:00Z', [['ada@example.com', 'day_limit']]],
    [
      '2026-05-09T12:00:00Z',
      [
        [null, 'window'],
        ['ada@example.com', 'work_hours'],
        ['bob@example.com', 'work_hours'],
      ],
    ],
    [
      '2026-05-04T12:00:00Z',
      [
        [null, 'notice'],
        [null, 'window'],
      ],
    ],
  ])('at %s are %j', (start, expected) => {
    const explained = explainTime({ ...search, start: at(start) });
    expect(explained.free).toBe(false);
    expect(explained.against.map(({ email, rule }) => [email, rule])).toEqual(expected);
    expect(JSON.stringify(explained)).not.toContain('secret');
  });
});

describe('a free time', () => {
  test('that the search offers has its rank and factors', () => {
    expect(explainTime({ ...search, start: at('2026-05-06T14:00Z') })).toMatchObject({
      free: true,
      offered: true,
      rank: 3,
      slot: { startTime: '2026-05-06T10:00:00-04:00', factors: [{ name: 'mid_morning' }, { name: 'recency' }] },
    });
  });

  test('that overlaps a better slot is passed over for that', () => {
    expect(explainTime({ ...search, start: at('2026-05-06T13:45Z') })).toMatchObject({
      free: true,
      offered: false,
      passedOver: 'overlaps_an_offered_slot',
    });
  });

  test('that ranks below five better slots is passed over for that', () => {
    expect(explainTime({ ...search, start: at('2026-05-08T12:30Z') })).toMatchObject({
      free: true,
      offered: false,
      passedOver: 'better_slots_first',
    });
  });
});

test(`explanation, search and oracle agree on ${SEARCHES * TIMES_PER_SEARCH} random times`, { timeout: 0 }, () => {
  const minutesFromStart = fc.oneof(
    fc.integer({ min: -40, max: 200 }).map((quarters) => quarters * 15),
    fc.integer({ min: -600, max: 3000 }),
  );
  const times = fc.array(minutesFromStart, { minLength: TIMES_PER_SEARCH, maxLength: TIMES_PER_SEARCH });
  const seen = { refused: 0, free: 0, offered: 0 };
  fc.assert(
    fc.property(randomSearch, times, (random, minutes) => {
      const allowed = allowedStarts(random);
      const ranked = rankedStarts(random, allowed);
      const offered = findSlots(random).slots;
      minutes.forEach((minute, i) => {
        const near = i % 4 === 0 ? allowed[i * 7] : offered[i % 4]?.start;
        const start = i % 2 === 0 && near ? near : Date.parse(`${random.window.start}T00:00Z`) + minute * MINUTE;
        const explained = explainTime({ ...random, start });
        const against = explained.against.map(({ email, rule }) => `${email} ${rule}`).sort();
        expect(against).toEqual(objectionsTo(random, allowed, start));
        expect(explained.free).toBe(allowed.includes(start));
        expect(explained.free).toBe(against.length === 0);
        expect(explained.offered).toBe(offered.some((slot) => slot.start === start));
        seen[explained.offered ? 'offered' : explained.free ? 'free' : 'refused']++;
        if (!explained.free) return;
        expect([explained.rank, explained.candidates]).toEqual([ranked.indexOf(start) + 1, allowed.length]);
        if (explained.offered) expect(offered).toContainEqual(explained.slot);
      });
    }),
    { numRuns: SEARCHES },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100);
});
