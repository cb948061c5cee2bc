import type { Found } from '../engine/rank/find-slots.ts';
import type { TimeFacts } from '../engine/rank/time-facts.ts';
import type { Relaxation } from '../engine/rules/relaxations.ts';
import { DAY, daysFromCivil, HOUR, parseDate, sayDate, weekdayIndex } from '../engine/time/dates.ts';
import { localDay, offsetAt } from '../engine/time/zone.ts';
import type { SaidSlot, Slot } from '../engine/types.ts';
import { type Clause, costsOf, gainsOf, whyWords } from './clauses.ts';
import { holidayOn } from './holiday-name.ts';
import { sayNoTimes, saySuggestions } from './no-times.ts';
import { say } from './patterns.ts';
import { cityOf, type Names, namesOf, type Party, whenForBoth } from './people.ts';

export const sayOfferedTime = (start: number, people: readonly [Party, Party]): string =>
  say('offer.time', { time: whenForBoth(start, people) });

/** `facts` are in the order of the slots. */
export function withReasons(slots: readonly Slot[], facts: readonly TimeFacts[]): SaidSlot[] {
  const reasons = sayReasons(facts);
  return slots.map((slot, i) => ({ ...slot, reason: reasons[i] ?? '' }));
}

export function sayReasons(offered: readonly TimeFacts[]): string[] {
  const [first] = offered;
  if (first === undefined) return [];
  const names = namesOf(first.people);
  const notes = notesAbout(offered, names);
  const gains = offered.map((facts) => gainsOf(facts, names));
  return offered.map((facts, i) => {
    const sentence = timeWith(facts, whyAmong(gains, i, facts, names, first));
    const note = notes[i];
    return note === undefined ? sentence : say('slot.note', { sentence: sentence.slice(0, -1), note });
  });
}

export function timeWith({ start, people }: TimeFacts, why: string): string {
  const time = whenForBoth(start, people);
  return why === '' ? say('offer.time', { time }) : say('slot.why', { time, why });
}

/** Returns the words that a sentence about a time has after the time itself, or an empty text. */
export function sayWhy(facts: TimeFacts, offered: readonly TimeFacts[]): string {
  const names = namesOf(facts.people);
  const place = offered.findIndex(({ start }) => start === facts.start);
  const gains = offered.map((one) => gainsOf(one, names));
  return whyAmong(gains, place, facts, names, offered[0]);
}

/** An advantage that other offered times have too tells nobody which to take, so only the first of them names it. */
function whyAmong(
  gains: readonly Clause[][],
  place: number,
  facts: TimeFacts,
  names: Names,
  first: TimeFacts | undefined,
): string {
  // The first sentence alone says that somebody likes other times, because each would say it.
  const isTold = place > 0 && first?.people.some(({ isUnliked }) => isUnliked) === true;
  const costs = costsOf(facts, names).filter(({ kind }) => !(isTold && kind === 'unliked'));
  // The drawbacks of a time that is not offered are the reason.
  if (place < 0 && costs.length > 0) return whyWords([], costs);
  const known = new Set(gains.flatMap((other, i) => (i === place ? [] : other.map(({ kind }) => kind))));
  const isTelling = ({ kind }: Clause) => kind === 'asked' || place === 0 || !known.has(kind);
  const own = (gains[place] ?? gainsOf(facts, names)).filter(isTelling);
  const isEarliest = gains.length > 1 && place >= 0 && facts.isFirst && facts.fromAsked === undefined;
  const isOnly = own.some(({ kind }) => kind === 'only');
  return whyWords(isEarliest && !isOnly ? [{ kind: 'earliest', text: say('gain.earliest') }, ...own] : own, costs);
}

const FRIDAY = 4;

/**
 * Returns for each offered time at most one note about the whole answer, which the first sentence that it suits has:
 * how far apart the clocks are between their changes, or which public holiday took a working day out of the dates.
 */
function notesAbout(offered: readonly TimeFacts[], names: Names): (string | undefined)[] {
  const notes = offered.map((): string | undefined => undefined);
  const clocks = offered.map(clockNote);
  const unusual = clocks.findIndex((note) => note !== undefined);
  if (unusual >= 0) notes[unusual] = clocks[unusual];
  if (offered[0]?.people.some(({ holidays }) => holidays.length > 0))
    for (const { place, note } of holidayNotes(offered, names)) notes[place] ??= note;
  return notes;
}

/** Notes stand beside the later date, or the only one. A bridge day names the holiday already. */
function holidayNotes(offered: readonly TimeFacts[], names: Names): { place: number; note: string }[] {
  const people = offered[0]?.people ?? [];
  const days = offered.map(({ start, people: [{ timeZone }] }) => localDay(timeZone, start));
  const isBridged = (date: string) =>
    offered.some((one) => one.people.some(({ bridge, season }) => season === 'eve' || bridge?.holiday.date === date));
  const all = people.flatMap(({ email, holidays }) =>
    holidays.map((holiday) => ({ ...holiday, day: parseDate(holiday.date) ?? 0, email })),
  );
  const isWeekend = (day: number) => weekdayIndex(day) > FRIDAY;
  return [...Map.groupBy(all, ({ day }) => day)].flatMap(([day, [own, other]]) => {
    let [last, next] = [day - 1, day + 1];
    while (isWeekend(last)) last--;
    while (isWeekend(next)) next++;
    const place = days.includes(next) ? days.indexOf(next) : days.indexOf(last);
    if (own === undefined || place < 0 || isBridged(own.date)) return [];
    const isOneName = other === undefined || other.name === own.name;
    return {
      place,
      note: say('not.holiday', {
        day: sayDate(own.date),
        holiday: isOneName ? holidayOn(own.name) : say('holiday.unnamed'),
        who: other === undefined ? names.short(own.email) : say('both'),
      }),
    };
  });
}

/** "New York is then 5 hours behind Berlin, not 6", if they are as far apart in winter as in summer. */
function clockNote({ start, people: [one, two] }: TimeFacts): string | undefined {
  if (two.isClockUnknown) return undefined;
  const apart = (at: number) => (offsetAt(two.timeZone, at) - offsetAt(one.timeZone, at)) / HOUR;
  const year = new Date(start).getUTCFullYear();
  const [winter = 0, summer = 0] = [1, 7].map((month) => apart(daysFromCivil(year, month, 15) * DAY));
  const now = apart(start);
  if (winter !== summer || now === winter || now * winter <= 0) return undefined;
  return say('note.clocks', {
    city: cityOf(two.timeZone),
    hours: Math.abs(now) === 1 ? '1 hour' : `${hoursOf(now)} hours`,
    side: now < 0 ? 'behind' : 'ahead of',
    otherCity: cityOf(one.timeZone),
    usual: hoursOf(winter),
  });
}

/** Formats a number of hours without its sign: "5", "2½". */
const hoursOf = (hours: number) =>
  String(Math.abs(hours))
    .replace(/^0?\.5$/, '½')
    .replace('.5', '½');

/** Without slots, `message` says why, and each of `suggestions` is about the same place in `relaxations`. */
interface FoundInWords {
  slots: SaidSlot[];
  message?: string;
  relaxations?: Relaxation[];
  suggestions?: string[];
}

export function withWords({ slots, facts, none }: Found): FoundInWords {
  if (none === undefined) return { slots: withReasons(slots, facts()) };
  const { relaxations } = none;
  return { slots: [], message: sayNoTimes(none), relaxations, suggestions: saySuggestions(none) };
}
