import { fromZonedTime } from 'date-fns-tz';
import { rankReschedule, rescheduleSpan } from '../../lib/engine/move/rank-reschedule.ts';
import type { MeetingContext } from '../../lib/engine/rank/contexts.ts';
import { rankAuto } from '../../lib/engine/rank/rank-auto.ts';
import { DEFAULT_WEIGHTS } from '../../lib/engine/rules/defaults.ts';
import { candidateStarts, QUARTER_HOUR } from '../../lib/engine/rules/free-time.ts';
import { DAY, formatDate, MINUTE } from '../../lib/engine/time/dates.ts';
import { localDay } from '../../lib/engine/time/zone.ts';
import type { Interval, LearnedWeights } from '../../lib/engine/types.ts';
import type { Rule } from '../../lib/engine/wish/reading.ts';
import type { Wish } from '../../lib/engine/wish/wish-parts.ts';
import { weightsOf } from '../../lib/learning/learn-from-reason.ts';
import { standingOf, toStoredRule } from '../../lib/person/standing.ts';
import type { Asker } from '../../lib/reader/wish/wish-of.ts';
import { AROUND_THE_CLOCK, person } from '../lib/engine/people.ts';
import { seeded } from '../support/fuzz/seeded.ts';

const flexible = { energyPattern: 'flexible', weights: DEFAULT_WEIGHTS } as const;
const WINDOW_DAYS = 14;

/** The number of busy calendars in which a set is judged besides the empty one. */
export const BUSY_CALENDARS = 20;

/**
 * Returns the busy times of the two people in one of the busy calendars: about a third of each work day, in meetings of
 * half an hour to two hours. The same number always gives the same calendar.
 */
export function busyCalendar(number: number, { now }: Asker): Calendars {
  const { below } = seeded(number * 7919 + 13);
  const one = () => {
    const busy: Interval[] = [];
    const first = Math.floor(now / DAY);
    for (let day = first; day < first + 60; day++)
      for (let hour = 8; hour < 18; hour += 0.5)
        if (below(100) < 18) {
          const start = day * DAY + hour * 60 * MINUTE;
          busy.push({ start, end: start + (1 + below(3)) * 30 * MINUTE });
        }
    return busy;
  };
  return { busy: [one(), one()], notAt: [] };
}

/** When two people can meet: not while one is busy, and not at the starts of `notAt`. */
export interface Calendars {
  busy: [Interval[], Interval[]];
  notAt: number[];
}

/** Returns the calendars of two people who can meet at these local starts alone. */
export function freeAt(starts: readonly string[], { timeZone, now, oldStart, oldEnd }: Asker): Calendars {
  const instants = starts.map((start) => fromZonedTime(start, timeZone).getTime());
  const free = instants
    .map((start) => ({ start, end: start + (oldEnd - oldStart) }))
    .sort((one, other) => one.start - other.start);
  // Two of them that touch or overlap are one free stretch, in which other quarter hours fit too.
  const between = free.flatMap(({ start, end }) =>
    Array.from({ length: (end - start) / QUARTER_HOUR }, (_, i) => start + i * QUARTER_HOUR),
  );
  const busy: Interval[] = [];
  let from = now - 7 * DAY;
  for (const { start, end } of free) {
    if (start > from) busy.push({ start: from, end: start });
    from = Math.max(from, end);
  }
  busy.push({ start: from, end: now + 90 * DAY });
  return { busy: [busy, busy], notAt: between.filter((start) => !instants.includes(start)) };
}

/** Returns the time to which the engine moves the meeting, and every time that both people have free. */
export function placeOf(asker: Asker, wish: Wish, { busy, notAt }: Calendars = { busy: [[], []], notAt: [] }) {
  const { timeZone, now, oldStart, oldEnd } = asker;
  // The set judges what the asker wants, so the other person's hours are in nobody's way.
  const old = { start: oldStart, end: oldEnd };
  const span = rescheduleSpan({ now, old, wish, windowDays: WINDOW_DAYS });
  const [first, last] = [localDay(timeZone, span.start), localDay(timeZone, span.end)];
  const search = {
    requester: person({ timeZone, busy: busy[0] }),
    other: person({ email: 'bob@example.com', timeZone, busy: busy[1], workHours: AROUND_THE_CLOCK }),
    durationMinutes: Math.ceil((oldEnd - oldStart) / MINUTE),
    window: { start: formatDate(first), end: formatDate(last), days: last - first + 1 },
    now,
    requesterPreferences: flexible,
    otherPreferences: flexible,
    notAt: [oldStart, ...notAt],
    old,
    wish,
    askerTimeZone: timeZone,
    askedBy: 'ada@example.com',
  };
  const [best] = rankReschedule(search).ranked;
  return { place: best && { start: best.start, end: best.end }, free: () => candidateStarts(search) };
}

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
