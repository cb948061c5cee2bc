import type { AutoSearch } from '../../../lib/engine/rank/auto-factors.ts';
import { CONTEXTS, type MeetingContext } from '../../../lib/engine/rank/contexts.ts';
import { ENERGY } from '../../../lib/engine/rank/preferences.ts';
import type { FocusBlock, SearchedPerson, Weekday } from '../../../lib/engine/types.ts';
import { minuteOf, wallAt } from '../engine/oracle/clock.ts';
import { sidesBeside } from '../engine/oracle/comfort.ts';
import { isSoonAfterNight } from '../engine/oracle/overnight.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Facts against which a clause is checked: the search, its common times by the oracle, and the pick. */
interface Picked {
  search: AutoSearch;
  starts: number[];
  start: number;
  end: number;
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
const sidesOf = (picked: Picked, name: string) => sidesBeside(personOf(picked, name), picked.start, picked.end);
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
const inFocus = (picked: Picked, name: string) => {
  const time = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const { focusBlocks } = personOf(picked, name);
  return minutesWhere(picked, name, ({ weekday, minute }) =>
    focusBlocks.some(({ day, start, end }) => day === weekday && minute >= time(start) && minute < time(end)),
  );
};
/** Returns true if a minute of the meeting lies in the weekly times of a rule. */
const isInRule = (picked: Picked, name: string, blocks: readonly FocusBlock[]) =>
  minutesWhere(picked, name, ({ weekday, minute }) =>
    blocks.some(({ day, start, end }) => day === weekday && minute >= minuteOf(start) && minute < minuteOf(end)),
  ) > 0;
const earlierOf = ({ search }: Picked) => search.pairMeetings ?? [];
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

/** Every clause, with the condition under which it is true. */
export const CLAUSES: [clause: RegExp, holds: (picked: Picked, ...words: string[]) => boolean][] = [
  [/^it is the only time (?:through|between|in|that day)\b.*$/, ({ starts }) => starts.length === 1],
  [
    /^\w+day is the only day (?:through|between|in) .* that suits both$/,
    ({ starts, start, search: { requester } }) =>
      starts.every((one) => wallAt(requester.timeZone, one).date === wallAt(requester.timeZone, start).date),
  ],
  [/^no earlier time suits both$/, ({ starts, start }) => starts[0] === start],
  [/^no earlier quarter hour leaves 15 minutes' notice$/, ({ starts, start }) => starts[0] === start],
  [
    /^(\w+)s suit (.*)$/,
    (picked, part, kind) =>
      isPart(part) &&
      BOTH.some((name) => part === partOf(picked, name)) &&
      KIND[kind ?? ''] === picked.search.context &&
      CONTEXTS[KIND[kind ?? ''] ?? 'urgent'].prefers[part] > 1,
  ],
  [
    /^it is mid-morning for (\w+)$/,
    (picked, who) =>
      BOTH.every((one) => !(minutesFromEdges(picked, one)[0] >= 0 && minutesFromEdges(picked, one)[0] < 60)) &&
      named(who).every((one) => Math.floor(wallOf(picked, one).minute / 60) === 10),
  ],
  [/^it is within the next three days$/, ({ start, search }) => start - search.now <= 72 * HOUR],
  [
    /^(\w+)s are (\w+)'s best hours$/,
    (picked, part, name = '') =>
      isPart(part) && part === partOf(picked, name) && ENERGY[tasteOf(picked, name).energyPattern][part] > 1,
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
    /^(not (?:in the|on a) .*), as (\w+) wishes$/,
    (picked, list = '', name = '') =>
      list
        .split(/(?:, | and )not (?:in the|on a) |^not (?:in the|on a) /)
        .filter(Boolean)
        .every((what) =>
          isPart(what) ? what !== partOf(picked, name) : weekdayOf(what) !== wallOf(picked, name).weekday,
        ) && (personOf(picked, name).standing ?? []).some(({ verdict }) => verdict === 'never'),
  ],
  [/^leaves lunch free for (\w+)$/, (picked, who) => named(who).every((name) => overLunch(picked, name) === 0)],
  [
    /^keeps to what (\w+) wrote: (“.*”)$/,
    (picked, name, quotes = '') =>
      quotes
        .slice(1, -1)
        .split(/”(?:, | and )“/)
        .every((words) =>
          (personOf(picked, name).standing ?? []).some(
            (rule) => rule.verdict === 'never' && rule.words === words && !isInRule(picked, name ?? '', rule.blocks),
          ),
        ),
  ],
  [
    /^leaves a break before and after, as (\w+) prefers?$/,
    (picked, who) => named(who).every((name) => tasteOf(picked, name).weights.bufferImportance > 1),
  ],
  [
    /^keeps (.*) focus time free$/,
    (picked, list = '') => list.split(' and ').every((whose) => inFocus(picked, whose.replace("'s", '')) === 0),
  ],
  [
    /^is at short notice, because no time with (.*) notice suits both (?:through|between|in|that day)\b.*$/,
    ({ starts, start, search }, notice) =>
      starts.every((one) => one - search.now < noticeOf(notice)) && start - search.now < noticeOf(notice),
  ],
  [
    /^is on a Friday afternoon(?: for (\w+))?$/,
    (picked, who = 'both') =>
      named(who).every((name) => wallOf(picked, name).weekday === 'friday' && wallOf(picked, name).minute >= 14 * 60),
  ],
  [/^runs into lunch for (\w+)$/, (picked, who) => named(who).every((name) => overLunch(picked, name) > 0)],
  [
    /^is on (Christmas|New Year's) Eve$/,
    (picked, eve) => BOTH.some((name) => wallOf(picked, name).date.endsWith(eve === 'Christmas' ? '12-24' : '12-31')),
  ],
  [/^starts before 8:00 for (\w+)$/, (picked, who) => named(who).every((name) => wallOf(picked, name).minute < 480)],
  [
    /^ends after 18:00 for (\w+)$/,
    (picked, who) =>
      named(who).every((name) => {
        const end = wallAt(personOf(picked, name).timeZone, picked.end);
        return end.minute > 1080 || end.date !== wallOf(picked, name).date;
      }),
  ],
  [
    /^is (early|late) for (\w+) this time, because (their other meeting|another of their meetings|other meetings of theirs|their other meetings)(?: (?:is|was|are) (early|late|early or late) for (\w+)| take more of (\w+)'s early or late hours)$/,
    (picked, side, asTurn = '', which = '', sides, ofSides, ofMore) => {
      const other = ofSides ?? ofMore ?? '';
      const earlier = earlierOf(picked);
      const [more, less] = [outsideOf(picked, other, earlier), outsideOf(picked, asTurn, earlier)];
      const burdens = earlier.filter((meeting) => outsideOf(picked, other, [meeting]) > 0);
      const { timeZone } = personOf(picked, other);
      const early = burdens.filter(({ start }) => wallAt(timeZone, start).minute < 480).length;
      const expected = early === burdens.length ? 'early' : early === 0 ? 'late' : 'early or late';
      const isOne = ['their other meeting', 'another of their meetings'].includes(which);
      return (
        more > less &&
        less > 0 === (sides === undefined) &&
        (sides === undefined || (sides === expected && isOne === (burdens.length === 1))) &&
        (which === 'their other meeting') === (sides !== undefined && earlier.length === 1) &&
        (wallOf(picked, asTurn).minute < 480 ? 'early' : 'late') === side &&
        outsideOf(picked, asTurn, [picked]) > 0 &&
        outsideOf(picked, other, [picked]) === 0
      );
    },
  ],
  [
    /^is between Christmas and New Year$/,
    (picked) => BOTH.some((name) => /12-(?:2[7-9]|30)$/.test(wallOf(picked, name).date)),
  ],
  [
    /^is on the day (before|after) (\w+ Day|a public holiday)(?: for (\w+))?$/,
    (picked, side, holiday, who = 'both') =>
      named(who).every((name) => {
        const { date } = wallOf(picked, name);
        const own = personOf(picked, name).holidays?.get(Date.parse(date) / DAY + (side === 'before' ? 1 : -1));
        return own !== undefined && (holiday === own || holiday === 'a public holiday');
      }),
  ],
  [/^is in the evening for (\w+)$/, (picked, who) => named(who).every((name) => wallOf(picked, name).minute >= 1080)],
  [
    /^leaves little room around it for (\w+)$/,
    (picked, who) =>
      named(who).every((name) => {
        const { busy, meetings } = personOf(picked, name);
        const edges = busy instanceof Float64Array ? [...busy] : busy.flatMap(({ start, end }) => [start, end]);
        const spans = Array.from({ length: edges.length / 2 }, (_, i) => ({
          start: edges[2 * i] ?? 0,
          end: edges[2 * i + 1] ?? 0,
        }));
        return [...spans, ...meetings].some(
          ({ start, end }) => start < end && start < picked.end + 15 * MINUTE && end > picked.start - 15 * MINUTE,
        );
      }),
  ],
  [
    /^is first thing for (\w+)$/,
    (picked, who) => named(who).every((name) => minutesFromEdges(picked, name)[0] < 30 && worksAt(picked, name)),
  ],
  [
    /^is at the end of the day for (\w+)$/,
    (picked, who) => named(who).every((name) => minutesFromEdges(picked, name)[1] < 60 && worksAt(picked, name)),
  ],
  [/^is back to back for (\w+)$/, (picked, who) => named(who).every((name) => sidesOf(picked, name) > 0)],
  [
    /^is at short notice for (\w+)$/,
    (picked, who) =>
      named(who).every((name) => isSoonAfterNight(personOf(picked, name), picked.search.now, picked.start)),
  ],
  [
    /^is in the (\w+)(?: for (\w+))?, not the best time for (.*)$/,
    (picked, part, name = 'Ada', kind) =>
      isPart(part) && part === partOf(picked, name) && CONTEXTS[KIND[kind ?? ''] ?? 'urgent'].prefers[part] < 1,
  ],
  [
    /^goes against (\w+)'s “(.*)”$/,
    (picked, name, words) =>
      (personOf(picked, name).standing ?? []).some((rule) => rule.verdict === 'rather_not' && rule.words === words),
  ],
  [
    /^is not in the (\w+), (\w+)'s best time of day$/,
    (picked, best, name = '') =>
      isPart(best) &&
      ENERGY[tasteOf(picked, name).energyPattern][best] === 1.2 &&
      ENERGY[tasteOf(picked, name).energyPattern][partOf(picked, name)] < 1,
  ],
  [
    /^is (?:in the|on a) (\w+), which (\w+) would rather avoid$/,
    (picked, what = '', name = '') =>
      isPart(what)
        ? what === partOf(picked, name) && tasteOf(picked, name).weights.timeOfDay[what] < 1
        : weekdayOf(what) === wallOf(picked, name).weekday &&
          tasteOf(picked, name).weights.dayOfWeek[weekdayOf(what)] < 1,
  ],
];
