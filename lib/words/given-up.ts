import type { GivenUp, PickFacts } from '../engine/rank/pick-facts.ts';
import type { Cause } from '../engine/rules/why-empty.ts';
import type { EnergyPattern } from '../engine/types.ts';
import type { WishPart } from '../engine/wish/wish.ts';
import { type Asked, metWords, oncePerPart, partsIn } from './asked.ts';
import { datesOf, seasonOf } from './costs.ts';
import { KIND } from './kinds.ts';
import { limitWords } from './limits.ts';
import { say } from './patterns.ts';
import { capitalized, clockIn, listed, listedClauses, type Names, ofNotice } from './people.ts';
import { partWords, shiftWords } from './wish.ts';

/**
 * Largest number of a person's likings, such as mornings, that a sentence says the time goes against. Every other
 * drawback is always named, because it is a fact and not a tendency.
 */
const MOST_LIKINGS = 2;

/** Drawbacks of a chosen time, in clauses from which `describePick` makes its sentences. */
interface GivenUpWords {
  /** The parts of the rescheduling wish that the time misses. A clause that `mayLead` can give the reason for the time. */
  missed: { clause: string; mayLead: boolean }[];
  /** The reason why the time comes at short notice, or nothing. */
  notice: string[];
  /** Reasons why people stay away on the date, such as "between Christmas and New Year". */
  dates: string[];
  /** The other drawbacks, with the people who bear them. */
  borne: string[];
}

/**
 * Says in clauses which drawbacks the chosen time has for the two people, and which parts of the rescheduling wish it
 * misses.
 */
export function givenUpWords(facts: PickFacts, names: Names, asked: Asked | undefined): GivenUpWords {
  const missed = facts.givenUp.flatMap((fact) => {
    if (asked === undefined) return [];
    if (fact.kind === 'shift') return [{ clause: shiftMissedWords(fact, names, asked), mayLead: true }];
    return fact.kind === 'wish' ? [missedWords(fact, names, facts, asked)] : [];
  });
  const notice = facts.givenUp.flatMap((fact) =>
    fact.kind === 'notice'
      ? [say('bent.notice', { length: ofNotice(fact.wantedMinutes), limit: limitWords(facts.searched) })]
      : [],
  );
  const costs = oncePerPart(facts.givenUp).flatMap((fact) =>
    isCost(fact) &&
    !isOwnChoice(fact, facts, asked) &&
    !isAsBefore(fact, facts, asked) &&
    !isSaidByOutside(fact, facts.givenUp) &&
    !(fact.kind === 'outside_day' && fact.email === facts.fairness?.turn) &&
    !(fact.kind === 'overnight' && notice.length > 0)
      ? [fact]
      : [],
  );
  const likings = costs.filter(isLiking).slice(0, MOST_LIKINGS);
  const told = costs.filter((fact) => !isLiking(fact) || likings.includes(fact));
  const season = seasonOf(facts.start, facts.people);
  const bridges = season === undefined ? datesOf(facts.start, facts.people, names) : [];
  const borne = borneWords(
    told.map((fact) =>
      costWords(
        fact,
        names,
        facts,
        told.some((other) => isSameOfOther(fact, other)),
      ),
    ),
  );
  const dates = season === undefined ? bridges.map(({ what }) => say('bent.bridge', { bridge: what })) : [season];
  return { missed, notice, dates, borne };
}

/**
 * Says the drawbacks of a chosen time in sentences: why it comes at short notice, and its costs. With `isNewTime` the
 * last sentence names the new time, because after a sentence about a time that was not possible, "it" would mean that
 * time.
 */
export function costSentences({ notice, dates, borne }: GivenUpWords, isNewTime: boolean): string[] {
  const all = [...dates.map((drawback) => say('bent.date', { drawback })), ...borne];
  const costOf = isNewTime ? 'bent.cost_of_new' : 'bent.cost';
  const cost = all.length === 0 ? [] : [say(costOf, { words: listedClauses(all) })];
  return [...notice, ...cost].map(asSentence);
}

/** Makes a sentence of a clause. */
export const asSentence = (clause: string): string => capitalized(say('bent', { clause }));

/**
 * Says that the meeting could not move by the minutes asked for, and why. If somebody is busy then, nobody learns who.
 */
function shiftMissedWords({ minutes, because }: GivenUp & { kind: 'shift' }, names: Names, asked: Asked): string {
  const shift = shiftWords(asked.wish, minutes);
  return because.some(isOfMeetings)
    ? say('bent.shift_taken', { shift })
    : say('bent.shift', { shift, because: causeWords(because, names) });
}

/** A drawback in words, with the name of the person who bears it, or "both", if the words do not have it. */
interface Borne {
  what: string;
  who?: string;
}

/**
 * Returns the clauses about the drawbacks of a time. A person is named once, and so is a drawback that both people bear:
 * "is at short notice and back to back for Ada".
 */
function borneWords(costs: readonly Borne[]): string[] {
  const ofOne = Map.groupBy(costs, ({ what, who }) => who ?? what);
  return [...ofOne.values()].map((own) => {
    const all = [...new Set(own.map(({ what }) => what))];
    const isOneVerb = all.every((what) => what.startsWith('is '));
    const words = listed(all.map((what, i) => (isOneVerb && i > 0 ? what.slice('is '.length) : what)));
    const [{ who } = {}] = own;
    return who === undefined ? words : say('bent.for', { words, who });
  });
}

type Cost = Exclude<GivenUp, { kind: 'wish' | 'notice' | 'shift' }>;
const isLiking = ({ kind }: Cost) => kind === 'learned_part' || kind === 'learned_day' || kind === 'energy';
const isCost = (fact: GivenUp): fact is Cost => !['wish', 'notice', 'shift'].includes(fact.kind);

/** Returns true if two drawbacks are the same, but one is borne by one person and the second by the other. */
function isSameOfOther(fact: Cost, other: Cost): boolean {
  if (!('email' in fact) || !('email' in other) || fact.email === other.email || fact.kind !== other.kind) return false;
  if (fact.kind === 'outside_day') return 'side' in other && fact.side === other.side;
  if (fact.kind === 'edge_of_day') return 'edge' in other && fact.edge === other.edge;
  return ['lunch', 'back_to_back', 'beside', 'overnight'].includes(fact.kind);
}

/**
 * Returns true if a sentence needs to name only the second of two drawbacks: an evening does not suit the kind of
 * meeting, and the meeting ends after 18:00 for the same person.
 */
const isSaidByOutside = (fact: Cost, all: readonly GivenUp[]): boolean =>
  fact.kind === 'context' &&
  fact.part === 'evening' &&
  all.some(
    (other) => other.kind === 'outside_day' && other.side === 'late' && (fact.email ?? other.email) === other.email,
  );

const OF_CLOCK: ReadonlySet<WishPart> = new Set(['clockFrom', 'clockTo', 'clockUnwanted', 'refused', 'relative']);
const OF_DAY: ReadonlySet<WishPart> = new Set(['dates', 'weekdaysWanted']);

/**
 * Returns true if the attendee who asked for the move accepted this drawback. An attendee who asks for a Monday accepts
 * their usual dislike of Mondays.
 */
function isOwnChoice(fact: Cost, { decided }: PickFacts, asked: Asked | undefined): boolean {
  if (!('email' in fact) || fact.email !== asked?.email) return false;
  const met = partsIn(decided);
  if (fact.kind === 'learned_day' && asked.taught?.includes(`day_of_week_preference.${fact.weekday}`)) return true;
  if (fact.kind === 'learned_part' && asked.taught?.includes(`time_of_day_preference.${fact.part}`)) return true;
  if (fact.kind === 'standing_rule') return met.length > 0;
  if (fact.kind === 'learned_day') return met.some((part) => OF_DAY.has(part));
  const isOfClock = fact.kind === 'learned_part' || fact.kind === 'energy' || fact.kind === 'edge_of_day';
  return isOfClock && met.some((part) => OF_CLOCK.has(part));
}

/** Returns true if a moved meeting had this drawback before too, because it keeps its clock time for that person. */
function isAsBefore(fact: Cost, { start, people }: PickFacts, asked: Asked | undefined): boolean {
  if (fact.kind !== 'edge_of_day' || asked === undefined) return false;
  const { timeZone } = people.find(({ email }) => email === fact.email) ?? people[0];
  return clockIn(start, timeZone) === clockIn(asked.oldStart, timeZone);
}

function missedWords(
  { part, why, because = [] }: GivenUp & { kind: 'wish' },
  names: Names,
  facts: PickFacts,
  asked: Asked,
): GivenUpWords['missed'][number] {
  const leading = (clause: string) => ({ clause, mayLead: true });
  const { wish } = asked;
  const { words, missed } = partWords(wish, part, { ...asked, start: facts.start, end: facts.end });
  if (why === 'no_common_time')
    return leading(
      missed === undefined ? noneWords(words, causeWords(because, names)) : say('bent.every_time', { words: missed }),
    );
  const is = missed ?? say('when.not', { words });
  const met = metWords(facts, asked).map((part) => part.words);
  const isOnlyOne = facts.givenUp.filter(({ kind }) => kind === 'wish').length === 1;
  if (!isOnlyOne || met.length === 0) return { clause: say('bent.all', { words: is }), mayLead: false };
  return leading(noneWords(togetherWords([...met, words]), causeWords(because, names)));
}

/** Says that no common time meets a part of a wish: "no time on Thursday afternoon suits both". */
const noneWords = (words: string, because: string): string =>
  say(/^(?:on|in|at|between|before|after|from) /.test(words) ? 'bent.no_time' : 'bent.none_is', { words, because });

/**
 * Joins the phrases for several parts of a wish. A day and hours become one phrase, the day first: "on Thursday in the
 * afternoon".
 */
export function togetherWords(all: readonly string[]): string {
  const days = all.find((words) => DAYS.test(words));
  const hours = all.find((words) => HOURS.test(words));
  const isPair = all.length === 2 && days !== undefined && hours !== undefined;
  if (!isPair) return listed(all);
  const half = HALF.exec(hours)?.[1];
  return half !== undefined && WEEKDAY_ALONE.test(days)
    ? say('when.day_half', { days, half })
    : say('when.days_and_hours', { days, hours });
}

const DAYS = /^(?:on|in the week of|between [A-Z]\w+,) /;
const WEEKDAY_ALONE = /^on \w+$/;
const HALF = /^in the (morning|afternoon)$/;
const HOURS = /^(?:in the (?:morning|afternoon)$|at |between \d|no earlier |after \d)/;

/**
 * Says which rules together leave no time: ", as Ada and Bob do not work then". Says nothing if other meetings are among
 * the causes: nobody learns from a sentence when the other person is busy.
 */
function causeWords(causes: readonly Cause[], names: Names): string {
  if (causes.some(isOfMeetings)) return '';
  const reasons = Object.entries(Object.groupBy(causes, ({ rule }) => rule)).map(([rule, alike = []]) => {
    const people = alike.flatMap(({ email }) => (email === null ? [] : [names.short(email)]));
    return CAUSE[rule as keyof typeof CAUSE](listed(people), people.length > 1);
  });
  return reasons.length === 0 ? '' : say('because', { causes: listed(reasons) });
}

const isOfMeetings = ({ rule }: Cause) => rule === 'busy' || rule === 'buffer';

const CAUSE: Record<Exclude<Cause['rule'], 'busy' | 'buffer'>, (who: string, areBoth: boolean) => string> = {
  window: () => say('because.window'),
  notice: () => say('because.notice'),
  had_before: () => say('because.had_before'),
  floor: () => say('because.floor'),
  work_hours: (who, areBoth) => say('because.work_hours', { who, do: areBoth ? 'do' : 'does' }),
  holiday: (who, areBoth) => say('because.holiday', { who, has: areBoth ? 'have' : 'has' }),
  focus_block: (who, areBoth) => say('because.focus_block', { who, keeps: areBoth ? 'keep' : 'keeps' }),
  standing_rule: (who, areBoth) => say('because.standing_rule', { who, rules: areBoth ? 'rule' : 'rules' }),
  day_limit: (who, areBoth) => say('because.day_limit', { who, has: areBoth ? 'have' : 'has' }),
};

/** Returns the part of the day that an energy setting, such as `evening_person`, prefers. */
const bestPart = (pattern: EnergyPattern): string => pattern.replace('_person', '');

const DAY_ENDS = 18;

/** Returns a test of a person: true if the meeting starts at 18:00 or later for them, or if the cost is not theirs. */
const isAfterDay =
  (bearer: string, start: number, isOfBoth: boolean) =>
  ({ email, timeZone }: PickFacts['people'][number]): boolean =>
    (!isOfBoth && email !== bearer) || Number.parseInt(clockIn(start, timeZone), 10) >= DAY_ENDS;

function costWords(fact: Cost, names: Names, { start, people }: PickFacts, isOfBoth: boolean): Borne {
  const borne = (what: string, email: string): Borne => ({ what, who: isOfBoth ? 'both' : names.short(email) });
  switch (fact.kind) {
    case 'lunch':
      return borne(say('bent.lunch'), fact.email);
    case 'outside_day': {
      const late = people.every(isAfterDay(fact.email, start, isOfBoth)) ? 'bent.after' : 'bent.late';
      return borne(say(fact.side === 'early' ? 'bent.early' : late), fact.email);
    }
    case 'friday_afternoon': {
      const [email, ...others] = fact.emails;
      return email === undefined || others.length > 0 ? { what: say('bent.friday') } : borne(say('bent.friday'), email);
    }
    case 'back_to_back':
      return borne(say('bent.room'), fact.email);
    case 'beside':
      return borne(say('bent.back_to_back'), fact.email);
    case 'overnight':
      return borne(say('bent.overnight'), fact.email);
    case 'edge_of_day':
      return borne(say(fact.edge === 'start' ? 'bent.first_thing' : 'bent.last_thing'), fact.email);
    case 'context': {
      const { part, email, context } = fact;
      const kind = KIND[context];
      const isOfAll = email === null || isOfBoth;
      return {
        what: isOfAll
          ? say('bent.context', { part, kind })
          : say('bent.context_for', { part, who: names.short(email), kind }),
      };
    }
    case 'energy':
      return { what: say('bent.best_hours', { part: bestPart(fact.pattern), who: names.short(fact.email) }) };
    case 'standing_rule':
      return { what: say('bent.rule', { who: names.short(fact.email), words: fact.words }) };
    case 'learned_part':
      return { what: say('bent.part', { part: fact.part, who: names.short(fact.email) }) };
    case 'learned_day':
      return { what: say('bent.day', { day: capitalized(fact.weekday), who: names.short(fact.email) }) };
  }
}
