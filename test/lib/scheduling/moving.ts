import { DEFAULT_WEIGHTS } from '../../../lib/scheduling/defaults.ts';
import type { Preferences } from '../../../lib/scheduling/preferences.ts';
import type { RescheduleSearch } from '../../../lib/scheduling/reschedule-choices.ts';
import type { Person } from '../../../lib/scheduling/types.ts';
import type { Wish } from '../../../lib/scheduling/wish.ts';
import { at, dates, person, span } from './people.ts';

export const HALF_HOUR = 1_800_000;
const flexible: Preferences = { energyPattern: 'flexible', weights: DEFAULT_WEIGHTS };
const week = { timeZone: 'UTC' };
export const ada = (about: Partial<Person> = {}) => person({ ...week, ...about });
export const bob = (about: Partial<Person> = {}) => person({ email: 'bob@example.com', ...week, ...about });

/** A half hour on Tuesday, 5 May 2026 at `clock`, seen from the Monday before at noon, that Ada wants moved. */
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

/** Bob, busy all that date. */
export const busyOn = (date: string) => bob({ busy: [span(`${date}T00:00Z`, `${date}T24:00Z`)] });
