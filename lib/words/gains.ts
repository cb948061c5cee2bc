import type { PersonFacts, SlotFacts } from '../engine/rank/slot-facts.ts';
import { MINUTE } from '../engine/time/dates.ts';
import { isFirstThing, isLastThing, namesWhere } from './costs.ts';
import { say } from './patterns.ts';
import { farWords, lasting, type Names, stretch } from './people.ts';

/**
 * An advantage of an offered time. A lower `rank` is stronger. `about` names its subject, so that no sentence speaks of
 * one subject twice.
 */
export interface Phrase {
  text: string;
  rank: number;
  /** True if the text says that the time is the last one before somebody's day ends. */
  isLast?: boolean;
  about: 'place' | 'part' | 'room' | 'hours' | 'asked' | 'taste';
}

/**
 * The rank of the advantage that only names the part of the day, such as "late morning for both". Every time has it,
 * and it is the weakest.
 */
export const ON_THE_CLOCK = 5;
/** Minutes from either end of the working day from which a meeting lies well inside it. */
const INSIDE_MINUTES = 120;

/**
 * Returns the advantages that an offered time has, at least one. They are not sorted by strength, which `rank` gives.
 */
export function gainsOf(facts: SlotFacts, offered: readonly SlotFacts[], names: Names): Phrase[] {
  return [
    ...placeGains(facts, offered, names),
    ...askedGains(facts),
    ...dayGains(facts, names),
    { text: clocksWords(facts, names), rank: ON_THE_CLOCK, about: 'part' },
  ];
}

function placeGains(facts: SlotFacts, offered: readonly SlotFacts[], names: Names): Phrase[] {
  const place = (text: string, rank: number): Phrase => ({ text, rank, about: 'place' });
  if (facts.fromAsked !== undefined) return facts.isOnlyTime ? [place(say('gain.only'), 0)] : [];
  if (facts.isOnlyTime) return [place(say('gain.only'), 0)];
  const isLatest = offered.length > 1 && offered.every(({ start }) => start <= facts.start);
  return [
    ...(facts.isOnlyOfDay ? [place(say('gain.only_of_day'), 0)] : []),
    ...(facts.isFirst ? [place(say('gain.first'), 0)] : []),
    ...(facts.isLastOfDay && !facts.isOnlyOfDay
      ? lastGains(facts, names).map((text) => ({ ...place(text, 0), isLast: true }))
      : []),
    ...(isLatest ? [place(say('gain.latest'), 3)] : []),
  ];
}

/** Says that a time is the last one before somebody's day ends: "the last free hour before Femke finishes". */
function lastGains({ start, end, people }: SlotFacts, names: Names): string[] {
  const who = people.filter((one) => isLastThing(one) && one.outside === undefined);
  if (who.length === 0) return [];
  const length = lasting((end - start) / MINUTE)
    .replace(/^an? /, '')
    .replace(/^30 minutes$/, 'half hour');
  const [first] = who.toSorted((a, b) => a.beforeClosing - b.beforeClosing);
  return who.length > 1 || first === undefined
    ? [say('gain.last_of_day', { length })]
    : [say('gain.last_before', { length, who: names.short(first.email) })];
}

/** Says how near an alternative lies to the time that was asked for. */
function askedGains({ fromAsked, people: [requester] }: SlotFacts): Phrase[] {
  if (fromAsked === undefined) return [];
  const { days } = fromAsked;
  const minutes = Math.round(fromAsked.minutes);
  const asked = (text: string, rank = 0): Phrase => ({ text, rank, about: 'asked' });
  const way = (by: number) => (by < 0 ? 'earlier' : 'later');
  if (days === 0 && minutes !== 0)
    return [asked(say('gain.near_asked', { length: stretch(Math.abs(minutes)), direction: way(minutes) }))];
  const far = farWords(days);
  if (minutes === 0) return days === 0 ? [] : [asked(say('gain.same_time_day', { days: far }))];
  const isMorning = requester.startMinute < 720;
  const isSameHalf = isMorning === requester.startMinute - minutes < 720;
  return isSameHalf ? [asked(say('gain.same_half', { half: isMorning ? 'morning' : 'afternoon', days: far }), 2)] : [];
}

function dayGains({ people }: SlotFacts, names: Names): Phrase[] {
  const gains: Phrase[] = [];
  const forBothFirst = (who: string | undefined) => (who === 'both' ? 1 : 2);
  // An empty calendar on 24 or 31 December says nothing good about a time: people keep the day for themselves.
  const isEve = people.some(({ isHalfDay }) => isHalfDay);
  for (const half of isEve ? [] : (['morning', 'afternoon'] as const)) {
    const who = namesWhere(people, ({ freeHalf }) => freeHalf === half, names);
    if (who !== undefined)
      gains.push({ text: say('gain.free_half', { half, who }), rank: forBothFirst(who), about: 'part' });
  }
  const who = namesWhere(people, ({ isMidMorning }) => isMidMorning, names);
  if (who !== undefined) gains.push({ text: say('gain.mid_morning', { who }), rank: forBothFirst(who), about: 'part' });
  const likers = namesWhere(people, ({ verdict }) => verdict === 'prefer', names);
  if (likers !== undefined) {
    const text = likers === 'both' ? say('gain.preferred_by_both') : say('gain.preferred', { who: likers });
    gains.push({ text, rank: forBothFirst(likers), about: 'taste' });
  }
  // No sentence praises the room around a time on an eve, or around one that is early or late for both people.
  if (isEve || people.every(({ outside }) => outside !== undefined)) return gains;
  const withRoom = namesWhere(people, ({ hasRoom }) => hasRoom, names);
  if (withRoom === 'both') gains.push({ text: say('gain.room'), rank: 1, about: 'room' });
  else if (withRoom !== undefined)
    gains.push({ text: say('gain.room_for', { who: withRoom }), rank: 3, about: 'room' });
  if (people.every(isInside)) gains.push({ text: say('gain.inside_days'), rank: 3, about: 'hours' });
  return gains;
}

const isInside = (one: PersonFacts) =>
  one.outside === undefined &&
  !isFirstThing(one) &&
  one.afterOpening >= INSIDE_MINUTES &&
  one.beforeClosing >= INSIDE_MINUTES;

/** Names the part of the day on both clocks, once if it is the same: "late morning for both". */
function clocksWords({ people: [one, two] }: SlotFacts, names: Names): string {
  const [part, other] = [partOf(one.startMinute), partOf(two.startMinute)];
  if (part === other) return say('for', { what: part, who: 'both' });
  return say('gain.two_clocks', {
    part,
    who: names.short(one.email),
    otherPart: other,
    other: names.short(two.email),
  });
}

const PARTS = [
  [300, 'night'],
  [540, 'early morning'],
  [600, 'morning'],
  [660, 'mid-morning'],
  [720, 'late morning'],
  [840, 'early afternoon'],
  [960, 'mid-afternoon'],
  [1080, 'late afternoon'],
  [1260, 'evening'],
] as const;

const partOf = (minute: number): string => PARTS.find(([until]) => minute < until)?.[1] ?? 'night';
