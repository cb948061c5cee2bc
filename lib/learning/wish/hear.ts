import { weekdayIndex } from '../../scheduling/dates.ts';
import { type Calendar, mondayOf } from '../text/calendar.ts';
import type { Bound, Mention } from '../text/mentions.ts';
import { type Item, type Marked, segmentsOf } from '../text/scan.ts';
import { clustersOf, type Stance } from '../text/stance.ts';

const FIRST_WORK = 10 * 60;
const EARLY_END = 9 * 60;
const LAST_WORK = 17 * 60;
const TOO_EARLY = 8 * 60;
const TOO_LATE = 19 * 60;
const MIDDAY = 12 * 60;
const ABOUT = 30;

/** What a text asks of a new time, in days since 1970-01-01 and minutes of the asker's day, before it becomes a wish. */
export interface Heard {
  days: { first: number; last: number; isNamed?: boolean }[];
  daysUnwanted: { first: number; last: number }[];
  /** 0 for Monday to 6 for Sunday. */
  weekdays: number[];
  weekdaysUnwanted: number[];
  firstDay: number | undefined;
  lastDay: number | undefined;
  clockFrom: number;
  clockTo: number;
  clocks: { from: number; to: number; isOfOneDay?: boolean }[];
  clocksUnwanted: { from: number; to: number }[];
  relative: 'earlier' | 'later' | undefined;
  /** By how many minutes, `isLoose` when that was not said. */
  by: number | undefined;
  isLoose: boolean;
  soon: 'sooner' | 'soonest' | undefined;
  moreTime: boolean;
}

export const nothingHeard = (): Heard => ({
  days: [],
  daysUnwanted: [],
  weekdays: [],
  weekdaysUnwanted: [],
  firstDay: undefined,
  lastDay: undefined,
  clockFrom: 0,
  clockTo: 24 * 60,
  clocks: [],
  clocksUnwanted: [],
  relative: undefined,
  by: undefined,
  isLoose: false,
  soon: undefined,
  moreTime: false,
});

type NamedDays = Mention & { kind: 'days' };
type Edge = { from: number; to?: never } | { to: number; from?: never };

/** What a plain text asks of the meeting's new time, by rules: no model, and time in proportion to its length. */
export function hear(text: string, calendar: Calendar): Heard {
  const heard = nothingHeard();
  for (const segment of segmentsOf(text, calendar)) hearSegment(segment, calendar, heard);
  return heard;
}

function hearSegment(segment: Item[], calendar: Calendar, heard: Heard): void {
  for (const { mentions, stance } of clustersOf(segment)) {
    const days = mentions.filter(({ mention }) => isDay(mention));
    const isOfOneDay = days.length > 0;
    const isRefused = stance.sign < 0 && mentions.some(({ mention }) => mention.kind === 'clock');
    // "No mornings this week" refuses mornings, and "busy until 3 tomorrow" tells when tomorrow begins.
    const isOfHours = isRefused && days.length > 0 && days.every(({ mention }) => isWholeWeek(mention));
    const isUntil = isRefused && mentions.some(({ bound, mention }) => mention.kind === 'clock' && bound === 'until');
    const weekOf = days.findLast(({ mention }) => mention.kind === 'days' && mention.weekday === undefined);
    for (const marked of mentions) {
      const { mention } = marked;
      const hasSameTime = mentions.some((other) => other.mention.kind === 'same_time');
      if (isDay(mention) && isOfHours) continue;
      if (mention.kind === 'days' && hasSameTime && mention.last - mention.first === 6) {
        const day = mention.first + weekdayIndex(calendar.oldDay);
        hearDays({ mention: { kind: 'days', first: day, last: day } }, stance, heard);
      } else if (mention.kind === 'days')
        hearDays(
          { ...marked, mention: inWeekOf(mention, weekOf?.mention) },
          isUntil ? { ...stance, sign: 1 } : stance,
          heard,
        );
      else if (mention.kind === 'weekdays') hearWeekdays(mention.days, stance, heard);
      else if (mention.kind === 'clock') {
        if (!isOfOneDay || isOfHours || isUntil || stance.sign >= 0)
          hearClock(marked, mention, stance, calendar, heard, isOfOneDay);
      } else hearOther(mention, stance, calendar, heard);
    }
  }
}

const isDay = ({ kind }: Mention) => kind === 'days' || kind === 'weekdays';
const isWholeWeek = (mention: Mention) => mention.kind === 'days' && mention.last - mention.first >= 4;

/** "Monday or Tuesday next week": a weekday named beside a date of another week is of that week. */
function inWeekOf(mention: NamedDays, other: Mention | undefined): NamedDays {
  if (mention.weekday === undefined || other?.kind !== 'days' || other.last - other.first > 6) return mention;
  const day = mondayOf(other.first) + mention.weekday;
  return { ...mention, first: day, last: day };
}

function hearDays({ mention, bound }: { mention: NamedDays; bound?: Bound | undefined }, stance: Stance, heard: Heard) {
  const { first, last, weekday } = mention;
  // "I have to leave at 3 on Tuesday" tells of Tuesday and asks for none.
  if (stance.sign === 0 || stance.leaves) return;
  const isWanted = stance.sign > 0;
  const edge = stance.returns ? { from: first } : edgeOf(bound, isWanted, { from: first, to: last + 1 });
  if (edge?.from !== undefined) heard.firstDay = Math.max(edge.from, heard.firstDay ?? edge.from);
  else if (edge?.to !== undefined) heard.lastDay = Math.min(edge.to - 1, heard.lastDay ?? edge.to - 1);
  else if (isWanted) heard.days.push({ first, last, isNamed: weekday !== undefined });
  else if (weekday !== undefined) heard.weekdaysUnwanted.push(weekday);
  else heard.daysUnwanted.push({ first, last });
}

/** Where time may begin or must end, when a span, half-open, is one's edge and that is wanted or not. */
function edgeOf(
  bound: Bound | undefined,
  isWanted: boolean,
  { from, to }: { from: number; to: number },
): Edge | undefined {
  switch (bound) {
    case 'after':
      return isWanted ? { from: to } : { to };
    case 'from':
      return isWanted ? { from } : { to: from };
    case 'before':
      return isWanted ? { to: from } : { from };
    case 'until':
      return isWanted ? { to } : { from };
    case 'through':
    case 'by':
      return isWanted ? { to } : { from: to };
    default:
      return undefined;
  }
}

function hearWeekdays(weekdays: number[], { sign }: Stance, heard: Heard): void {
  if (sign > 0) heard.weekdays.push(...weekdays);
  if (sign < 0) heard.weekdaysUnwanted.push(...weekdays);
}

function hearClock(
  { bound }: Marked,
  { from, to, isPoint }: Mention & { kind: 'clock' },
  stance: Stance,
  { oldMinute, durationMinutes }: Calendar,
  heard: Heard,
  isOfOneDay: boolean,
): void {
  const isHourTold = isPoint && !stance.isAsked && (from === oldMinute || stance.isStated);
  const isWanted = stance.sign > 0;
  const edge = stance.returns ? { from } : stance.leaves ? { to: from } : edgeOf(bound, isWanted, { from, to });
  const end = isPoint ? from + durationMinutes : to;
  if (isHourTold && from < TOO_EARLY) heard.relative = 'later';
  else if (isHourTold && from >= TOO_LATE) heard.relative = 'earlier';
  else if (stance.sign === 0 && !stance.leaves) return;
  else if (edge?.from !== undefined) heard.clockFrom = Math.max(edge.from, heard.clockFrom);
  else if (edge?.to !== undefined) heard.clockTo = Math.min(edge.to, heard.clockTo);
  else if (!isWanted && from === 0 && to <= EARLY_END && oldMinute < MIDDAY) heard.relative = 'later';
  else if (!isWanted) heard.clocksUnwanted.push({ from, to: end });
  else if (bound === 'around') heard.clocks.push({ from: from - ABOUT, to: end + ABOUT });
  else heard.clocks.push({ from, to: end, isOfOneDay });
}

function hearOther(mention: Mention, stance: Stance, calendar: Calendar, heard: Heard): void {
  const { oldDay, oldMinute, durationMinutes } = calendar;
  const isMeant = stance.sign > 0;
  const shiftBy = (days: number) => {
    const day = oldDay + days;
    if (day >= calendar.today) heard.days.push({ first: day, last: day });
  };
  switch (mention.kind) {
    case 'relative':
      if (!isMeant) return;
      heard.relative = mention.to;
      heard.by ??= mention.minutes;
      heard.isLoose ||= mention.isLoose ?? false;
      return;
    case 'complaint':
      hearComplaint(mention, stance, heard);
      return;
    case 'amount':
      if (stance.push !== 0 && mention.days > 0) shiftBy(stance.push * mention.days);
      else if (stance.push !== 0 && mention.minutes > 0) {
        heard.relative = stance.push > 0 ? 'later' : 'earlier';
        heard.by ??= mention.minutes;
      } else if (stance.needs && mention.days > 0) {
        heard.moreTime = true;
        shiftBy(mention.days);
      }
      return;
    case 'other_day':
      if (stance.needs) {
        heard.moreTime = true;
        shiftBy(1);
      } else if (stance.sign !== 0) heard.daysUnwanted.push({ first: oldDay, last: oldDay });
      return;
    case 'same_time':
      if (isMeant) heard.clocks.push({ from: oldMinute, to: oldMinute + durationMinutes });
      return;
    case 'more_time':
      if (!stance.isDenied) heard.moreTime = true;
      return;
    case 'sooner':
    case 'soonest':
      if (isMeant) heard.soon = mention.kind;
  }
}

function hearComplaint({ of, degree }: Mention & { kind: 'complaint' }, stance: Stance, heard: Heard): void {
  const way = of === 'early' ? 'later' : 'earlier';
  if (!stance.isDenied) {
    if (stance.isTold) return;
    heard.relative = way;
    if (degree !== 'mild') return;
    heard.by ??= 60;
    heard.isLoose = true;
  } else if (degree === 'bare') heard.relative = way;
  else if (!stance.isStated && of === 'early') heard.clockFrom = Math.max(FIRST_WORK, heard.clockFrom);
  else if (!stance.isStated) heard.clockTo = Math.min(LAST_WORK, heard.clockTo);
}
