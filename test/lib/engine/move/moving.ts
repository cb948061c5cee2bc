import type { RescheduleSearch } from '../../../../lib/engine/move/reschedule-choices.ts';
import type { Preferences } from '../../../../lib/engine/rank/preferences.ts';
import { DEFAULT_WEIGHTS } from '../../../../lib/engine/rules/defaults.ts';
import type { SearchedPerson } from '../../../../lib/engine/types.ts';
import type { Wish } from '../../../../lib/engine/wish/wish.ts';
import { at, dates, person, span } from '../people.ts';

export const HALF_HOUR = 1_800_000;
export const flexible: Preferences = { energyPattern: 'flexible', weights: DEFAULT_WEIGHTS };
const week = { timeZone: 'UTC' };
export const ada = (about: Partial<SearchedPerson> = {}) => person({ ...week, ...about });
export const bob = (about: Partial<SearchedPerson> = {}) => person({ email: 'bob@example.com', ...week, ...about });

/**
 * Returns a half-hour meeting on Tuesday, 5 May 2026 at `clock` that Ada wants to move. The current time is noon on the
 * Monday before.
 */
export function moving(clock: string, wish: Wish, more: Partial<RescheduleSearch> = {}): RescheduleSearch {
  const start = at(`2026-05-05T${clock}Z`);
  return {
    requester: ada(),
    other: bob(),
    durationMinutes: 30,
    window: dates('2026-05-04', '2026-05-17'),
    now: at('2026-05-04T12:00Z'),
    requesterPreferences: flexible,
    otherPreferences: flexible,
    notAt: [start],
    old: { start, end: start + HALF_HOUR },
    wish,
    askerTimeZone: 'UTC',
    ...more,
  };
}

/** Returns Bob, busy on that whole date. */
export const busyOn = (date: string) => bob({ busy: [span(`${date}T00:00Z`, `${date}T24:00Z`)] });
