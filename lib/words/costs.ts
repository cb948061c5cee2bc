import { isFirstThing, isLastThing } from '../engine/rank/comfort.ts';
import type { PersonFacts, SlotFacts } from '../engine/rank/slot-facts.ts';
import type { Bridge } from '../engine/rules/bridges.ts';
import { localDate } from '../engine/time/zone.ts';
import { holidayName } from './holiday-name.ts';
import { say } from './patterns.ts';
import { listed, listedClauses, type Names, type Party } from './people.ts';

const [EARLY, LATE] = ['early', 'late'] as const;

type Test = (person: PersonFacts) => boolean;

/** A drawback of an offered time, with the name of the person who bears it, or "both". */
export interface Cost {
  what: string;
  /** True if the words of the drawback name the person, as in "a time Ada would rather avoid". */
  isWhole?: boolean;
  who?: string | undefined;
  /** True if the drawback is short notice. */
  isShortNotice?: boolean;
  /** True if the meeting starts shortly after that person's working day does. */
  isFirstThing?: boolean;
  /** True if the drawback is that the meeting ends shortly before the person's working day does. */
  isLastThing?: boolean;
  /** Side of the person's day, early or late, if the drawback is that the meeting lies outside the day. */
  outside?: 'early' | 'late';
  /** True if the drawback is that another meeting lies right before or after this one. */
  isBesideMeeting?: boolean;
  /** The public holiday beside the date, if the drawback is that the date bridges it to days off. */
  bridge?: Bridge;
}

/** Returns the drawbacks that an offered time has for the two people, worst first. */
export function costsOf({ start, people, isShortNotice }: SlotFacts, names: Names): Cost[] {
  const borne = (what: string, bears: Test): Cost[] => {
    const who = namesWhere(people, bears, names);
    return who === undefined ? [] : [{ what, who }];
  };
  const isFriday = people.some(({ isFridayAfternoon }) => isFridayAfternoon);
  const isInside: Test = ({ outside }) => outside === undefined;
  return [
    ...borne(say('cost.early'), ({ outside }) => outside === 'early').map((cost) => ({ ...cost, outside: EARLY })),
    ...borne(say('cost.late'), ({ outside }) => outside === 'late').map((cost) => ({ ...cost, outside: LATE })),
    ...borne(say('cost.lunch'), ({ isOverLunch }) => isOverLunch),
    ...borne('', ({ verdict }) => verdict === 'rather_not').map(({ who = '' }) => ({
      what: who === 'both' ? say('cost.rather_not_of_both') : say('cost.rather_not', { who }),
      who,
      isWhole: true,
    })),
    ...(isShortNotice ? [{ what: say('cost.short_notice'), isShortNotice: true }] : []),
    ...borne(say('cost.short_notice'), ({ isOvernight }) => isOvernight).map((cost) => ({
      ...cost,
      isShortNotice: true,
    })),
    ...datesOf(start, people, names).map(withoutName),
    ...(isFriday ? [{ what: say('cost.friday') }] : []),
    ...borne(say('cost.first_thing'), (one) => isInside(one) && isFirstThing(one)).map((cost) => ({
      ...cost,
      isFirstThing: true,
    })),
    ...borne(say('cost.last_thing'), (one) => isInside(one) && isLastThing(one)).map((cost) => ({
      ...cost,
      isLastThing: true,
    })),
    // The words do not tell what lies beside the time, nor on how many sides.
    ...borne(say('cost.back_to_back'), ({ sidesTaken }) => sidesTaken > 0).map((cost) => ({
      ...cost,
      isBesideMeeting: true,
    })),
  ];
}

/** Takes the person's name out of the words about a bridge day, because a person with several drawbacks is named once. */
function withoutName(cost: Cost): Cost {
  const { bridge, who } = cost;
  if (bridge === undefined || who === undefined) return cost;
  const holiday = holidayName(bridge.holiday.name);
  return { ...cost, what: say('cost.bridge', { side: bridge.side, holiday }), isWhole: false };
}

/**
 * Joins the drawbacks of an offered time into one phrase. A person with several drawbacks is named once. Short notice,
 * other meetings right beside the time, and days beside a public holiday come last.
 */
export function costWords(costs: readonly Cost[]): string | undefined {
  const told = costs.toSorted((a, b) => placeOf(a) - placeOf(b));
  // A cost that names nobody comes last. In "close to the weekend and early for Ada", the words "for Ada" would seem to
  // apply to both.
  const ofOne = [...Map.groupBy(told, ({ who }) => who)].sort(
    ([a], [b]) => Number(a === undefined) - Number(b === undefined),
  );
  const words = ofOne.flatMap(([who, own]) => {
    const wordsOf = (isWhole: boolean) => own.flatMap((cost) => ((cost.isWhole ?? false) === isWhole ? cost.what : []));
    const what = listed(wordsOf(false));
    return [...(what === '' ? [] : [who === undefined ? what : say('for', { what, who })]), ...wordsOf(true)];
  });
  if (words.length === 0) return undefined;
  // After "the day before X, a public holiday for both", another drawback would seem to belong to the holiday.
  words.sort((a, b) => Number(/ public holiday/.test(a)) - Number(/ public holiday/.test(b)));
  return listedClauses(words);
}

/** Returns the place of a drawback in its phrase: short notice and meetings right beside the time, then a bridge day. */
const placeOf = ({ isShortNotice, isBesideMeeting, bridge }: Cost): number =>
  bridge === undefined ? Number(isShortNotice === true || isBesideMeeting === true) : 2;

/** Says what keeps people away on the date of a time: it lies in the Christmas season or bridges a public holiday. */
export function datesOf(start: number, people: readonly OnDate[], names: Names): Cost[] {
  const season = seasonOf(start, people);
  return season === undefined ? bridgesOf(people, names) : [{ what: season }];
}

/** A person with what a sentence says about the date of a time on that person's clock. */
type OnDate = Party & { bridge?: Bridge | undefined };

/** Says that a time is on the day before or after a public holiday, and that the day on its other side is off too. */
function bridgesOf(people: readonly OnDate[], names: Names): Cost[] {
  return (['before', 'after'] as const).flatMap((side): Cost[] => {
    const [own, other] = people.filter(({ bridge }) => bridge?.side === side);
    if (own?.bridge === undefined) return [];
    const { name } = own.bridge.holiday;
    const isOneName = other === undefined || other.bridge?.holiday.name === name;
    const holiday = isOneName ? holidayName(name) : say('holiday.unnamed');
    const { bridge } = own;
    if (other !== undefined) return [{ what: say('cost.bridge', { side, holiday }), bridge }];
    const who = names.short(own.email);
    return [{ what: say('cost.bridge_for', { side, holiday, who }), who, isWhole: true, bridge }];
  });
}

/**
 * Returns the drawbacks with the words that a date bridges a public holiday completed by the people who have the day off:
 * "the day before Christmas Day, a public holiday for both". A sentence with these words needs no note about the holiday.
 */
export function withDaysOff(costs: readonly Cost[], people: SlotFacts['people'], names: Names): Cost[] {
  return costs.map((cost) => {
    if (cost.bridge === undefined) return cost;
    const { side, holiday } = cost.bridge;
    const who = whoIsOff(holiday.date, people, names);
    if (who === undefined) return cost;
    const isOneName = people.every(({ holidays }) =>
      holidays.every(({ date, name }) => date !== holiday.date || name === holiday.name),
    );
    const told = { side, holiday: isOneName ? holidayName(holiday.name) : say('holiday.unnamed'), who };
    return { ...cost, what: say(who === 'both' ? 'cost.bridge_off' : 'cost.bridge_of', told), isWhole: true };
  });
}

/** Returns the name of the person who has a public holiday on a date, or "both", or undefined if neither has one. */
export const whoIsOff = (date: string, people: SlotFacts['people'], names: Names): string | undefined =>
  namesWhere(people, ({ holidays }) => holidays.some((holiday) => holiday.date === date), names);

const EVES: Record<string, string> = { '12-24': 'Christmas Eve', '12-31': "New Year's Eve" };
const BETWEEN_YEARS = /^12-(?:2[7-9]|30)$/;

/**
 * Says that a time is on 24 or 31 December, or between them after the holidays, on a clock of one of the people: "on
 * Christmas Eve". Returns undefined for every other time.
 */
export function seasonOf(start: number, people: readonly Party[]): string | undefined {
  const dates = people.flatMap(({ timeZone, isClockUnknown }) =>
    isClockUnknown === true ? [] : localDate(timeZone, start).slice(5),
  );
  const [eve] = dates.flatMap((date) => EVES[date] ?? []);
  if (eve !== undefined) return say('cost.half_day', { eve });
  return dates.some((date) => BETWEEN_YEARS.test(date)) ? say('cost.between_years') : undefined;
}

/** Matches the dates of the public holidays around Christmas and New Year. */
const CHRISTMAS = /-(?:12-2[456]|12-31|01-01)$/;

/**
 * Returns true if a public holiday is one around Christmas or New Year and the sentence of an offered time says that the
 * time is on one of the eves or between the two. Those words say enough of the holiday itself.
 */
export const isToldBySeason = (date: string, offered: readonly SlotFacts[]): boolean =>
  CHRISTMAS.test(date) && offered.some(({ start, people }) => seasonOf(start, people) !== undefined);

/**
 * Returns the name of the one person for whom a condition holds, or "both" if it holds for both people. Returns
 * undefined if it holds for neither.
 */
export function namesWhere(people: SlotFacts['people'], holds: Test, names: Names): string | undefined {
  const found = people.filter(holds);
  return found.length > 1 ? 'both' : found[0] && names.short(found[0].email);
}
