import { describe, expect, test } from 'vitest';
import type { AutoSearch } from '../../../../lib/engine/rank/auto-factors.ts';
import type { PickFacts } from '../../../../lib/engine/rank/pick-facts.ts';
import { rankAuto } from '../../../../lib/engine/rank/rank-auto.ts';
import { dates, everyDay, span } from '../people.ts';
import { ada, auto, bob, flexible, noMondays, noMornings, weighted } from './auto-search.ts';

describe('what is told of a choice', () => {
  const nothing = { decided: [], avoided: [], givenUp: [] };
  const [adas, bobs] = ['ada@example.com', 'bob@example.com'];
  test.each<[string, AutoSearch, Partial<PickFacts>]>([
    ['mid-morning', auto(), { decided: [{ kind: 'mid_morning', emails: [adas, bobs] }] }],
    [
      'the first of all, at the start of both days',
      auto({ context: 'urgent' }),
      {
        decided: [{ kind: 'soonest' }],
        givenUp: [adas, bobs].map((email) => ({ kind: 'edge_of_day', email, edge: 'start' })),
      },
    ],
    [
      'the only one',
      auto({ within: span('2026-05-04T12:00Z', '2026-05-04T12:30Z'), requester: ada({ timeZone: 'Asia/Dubai' }) }),
      { decided: [{ kind: 'only_time' }], givenUp: [{ kind: 'lunch', email: bobs }] },
    ],
    [
      'a morning for an investor',
      auto({ context: 'investor_call', requesterPreferences: { ...flexible, energyPattern: 'morning_person' } }),
      {
        decided: [
          { kind: 'context', context: 'investor_call', part: 'morning', email: null },
          { kind: 'mid_morning', emails: [adas, bobs] },
          { kind: 'energy', email: adas, pattern: 'morning_person', part: 'morning' },
        ],
      },
    ],
    [
      'mornings avoided',
      auto({ otherPreferences: noMornings }),
      { avoided: [{ kind: 'learned_part', email: bobs, part: 'morning' }] },
    ],
    [
      'mornings avoided by both',
      auto({ otherPreferences: noMornings, requesterPreferences: noMornings }),
      {
        avoided: [
          { kind: 'learned_part', email: adas, part: 'morning' },
          { kind: 'learned_part', email: bobs, part: 'morning' },
        ],
      },
    ],
    [
      'Monday avoided',
      auto({ otherPreferences: noMondays }),
      {
        decided: [{ kind: 'mid_morning', emails: [adas, bobs] }],
        avoided: [{ kind: 'learned_day', email: bobs, weekday: 'monday' }],
      },
    ],
    [
      'a focus block kept',
      auto({ other: bob({ focusBlocks: [{ day: 'monday', start: '10:00', end: '11:00' }] }) }),
      { decided: [{ kind: 'mid_morning', emails: [adas, bobs] }], avoided: [{ kind: 'focus_block', email: bobs }] },
    ],
    [
      'no back to back',
      auto({
        requester: ada({
          busy: [span('2026-05-04T09:00Z', '2026-05-04T10:00Z'), span('2026-05-04T10:30Z', '2026-05-04T11:00Z')],
        }),
        requesterPreferences: weighted({ bufferImportance: 1.25 }),
        within: span('2026-05-04T08:00Z', '2026-05-04T12:00Z'),
      }),
      { decided: [{ kind: 'only_day', date: '2026-05-04' }], avoided: [{ kind: 'back_to_back', email: adas }] },
    ],
    [
      'lunch kept',
      auto({ other: bob({ timeZone: 'Asia/Dubai' }), within: span('2026-05-05T08:00Z', '2026-05-05T09:45Z') }),
      { decided: [{ kind: 'only_day', date: '2026-05-05' }], avoided: [{ kind: 'lunch', email: bobs }] },
    ],
    [
      'a Monday morning all the same',
      auto({
        within: span('2026-05-04T09:00Z', '2026-05-04T09:30Z'),
        otherPreferences: weighted({ ...noMornings.weights, dayOfWeek: noMondays.weights.dayOfWeek }),
      }),
      {
        decided: [{ kind: 'only_time' }],
        givenUp: [
          { kind: 'learned_part', email: bobs, part: 'morning' },
          { kind: 'learned_day', email: bobs, weekday: 'monday' },
        ],
      },
    ],
    [
      'late on a Friday for a chat nobody likes late',
      auto({
        context: 'interview',
        requester: ada({ workHours: everyDay('17:00', '19:00') }),
        other: bob({ workHours: everyDay('17:30', '19:00') }),
        otherPreferences: { ...flexible, energyPattern: 'morning_person' },
        window: dates('2026-05-08', '2026-05-08'),
        within: span('2026-05-08T18:00Z', '2026-05-08T18:30Z'),
      }),
      {
        decided: [{ kind: 'only_time' }],
        givenUp: [
          { kind: 'outside_day', email: adas, side: 'late' },
          { kind: 'outside_day', email: bobs, side: 'late' },
          { kind: 'friday_afternoon', emails: [adas, bobs] },
          { kind: 'context', context: 'interview', part: 'evening', email: null },
          { kind: 'energy', email: bobs, pattern: 'morning_person', part: 'evening' },
        ],
      },
    ],
  ])('%s', (_, search, facts) => {
    const { decided, avoided, givenUp } = rankAuto(search).ranked[0]?.facts() ?? nothing;
    expect({ decided, avoided, givenUp }).toEqual({ ...nothing, ...facts });
  });
});
