import type { FocusBlock, Interval, Search, SearchedPerson, StandingRule } from '../../../../lib/engine/types.ts';
import { DAY, dayNumber, HOUR, isInHours, MINUTE, minuteOf, wallAt } from './clock.ts';

// The rules of schema/DECISIONS.md, "Free time", in the slow and obvious way: for every single minute, the oracle asks
// what the clocks show. It shares nothing with the engine except types.

const LARGEST_OFFSET = 16 * HOUR;

export function intervalsOf(busy: SearchedPerson['busy']): readonly Interval[] {
  if (!(busy instanceof Float64Array)) return busy;
  const intervals: Interval[] = [];
  for (let i = 0; i < busy.length; i += 2) intervals.push({ start: busy[i] ?? 0, end: busy[i + 1] ?? 0 });
  return intervals;
}

export function rulesAgainst(person: SearchedPerson, minute: number): string[] {
  const wall = wallAt(person.timeZone, minute);
  const against: string[] = [];
  const hours = person.workHours[wall.weekday];
  if (!hours.enabled || !isInHours(hours, wall.minute)) against.push('work_hours');
  if (person.holidays?.has(dayNumber(wall.date))) against.push('holiday');
  for (const block of person.focusBlocks)
    if (block.day === wall.weekday && isInHours(block, wall.minute)) against.push('focus_block');
  if (isAbout(person, 'never', minute)) against.push('standing_rule');
  if (person.meetings.length >= person.maxMeetingsPerDay) {
    const thatDay = person.meetings.filter(({ start }) => wallAt(person.timeZone, start).date === wall.date);
    if (thatDay.length >= person.maxMeetingsPerDay) against.push('day_limit');
  }
  const buffer = person.bufferMinutes * MINUTE;
  for (const list of [intervalsOf(person.busy), person.meetings]) {
    for (const { start, end } of list) {
      if (start >= end) continue;
      if (start < minute + MINUTE && end > minute) against.push('busy');
      else if (start - buffer < minute + MINUTE && end + buffer > minute) against.push('buffer');
    }
  }
  return against;
}

/**
 * Returns the rules of the search and of each person that forbid a start. `allowed` are the starts that the rules
 * allow.
 */
export function objectionsTo(search: Search, allowed: readonly number[], start: number): string[] {
  const { requester, other, window } = search;
  const against = new Set<string>();
  if (!isOnMark(search, start, 15) && !allowed.includes(start)) against.add('null quarter_hour');
  if (start < search.now + 15 * MINUTE) against.add('null notice');
  for (let minute = start; minute < start + search.durationMinutes * MINUTE; minute += MINUTE) {
    const { date } = wallAt(requester.timeZone, minute);
    if (date < window.start || date > window.end) against.add('null window');
    for (const person of [requester, other])
      for (const rule of rulesAgainst(person, minute)) against.add(`${person.email} ${rule}`);
  }
  for (const { email } of [requester, other]) if (against.has(`${email} busy`)) against.delete(`${email} buffer`);
  return [...against].sort();
}

/** Returns true if the requester's clock shows a multiple of this many minutes. */
function isOnMark({ requester }: Search, start: number, minutes: number): boolean {
  return start % MINUTE === 0 && wallAt(requester.timeZone, start).minute % minutes === 0;
}

/**
 * Returns every start that the rules allow, in order of time. It treats each run of minutes in which both people are
 * free on its own. `isWanted` limits the minutes further.
 */
export function allowedStarts(
  search: Search,
  counts = (_email: string, _rule: string) => true,
  isWanted = (_minute: number) => true,
): number[] {
  const { requester, other, window, durationMinutes, now } = search;
  const first = Date.parse(`${window.start}T00:00:00Z`) - LARGEST_OFFSET;
  const last = Date.parse(`${window.end}T00:00:00Z`) + DAY + LARGEST_OFFSET;
  const isFree: boolean[] = [];
  for (let minute = first; minute < last; minute += MINUTE) {
    const { date } = wallAt(requester.timeZone, minute);
    const isInWindow = date >= window.start && date <= window.end;
    const isSoon = minute < now + 15 * MINUTE;
    const isOpen = isInWindow && !isSoon && isWanted(minute);
    isFree.push(isOpen && isFreeFor(requester, minute, counts) && isFreeFor(other, minute, counts));
  }
  const starts: number[] = [];
  let run: number[] = [];
  for (let i = 0; i <= isFree.length; i++) {
    if (isFree[i]) {
      run.push(first + i * MINUTE);
      continue;
    }
    starts.push(...startsOfRun(search, run.slice(0, Math.max(0, run.length - durationMinutes + 1))));
    run = [];
  }
  return starts;
}

/**
 * Returns true if the person is free in this minute by the rules for which `counts` is true. Work hours always apply. A
 * buffer applies only if busy times do.
 */
function isFreeFor(person: SearchedPerson, minute: number, counts: (email: string, rule: string) => boolean): boolean {
  return rulesAgainst(person, minute).every((rule) => {
    if (rule === 'work_hours') return false;
    return !counts(person.email, rule) || (rule === 'buffer' && !counts(person.email, 'busy'));
  });
}

/**
 * Returns the starts in a run of free minutes that leave room for the meeting: all quarter hours, else the first
 * five-minute mark, else the first minute.
 */
function startsOfRun(search: Search, fitting: number[]): number[] {
  const quarters = fitting.filter((start) => isOnMark(search, start, 15));
  if (quarters.length > 0) return quarters;
  const fifth = fitting.find((start) => isOnMark(search, start, 5)) ?? fitting[0];
  return fifth === undefined ? [] : [fifth];
}

/** Returns true if a person's clock shows, at this minute, a time that a rule of this verdict is about. */
export function isAbout({ timeZone, standing = [] }: SearchedPerson, verdict: StandingRule['verdict'], minute: number) {
  const wall = wallAt(timeZone, minute);
  const date = dayNumber(wall.date);
  return standing.some(
    (rule) =>
      rule.verdict === verdict &&
      rule.blocks.some(({ day, dates: { first = date, last = date } = {}, ...hours }) => {
        const isThatDay = day === wall.weekday && first <= date && date <= last;
        return isThatDay && isInHours(hours, wall.minute);
      }),
  );
}

/** Hours count on the liked days alone, if some of both are named for one day, and wide ones not beside some within them. */
function isMeant(person: SearchedPerson, minute: number): boolean {
  const all = (person.standing ?? []).flatMap(({ verdict, blocks }) => (verdict === 'prefer' ? blocks : []));
  const likes = all.filter(({ dates }) => dates === undefined);
  const lengthOf = ({ start, end }: FocusBlock) => minuteOf(end) - minuteOf(start);
  const isDay = (block: FocusBlock) => lengthOf(block) === 1440;
  const hours = likes.filter((one) => !isDay(one) && likes.some((other) => isDay(other) && other.day === one.day));
  const named = hours.length === 0 ? likes : hours;
  const blocks = named.filter((wide) =>
    named.every(
      ({ day, start, end }) =>
        day !== wide.day ||
        minuteOf(start) < minuteOf(wide.start) ||
        minuteOf(end) > minuteOf(wide.end) ||
        lengthOf(wide) === minuteOf(end) - minuteOf(start),
    ),
  );
  const meant = [...blocks, ...all.filter(({ dates }) => dates !== undefined)];
  return isAbout({ ...person, standing: [{ words: '', verdict: 'prefer', blocks: meant }] }, 'prefer', minute);
}

type Taste = 'rather_not' | 'prefer' | 'near_preferred' | 'not_preferred' | undefined;

export function tasteOf({ requester, other, durationMinutes }: Search, start: number): [Taste, Taste] {
  const minutes = Array.from({ length: durationMinutes }, (_, i) => start + i * MINUTE);
  const of = (person: SearchedPerson): Taste => {
    if (minutes.some((minute) => isAbout(person, 'rather_not', minute))) return 'rather_not';
    const likes = (person.standing ?? []).some(({ verdict, blocks }) => verdict === 'prefer' && blocks.length > 0);
    if (!likes) return undefined;
    const isLiked = (minute: number) => isAbout(person, 'prefer', minute);
    if (minutes.every((minute) => isLiked(minute) && isMeant(person, minute))) return 'prefer';
    const around = Array.from({ length: 241 }, (_, i) => (i - 120) * MINUTE);
    const isNear = (minute: number) => around.some((off) => isLiked(minute + off));
    return minutes.every(isNear) ? 'near_preferred' : 'not_preferred';
  };
  return [of(requester), of(other)];
}
