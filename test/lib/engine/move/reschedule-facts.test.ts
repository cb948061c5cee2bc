import { describe, expect, test } from 'vitest';
import { rankReschedule } from '../../../../lib/engine/move/rank-reschedule.ts';
import type { RescheduleSearch } from '../../../../lib/engine/move/reschedule-choices.ts';
import type { PickFacts } from '../../../../lib/engine/rank/pick-facts.ts';
import { at, everyDay, span } from '../people.ts';
import { bob, busyOn, moving } from './moving.ts';

describe('what is told of it', () => {
  const nothing = { decided: [], avoided: [], drawbacks: [] };
  const bobs = 'bob@example.com';
  test.each<[string, RescheduleSearch, Partial<PickFacts>]>([
    ['the next day', moving('14:00', {}), {}],
    [
      'a wish that is met',
      moving('10:00', { dates: ['2026-05-07'], closeness: { near: at('2026-05-07T10:00Z') } }),
      {
        decided: [
          { kind: 'wish', part: 'dates' },
          { kind: 'nearest', to: 'asked_time' },
        ],
      },
    ],
    [
      'a move by so much that the other is busy then',
      moving(
        '10:00',
        { relative: 'later', shiftMinutes: 60, closeness: { near: at('2026-05-05T11:00Z') } },
        { other: bob({ busy: [span('2026-05-05T11:00Z', '2026-05-05T11:30Z')] }) },
      ),
      {
        decided: [{ kind: 'wish', part: 'relative' }],
        drawbacks: [{ kind: 'shift', minutes: 60, because: [{ email: bobs, rule: 'busy' }] }],
      },
    ],
    [
      'an hour that no day has, as one thing',
      moving('10:00', { clockFrom: 900, clockTo: 930 }, { other: bob({ workHours: everyDay('08:00', '15:15') }) }),
      {
        decided: [
          { kind: 'wish', part: 'clockTo' },
          { kind: 'nearest', to: 'old_time' },
        ],
        drawbacks: [
          { kind: 'wish', part: 'clockFrom', why: 'no_common_time', because: [{ email: bobs, rule: 'work_hours' }] },
        ],
      },
    ],
    [
      'a range, of which nothing beyond it is told',
      moving('10:00', {}, { within: span('2026-05-05T14:00Z', '2026-05-05T14:30Z') }),
      { decided: [{ kind: 'in_range' }] },
    ],
    [
      'a day that is full, and whose times fill it',
      moving('10:00', { dates: ['2026-05-07'] }, { other: busyOn('2026-05-07') }),
      {
        drawbacks: [{ kind: 'wish', part: 'dates', why: 'no_common_time', because: [{ email: bobs, rule: 'busy' }] }],
      },
    ],
    [
      'an hour that other days have',
      moving(
        '10:00',
        { dates: ['2026-05-07'], clockFrom: 900 },
        { other: bob({ busy: [span('2026-05-07T15:00Z', '2026-05-07T19:00Z')] }) },
      ),
      {
        decided: [
          { kind: 'wish', part: 'dates' },
          { kind: 'nearest', to: 'old_time' },
        ],
        drawbacks: [{ kind: 'wish', part: 'clockFrom', why: 'other_parts', because: [{ email: bobs, rule: 'busy' }] }],
      },
    ],
    [
      'a later hour that no day has, where the old one is no later',
      moving('10:00', { relative: 'later' }, { other: bob({ workHours: everyDay('08:00', '10:30') }) }),
      {
        decided: [{ kind: 'nearest', to: 'old_time' }],
        drawbacks: [
          { kind: 'wish', part: 'relative', why: 'no_common_time', because: [{ email: bobs, rule: 'work_hours' }] },
        ],
      },
    ],
    [
      'a date beyond what is searched',
      moving('10:00', { dates: ['2026-07-01'] }),
      {
        drawbacks: [{ kind: 'wish', part: 'dates', why: 'no_common_time', because: [{ email: null, rule: 'window' }] }],
      },
    ],
  ])('%s', (_, search, facts) => {
    const { decided, avoided, drawbacks } = rankReschedule(search).ranked[0]?.facts() ?? nothing;
    expect({ decided, avoided, drawbacks }).toEqual({ ...nothing, ...facts });
  });
});
