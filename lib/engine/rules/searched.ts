import { formatDate, parseDate } from '../time/dates.ts';
import { localDate } from '../time/zone.ts';
import type { Search } from '../types.ts';
import { freeForMeeting, NOTICE, startsWithin } from './candidates.ts';
import { ALL_RULES } from './free-time.ts';

/** "The only time through 21 January" needs them, because nobody has looked beyond. */
export interface Searched {
  first: string;
  last: string;
  /** True if the search begins now, and false if it begins on a later date. */
  isFromNow: boolean;
}

/** Returns the dates that a search covers. Returns undefined if the caller gave a range of instants. */
export function searchedIn({ requester, window, within, only, notBefore = 0, now }: Search): Searched | undefined {
  if (within !== undefined || only !== undefined) return undefined;
  const isFromNow = notBefore <= now && window.start <= localDate(requester.timeZone, now);
  return { first: window.start, last: window.end, isFromNow };
}

/** Returns true if a start before `first` suits both people, and only the minimum notice rules it out. */
export function isHeldBack(search: Search, first: number): boolean {
  const { now, requester, window } = search;
  const today = localDate(requester.timeZone, now);
  const end = [window.end, dayAfter(today)].sort()[0] ?? window.end;
  const soon = { ...search, now: now - NOTICE, window: { ...window, end } };
  const [start] = startsWithin(freeForMeeting(soon, ALL_RULES, ALL_RULES), soon, 1);
  return start !== undefined && start < first;
}

const dayAfter = (date: string): string => formatDate((parseDate(date) ?? 0) + 1);
