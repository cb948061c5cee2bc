import { type AutoSearch, ENERGY } from '../../../lib/engine/rank/auto-factors.ts';
import { CONTEXTS, type MeetingContext } from '../../../lib/engine/rank/contexts.ts';
import { WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import type { FocusBlock, SearchedPerson, Weekday } from '../../../lib/engine/types.ts';
import { DAY, HOUR, isInHours, MINUTE, minuteOf, wallAt } from '../engine/oracle/clock.ts';
import { isOftenTakenOff, sidesBeside } from '../engine/oracle/merit.ts';
import { isSoonAfterNight } from '../engine/oracle/overnight.ts';
import { intervalsOf, tasteOf as likingOf } from '../engine/oracle/rules.ts';

/** Facts against which a clause is checked: the search, its common times by the oracle, and the pick. */
interface Picked {
  search: AutoSearch;
  starts: number[];
  start: number;
  end: number;
  /** The other times of the same answer. */
  others?: number[];
}

const KIND: Record<string, MeetingContext> = {
  'an introduction': 'warm_intro',
  'a first call': 'cold_outreach',
  'an investor call': 'investor_call',
  'a demo': 'client_demo',
  'a standup': 'team_standup',
  'a one-on-one': 'one_on_one',
  'an interview': 'interview',
  'a sales call': 'sales_call',
  'a strategy session': 'strategy_session',
  'a brainstorm': 'brainstorm',
  'a review': 'review',
  'a chat': 'casual_chat',
  'an urgent meeting': 'urgent',
};

const isAda = (name = '') => name === 'Ada';
const personOf = ({ search }: Picked, name = ''): SearchedPerson => (isAda(name) ? search.requester : search.other);
const tasteOf = ({ search }: Picked, name = '') =>
  isAda(name) ? search.requesterPreferences : search.otherPreferences;
const wallOf = (picked: Picked, name: string) => wallAt(personOf(picked, name).timeZone, picked.start);
const partOf = (picked: Picked, name: string) => {
  const { minute } = wallOf(picked, name);
  return minute < 720 ? 'morning' : minute < 1020 ? 'afternoon' : 'evening';
};
/** Returns true if another meeting or a focus block of the person lies within ten minutes before or after the meeting. */
const isBeside = (picked: Picked, name: string, side: 'before' | 'after', what: 'meeting' | 'focus'): boolean => {
  const person = personOf(picked, name);
  const from = side === 'before' ? picked.start - 10 * MINUTE : picked.end;
  if (what === 'focus') return isInFocus({ ...picked, start: from, end: from + 10 * MINUTE }, name);
  return [...intervalsOf(person.busy), ...person.meetings].some(
    ({ start, end }) =>
      start < end &&
      (side === 'before'
        ? end <= picked.start && picked.start - end < 10 * MINUTE
        : start >= picked.end && start - picked.end < 10 * MINUTE),
  );
};
type Part = 'morning' | 'afternoon' | 'evening';
const isPart = (text = ''): text is Part => /^(?:morning|afternoon|evening)$/.test(text);
const weekdayOf = (text = '') => text.toLowerCase() as Weekday;

/** Counts the minutes of the meeting at which the person's clock meets a condition. */
const minutesWhere = (picked: Picked, name: string, is: (wall: ReturnType<typeof wallAt>) => boolean) => {
  const { timeZone } = personOf(picked, name);
  let count = 0;
  for (let at = picked.start; at < picked.end; at += MINUTE) if (is(wallAt(timeZone, at))) count++;
  return count;
};
/** Returns the minutes from the start of a person's work hours to the meeting, and from its end to the end of them. */
const minutesFromEdges = (picked: Picked, name: string): [number, number] => {
  const { timeZone, workHours } = personOf(picked, name);
  const [first, last] = [wallAt(timeZone, picked.start), wallAt(timeZone, picked.end - MINUTE)];
  return [
    first.minute - minuteOf(workHours[first.weekday].start),
    minuteOf(workHours[last.weekday].end) - last.minute - 1,
  ];
};
const worksAt = (picked: Picked, name: string) => minutesFromEdges(picked, name).every((minutes) => minutes >= 0);
const overLunch = (picked: Picked, name: string) =>
  minutesWhere(picked, name, ({ minute }) => minute >= 720 && minute < 780);
const isInFocus = (picked: Picked, name: string) => isInRule(picked, name, personOf(picked, name).focusBlocks);
/** Returns true if a minute of the meeting lies in the weekly times of a rule. */
const isInRule = (picked: Picked, name: string, blocks: readonly FocusBlock[]) =>
  minutesWhere(picked, name, ({ weekday, minute }) =>
    blocks.some(({ day, ...hours }) => day === weekday && isInHours(hours, minute)),
  ) > 0;
/** Returns the weekly times of a rule as a sentence names them: "never on Mondays and Tuesdays before 10:00". */
function toldBlocks(words: string): FocusBlock[] {
  const [first, last] = words.includes(' on weekdays') ? [0, 5] : words.includes(' on weekends') ? [5, 7] : [0, 7];
  const isTold = (day: Weekday) => !/ on [A-Z]/.test(words) || words.toLowerCase().includes(`${day}s`);
  const [, start = '0:00'] = /(?:after|between) (\d+:\d\d)/.exec(words) ?? [];
  const [, end = '24:00'] = /(?:before|\d and) (\d+:\d\d)/.exec(words) ?? [];
  const clock = { start: start.padStart(5, '0'), end: end.padStart(5, '0') };
  const isOnly = words.startsWith('only');
  return WEEKDAYS.flatMap((day, i) => ((i >= first && i < last && isTold(day)) !== isOnly ? { day, ...clock } : []));
}
/** Returns true if a person has rules about all these times, and the meeting lies in none of them. */
const keepsTo = (picked: Picked, name: string, told: FocusBlock[]) => {
  const never = (personOf(picked, name).standing ?? []).filter(({ verdict }) => verdict === 'never');
  const own = new Set(never.flatMap(({ blocks }) => blocks.map(({ day, start, end }) => `${day} ${start} ${end}`)));
  return told.every(({ day, start, end }) => own.has(`${day} ${start} ${end}`)) && !isInRule(picked, name, told);
};
const outsideOf = (picked: Picked, name: string, meetings: readonly { start: number; end: number }[]) =>
  meetings
    .map(({ start, end }) =>
      minutesWhere({ ...picked, start, end }, name, ({ minute }) => minute < 480 || minute >= 1080),
    )
    .reduce((sum, minutes) => sum + minutes, 0);
const noticeOf = (text = '') => {
  const [, amount = 'a', unit] = /^(an?|\d+) (minutes|hours?|days?)/.exec(text) ?? [];
  const size = unit?.startsWith('day') ? 24 * HOUR : unit?.startsWith('hour') ? HOUR : MINUTE;
  return (/^an?$/.test(amount) ? 1 : Number(amount)) * size;
};

const BOTH = ['Ada', 'Bob'];
const named = (who = '') => (who === 'both' ? BOTH : [who]);

const minuteOfEnd = (picked: Picked, name: string) => wallAt(personOf(picked, name).timeZone, picked.end);
const all = (picked: Picked, who: string | undefined, holds: (name: string) => boolean) =>
  named(who).every((name) => holds(name) && personOf(picked, name) !== undefined);

const isOnFriday = (picked: Picked, name: string, from: number) =>
  wallOf(picked, name).weekday === 'friday' && wallOf(picked, name).minute >= from;

/** Every clause of the sentences about offered and picked times, with the condition under which it is true. */
export const CLAUSES: [clause: RegExp, holds: (picked: Picked, ...words: string[]) => boolean][] = [
  [
    /^the only time that suits both (through|between|in|that day)\b.*$/,
    ({ starts, start, search: { requester } }, limit) =>
      limit === 'that day'
        ? starts.every(
            (one) => one === start || wallAt(requester.timeZone, one).date !== wallAt(requester.timeZone, start).date,
          )
        : starts.length === 1,
  ],
  [
    /^the only hour of the day that suits both$/,
    ({ starts, search: { requester, durationMinutes } }) => {
      const minutes = starts.map((one) => wallAt(requester.timeZone, one).minute);
      return Math.max(...minutes) - Math.min(...minutes) + durationMinutes <= 60;
    },
  ],
  [
    /^\w+day is the only day (?:through|between|in) .* that suits both$/,
    ({ starts, start, search: { requester } }) =>
      starts.every((one) => wallAt(requester.timeZone, one).date === wallAt(requester.timeZone, start).date),
  ],
  [/^no earlier time suits both$/, ({ starts, start }) => starts[0] === start],
  [/^no earlier time with 15 minutes' notice suits both$/, ({ starts, start }) => starts[0] === start],
  [/^the earliest option$/, ({ starts, start, others = [] }) => others.length > 0 && starts[0] === start],
  [
    /^(\w+)s suit (.*)$/,
    (picked, part, kind) =>
      isPart(part) &&
      BOTH.every((name) => part === partOf(picked, name)) &&
      KIND[kind ?? ''] === picked.search.context &&
      CONTEXTS[KIND[kind ?? ''] ?? 'urgent'].prefers[part] > 1,
  ],
  [
    /^mid-morning for (\w+)$/,
    (picked, who) =>
      all(picked, who, (name) => Math.floor(wallOf(picked, name).minute / 60) === 10) &&
      all(picked, who, (name) => !(minutesFromEdges(picked, name)[0] >= 0 && minutesFromEdges(picked, name)[0] < 60)),
  ],
  [
    /^with room to breathe before and after$/,
    (picked) =>
      BOTH.every((name) => !isBeside(picked, name, 'before', 'meeting') && !isBeside(picked, name, 'after', 'meeting')),
  ],
  [
    /^a time (\w+) (likes|would rather avoid)$/,
    (picked, name = '', does) =>
      (personOf(picked, name).standing ?? []).some(
        (rule) => rule.verdict === (does === 'likes' ? 'prefer' : 'rather_not') && isInRule(picked, name, rule.blocks),
      ),
  ],
  [
    /^(\w+)s are (.*) best hours$/,
    (picked, part, whose = '') =>
      whose
        .split(' and ')
        .map((name) => name.replace("'s", ''))
        .every(
          (name) =>
            isPart(part) && part === partOf(picked, name) && ENERGY[tasteOf(picked, name).energyPattern][part] > 1,
        ),
  ],
  [
    /^(Ada|Bob) likes (.*)s$/,
    (picked, name = '', list = '') =>
      list
        .split(/s(?:, | and )/)
        .every((what) =>
          isPart(what)
            ? what === partOf(picked, name) && tasteOf(picked, name).weights.timeOfDay[what] > 1
            : weekdayOf(what) === wallOf(picked, name).weekday &&
              tasteOf(picked, name).weights.dayOfWeek[weekdayOf(what)] > 1,
        ),
  ],
  [
    /^avoids (.*), as (\w+) prefers$/,
    (picked, list = '', name = '') =>
      list.split(/, | and /).every((what) => {
        const one = what.replace(/s$/, '');
        const { weights, energyPattern } = tasteOf(picked, name);
        if (!isPart(one))
          return weights.dayOfWeek[weekdayOf(one)] < 1 && weekdayOf(one) !== wallOf(picked, name).weekday;
        return (weights.timeOfDay[one] < 1 || ENERGY[energyPattern][one] < 1) && one !== partOf(picked, name);
      }),
  ],
  [
    /^keeps to ((?:(?: and )?what \w+ asked for \((?:never|only) [^()]+\))+)$/,
    (picked, list = '') =>
      [...list.matchAll(/(\w+) asked for \((.*?)\)/g)].every(([, name = '', words = '']) =>
        words.split(/(?:, | and )(?=never|only)/).every((rule) => keepsTo(picked, name, toldBlocks(rule))),
      ),
  ],
  [
    /^leaves a break before and after, as (\w+) prefers?$/,
    (picked, who) => named(who).every((name) => tasteOf(picked, name).weights.bufferImportance > 1),
  ],
  [
    /^keeps (.*) focus time free$/,
    (picked, list = '') => list.split(' and ').every((whose) => !isInFocus(picked, whose.replace("'s", ''))),
  ],
  [
    /^at short notice, as no time with (.*) notice suits both (?:through|between|in|that day)\b.*$/,
    ({ starts, start, search }, notice) =>
      starts.every((one) => one - search.now < noticeOf(notice)) && start - search.now < noticeOf(notice),
  ],
  [
    /^at short notice(?: for (\w+))?$/,
    (picked, who) =>
      who === undefined
        ? picked.start - picked.search.now < 2 * HOUR
        : all(picked, who, (name) => isSoonAfterNight(personOf(picked, name), picked.search.now, picked.start)),
  ],
  [
    /^a Friday afternoon(?: for (\w+))?$/,
    (picked, who) =>
      named(who ?? 'both').some((name) => isOnFriday(picked, name, 14 * 60)) &&
      all(picked, who ?? 'both', (name) => isOnFriday(picked, name, 12 * 60)),
  ],
  [
    /^late on a Friday(?: for (\w+))?$/,
    (picked, who = 'both') =>
      all(picked, who, (name) => wallOf(picked, name).weekday === 'friday' && minutesFromEdges(picked, name)[1] < 60),
  ],
  [
    /^outside the times (\w+) likes$/,
    ({ search, start }, name) => likingOf(search, start)[isAda(name) ? 0 : 1]?.endsWith('_preferred') === true,
  ],
  [/^over lunch for (\w+)$/, (picked, who) => all(picked, who, (name) => overLunch(picked, name) > 0)],
  [/^early for (\w+)$/, (picked, who) => all(picked, who, (name) => wallOf(picked, name).minute < 480)],
  [
    /^late for (\w+)$/,
    (picked, who) =>
      all(picked, who, (name) => {
        const end = minuteOfEnd(picked, name);
        return end.minute > 1080 || end.date !== wallOf(picked, name).date;
      }),
  ],
  [
    /^(early|late) for (\w+) this time, as (\w+) has had more early or late meetings between the two$/,
    (picked, side, asTurn = '', other = '') => {
      const earlier = picked.search.pairMeetings ?? [];
      return (
        outsideOf(picked, other, earlier) > outsideOf(picked, asTurn, earlier) &&
        (wallOf(picked, asTurn).minute < 480 ? 'early' : 'late') === side &&
        outsideOf(picked, asTurn, [picked]) > 0 &&
        outsideOf(picked, other, [picked]) === 0
      );
    },
  ],
  [
    /^(Christmas|New Year's) Eve$/,
    (picked, eve) => BOTH.some((name) => wallOf(picked, name).date.endsWith(eve === 'Christmas' ? '12-24' : '12-31')),
  ],
  [
    /^between Christmas and New Year$/,
    (picked) => BOTH.some((name) => /12-(?:2[7-9]|30)$/.test(wallOf(picked, name).date)),
  ],
  [
    /^the day (before|after) (?:(\w+)'s day off for )?([\w ]+ Day|a public holiday)$/,
    (picked, side, who = 'both', holiday) =>
      all(picked, who, (name) => {
        const { date } = wallOf(picked, name);
        const own = personOf(picked, name).holidays?.get(Date.parse(date) / DAY + (side === 'before' ? 1 : -1));
        return (
          isOftenTakenOff(personOf(picked, name), date) &&
          own !== undefined &&
          (holiday === own || holiday === 'a public holiday')
        );
      }),
  ],
  [
    /^first thing for (\w+)$/,
    (picked, who) => all(picked, who, (name) => minutesFromEdges(picked, name)[0] < 30 && worksAt(picked, name)),
  ],
  [
    /^late in (?:the day for both|(\w+)'s day)$/,
    (picked, who = 'both') =>
      all(
        picked,
        who,
        (name) =>
          minutesFromEdges(picked, name)[1] < 60 && worksAt(picked, name) && wallOf(picked, name).minute >= 16 * 60,
      ),
  ],
  [
    /^(straight after|right before) (?:(?:another meeting|one) of (\w+)'s|another meeting for both|(\w+)'s focus time)$/,
    (picked, side, ofMeeting, ofFocus) =>
      all(picked, ofMeeting ?? ofFocus ?? 'both', (name) =>
        isBeside(
          picked,
          name,
          side === 'straight after' ? 'before' : 'after',
          ofFocus === undefined ? 'meeting' : 'focus',
        ),
      ),
  ],
  [
    /^between two (?:(?:other meetings )?of (\w+)'s|other meetings for both)$/,
    (picked, who = 'both') =>
      all(picked, who, (name) => sidesBeside(personOf(picked, name), picked.start, picked.end) === 2),
  ],
  [
    /^outside (\w+)'s best time of day \(the (\w+)\)$/,
    (picked, name = '', best) =>
      isPart(best) &&
      ENERGY[tasteOf(picked, name).energyPattern][best] === 1.2 &&
      ENERGY[tasteOf(picked, name).energyPattern][partOf(picked, name)] < 1,
  ],
  [
    /^(?:in the|on a) (\w+), which (\w+) would rather avoid$/,
    (picked, what = '', name = '') =>
      isPart(what)
        ? what === partOf(picked, name) && tasteOf(picked, name).weights.timeOfDay[what] < 1
        : weekdayOf(what) === wallOf(picked, name).weekday &&
          tasteOf(picked, name).weights.dayOfWeek[weekdayOf(what)] < 1,
  ],
];
