import { MINUTE, WEEKDAYS } from '../time/dates.ts';
import { overlaps } from '../time/intervals.ts';
import { daysAround, wallInstants } from '../time/wall-instants.ts';
import { localDate, localDay } from '../time/zone.ts';
import type { FocusBlock, Narrowing, Search, SearchedPerson } from '../types.ts';
import { hasCandidate, neverRules, WORK_HOURS_ONLY } from './free-time.ts';
import { type Bridge, bridgeAt, holidaysInSearch } from './holidays.ts';
import { type BestOf, longerWindow, MOST_RELAXATIONS, type Relaxation, relaxationsOf } from './relaxations.ts';
import { type Cause, causesOf, type Miss, missesOf, wasFree } from './why-empty.ts';

/** One person's rules that can occur in the sentence about why a search finds no times. */
export interface RulesOfPerson {
  email: string;
  timeZone: string;
  bufferMinutes: number;
  maxMeetingsPerDay: number;
  holidayNames: string[];
  /** The weekly times that each of the person's own rules excludes. */
  ownRules: FocusBlock[][];
  bridges: Map<number, Bridge>;
  lunches: ReadonlySet<number>;
}

/** The reason why a search finds no times, as facts from which a sentence is written. */
export interface NoTimes {
  /** Rules that together leave no time. Without any one of them, the others would leave some. */
  causes: Cause[];
  durationMinutes: number;
  people: [RulesOfPerson, RulesOfPerson];
  /** The first and last date searched, in the requester's zone. Undefined if the caller gave a range of instants. */
  dates: { first: string; last: string } | undefined;
  /** True if the search finds no times only because times are past or within the minimum notice. */
  wasFree: boolean;
  /** Set only if the two people's work hours never meet. */
  nearest: Miss | undefined;
  /** True if the two people's work hours meet at all, even for less time than the meeting takes. */
  doHoursMeet: boolean;
  /** The last date, later than those searched, until which no time suits both either. Undefined if none was looked at. */
  noneUntil: string | undefined;
  relaxations: Relaxation[];
  narrowedTo: readonly Narrowing[];
}

/** `bestOf` chooses the time that a sentence names for a change. */
export function noTimesIn(search: Search, bestOf: BestOf): NoTimes {
  const { requester, other, durationMinutes, window, within, notBefore } = search;
  const causes = causesOf(search);
  const misses = missesOf(search, causes);
  const relaxations = relaxationsOf(search, bestOf, misses);
  const first = notBefore === undefined ? window.start : localDate(requester.timeZone, notBefore);
  return {
    causes,
    durationMinutes,
    people: [rulesOf(search, requester, relaxations), rulesOf(search, other, relaxations)],
    dates: within === undefined ? { first: [first, window.start].sort()[1] ?? first, last: window.end } : undefined,
    wasFree: wasFree(search),
    nearest: misses[0],
    doHoursMeet: hasCandidate({ ...search, durationMinutes: 1, now: LONG_AGO, notAt: undefined }, WORK_HOURS_ONLY),
    noneUntil: noneUntil(search, relaxations),
    relaxations,
    narrowedTo: search.narrowedTo ?? [],
  };
}

const LONG_AGO = 0;
const LUNCH = WEEKDAYS.map(() => [12 * 60, 13 * 60]);

/** Returns the last of the days after a search that have no time either. Undefined if they have one, or are unknown. */
function noneUntil(search: Search, relaxations: readonly Relaxation[]): string | undefined {
  // A range of instants stays the same with more days, so nobody has looked beyond it.
  if (search.within !== undefined || search.only !== undefined || search.narrowedTo !== undefined) return undefined;
  // A full list may have no place left for the change that adds days.
  if (relaxations.length >= MOST_RELAXATIONS || relaxations.some(({ change }) => change === 'more_days'))
    return undefined;
  return longerWindow(search)?.end;
}

function lunchesOf(search: Search, { timeZone, unknown }: SearchedPerson, relaxations: readonly Relaxation[]) {
  if (unknown === 'clock') return new Set<number>();
  const overLunch = relaxations.filter((relaxation) => {
    const { best: start } = relaxation;
    const isShorter = relaxation.change === 'shorter_duration';
    const minutes = isShorter ? relaxation.durationMinutes : search.durationMinutes;
    const meeting = { start, end: start + minutes * MINUTE };
    return overlaps(wallInstants(timeZone, daysAround(meeting), LUNCH), meeting);
  });
  return new Set(overLunch.map(({ best }) => best));
}

function rulesOf(search: Search, person: SearchedPerson, relaxations: readonly Relaxation[]): RulesOfPerson {
  const { email, timeZone, bufferMinutes, maxMeetingsPerDay } = person;
  const names = new Set(holidaysInSearch(search, person).map(({ name }) => name));
  const ownRules = neverRules(person).map(({ blocks }) => blocks);
  const bridges = relaxations.flatMap(({ best }): [number, Bridge][] => {
    const bridge = bridgeAt(person, localDay(timeZone, best));
    return bridge === undefined ? [] : [[best, bridge]];
  });
  const lunches = lunchesOf(search, person, relaxations);
  const told = { holidayNames: [...names], ownRules, bridges: new Map(bridges), lunches };
  return { email, timeZone, bufferMinutes, maxMeetingsPerDay, ...told };
}
