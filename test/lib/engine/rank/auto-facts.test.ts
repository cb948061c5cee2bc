import { describe, expect, test } from 'vitest';
import type { AutoSearch } from '../../../../lib/engine/rank/auto-factors.ts';
import type { PickFacts } from '../../../../lib/engine/rank/pick-facts.ts';
import { rankAuto } from '../../../../lib/engine/rank/rank-auto.ts';
import type { StandingRule } from '../../../../lib/engine/types.ts';
import { dates, everyDay, span } from '../people.ts';
import { ada, auto, bob, flexible, noMondays, noMornings, weighted } from './auto-search.ts';

const rather = (start: string, end: string): StandingRule => ({
  verdict: 'rather_not',
  words: 'not after six',
  blocks: [{ day: 'monday', start, end }],
});

describe('what is told of a choice', () => {
  const nothing = { decided: [], avoided: [], drawbacks: [] };
  const [adas, bobs] = ['ada@example.com', 'bob@example.com'];
  test.each<[string, AutoSearch, Partial<PickFacts>]>([
    ['mid-morning', auto(), { decided: [] }],
    [
      'the first of all, at the start of both days',
      auto({ context: 'urgent' }),
      {
        decided: [],
      },
    ],
    [
      'the only one',
      auto({ within: span('2026-05-04T12:00Z', '2026-05-04T12:30Z'), requester: ada({ timeZone: 'Asia/Dubai' }) }),
      { decided: [] },
    ],
    [
      'a morning for an investor',
      auto({ context: 'investor_call', requesterPreferences: { ...flexible, energyPattern: 'morning_person' } }),
      {
        decided: [
          { kind: 'context', context: 'investor_call', part: 'morning' },
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
        decided: [],
        avoided: [{ kind: 'learned_day', email: bobs, weekday: 'monday' }],
      },
    ],
    [
      'a focus block kept',
      auto({ other: bob({ focusBlocks: [{ day: 'monday', start: '10:00', end: '11:00' }] }) }),
      { decided: [], avoided: [{ kind: 'focus_block', email: bobs }] },
    ],
    [
      'no back to back',
      auto({
        requester: ada({
          busy: [span('2026-05-04T09:00Z', '2026-05-04T10:03Z'), span('2026-05-04T10:57Z', '2026-05-04T11:00Z')],
        }),
        requesterPreferences: weighted({ bufferImportance: 1.6 }),
        within: span('2026-05-04T10:05Z', '2026-05-04T12:00Z'),
      }),
      { avoided: [{ kind: 'back_to_back', email: adas }] },
    ],
    [
      'a Monday morning all the same',
      auto({
        within: span('2026-05-04T09:00Z', '2026-05-04T09:30Z'),
        otherPreferences: weighted({ ...noMornings.weights, dayOfWeek: noMondays.weights.dayOfWeek }),
      }),
      {
        decided: [],
        drawbacks: [
          { kind: 'learned_part', email: bobs, part: 'morning' },
          { kind: 'learned_day', email: bobs, weekday: 'monday' },
        ],
      },
    ],
    [
      'no evening against, where the person named the hours that they dislike',
      auto({
        within: span('2026-05-04T17:15Z', '2026-05-04T18:00Z'),
        otherPreferences: weighted({ timeOfDay: { morning: 1, afternoon: 1, evening: 0.4 } }),
        other: bob({ standing: [rather('18:00', '24:00')] }),
      }),
      { decided: [] },
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
        decided: [],
        drawbacks: [{ kind: 'energy', email: bobs, pattern: 'morning_person', part: 'evening' }],
      },
    ],
  ])('%s', (_, search, facts) => {
    const { decided, avoided, drawbacks } = rankAuto(search).ranked[0]?.facts() ?? nothing;
    expect({ decided, avoided, drawbacks }).toEqual({ ...nothing, ...facts });
  });
});
