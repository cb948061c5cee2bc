import { candidateStarts } from './candidates.ts';
import { formatDate, sayDate, WEEKDAYS } from './dates.ts';
import { fullDays } from './person-rules.ts';
import type { FocusBlock, Person, Search, WorkHours } from './types.ts';
import { LONGEST_DAYS, windowDays } from './window.ts';

/** One change, of the search or of one person's rules. */
export type Change =
  | { change: 'shorter_duration'; email: null; durationMinutes: number }
  | { change: 'more_days'; email: null; endDate: string }
  | { change: 'no_buffer'; email: string; bufferMinutes: number }
  | { change: 'one_more_meeting_a_day'; email: string; maxMeetingsPerDay: number }
  | { change: 'without_focus_block'; email: string; focusBlock: Pick<FocusBlock, 'day' | 'start' | 'end'> }
  | { change: 'weekends'; email: string };

/** A change and how many starts it would open. */
export type Relaxation = Change & { opens: number };

const MOST_RELAXATIONS = 5;
const SHORTEST_MINUTES = 15;
const MORE_DAYS = 7;
const MOST_MEETINGS_A_DAY = 10;
const WEEKEND = ['saturday', 'sunday'] as const;

/** Each single change that would open times to a search that has none; most first, at most five (decisions, Availability). */
export function relaxationsOf(search: Search): Relaxation[] {
  const all = [...ofSearch(search), ...ofPerson(search, 'requester'), ...ofPerson(search, 'other')];
  return all.sort((a, b) => b.opens - a.opens).slice(0, MOST_RELAXATIONS);
}

/** A relaxation as a suggestion: "With a meeting of 30 minutes, there would be 12 times." */
export function suggestionOf(relaxation: Relaxation): string {
  const times = relaxation.opens === 1 ? 'one time' : `${relaxation.opens} times`;
  return `${conditionOf(relaxation)}, there would be ${times}.`;
}

function conditionOf(change: Change): string {
  switch (change.change) {
    case 'shorter_duration':
      return `With a meeting of ${change.durationMinutes} minutes`;
    case 'more_days':
      return `With dates up to ${sayDate(change.endDate)}`;
    case 'no_buffer':
      return `Without the ${change.bufferMinutes} minutes that ${change.email} keeps free around busy times`;
    case 'one_more_meeting_a_day':
      return `With up to ${change.maxMeetingsPerDay} meetings a day for ${change.email}`;
    case 'without_focus_block': {
      const { day, start, end } = change.focusBlock;
      const weekday = `${day.charAt(0).toUpperCase()}${day.slice(1)}`;
      return `Without the focus block of ${change.email} on ${weekday} from ${start} to ${end}`;
    }
    case 'weekends':
      return `With weekends for ${change.email}`;
  }
}

function ofSearch(search: Search): Relaxation[] {
  const relaxations: Relaxation[] = [];
  const { durationMinutes, window, daysKnownAfter = 0 } = search;
  const longest = Math.ceil(durationMinutes / 15 - 1) * 15;
  for (let shorter = longest; shorter >= SHORTEST_MINUTES && relaxations.length === 0; shorter -= 15) {
    const change = { change: 'shorter_duration', email: null, durationMinutes: shorter } as const;
    relaxations.push(...tried(change, { ...search, durationMinutes: shorter }));
  }
  const days = window.days + MORE_DAYS;
  if (daysKnownAfter >= MORE_DAYS && days <= LONGEST_DAYS) {
    const end = formatDate(windowDays(window).last + MORE_DAYS);
    const longer = { ...search, window: { start: window.start, end, days } };
    relaxations.push(...tried({ change: 'more_days', email: null, endDate: end }, longer));
  }
  return relaxations;
}

function ofPerson(search: Search, role: 'requester' | 'other'): Relaxation[] {
  const person = search[role];
  const { email, bufferMinutes, maxMeetingsPerDay, focusBlocks, workHours } = person;
  const relaxations: Relaxation[] = [];
  const tryWith = (change: Change, rules: Partial<Person>) =>
    relaxations.push(...tried(change, { ...search, [role]: { ...person, ...rules } }));
  if (bufferMinutes > 0) tryWith({ change: 'no_buffer', email, bufferMinutes }, { bufferMinutes: 0 });
  if (maxMeetingsPerDay < MOST_MEETINGS_A_DAY && fullDays(person).size > 0) {
    const oneMore = { maxMeetingsPerDay: maxMeetingsPerDay + 1 };
    tryWith({ change: 'one_more_meeting_a_day', email, ...oneMore }, oneMore);
  }
  for (const block of focusBlocks) {
    const { day, start, end } = block;
    const change = { change: 'without_focus_block', email, focusBlock: { day, start, end } } as const;
    tryWith(change, { focusBlocks: focusBlocks.filter((kept) => kept !== block) });
  }
  const weekends = withWeekends(workHours);
  if (weekends) tryWith({ change: 'weekends', email }, { workHours: weekends });
  return relaxations;
}

/** Weekends worked like the first working day of the week; undefined when they are worked already, or no day is. */
function withWeekends(workHours: WorkHours): WorkHours | undefined {
  const usual = WEEKDAYS.map((day) => workHours[day]).find(({ enabled }) => enabled);
  if (usual === undefined || WEEKEND.every((day) => workHours[day].enabled)) return undefined;
  const hours = { ...workHours };
  for (const day of WEEKEND) if (!hours[day].enabled) hours[day] = usual;
  return hours;
}

function tried(change: Change, search: Search): Relaxation[] {
  const opens = candidateStarts(search).length;
  return opens === 0 ? [] : [{ ...change, opens }];
}
