import { NOTICE, QUARTER_HOUR } from './candidates.ts';
import { sayDate } from './dates.ts';
import { covers, overlaps } from './intervals.ts';
import { busyInstants, fullInstants } from './person-rules.ts';
import type { Interval, Person, Search } from './types.ts';
import { daysAround, wallInstants } from './wall-instants.ts';
import { focusWeek, WHOLE_WEEK, workWeek } from './week.ts';
import { windowDays } from './window.ts';
import { formatInZone } from './zone.ts';

/** A rule that stands against a time; `email` names whose it is, null when it is the search's own. */
export interface Objection {
  email: string | null;
  rule: 'quarter_hour' | 'notice' | 'window' | 'work_hours' | 'focus_block' | 'day_limit' | 'busy' | 'buffer';
  detail: string;
}

/** What the search itself has against the meeting. */
export function searchObjections({ requester, window, now }: Search, meeting: Interval): Objection[] {
  const against: Objection[] = [];
  const object = (rule: Objection['rule'], detail: string) => against.push({ email: null, rule, detail });
  if (meeting.start % QUARTER_HOUR !== 0)
    object(
      'quarter_hour',
      'Meetings start at :00, :15, :30 or :45, and at another minute only where none of these fits.',
    );
  if (meeting.start < now + NOTICE) object('notice', 'A meeting starts at least 15 minutes from now.');
  if (!covers(wallInstants(requester.timeZone, windowDays(window), WHOLE_WEEK), meeting))
    object('window', `The search covers ${sayDate(window.start)} to ${sayDate(window.end)} in ${requester.timeZone}.`);
  return against;
}

/** What one person's rules have against the meeting; never the text of an event or focus block. */
export function personObjections(person: Person, meeting: Interval): Objection[] {
  const { email, timeZone, bufferMinutes } = person;
  const days = daysAround(meeting);
  const against: Objection[] = [];
  const object = (rule: Objection['rule'], detail: string) => against.push({ email, rule, detail });
  const [from, to] = [formatInZone(timeZone, meeting.start), formatInZone(timeZone, meeting.end)];
  // Where the clock changes meanwhile, the hours alone could run backwards.
  const offset = (time: string) => (from.slice(19) === to.slice(19) ? '' : ` (${time.slice(19)})`);
  const clock = (time: string) => `${time.slice(11, 16)}${offset(time)}`;
  const local = `${sayDate(from.slice(0, 10))}, ${clock(from)} to ${clock(to)} in ${timeZone}`;
  if (!covers(wallInstants(timeZone, days, workWeek(person.workHours)), meeting))
    object('work_hours', `${local} is not within the work hours.`);
  if (overlaps(wallInstants(timeZone, days, focusWeek(person.focusBlocks)), meeting))
    object('focus_block', `${local} overlaps a focus block.`);
  if (overlaps(fullInstants(person, days), meeting))
    object(
      'day_limit',
      person.maxMeetingsPerDay === 1
        ? 'This person takes one meeting a day, and has it.'
        : `This person takes ${person.maxMeetingsPerDay} meetings a day, and has them.`,
    );
  if (overlaps(busyInstants(person, 0), meeting)) object('busy', `${local} overlaps a busy time.`);
  else if (overlaps(busyInstants(person, bufferMinutes), meeting))
    object('buffer', `${local} is less than ${bufferMinutes} minutes from a busy time.`);
  return against;
}
