import { describe, expect, test } from 'vitest';
import type { AutoSearch, Preferences } from '../../../../lib/engine/rank/auto-factors.ts';
import { CONTEXTS, type MeetingContext } from '../../../../lib/engine/rank/contexts.ts';
import type { PickFacts } from '../../../../lib/engine/rank/pick-facts.ts';
import { rankAuto } from '../../../../lib/engine/rank/rank-auto.ts';
import type { StandingRule } from '../../../../lib/engine/types.ts';
import { at, dates, everyDay, span } from '../people.ts';
import { ada, auto, bob, flexible, noMondays, noMornings, weighted } from './auto-search.ts';

const first = (search: AutoSearch) => rankAuto(search).ranked[0]?.startTime.slice(0, 16);

test.each<[MeetingContext, [number, number, number], string, number]>([
  ['warm_intro', [1.1, 1, 0.8], 'rather', 24 * 60],
  ['cold_outreach', [1.1, 1, 0.7], 'rather', 24 * 60],
  ['investor_call', [1.3, 0.9, 0.7], 'rather', 24 * 60],
  ['client_demo', [1.1, 1.1, 0.7], 'rather', 24 * 60],
  ['team_standup', [1, 1, 1], 'any', 2 * 60],
  ['one_on_one', [1, 1.1, 0.9], 'any', 2 * 60],
  ['interview', [1.2, 1.1, 0.7], 'rather', 24 * 60],
  ['sales_call', [1.1, 1.1, 0.8], 'rather', 24 * 60],
  ['strategy_session', [1.2, 1, 0.7], 'any', 24 * 60],
  ['brainstorm', [1.2, 0.9, 0.7], 'any', 2 * 60],
  ['review', [1, 1.2, 0.8], 'rather', 2 * 60],
  ['casual_chat', [0.9, 1.2, 1.1], 'any', 2 * 60],
  ['urgent', [1, 1, 1], 'first', 15],
])(
  '%s prefers mornings, afternoons and evenings by %j, %s soon, with %d minutes of notice',
  (name, parts, soon, notice) => {
    const { prefers, ...row } = CONTEXTS[name];
    expect([prefers.morning, prefers.afternoon, prefers.evening]).toEqual(parts);
    expect(row).toEqual({ title: expect.any(String), soon, notice });
    expect(Object.keys(CONTEXTS)).toHaveLength(13);
  },
);

describe('the first choice', () => {
  const afternoonPerson: Preferences = { ...flexible, energyPattern: 'afternoon_person' };
  test.each<[string, AutoSearch, string]>([
    ['is availability’s best without any preference', auto(), '2026-05-04T10:00'],
    ['is the soonest when urgent', auto({ context: 'urgent' }), '2026-05-04T08:00'],
    ['is in the afternoon for a casual chat', auto({ context: 'casual_chat' }), '2026-05-04T13:00'],
    ['is in the afternoon for afternoon people', auto({ requesterPreferences: afternoonPerson }), '2026-05-04T13:00'],
    ['is on another day when the day’s weight is low', auto({ otherPreferences: noMondays }), '2026-05-05T10:00'],
    ['is not in the morning when its weight is low', auto({ otherPreferences: noMornings }), '2026-05-04T13:00'],
  ])('%s', (_, search, expected) => {
    expect(first(search)).toBe(expected);
  });
});

describe('notice', () => {
  // Monday, 07:00.
  const soon = { now: at('2026-05-04T07:00Z'), window: dates('2026-05-04', '2026-05-08') };
  test('is as long as can be with a break when nothing is free with all of it, without a bonus for being soon, and that is said', () => {
    const busy = [span('2026-05-04T14:00Z', '2026-05-09T00:00Z')];
    const [pick, next] = rankAuto(auto({ ...soon, context: 'interview', other: bob({ busy }) })).ranked;
    expect(pick?.startTime).toBe('2026-05-04T13:15:00+00:00');
    expect(next?.startTime).toBe('2026-05-04T12:45:00+00:00');
    expect(pick?.facts().drawbacks).toEqual([{ kind: 'notice', wantedMinutes: 1440, keptMinutes: 375 }]);
    expect(pick?.facts().decided).toEqual([{ kind: 'context', context: 'interview', part: 'afternoon' }]);
  });
});

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
    ['the first of all, at the start of both days', auto({ context: 'urgent' }), { decided: [] }],
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
      'no praise of a morning to somebody who likes Monday afternoons',
      auto({
        context: 'interview',
        within: span('2026-05-04T09:00Z', '2026-05-04T11:00Z'),
        other: bob({ standing: [{ ...rather('13:00', '17:00'), verdict: 'prefer' }] }),
      }),
      { decided: [] },
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
      { decided: [], avoided: [{ kind: 'learned_day', email: bobs, weekday: 'monday' }] },
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
      { decided: [], drawbacks: [{ kind: 'energy', email: bobs, pattern: 'morning_person', part: 'evening' }] },
    ],
  ])('%s', (_, search, facts) => {
    const { decided, avoided, drawbacks } = rankAuto(search).ranked[0]?.facts() ?? nothing;
    expect({ decided, avoided, drawbacks }).toEqual({ ...nothing, ...facts });
  });
});
