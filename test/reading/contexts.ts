import type { MeetingContext } from '../../lib/engine/rank/contexts.ts';
import { rankAuto } from '../../lib/engine/rank/rank-auto.ts';
import { DEFAULT_WEIGHTS } from '../../lib/engine/rules/defaults.ts';
import { formatDate } from '../../lib/engine/time/dates.ts';
import { localDay } from '../../lib/engine/time/zone.ts';
import type { Interval, LearnedWeights } from '../../lib/engine/types.ts';
import type { Rule } from '../../lib/engine/wish/reading.ts';
import { weightsOf } from '../../lib/learning/learn-from-reason.ts';
import { standingOf, toStoredRule } from '../../lib/person/standing.ts';
import type { Asker } from '../../lib/reader/wish/wish-of.ts';
import { person } from '../lib/engine/people.ts';
import type { Calendars } from './place.ts';

const SLOTS = 5;
/** Returns the first five slots that automatic scheduling finds for a person whose context was read as these rules. */
export function slotsUnder(
  rules: readonly Rule[],
  { timeZone, now, context }: Asker & { context?: MeetingContext | undefined },
  { busy, notAt }: Calendars = { busy: [[], []], notAt: [] },
  most = SLOTS,
): Interval[] {
  const first = localDay(timeZone, now);
  const { ranked } = rankAuto({
    requester: person({ timeZone, ...rulesOf(rules, context), busy: busy[0] }),
    other: person({ email: 'bob@example.com', timeZone, busy: busy[1] }),
    durationMinutes: 30,
    window: { start: formatDate(first), end: formatDate(first + 13), days: 14 },
    now,
    notAt,
    requesterPreferences: { energyPattern: 'flexible', weights: learnt(rules) },
    otherPreferences: { energyPattern: 'flexible', weights: DEFAULT_WEIGHTS },
  });
  return ranked.slice(0, most).map(({ start, end }) => ({ start, end }));
}

function rulesOf(own: readonly Rule[], context: MeetingContext | undefined) {
  const stored = own.map((rule, i) => toStoredRule(rule, String(i)));
  const { standing, ...bounds } = standingOf(stored, { bufferMinutes: 0, maxMeetingsPerDay: 10 });
  const ofKind = context && standingOf(stored, bounds, context);
  return { ...bounds, ...ofKind, standing: [...standing, ...(ofKind?.standing ?? [])] };
}

function learnt(rules: readonly Rule[]): LearnedWeights {
  const weights = structuredClone(DEFAULT_WEIGHTS);
  for (const [path, weight] of weightsOf(rules)) {
    const [map, name = ''] = path.split('.');
    if (map === 'time_of_day_preference') Object.assign(weights.timeOfDay, { [name]: weight });
    else if (map === 'day_of_week_preference') Object.assign(weights.dayOfWeek, { [name]: weight });
    else weights.bufferImportance = weight;
  }
  return weights;
}
