import type { AutoSearch } from '../../../lib/engine/rank/auto-factors.ts';
import { CONTEXTS, type MeetingContext } from '../../../lib/engine/rank/contexts.ts';
import { ENERGY } from '../../../lib/engine/rank/preferences.ts';
import type { SearchedPerson, Weekday } from '../../../lib/engine/types.ts';
import { wallAt } from '../engine/oracle/clock.ts';
import { sidesBeside } from '../engine/oracle/comfort.ts';
import { isOvernight } from '../engine/oracle/overnight.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

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
const overLunch = (picked: Picked, name: string) =>
  minutesWhere(picked, name, ({ minute }) => minute >= 720 && minute < 780);
const inFocus = (picked: Picked, name: string) => {
  const time = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const { focusBlocks } = personOf(picked, name);
  return minutesWhere(picked, name, ({ weekday, minute }) =>
    focusBlocks.some(({ day, start, end }) => day === weekday && minute >= time(start) && minute < time(end)),
  );
};
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
  [/^it is the only time that suits both$/, ({ starts }) => starts.length === 1],
  [
    /^\w+day is the only day that suits both$/,
    ({ starts, start, search: { requester } }) =>
      starts.every((one) => wallAt(requester.timeZone, one).date === wallAt(requester.timeZone, start).date),
  ],
  [/^it is the first time that suits both$/, ({ starts, start }) => starts[0] === start],
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
    (picked, who) => named(who).every((one) => Math.floor(wallOf(picked, one).minute / 60) === 10),
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
    /^keeps to (\w+)'s wish(?:es)? (“.*”)$/,
    (picked, name, quotes = '') =>
      quotes
        .slice(1, -1)
        .split(/”(?:, | and )“/)
        .every((words) =>
          (personOf(picked, name).standing ?? []).some((rule) => rule.verdict === 'never' && rule.words === words),
        ),
  ],
  [
    /^leaves room around it, as (\w+) prefers?$/,
    (picked, who) => named(who).every((name) => tasteOf(picked, name).weights.bufferImportance > 1),
  ],
  [
    /^keeps (.*) free$/,
    (picked, list = '') =>
      list.split(/, | and /).every((what) => {
        const [, name = '', thing] = /^(\w+)'s (.*)$/.exec(what) ?? [];
        return (thing === 'lunch hour' ? overLunch(picked, name) : inFocus(picked, name)) === 0;
      }),
  ],
  [
    /^comes at short notice, because no time with (.*)'s? notice suits both$/,
    ({ starts, start, search }, notice) =>
      starts.every((one) => one - search.now < noticeOf(notice)) && start - search.now < noticeOf(notice),
  ],
  [
    /^is on a Friday afternoon$/,
    (picked) =>
      BOTH.some((name) => wallOf(picked, name).weekday === 'friday' && wallOf(picked, name).minute >= 14 * 60),
  ],
  [/^runs into (\w+)'s lunch hour$/, (picked, name = '') => overLunch(picked, name) > 0],
  [
    /^is on (Christmas|New Year's) Eve$/,
    (picked, eve) => BOTH.some((name) => wallOf(picked, name).date.endsWith(eve === 'Christmas' ? '12-24' : '12-31')),
  ],
  [/^runs into the lunch hour of both$/, (picked) => BOTH.every((name) => overLunch(picked, name) > 0)],
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
    /^is (\w+)'s turn to meet outside 8:00-18:00: in their recent and planned meetings, (\w+) does so for (.*) and (\w+) (.*)$/,
    (picked, asTurn, other = '', most, name = '', rest = '', least = rest.replace(/^not at all$|^for /, '')) =>
      asTurn === name &&
      outsideOf(picked, other, earlierOf(picked)) === noticeOf(most) / MINUTE &&
      outsideOf(picked, name, earlierOf(picked)) === (least === '' ? 0 : noticeOf(least) / MINUTE) &&
      noticeOf(most) > (least === '' ? 0 : noticeOf(least)) &&
      outsideOf(picked, name, [picked]) > 0 &&
      outsideOf(picked, other, [picked]) === 0,
  ],
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
  [/^is back to back for (\w+)$/, (picked, who) => named(who).every((name) => sidesOf(picked, name) === 1)],
  [/^leaves no break for (\w+)$/, (picked, who) => named(who).every((name) => sidesOf(picked, name) === 2)],
  [
    /^comes at short notice for (\w+)$/,
    (picked, who) =>
      named(who).every((name) => isOvernight(personOf(picked, name), picked.search.now, picked.start, 119)),
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
    /^is outside (\w+)'s best hours$/,
    (picked, name = '') => ENERGY[tasteOf(picked, name).energyPattern][partOf(picked, name)] < 1,
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
