import { DAY, formatDate, parseMinute, WEEKDAYS } from '../time/dates.ts';
import { append, cut, type Edges, edgeAt, inOrder, joined, subtract } from '../time/intervals.ts';
import { daysElsewhere, isDated, type Week, wallInstants } from '../time/wall-instants.ts';
import { LONGEST_DAYS, windowDays } from '../time/window.ts';
import { localDay } from '../time/zone.ts';
import type { DateWindow, FocusBlock, RuleBlock, Search, SearchedPerson, WorkHours } from '../types.ts';
import {
  ALL_RULES,
  candidateStarts,
  freeForBoth,
  freeForMeeting,
  fullDays,
  keptFree,
  neverRules,
  startsWithin,
} from './free-time.ts';
import { bridgeAt, type Holiday, holidaysInSearch, withoutHoliday } from './holidays.ts';
import { type LongerHours, missesOf } from './why-empty.ts';

/** A single change of the search or of one person's rules that could open times, such as a shorter meeting. */
export type Change =
  | { change: 'shorter_duration'; email: null; durationMinutes: number }
  | { change: 'more_days'; email: null; endDate: string }
  | { change: 'without_when'; email: null; words: string }
  | { change: 'without_time_ranges'; email: null }
  | { change: 'no_buffer'; email: string; bufferMinutes: number }
  | { change: 'one_more_meeting_a_day'; email: string; maxMeetingsPerDay: number }
  | { change: 'without_focus_block'; email: string; focusBlock: Pick<FocusBlock, 'day' | 'start' | 'end'> }
  | { change: 'without_rule'; email: string; words: string; blocks: RuleBlock[] }
  | { change: 'work_on_holiday'; email: string; holiday: Holiday }
  | LongerHours
  | { change: 'weekends'; email: string };

/** `opens` counts its start times, `first` is the first, and a search with the change would offer `best` first. */
export type Relaxation = Change & { opens: number; first: number; best: number };

export type BestOf = (search: Search, starts: readonly number[]) => number;

interface Opened {
  change: Change;
  changed: Search;
  starts: readonly number[];
}

export const MOST_RELAXATIONS = 5;
const SHORTEST_MINUTES = 15;
const MORE_DAYS = 7;
const MOST_MEETINGS_A_DAY = 10;
/** The first meeting of longer hours lies at most so far outside the present ones. The smallest change may be more. */
const MOST_LONGER_MINUTES = 180;
const WEEKEND = ['saturday', 'sunday'] as const;

/**
 * Returns at most five, those that open the most first (schema/DECISIONS.md, "Empty answers"). `misses` come from
 * `missesOf`. Of longer hours the first meeting is the best, because it is the nearest to the present hours.
 */
export function relaxationsOf(search: Search, bestOf: BestOf, misses = missesOf(search)): Relaxation[] {
  const free = freeForBoth(search);
  const hours = misses
    .filter(({ missedBy }, i) => i === 0 || missedBy <= MOST_LONGER_MINUTES)
    .map(({ at, missedBy, ...longer }) => ({ ...longer, first: at, best: at }));
  const others = [
    ...ofSearch(search, free),
    ...ofPerson(search, 'requester', free),
    ...ofPerson(search, 'other', free),
  ].map((opened) => ({ ...opened, opens: opened.starts.length }));
  const most = [...hours, ...others].sort((a, b) => b.opens - a.opens).slice(0, MOST_RELAXATIONS);
  return most.map((one) => {
    if ('best' in one) return one;
    const { change, changed, starts, opens } = one;
    const best = bestOf(changed, change.change === 'more_days' ? ofNextDay(search, starts) : starts);
    return { ...change, opens, first: starts[0] ?? 0, best };
  });
}

/** After a search of certain dates, the next day that bridges no holiday to days off counts more than the best day. */
function ofNextDay({ requester, other }: Search, starts: readonly number[]): readonly number[] {
  const isBridge = (start: number) =>
    [requester, other].some((person) => bridgeAt(person, localDay(person.timeZone, start)) !== undefined);
  const first = starts.find((start) => !isBridge(start));
  return first === undefined ? starts : starts.filter((start) => start >= first && start < first + DAY);
}

function ofSearch(search: Search, free: Edges): Opened[] {
  const relaxations: Opened[] = [];
  const { durationMinutes } = search;
  const longest = Math.ceil(durationMinutes / 15 - 1) * 15;
  for (let shorter = longest; shorter >= SHORTEST_MINUTES && relaxations.length === 0; shorter -= 15) {
    const change = { change: 'shorter_duration', email: null, durationMinutes: shorter } as const;
    const changed = { ...search, durationMinutes: shorter };
    relaxations.push(...opening(change, changed, startsWithin(free, changed)));
  }
  for (const asked of search.narrowedTo ?? []) {
    const rest = search.narrowedTo?.filter((kept) => kept !== asked);
    const change =
      asked.by === 'when'
        ? ({ change: 'without_when', email: null, words: asked.words.join(', ') } as const)
        : ({ change: 'without_time_ranges', email: null } as const);
    relaxations.push(...tried(change, { ...search, narrowedTo: rest }));
  }
  const longer = longerWindow(search);
  if (longer !== undefined)
    relaxations.push(
      ...tried({ change: 'more_days', email: null, endDate: longer.end }, { ...search, window: longer }),
    );
  return relaxations;
}

/** Undefined if the calendars of the seven days after are unknown, or if the search would cover too many days. */
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
    const focusBlocks = person.focusBlocks.filter((kept) => kept !== block);
    const change = { change: 'without_focus_block', email, focusBlock: { day, start, end } } as const;
    relaxations.push(...opening(change, { ...search, [role]: { ...person, focusBlocks } }, starts));
  }
  for (const rule of neverRules(person))
    tryWith(
      { change: 'without_rule', email, words: rule.words, blocks: rule.blocks },
      { standing: standing.filter((kept) => kept !== rule) },
    );
  for (const holiday of holidaysInSearch(search, person))
    tryWith({ change: 'work_on_holiday', email, holiday }, withoutHoliday(person, holiday));
  const weekends = withWeekends(workHours);
  if (weekends) tryWith({ change: 'weekends', email }, { workHours: weekends });
  return relaxations;
}

/** Weekends get the first working day's hours. Undefined if all of the weekend is worked already, or nothing is. */
function withWeekends(workHours: WorkHours): WorkHours | undefined {
  const usual = WEEKDAYS.map((day) => workHours[day]).find(({ enabled }) => enabled);
  if (usual === undefined || WEEKEND.every((day) => workHours[day].enabled)) return undefined;
  const hours = { ...workHours };
  for (const day of WEEKEND) if (!hours[day].enabled) hours[day] = usual;
  return hours;
}

const tried = (change: Change, search: Search) => opening(change, search, candidateStarts(search));

const opening = (change: Change, changed: Search, starts: readonly number[]): Opened[] =>
  starts.length === 0 ? [] : [{ change, changed, starts }];

/** Computes the free time without any block once: a search for each is far slower. `free` is with all blocks. */
export function startsWithoutEachBlock(search: Search, role: 'requester' | 'other', free: Edges) {
  const person = search[role];
  const { timeZone, focusBlocks } = person;
  if (focusBlocks.length === 0) return [];
  const without = { ...ALL_RULES, focusBlocks: false };
  const [of, ofOther] = role === 'requester' ? [without, ALL_RULES] : [ALL_RULES, without];
  // Stretches shorter than the meeting cannot hold it, so `freeForMeeting` drops them.
  const open = freeForMeeting(search, of, ofOther);
  const days = daysElsewhere(windowDays(search.window));
  const weekly = keptFree(person).flatMap((kept) => (isDated(kept) ? [] : [toMinutes(kept)]));
  return focusBlocks.map((block) => {
    const alone = wallInstants(timeZone, days, weekAlone(block, weekly));
    return { block, starts: startsWithin(stretchesWith(alone, open, free), search) };
  });
}

/** Joins what becomes free with the free time that it touches. `open` is without any block, and `free` with all. */
function stretchesWith(spans: Edges, open: Edges, free: Edges): number[] {
  const stretches: number[] = [];
  for (let i = 0; i < spans.length; i += 2) {
    const parts = cut(open, edgeAt(spans, i), edgeAt(spans, i + 1));
    for (let j = 0; j < parts.length; j += 2)
      append(stretches, ...joined(free, edgeAt(parts, j), edgeAt(parts, j + 1)));
  }
  return stretches;
}

/** Reads a block once, because each block is compared with all others. */
const toMinutes = (block: FocusBlock) => ({ block, start: parseMinute(block.start), end: parseMinute(block.end) });

/** Returns the wall-clock minutes that this focus block covers and no other block or rule of the person does. */
function weekAlone(block: FocusBlock, weekly: readonly ReturnType<typeof toMinutes>[]): Week {
  const { own = [], others = [] } = Object.groupBy(
    weekly.filter((kept) => kept.block.day === block.day),
    (kept) => (kept.block === block ? 'own' : 'others'),
  );
  const minutes = subtract(inOrder(own), inOrder(others));
  return WEEKDAYS.map((weekday) => (weekday === block.day ? minutes : []));
}
