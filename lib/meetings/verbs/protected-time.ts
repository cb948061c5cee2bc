import { neverRules } from '../../engine/rules/free-time.ts';
import { holidaysDuring } from '../../engine/rules/holidays.ts';
import { overlaps } from '../../engine/time/intervals.ts';
import { blockInstants, daysAround } from '../../engine/time/wall-instants.ts';
import { localDate } from '../../engine/time/zone.ts';
import type { Interval } from '../../engine/types.ts';
import type { Pair, Person, PersonInZone } from '../../person/person.ts';
import { sayHoliday } from '../../words/explanation.ts';
import { say } from '../../words/patterns.ts';
import { clocksIn, namesOf, spanIn } from '../../words/people.ts';
import { sayRule } from '../../words/understood.ts';
import { SlotTaken } from '../protocol/operation.ts';
import { isInHours } from './limits.ts';

/** Throws `SlotTaken`. A person without a known time zone has no focus blocks. */
export function assertOutsideFocus(people: Pair<Person>, meeting: Interval): void {
  const isKept = people.some(
    ({ timeZone, rules }) =>
      timeZone !== undefined && overlaps(blockInstants(timeZone, daysAround(meeting), rules.focusBlocks), meeting),
  );
  if (isKept) throw new SlotTaken();
}

/** A holiday is a day off anyway, so its sentence is enough. The only time that an answer is about needs no date. */
export const timeWarnings = (people: Pair<PersonInZone>, meeting: Interval, isOnlyTime = false): string[] => {
  const names = namesOf(people);
  const holidaysOf = ({ timeZone, rules }: PersonInZone) =>
    holidaysDuring({ timeZone, holidays: rules.holidays }, meeting);
  const [one, two] = people.map((person) => JSON.stringify(holidaysOf(person)));
  if (one === two && one !== '[]') return holidaysOf(people[0]).map((holiday) => sayHoliday(say('both'), holiday));
  return people.flatMap((person) => {
    const { email, timeZone, rules, isGuest } = person;
    const holidays = holidaysOf(person);
    const who = names.short(email);
    if (holidays.length > 0) return holidays.map((holiday) => sayHoliday(who, holiday));
    const isOneDate = localDate(timeZone, meeting.start) === localDate(people[0].timeZone, meeting.start);
    const time = isOnlyTime && isOneDate ? clocksIn(timeZone, meeting) : spanIn(timeZone, meeting);
    const days = daysAround(meeting);
    const broken = neverRules(rules).filter(({ blocks }) => overlaps(blockInstants(timeZone, days, blocks), meeting));
    return [
      ...(isInHours(person, meeting)
        ? []
        : [say(isGuest ? 'warning.guest_hours' : 'warning.work_hours', { time, who })]),
      ...broken.map(({ blocks }) => say('warning.standing_rule', { time, rule: sayRule(who, blocks) })),
    ];
  });
};

export const clockWarnings = (people: Pair<PersonInZone>): string[] =>
  people[1].isClockUnknown ? [say('warning.guest_clock', { who: namesOf(people).short(people[1].email) })] : [];
