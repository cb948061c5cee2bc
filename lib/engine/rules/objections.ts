import { covers, inOrder, overlaps } from '../time/intervals.ts';
import { blockInstants, daysAround, WHOLE_WEEK, wallInstants, workWeek } from '../time/wall-instants.ts';
import { windowDays } from '../time/window.ts';
import type { DateWindow, Interval, Narrowing, Search, SearchedPerson } from '../types.ts';
import { busyInstants, fullInstants, NOTICE, neverRules, QUARTER_HOUR } from './free-time.ts';
import { type Holiday, holidaysDuring } from './holidays.ts';

type SearchObjection =
  | { email: null; rule: 'quarter_hour' | 'notice' }
  | { email: null; rule: 'window'; window: DateWindow; timeZone: string }
  | { email: null; rule: Narrowing['by']; words: readonly string[] };

type PersonRule =
  | { rule: 'work_hours' | 'focus_block' | 'busy' | 'held' }
  | { rule: 'holiday'; holiday: Holiday }
  | { rule: 'standing_rule'; words: string }
  | { rule: 'day_limit'; maxMeetingsPerDay: number }
  | { rule: 'buffer'; bufferMinutes: number };

/** `email` names the person whose rule it is, and is null for a rule of the search itself. */
export type Objection = SearchObjection | (PersonRule & { email: string; timeZone: string; meeting: Interval });

export function searchObjections(
  { requester, window, now, notAfter, narrowedTo = [] }: Search,
  meeting: Interval,
): Objection[] {
  const { timeZone } = requester;
  const against: Objection[] = [];
  if (meeting.start % QUARTER_HOUR !== 0) against.push({ email: null, rule: 'quarter_hour' });
  if (meeting.start < now + NOTICE) against.push({ email: null, rule: 'notice' });
  const isWithin = covers(wallInstants(timeZone, windowDays(window), WHOLE_WEEK), meeting);
  if (!isWithin || (notAfter !== undefined && meeting.end > notAfter))
    against.push({ email: null, rule: 'window', window, timeZone });
  for (const { by, words, instants } of narrowedTo)
    if (!covers(instants, meeting)) against.push({ email: null, rule: by, words });
  return against;
}

/** Quotes standing rules, but never a calendar event or the reason of a focus block. */
export function personObjections(person: SearchedPerson, meeting: Interval): Objection[] {
  const { email, timeZone, bufferMinutes, maxMeetingsPerDay } = person;
  const days = daysAround(meeting);
  const broken: PersonRule[] = [];
  if (!covers(wallInstants(timeZone, days, workWeek(person.workHours)), meeting)) broken.push({ rule: 'work_hours' });
  const [holiday] = holidaysDuring(person, meeting);
  if (holiday !== undefined) broken.push({ rule: 'holiday', holiday });
  if (overlaps(blockInstants(timeZone, days, person.focusBlocks), meeting)) broken.push({ rule: 'focus_block' });
  for (const { words, blocks } of neverRules(person))
    if (overlaps(blockInstants(timeZone, days, blocks), meeting)) broken.push({ rule: 'standing_rule', words });
  if (overlaps(fullInstants(person, days), meeting)) broken.push({ rule: 'day_limit', maxMeetingsPerDay });
  const held = person.meetings.filter(({ isHeld }) => isHeld);
  const known = { busy: person.busy, meetings: person.meetings.filter(({ isHeld }) => !isHeld) };
  const isBusy = overlaps(busyInstants(known, 0), meeting);
  const isHeld = overlaps(inOrder(held), meeting);
  if (isBusy) broken.push({ rule: 'busy' });
  if (isHeld) broken.push({ rule: 'held' });
  if (!isBusy && !isHeld && overlaps(busyInstants(person, bufferMinutes), meeting))
    broken.push({ rule: 'buffer', bufferMinutes });
  return broken.map((rule) => ({ ...rule, email, timeZone, meeting }));
}
