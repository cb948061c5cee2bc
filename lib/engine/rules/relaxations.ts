import { formatDate, WEEKDAYS } from '../time/dates.ts';
import type { Edges } from '../time/intervals.ts';
import { LONGEST_DAYS, windowDays } from '../time/window.ts';
import type { DateWindow, FocusBlock, Search, SearchedPerson, WorkHours } from '../types.ts';
import { candidateStarts, freeForBoth, startsWithin } from './candidates.ts';
import { fullDays, neverRules } from './free-time.ts';
import { type Holiday, holidaysInSearch, withoutHoliday } from './holidays.ts';
import { type LongerHours, missesOf } from './longer-hours.ts';
import { startsWithoutEachBlock } from './without-block.ts';

/** A single change of the search or of one person's rules that could open times, such as a shorter meeting. */
export type Change =
  | { change: 'shorter_duration'; email: null; durationMinutes: number }
  | { change: 'more_days'; email: null; endDate: string }
  | { change: 'no_buffer'; email: string; bufferMinutes: number }
  | { change: 'one_more_meeting_a_day'; email: string; maxMeetingsPerDay: number }
  | { change: 'without_focus_block'; email: string; focusBlock: Pick<FocusBlock, 'day' | 'start' | 'end'> }
  | { change: 'without_rule'; email: string; words: string }
  | { change: 'work_on_holiday'; email: string; holiday: Holiday }
  | LongerHours
  | { change: 'weekends'; email: string };

/**
 * A change that would open times, such as a shorter meeting. `opens` is the number of start times that it would open,
 * `first` is the first of them, and `best` is the one that a search with the change would offer first.
 */
export type Relaxation = Change & { opens: number; first: number; best: number };

/** Returns the start that a search offers first among the given ones, of which there is at least one. */
export type BestOf = (search: Search, starts: readonly number[]) => number;

/** A change with the starts that a search with it would find. */
interface Opened {
  change: Change;
  /** Makes the search with the change. */
  changed: () => Search;
  starts: readonly number[];
}

export const MOST_RELAXATIONS = 5;
const SHORTEST_MINUTES = 15;
const MORE_DAYS = 7;
const MOST_MEETINGS_A_DAY = 10;
/**
 * The limit, in minutes, for suggesting longer work hours: the first meeting that they open may lie at most this far
 * outside the present hours. The smallest change is suggested even if it exceeds the limit.
 */
const MOST_LONGER_MINUTES = 180;
const WEEKEND = ['saturday', 'sunday'] as const;

/**
 * Returns single changes, such as a shorter meeting, each of which would open times to a search that found none. The
 * change that opens the most times comes first, and at most five are returned (schema/DECISIONS.md, "Empty answers").
 * `misses` are the changes of work hours that `missesOf` returns. The first meeting that longer hours open is the
 * nearest to the present hours, so that one is the best.
 */
export function relaxationsOf(search: Search, bestOf: BestOf, misses = missesOf(search)): Relaxation[] {
  const free = freeForBoth(search);
  const hours = misses
    .filter(({ missedBy }, i) => i === 0 || missedBy <= MOST_LONGER_MINUTES)
    .map(({ at, missedBy, ...longer }) => ({
      opens: longer.opens,
      toRelaxation: () => ({ ...longer, first: at, best: at }),
    }));
  const opened = [
    ...ofSearch(search, free),
    ...ofPerson(search, 'requester', free),
    ...ofPerson(search, 'other', free),
  ];
  const others = opened.map(({ change, changed, starts }) => ({
    opens: starts.length,
    toRelaxation: (): Relaxation => ({
      ...change,
      opens: starts.length,
      first: starts[0] ?? 0,
      best: bestOf(changed(), starts),
    }),
  }));
  const all = [...hours, ...others].sort((a, b) => b.opens - a.opens).slice(0, MOST_RELAXATIONS);
  return all.map(({ toRelaxation }) => toRelaxation());
}

function ofSearch(search: Search, free: Edges): Opened[] {
  const relaxations: Opened[] = [];
  const { durationMinutes } = search;
  const longest = Math.ceil(durationMinutes / 15 - 1) * 15;
  for (let shorter = longest; shorter >= SHORTEST_MINUTES && relaxations.length === 0; shorter -= 15) {
    const change = { change: 'shorter_duration', email: null, durationMinutes: shorter } as const;
    const changed = { ...search, durationMinutes: shorter };
    relaxations.push(...opening(change, () => changed, startsWithin(free, changed)));
  }
  const longer = longerWindow(search);
  if (longer !== undefined)
    relaxations.push(
      ...tried({ change: 'more_days', email: null, endDate: longer.end }, { ...search, window: longer }),
    );
  return relaxations;
}

/**
 * Returns the dates of a search and the seven days after them. Undefined if the calendars of those days are unknown, or
 * if a search may not cover so many days.
 */
export function longerWindow({ window, daysKnownAfter = 0 }: Search): DateWindow | undefined {
  const days = window.days + MORE_DAYS;
  if (daysKnownAfter < MORE_DAYS || days > LONGEST_DAYS) return undefined;
  return { start: window.start, end: formatDate(windowDays(window).last + MORE_DAYS), days };
}

function ofPerson(search: Search, role: 'requester' | 'other', free: Edges): Opened[] {
  const person = search[role];
  const { email, bufferMinutes, maxMeetingsPerDay, standing = [], workHours } = person;
  const relaxations: Opened[] = [];
  const tryWith = (change: Change, rules: Partial<SearchedPerson>) =>
    relaxations.push(...tried(change, { ...search, [role]: { ...person, ...rules } }));
  if (bufferMinutes > 0) tryWith({ change: 'no_buffer', email, bufferMinutes }, { bufferMinutes: 0 });
  if (maxMeetingsPerDay < MOST_MEETINGS_A_DAY && fullDays(person).size > 0) {
    const oneMore = { maxMeetingsPerDay: maxMeetingsPerDay + 1 };
    tryWith({ change: 'one_more_meeting_a_day', email, ...oneMore }, oneMore);
  }
  for (const { block, starts } of startsWithoutEachBlock(search, role, free)) {
    const { day, start, end } = block;
    const changed = () => ({
      ...search,
      [role]: { ...person, focusBlocks: person.focusBlocks.filter((kept) => kept !== block) },
    });
    relaxations.push(
      ...opening({ change: 'without_focus_block', email, focusBlock: { day, start, end } }, changed, starts),
    );
  }
  for (const rule of neverRules(person))
    tryWith(
      { change: 'without_rule', email, words: rule.words },
      { standing: standing.filter((kept) => kept !== rule) },
    );
  for (const holiday of holidaysInSearch(search, person))
    tryWith({ change: 'work_on_holiday', email, holiday }, withoutHoliday(person, holiday));
  const weekends = withWeekends(workHours);
  if (weekends) tryWith({ change: 'weekends', email }, { workHours: weekends });
  return relaxations;
}

/**
 * Returns the work hours with weekends added, which get the hours of the week's first working day. Returns undefined if
 * the person works the whole weekend already, or never works.
 */
function withWeekends(workHours: WorkHours): WorkHours | undefined {
  const usual = WEEKDAYS.map((day) => workHours[day]).find(({ enabled }) => enabled);
  if (usual === undefined || WEEKEND.every((day) => workHours[day].enabled)) return undefined;
  const hours = { ...workHours };
  for (const day of WEEKEND) if (!hours[day].enabled) hours[day] = usual;
  return hours;
}

const tried = (change: Change, search: Search) => opening(change, () => search, candidateStarts(search));

const opening = (change: Change, changed: () => Search, starts: readonly number[]): Opened[] =>
  starts.length === 0 ? [] : [{ change, changed, starts }];
