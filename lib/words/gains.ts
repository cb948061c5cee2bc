import { isLastThing } from '../engine/rank/comfort.ts';
import type { SlotFacts } from '../engine/rank/slot-facts.ts';
import { MINUTE } from '../engine/time/dates.ts';
import { localDate } from '../engine/time/zone.ts';
import { namesWhere, seasonOf } from './costs.ts';
import { limitWords } from './limits.ts';
import { say } from './patterns.ts';
import { farWords, lasting, type Names, stretch, weekdayIn } from './people.ts';

/**
 * An advantage of an offered time, in words. A lower `rank` is stronger. `about` names its subject, so that no sentence
 * gives two advantages on one subject.
 */
export interface Phrase {
  text: string;
  rank: number;
  /** True if the phrase says that the time is the last free one before somebody's working day ends. */
  isLast?: boolean;
  /**
   * True if the advantage is one for both people, so that a sentence can weigh it against a drawback for either of
   * them.
   */
  isForAll?: boolean;
  /** The name of the one person who gains, or "both". Absent if the advantage is nobody's own. */
  who?: string;
  /** The advantage without the person who has it. Absent if it is always one of this time alone. */
  kind?: string;
  /** True if the ranking puts the time before others for this advantage. */
  isFactor?: boolean;
  /** True if the phrase stands only beside a drawback, to say why Tandem offers the time all the same. */
  isAgainstCost?: boolean;
  about: 'place' | 'part' | 'room' | 'asked' | 'taste';
}

/** Returns the advantages that an offered time has. They are not sorted by strength, which `rank` gives. */
export function gainsOf(facts: SlotFacts, offered: readonly SlotFacts[], names: Names): Phrase[] {
  return [
    ...placeGains(facts, offered, names),
    ...soonestGains(facts, offered),
    ...askedGains(facts),
    ...dayGains(facts, offered, names),
  ];
}

function placeGains(facts: SlotFacts, offered: readonly SlotFacts[], names: Names): Phrase[] {
  const place = (text: string): Phrase => ({ text, rank: 0, about: 'place' });
  const only = (limit: string) => place(say('gain.only', { limit }));
  if (facts.fromAsked !== undefined) return [];
  if (facts.isOnlyTime) return [only(limitWords(facts.searched))];
  const dateOf = ({ start, people: [{ timeZone }] }: SlotFacts) => localDate(timeZone, start);
  const isAloneThatDay = offered.every((one) => one === facts || dateOf(one) !== dateOf(facts));
  return [
    ...(facts.isOnlyOfDay ? [only(say('limit.that_day'))] : []),
    ...(facts.isFirst && !facts.isFirstWithNotice && facts.searched?.isFromNow === true
      ? [place(say('gain.first'))]
      : []),
    ...(facts.isLastOfDay && !facts.isOnlyOfDay && isAloneThatDay
      ? lastGains(facts, names).map((text) => ({ ...place(text), kind: text, isLast: true }))
      : []),
  ];
}

/**
 * Says that a time with a drawback is sooner than the others, which the ranking counts for it. The first time offered
 * may say so of its own weekday, if another one comes sooner.
 */
function soonestGains(facts: SlotFacts, offered: readonly SlotFacts[]): Phrase[] {
  const others = offered.filter((one) => one !== facts);
  if (facts.fromAsked !== undefined || others.length === 0) return [];
  const soonest = (text: string): Phrase[] => [{ text, rank: 0.5, about: 'place', isAgainstCost: true }];
  const isSooner = ({ start }: SlotFacts) => facts.start < start;
  if (others.every(isSooner)) return soonest(say('gain.soonest'));
  const weekdayOf = ({ start, people: [{ timeZone }] }: SlotFacts) => weekdayIn(start, timeZone);
  const weekday = weekdayOf(facts);
  const thatDay = others.filter((one) => weekdayOf(one) === weekday);
  return facts === offered[0] && thatDay.length > 0 && thatDay.every(isSooner)
    ? soonest(say('gain.soonest_on', { weekday }))
    : [];
}

/**
 * Returns those advantages of an offered time that tell it apart from the others, strongest first. An advantage that
 * other times have too tells nobody which one to take. Only the first time offered may name it, and prefers one of its
 * own.
 */
export function tellingGains(i: number, gains: readonly (readonly Phrase[])[]): Phrase[] {
  const isShared = ({ kind, who }: Phrase) =>
    kind !== undefined &&
    gains.some((others, k) => k !== i && others.some((one) => one.kind === kind && [who, 'both'].includes(one.who)));
  const own = (gains[i] ?? []).map((phrase) => ({ phrase, isOwn: !isShared(phrase) }));
  return own
    .filter(({ phrase, isOwn }) => isOwn || (i === 0 && phrase.isLast !== true))
    .sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || a.phrase.rank - b.phrase.rank)
    .map(({ phrase }) => phrase);
}

/** Says that a time is the last one before somebody's day ends: "the last free hour of Femke's day". */
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

/** Largest distance in minutes from the requested time at which a sentence says how far an alternative lies from it. */
const MOST_MINUTES = 120;

/** Returns the phrases that say how near an alternative lies to the time that was asked for. */
function askedGains({ fromAsked, people: [requester] }: SlotFacts): Phrase[] {
  if (fromAsked === undefined) return [];
  const { days } = fromAsked;
  const minutes = Math.round(fromAsked.minutes);
  const asked = (text: string, rank = 0): Phrase => ({ text, rank, about: 'asked' });
  const way = (by: number) => (by < 0 ? 'earlier' : 'later');
  if (days === 0 && minutes !== 0 && Math.abs(minutes) > MOST_MINUTES) return [];
  if (days === 0 && minutes !== 0)
    return [asked(say('gain.near_asked', { length: stretch(Math.abs(minutes)), direction: way(minutes) }))];
  const far = farWords(days);
  if (minutes === 0) return days === 0 ? [] : [asked(say('gain.same_time_day', { days: far }))];
  const isMorning = requester.startMinute < 720;
  const isSameHalf = isMorning === requester.startMinute - minutes < 720;
  return isSameHalf ? [asked(say('gain.same_half', { half: isMorning ? 'morning' : 'afternoon', days: far }), 2)] : [];
}

const HOUR_MINUTES = 60;

function dayGains({ start, people }: SlotFacts, offered: readonly SlotFacts[], names: Names): Phrase[] {
  const gains: Phrase[] = [];
  const add = (kind: string, text: string, about: Phrase['about'], who: string) =>
    gains.push({ kind, text, about, who, rank: who === 'both' ? 1 : 2, isForAll: who === 'both' });
  // In two empty calendars every time has room around it, and a free morning for one of them tells nobody anything.
  const isEmpty = people.every(({ isCalendarEmpty }) => isCalendarEmpty);
  // An empty calendar on 24 December or a bridge day says nothing good about a time: people keep the day for themselves.
  const isKept = seasonOf(start, people) !== undefined || people.some(({ bridge }) => bridge !== undefined);
  for (const half of isKept ? [] : (['morning', 'afternoon'] as const)) {
    const who = namesWhere(people, ({ freeHalf }) => freeHalf === half, names);
    if (who === 'both' || (who !== undefined && !isEmpty)) add(half, say('gain.free_half', { half, who }), 'part', who);
  }
  const likers = namesWhere(people, ({ verdict }) => verdict === 'prefer', names);
  if (likers !== undefined)
    add(
      '',
      likers === 'both' ? say('gain.preferred_by_both') : say('gain.preferred', { who: likers }),
      'taste',
      likers,
    );
  // People say "mid-morning" of an hour well into the working day, and not of its first hour.
  const isAtStart = people.some(({ afterOpening }) => afterOpening >= 0 && afterOpening < HOUR_MINUTES);
  const who = isAtStart ? undefined : namesWhere(people, ({ isMidMorning }) => isMidMorning, names);
  // The hour alone makes up for no cost, except in the first sentence, which says what put the time first.
  if (who !== undefined)
    gains.push({
      kind: 'mid-morning',
      text: say('gain.mid_morning', { who }),
      rank: who === 'both' ? 1 : 2,
      about: 'part',
      who,
      isFactor: people[0].isMidMorning && offered.some((one) => !one.people[0].isMidMorning),
    });
  // No sentence praises the room around a time on such a day, or around one that is early or late for both people.
  if (isKept || people.every(({ outside }) => outside !== undefined)) return gains;
  // Room around it for one person alone would say that the other one has none.
  if (!isEmpty && people.every(({ hasRoom }) => hasRoom)) add('room', say('gain.room'), 'room', 'both');
  return gains;
}
