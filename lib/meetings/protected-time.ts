import { neverRules } from '../engine/rules/free-time.ts';
import { holidaysDuring } from '../engine/rules/holidays.ts';
import { covers, overlaps } from '../engine/time/intervals.ts';
import { daysAround, wallInstants } from '../engine/time/wall-instants.ts';
import { focusWeek, workWeek } from '../engine/time/week.ts';
import type { Interval } from '../engine/types.ts';
import type { Pair, Person, PersonInZone } from '../person/person.ts';
import { sayHolidayWarning, sayHoursWarning, sayRuleWarning } from '../words/explanation.ts';
import { SlotTaken } from './operation.ts';

/**
 * Throws `SlotTaken` if a meeting overlaps a focus block of either person. A person without a known time zone has no
 * focus blocks.
 */
export function assertOutsideFocus(people: Pair<Person>, meeting: Interval): void {
  const isKept = people.some(
    ({ timeZone, rules }) =>
      timeZone !== undefined &&
      overlaps(wallInstants(timeZone, daysAround(meeting), focusWeek(rules.focusBlocks)), meeting),
  );
  if (isKept) throw new SlotTaken();
}

/**
 * Returns sentences about a meeting that falls on a person's public holiday, lies outside their work hours, or breaks a
 * standing rule. A holiday is a day off anyway, so its sentence is enough.
 */
export const timeWarnings = (people: Pair<PersonInZone>, meeting: Interval): string[] => {
  const attendees = [people[0].email, people[1].email] as const;
  return people.flatMap(({ email, timeZone, rules }) => {
    const holidays = holidaysDuring({ timeZone, holidays: rules.holidays }, meeting);
    if (holidays.length > 0) return holidays.map((holiday) => sayHolidayWarning(attendees, email, holiday));
    const days = daysAround(meeting);
    const broken = neverRules(rules).filter(({ blocks }) =>
      overlaps(wallInstants(timeZone, days, focusWeek(blocks)), meeting),
    );
    const hours = wallInstants(timeZone, days, workWeek(rules.workHours));
    return [
      ...(covers(hours, meeting) ? [] : [sayHoursWarning(attendees, email, timeZone, meeting)]),
      ...broken.map(({ words }) => sayRuleWarning(attendees, email, timeZone, meeting, words)),
    ];
  });
};
