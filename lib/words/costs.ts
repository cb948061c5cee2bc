import type { PersonFacts, SlotFacts } from '../engine/rank/slot-facts.ts';
import { localDate } from '../engine/time/zone.ts';
import { say } from './patterns.ts';
import { listed, type Names } from './people.ts';

/**
 * A meeting counts as "first thing" if it starts less than `FIRST_MINUTES` after the work hours begin, and as "last
 * thing" if it ends less than `LAST_MINUTES` before they end.
 */
const FIRST_MINUTES = 30;
const LAST_MINUTES = 60;
/** Largest number of costs that a sentence names. Costs of meetings right before or after do not count towards it. */
const MOST_COSTS = 2;

type Test = (person: PersonFacts) => boolean;

/** A drawback of an offered time, with the name of the person who bears it, or "both". */
export interface Cost {
  what: string;
  who?: string | undefined;
  /** True if the meeting ends shortly before that person's working day does. */
  isLastThing?: boolean;
  /** The number of sides, before and after, on which the person has no break. Set only if that is the drawback. */
  sides?: 1 | 2;
}

/** Returns what an offered time costs the two people, worst first. */
export function costsOf({ start, people, isShortNotice }: SlotFacts, names: Names): Cost[] {
  const borne = (what: string, bears: Test): Cost[] => {
    const who = namesWhere(people, bears, names);
    return who === undefined ? [] : [{ what, who }];
  };
  const eve = eveOf(
    start,
    people.filter(({ isHalfDay }) => isHalfDay),
  );
  const isFriday = people.some(({ isFridayAfternoon }) => isFridayAfternoon);
  const isInside: Test = ({ outside }) => outside === undefined;
  return [
    ...borne(say('cost.early'), ({ outside }) => outside === 'early'),
    ...borne(say('cost.late'), ({ outside }) => outside === 'late'),
    ...borne(say('cost.lunch'), ({ isOverLunch }) => isOverLunch),
    ...borne(say('cost.rather_not'), ({ verdict }) => verdict === 'rather_not'),
    ...(isShortNotice ? [{ what: say('cost.short_notice') }] : []),
    ...borne(say('cost.short_notice'), ({ isOvernight }) => isOvernight),
    ...(eve === undefined ? [] : [{ what: say('cost.half_day', { eve }) }]),
    ...(isFriday ? [{ what: say('cost.friday') }] : []),
    ...borne(say('cost.first_thing'), (one) => isInside(one) && isFirstThing(one)),
    ...borne(say('cost.last_thing'), (one) => isInside(one) && isLastThing(one)).map((cost) => ({
      ...cost,
      isLastThing: true,
    })),
    ...besideMeetings(people, names),
  ];
}

/** Returns the costs of other meetings right before or after the time. They never say what is on which side. */
function besideMeetings(people: SlotFacts['people'], names: Names): Cost[] {
  const on = (what: string, sides: 1 | 2): Cost[] => {
    const who = namesWhere(people, ({ sidesTaken }) => sidesTaken === sides, names);
    return who === undefined ? [] : [{ what, who, sides }];
  };
  return [...on(say('cost.no_break'), 2), ...on(say('cost.back_to_back'), 1)];
}

/**
 * Joins the costs of a time into one phrase. Drops all but the first two costs that are not about meetings right before
 * or after, and keeps every cost that is. A person who bears several is named once.
 */
export function costWords(costs: readonly Cost[]): string | undefined {
  const told = [
    ...costs.filter((cost) => !isBesideMeeting(cost)).slice(0, MOST_COSTS),
    ...costs.filter(isBesideMeeting),
  ];
  // A cost that names nobody comes last. In "late in the week and early for Ada", the words "for Ada" would seem to
  // apply to both.
  const ofOne = [...Map.groupBy(told, ({ who }) => who)].sort(
    ([a], [b]) => Number(a === undefined) - Number(b === undefined),
  );
  const words = ofOne.map(([who, own]) => {
    const what = listed(own.map((cost) => cost.what));
    return who === undefined ? what : say('for', { what, who });
  });
  return words.length === 0 ? undefined : listed(words);
}

/** Returns true if the drawback is another meeting right before or after this one. */
export const isBesideMeeting = ({ sides }: Cost): boolean => sides !== undefined;

const EVES: Record<string, string> = { '12-24': 'Christmas Eve', '12-31': "New Year's Eve" };

/** Returns the name of the eve on which a time falls for one of the people, if it does. */
export const eveOf = (start: number, people: readonly { timeZone: string }[]): string | undefined =>
  people.flatMap(({ timeZone }) => EVES[localDate(timeZone, start).slice(5)] ?? [])[0];

export const isFirstThing: Test = ({ afterOpening }) => afterOpening >= 0 && afterOpening < FIRST_MINUTES;
export const isLastThing: Test = ({ beforeClosing }) => beforeClosing >= 0 && beforeClosing < LAST_MINUTES;

/**
 * Returns the name of the one person for whom something holds, or "both". Returns undefined if it holds for neither.
 */
export function namesWhere(people: SlotFacts['people'], holds: Test, names: Names): string | undefined {
  const found = people.filter(holds);
  return found.length > 1 ? 'both' : found[0] && names.short(found[0].email);
}
