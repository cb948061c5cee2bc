import { describe, expect, test } from 'vitest';
import { explainTime } from '../../../../lib/engine/explain/explain-time.ts';
import { at } from '../people.ts';
import { search } from './explained-search.ts';

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
      rank: 2,
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
