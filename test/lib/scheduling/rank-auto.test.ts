import { describe, expect, test } from 'vitest';
import type { AutoSearch } from '../../../lib/scheduling/auto-factors.ts';
import { CONTEXTS } from '../../../lib/scheduling/contexts.ts';
import { DEFAULT_WEIGHTS } from '../../../lib/scheduling/defaults.ts';
import { qualityOf, rankAuto } from '../../../lib/scheduling/rank-auto.ts';
import type { Taste } from '../../../lib/scheduling/taste.ts';
import type { LearnedWeights } from '../../../lib/scheduling/types.ts';
import { at, dates, everyDay, person, span } from './people.ts';

const flexible: Taste = { energyPattern: 'flexible', weights: DEFAULT_WEIGHTS };
const weighted = (weights: Partial<LearnedWeights>): Taste => ({
  ...flexible,
  weights: { ...DEFAULT_WEIGHTS, ...weights },
});

// 2026-05-04 is a Monday; everything lies more than three days after now.
function auto(more: Partial<AutoSearch> = {}): AutoSearch {
  return {
    requester: person({ timeZone: 'UTC', workHours: everyDay('08:00', '18:00') }),
    other: person({ email: 'bob@example.com', timeZone: 'UTC', workHours: everyDay('08:00', '18:00') }),
    durationMinutes: 30,
    window: dates('2026-05-04', '2026-05-05'),
    now: at('2026-04-25T00:00Z'),
    requesterTaste: flexible,
    otherTaste: flexible,
    ...more,
  };
}

const first = (search: AutoSearch) => rankAuto(search).ranked[0]?.startTime.slice(0, 16);

test('the contexts are the interface’s thirteen', () => {
  expect(Object.keys(CONTEXTS)).toEqual([
    'warm_intro',
    'cold_outreach',
    'investor_call',
    'client_demo',
    'team_standup',
    'one_on_one',
    'interview',
    'sales_call',
    'strategy_session',
    'brainstorm',
    'review',
    'casual_chat',
    'urgent',
  ]);
});

test('a standup has no preference and an investor call the morning', () => {
  expect(CONTEXTS.team_standup).toMatchObject({ morning: 1, afternoon: 1, evening: 1, soonest: false });
  expect(CONTEXTS.investor_call.morning).toBeGreaterThan(CONTEXTS.investor_call.afternoon);
  expect(CONTEXTS.investor_call.morning).toBeGreaterThan(CONTEXTS.investor_call.evening);
});

describe('the first choice', () => {
  const afternoonPerson: Taste = { ...flexible, energyPattern: 'afternoon_person' };
  test.each<[string, AutoSearch, string]>([
    ['is availability’s best without any preference', auto(), '2026-05-04T10:00'],
    ['is the same for a standup', auto({ context: 'team_standup' }), '2026-05-04T10:00'],
    ['is the soonest when urgent', auto({ context: 'urgent' }), '2026-05-04T08:00'],
    ['is in the afternoon for a casual chat', auto({ context: 'casual_chat' }), '2026-05-04T13:00'],
    ['is in the afternoon for afternoon people', auto({ requesterTaste: afternoonPerson }), '2026-05-04T13:00'],
    [
      'is on another day when the day’s weight is low',
      auto({ otherTaste: weighted({ dayOfWeek: { ...DEFAULT_WEIGHTS.dayOfWeek, monday: 0.8 } }) }),
      '2026-05-05T10:00',
    ],
    [
      'is not in the morning when its weight is low',
      auto({ otherTaste: weighted({ timeOfDay: { morning: 0.64, afternoon: 1, evening: 1 } }) }),
      '2026-05-04T13:00',
    ],
    [
      'is not back to back when the buffer matters',
      auto({
        requester: person({
          timeZone: 'UTC',
          workHours: everyDay('08:00', '18:00'),
          busy: [span('2026-05-04T09:00Z', '2026-05-04T10:00Z')],
        }),
        requesterTaste: weighted({ bufferImportance: 1.25 }),
      }),
      '2026-05-04T10:15',
    ],
    [
      'is within the preferred range',
      auto({ within: span('2026-05-05T14:00Z', '2026-05-05T15:00Z') }),
      '2026-05-05T14:00',
    ],
    ['is never the old time', auto({ notAt: [at('2026-05-04T10:00Z')] }), '2026-05-04T10:15'],
  ])('%s', (_, search, expected) => {
    expect(first(search)).toBe(expected);
  });
});

describe('the ranking', () => {
  test('has further choices that do not overlap, best first', () => {
    const { ranked } = rankAuto(auto({ context: 'investor_call' }));
    expect(ranked).toHaveLength(20);
    for (const [i, a] of ranked.entries())
      for (const b of ranked.slice(i + 1)) expect(a.start >= b.end || b.start >= a.end).toBe(true);
  });

  test('multiplies availability, context, energy and weights, and says why', () => {
    const { ranked } = rankAuto(
      auto({
        context: 'investor_call',
        requesterTaste: { ...flexible, energyPattern: 'morning_person' },
        otherTaste: weighted({ timeOfDay: { morning: 0.5, afternoon: 0.2, evening: 0.2 } }),
      }),
    );
    expect(ranked[0]).toMatchObject({
      startTime: '2026-05-04T10:00:00+00:00',
      score: 0.936,
      matchQuality: 'excellent',
      factors: [
        { name: 'mid_morning', multiplier: 1.2 },
        { name: 'meeting_context', multiplier: 1.3 },
        { name: 'energy_pattern', multiplier: 1.2 },
        { name: 'time_of_day_preference', multiplier: 0.5 },
      ],
    });
    expect(ranked[0]?.reason).toBe('Mid-morning, when both are free.');
  });

  test('measures quality against the best possible with empty calendars', () => {
    const busy = [span('2026-05-04T08:00Z', '2026-05-04T12:00Z'), span('2026-05-05T08:00Z', '2026-05-05T12:00Z')];
    const requester = person({ timeZone: 'UTC', workHours: everyDay('08:00', '18:00'), busy });
    const { ranked, bestPossible } = rankAuto(auto({ requester, context: 'investor_call' }));
    expect(bestPossible).toMatchObject({ startTime: '2026-05-04T10:00:00+00:00', score: 1 });
    expect(ranked[0]).toMatchObject({ startTime: '2026-05-04T13:00:00+00:00', score: 0.9, matchQuality: 'fair' });
  });

  test('says when only the preferred range leaves nothing', () => {
    const { ranked, message } = rankAuto(auto({ within: span('2026-05-04T20:00Z', '2026-05-04T21:00Z') }));
    expect(ranked).toEqual([]);
    expect(message).toContain('preferred time range');
  });

  test('names the rule that leaves nothing', () => {
    const other = person({ email: 'bob@example.com', workHours: everyDay('08:00', '18:00', false) });
    expect(rankAuto(auto({ other }))).toEqual({
      ranked: [],
      bestPossible: undefined,
      message: 'bob@example.com has no work hours of 30 minutes between 2026-05-04 and 2026-05-05.',
    });
  });
});

test.each([
  [1, 'excellent'],
  [0.8, 'excellent'],
  [0.79, 'good'],
  [0.6, 'good'],
  [0.59, 'fair'],
])('%d of the best possible is %s', (share, quality) => {
  expect(qualityOf(share)).toBe(quality);
});
