import { DAY_MINUTES } from '../../engine/time/dates.ts';
import type { Box, ClockSpan } from '../../engine/wish/reading.ts';
import type { Calendar } from '../calendar.ts';
import { NOON, WORK_END } from './clocks.ts';
import type { Place } from './places.ts';

/** Minutes before and after the start of something that takes place at one clock time, in which nobody can meet. */
const [BEFORE_EVENT, AFTER_EVENT, LONGEST_EVENT, NEAR] = [30, 90, 240, 30];
const PARTS_OF_DAY = new Set(['0-720', '720-1020', '720-1080', '900-1080', '840-960']);

const daysIn = ({ dates, weekdays }: Box): Box => ({ dates, weekdays });

/** Refused afternoons last until the evening: who cannot meet in the afternoon will not like a meeting at 17:00 either. */
export const toEvening = ({ from, to }: ClockSpan) => ({ from, to: from === NOON && to === 1020 ? WORK_END : to });

export function wantedBox(given: Place, { durationMinutes, today, minute = 0 }: Calendar): Box & { aim?: number } {
  const { clock, isPoint, isAround, weekday } = given;
  const isOver = weekday !== undefined && given.dates?.[0]?.first === today && (clock?.to ?? WORK_END) <= minute;
  const place = isOver ? { ...given, dates: [{ first: today + 7, last: today + 7 }] } : given;
  if (!clock) return daysIn(place);
  const near = isAround ? NEAR : 0;
  const length = isPoint || isAround ? durationMinutes : 0;
  const hours = { from: Math.max(0, clock.from - near), to: Math.min(DAY_MINUTES, clock.to + near + length) };
  return { ...daysIn(place), clock: hours, ...(isAround && isPoint && { aim: clock.from }) };
}

export function refusedBox(place: Place, { durationMinutes }: Calendar): Box {
  const { clock, isPoint } = place;
  const isBoth = place.dates && place.weekdays;
  if (!clock) return { ...daysIn(place), ...(isBoth && { clock: { from: 0, to: DAY_MINUTES } }) };
  const hours = isPoint ? { from: clock.from, to: clock.from + durationMinutes } : toEvening(clock);
  return { ...daysIn(place), clock: hours };
}

export function eventBox(place: Place, calendar: Calendar, isDeparture = false): Box {
  const { clock, isPoint } = place;
  if (place.isBy) return afterIt(place) ?? refusedBox(place, calendar);
  if (!clock || !isPoint) return refusedBox(place, calendar);
  const to = isDeparture ? DAY_MINUTES : Math.min(DAY_MINUTES, clock.from + AFTER_EVENT);
  return { ...daysIn(place), clock: { from: Math.max(0, clock.from - BEFORE_EVENT), to } };
}

/** Returns the times before somebody is back or begins, and for an arrival the time to get out as well. */
export function beforeIt(place: Place, isArrival = false): Box | undefined {
  const { dates, clock: back, isPoint } = place;
  if (back) {
    const edge = (back.from > 0 || isPoint ? back.from : back.to) + (isArrival ? BEFORE_EVENT : 0);
    const clock = { from: place.since ?? 0, to: edge };
    return edge <= 0 || edge >= DAY_MINUTES ? undefined : { ...daysIn(place), clock };
  }
  const first = dates?.[0]?.first ?? dates?.[0]?.last;
  return first === undefined ? undefined : { dates: [{ last: first - 1 }] };
}

export const sinceIt = ({ dates, clock }: Box): Box =>
  clock ? { dates, clock: { from: clock.to, to: DAY_MINUTES } } : { dates: [{ first: (dates?.[0]?.last ?? 0) + 1 }] };

export function afterIt(place: Place): Box | undefined {
  const { clock } = place;
  const edge = clock && (clock.from > 0 ? clock.from : clock.to);
  if (edge === undefined || edge <= 0 || edge >= DAY_MINUTES) return undefined;
  return { ...daysIn(place), clock: { from: edge, to: DAY_MINUTES } };
}

export function isAtOld({ dates, weekdays, clock }: Place, { oldDay, oldMinute, durationMinutes }: Calendar): boolean {
  const [span] = dates ?? [{ first: oldDay, last: oldDay }];
  if (weekdays || !(dates || clock) || (dates?.length ?? 1) > 1) return false;
  if (span?.first !== oldDay || span.last !== oldDay) return false;
  const { from, to } = clock ?? { from: 0, to: DAY_MINUTES };
  return from - AFTER_EVENT < oldMinute + durationMinutes && oldMinute < to + AFTER_EVENT;
}

export function isAroundOld(place: Place, calendar: Calendar): boolean {
  const { clock, isPoint, isAround, isGeneral } = place;
  if (!clock || isPoint || isAround || isGeneral || clock.to - clock.from > LONGEST_EVENT) return false;
  const { oldMinute, durationMinutes } = calendar;
  const holds = clock.from <= oldMinute && oldMinute + durationMinutes <= clock.to;
  return holds && isAtOld(place, calendar) && !PARTS_OF_DAY.has(`${clock.from}-${clock.to}`);
}
