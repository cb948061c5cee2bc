import { localDate } from '../time/zone.ts';
import type { Search, SearchedPerson } from '../types.ts';
import { neverRules } from './free-time.ts';
import { holidaysInSearch } from './holidays.ts';
import { type Miss, missesOf } from './longer-hours.ts';
import { type Relaxation, relaxationsOf } from './relaxations.ts';
import { type Cause, causesOf, wasFree } from './why-empty.ts';

/** One person's rules as far as the reason for an empty answer names them. */
export interface RulesOfPerson {
  email: string;
  timeZone: string;
  bufferMinutes: number;
  maxMeetingsPerDay: number;
  /** The names of the public holidays in the search, each once. */
  holidayNames: string[];
  /** The person's own words that rule times out. */
  ownWords: string[];
}

/** The reason why a search finds no times, as facts from which a sentence is written. */
export interface NoTimes {
  /** Rules that together leave no time. Without any one of them, the others would leave some. */
  causes: Cause[];
  durationMinutes: number;
  people: [RulesOfPerson, RulesOfPerson];
  /** The first and last date searched, in the requester's zone. Undefined if the caller gave a range of instants. */
  dates: { first: string; last: string } | undefined;
  /** True if the search would find times if past times and the minimum notice did not count. */
  wasFree: boolean;
  /** The nearest miss, if the two have no work hours in common. */
  nearest: Miss | undefined;
  relaxations: Relaxation[];
}

/** Returns the facts about a search that finds no times. */
export function noTimesIn(search: Search): NoTimes {
  const { requester, other, durationMinutes, window, within, notBefore } = search;
  const causes = causesOf(search);
  const misses = missesOf(search, causes);
  const first = notBefore === undefined ? window.start : localDate(requester.timeZone, notBefore);
  return {
    causes,
    durationMinutes,
    people: [rulesOf(search, requester), rulesOf(search, other)],
    dates: within === undefined ? { first: [first, window.start].sort()[1] ?? first, last: window.end } : undefined,
    wasFree: wasFree(search),
    nearest: misses[0],
    relaxations: relaxationsOf(search, misses),
  };
}

function rulesOf(search: Search, person: SearchedPerson): RulesOfPerson {
  const { email, timeZone, bufferMinutes, maxMeetingsPerDay } = person;
  const names = new Set(holidaysInSearch(search, person).map(({ name }) => name));
  const ownWords = neverRules(person).map(({ words }) => words);
  return { email, timeZone, bufferMinutes, maxMeetingsPerDay, holidayNames: [...names], ownWords };
}
