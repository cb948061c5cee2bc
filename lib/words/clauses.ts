import type { MeetingContext } from '../engine/rank/contexts.ts';
import type { PersonFacts, Searched, TimeFacts } from '../engine/rank/time-facts.ts';
import type { Bridge } from '../engine/rules/holidays.ts';
import { DAY, HOUR, sayDayOfYear, weekdayIndex } from '../engine/time/dates.ts';
import { localDate, localDay, offsetAt } from '../engine/time/zone.ts';
import { holidayName, probably } from './holiday-name.ts';
import { say } from './patterns.ts';
import { farWords, type Names, type Party, stretch } from './people.ts';

/** The words can stand after "it's". By `kind` an answer does not say of every time what holds for all. */
export interface Clause {
  kind: string;
  text: string;
  hasComma?: boolean;
}

export const MOST_CLAUSES = 2;

export function costsOf(facts: TimeFacts, names: Names): Clause[] {
  const { people, start, isShortNotice } = facts;
  const who = whoOf(people, names);
  const of = (kind: string, what: string, holds: (person: PersonFacts) => boolean): Clause[] => {
    // A person who likes a time does not mind that it is late or over lunch.
    const bearers = who((person) => holds(person) && (kind === 'notice' || person.rule?.verdict !== 'prefer'));
    if (bearers === undefined) return [];
    // A date is the same for both, so a Friday needs nobody's name then.
    const isAlone =
      kind === 'friday' &&
      (!isLateFriday || late === say('both')) &&
      people.every((person) => person.isFridayAfternoon || isFridayAfternoon(person, start));
    return [{ kind, text: isAlone ? what : say('for', { what, who: bearers }) }];
  };
  const season = dateWords(start, people, names);
  const late = who(({ isLastThing, rule }) => isLastThing && rule?.verdict !== 'prefer');
  const isLateFriday = late !== undefined && late === who(({ isFridayAfternoon }) => isFridayAfternoon);
  return [
    ...(season === undefined ? [] : [{ kind: 'season', ...season }]),
    ...rulesOf(people, names, 'rather_not'),
    ...of('outside', say('cost.early'), ({ outside }) => outside === 'early'),
    ...of('outside', say('cost.late'), ({ outside }) => outside === 'late'),
    ...(isShortNotice
      ? [{ kind: 'notice', text: say('cost.short_notice') }]
      : of('notice', say('cost.short_notice'), ({ isOvernight }) => isOvernight)),
    ...of('lunch', say('cost.lunch'), ({ isOverLunch }) => isOverLunch),
    ...of(
      'friday',
      say(isLateFriday ? 'cost.late_friday' : 'cost.friday'),
      ({ isFridayAfternoon }) => isFridayAfternoon,
    ),
    ...of('start', say('cost.first_thing'), ({ isFirstThing }) => isFirstThing),
    ...(isLateFriday ? [] : lateWords(late)),
    ...besideWords(people, names),
    ...people.flatMap(({ email, isUnliked }) =>
      isUnliked ? [{ kind: 'unliked', text: say('cost.unliked', { who: names.short(email) }) }] : [],
    ),
  ];
}

export function gainsOf(facts: TimeFacts, names: Names): Clause[] {
  const { people, isOnlyTime, isOnlyOfDay, searched } = facts;
  const who = whoOf(people, names);
  const isRoomTelling = people.some(({ isCalendarEmpty }) => !isCalendarEmpty);
  const midMorning = who(({ isMidMorning }) => isMidMorning);
  return [
    ...askedWords(facts).map((text) => ({ kind: 'asked', text })),
    ...(isOnlyTime ? [{ kind: 'only', text: say('gain.only', { limit: limitWords(searched) }) }] : []),
    ...(isOnlyOfDay && !isOnlyTime && facts.fromAsked === undefined
      ? [
          {
            kind: 'only',
            text: facts.isOnlyHour ? say('gain.only_hour') : say('gain.only', { limit: say('limit.that_day') }),
          },
        ]
      : []),
    ...rulesOf(people, names, 'prefer'),
    ...(isRoomTelling && people.every(({ hasRoom, outside, season }) => hasRoom && !outside && !season)
      ? [{ kind: 'room', text: say('gain.room') }]
      : []),
    ...(midMorning === undefined ? [] : [{ kind: 'mid_morning', text: say('gain.mid_morning', { who: midMorning }) }]),
  ];
}

/** Says what sets a time apart in at most two clauses: its drawbacks, or an advantage and the strongest of them. */
export function whyWords(gains: readonly Clause[], costs: readonly Clause[]): string {
  const [gain, cost] = [gains[0], costs[0]];
  if (cost === undefined) return gain?.text ?? '';
  const second = joined(costs.filter(({ kind }) => kind === cost.kind));
  if (gain !== undefined && OUTWEIGHS.has(gain.kind)) return say('but', { first: gain.text, second });
  return joined(costs);
}

/** Joins the first clauses, as many as a sentence has. */
export function joined(clauses: readonly Clause[]): string {
  const [first, second] = clauses;
  if (first === undefined || second === undefined) return first?.text ?? '';
  return say(first.hasComma ? 'and.also' : 'and', { first: first.text, second: second.text });
}

/** The advantages that are a reason to take a time in spite of a drawback. */
const OUTWEIGHS: ReadonlySet<string> = new Set(['asked', 'only', 'earliest', 'prefer']);

/** Returns a function that names the people for whom a condition holds: one of them, or "both". */
const whoOf =
  <P extends { email: string }>(people: readonly P[], names: Names) =>
  (holds: (person: P) => boolean): string | undefined => {
    const found = people.filter(holds);
    return found.length > 1 ? say('both') : found[0] && names.short(found[0].email);
  };

function rulesOf(people: readonly PersonFacts[], names: Names, kind: 'prefer' | 'rather_not'): Clause[] {
  const pattern = kind === 'prefer' ? 'gain.preferred' : 'cost.rather_not';
  return people.flatMap(({ rule }) =>
    rule?.verdict === kind ? [{ kind, text: say(pattern, { who: names.short(rule.email) }) }] : [],
  );
}

const NOON = 12 * HOUR;
const FRIDAY = 4;

const isFridayAfternoon = ({ timeZone, isClockUnknown }: Party, start: number): boolean =>
  isClockUnknown !== true &&
  weekdayIndex(localDay(timeZone, start)) === FRIDAY &&
  (start + offsetAt(timeZone, start)) % DAY >= NOON;

function lateWords(who: string | undefined): Clause[] {
  if (who === undefined) return [];
  const text = who === say('both') ? say('cost.last_thing_of_both') : say('cost.last_thing', { who });
  return [{ kind: 'end', text }];
}

function besideWords(people: readonly PersonFacts[], names: Names): Clause[] {
  const [one, other] = people.flatMap((person) => {
    const { meetings, focus } = person;
    const isFocus = !meetings.before && !meetings.after;
    const { before, after } = isFocus ? focus : meetings;
    if (!before && !after) return [];
    const side = before && after ? 'between' : before ? 'after' : 'before';
    return [{ isFocus, side, who: names.short(person.email) } as const];
  });
  if (one === undefined) return [];
  const phrase = ({ isFocus, side, who }: typeof one, form: '' | '_too' = '') =>
    say(`beside.${side}`, {
      what: isFocus
        ? say('avoided.focus', { who })
        : say(side === 'between' ? `thing.meetings${form}` : `thing.meeting${form}`, { who }),
    });
  const first = { kind: 'beside', text: phrase(one) };
  if (other === undefined) return [first];
  if (one.side !== other.side || one.isFocus || other.isFocus)
    return [first, { kind: 'beside', text: phrase(other, one.isFocus ? '' : '_too') }];
  const what = say(one.side === 'between' ? 'thing.meetings_of_both' : 'thing.meeting_of_both');
  return [{ kind: 'beside', text: say('for', { what: say(`beside.${one.side}`, { what }), who: say('both') }) }];
}

/** Largest distance in minutes from the requested time at which a sentence says how far an alternative lies from it. */
const MOST_MINUTES = 120;

function askedWords({ fromAsked }: TimeFacts): string[] {
  if (fromAsked === undefined) return [];
  const { days } = fromAsked;
  const minutes = Math.round(fromAsked.minutes);
  if (minutes === 0) return days === 0 ? [] : [say('gain.same_time_day', { days: farWords(days) })];
  if (days !== 0 || Math.abs(minutes) > MOST_MINUTES) return [];
  const direction = minutes < 0 ? 'earlier' : 'later';
  return [say('gain.near_asked', { length: stretch(Math.abs(minutes)), direction })];
}

const EVES: Record<string, string> = { '12-24': 'Christmas Eve', '12-31': "New Year's Eve" };
const BETWEEN_YEARS = /^12-(?:2[7-9]|30)$/;

type OnDate = Party & { bridge?: Bridge | undefined };

/** The date is on 24 or 31 December, or between them after the holidays, or beside a public holiday. */
export function dateWords(start: number, people: readonly OnDate[], names: Names): Omit<Clause, 'kind'> | undefined {
  const dates = people.flatMap(({ timeZone, isClockUnknown }) =>
    isClockUnknown === true ? [] : localDate(timeZone, start).slice(5),
  );
  const [eve] = dates.flatMap((date) => EVES[date] ?? []);
  if (eve !== undefined) return { text: eve };
  if (dates.some((date) => BETWEEN_YEARS.test(date))) return { text: say('cost.between_years') };
  const [own, other] = people.filter(({ bridge }) => bridge !== undefined);
  if (own?.bridge === undefined) return undefined;
  const { side, holiday } = own.bridge;
  const isOfBoth = other?.bridge?.holiday.date === holiday.date;
  const told = {
    side,
    holiday:
      isOfBoth && other?.bridge?.holiday.name !== holiday.name ? say('holiday.unnamed') : holidayName(holiday.name),
  };
  return isOfBoth
    ? { text: probably(holiday.name, say('cost.bridge', told)) }
    : { text: probably(holiday.name, say('cost.bridge_of', { ...told, who: names.short(own.email) })) };
}

/** Says how far a search looked, to stand after "the only time": "through 21 January", "that day". */
export function limitWords(searched: Searched | undefined): string {
  if (searched === undefined) return say('where.range');
  const { first, last, isFromNow } = searched;
  if (first === last) return say('limit.that_day');
  return isFromNow
    ? say('limit.until', { date: sayDayOfYear(last) })
    : say('limit.between', { from: sayDayOfYear(first), to: sayDayOfYear(last) });
}

export const KIND: Record<MeetingContext, string> = {
  warm_intro: 'an introduction',
  cold_outreach: 'a first call',
  investor_call: 'an investor call',
  client_demo: 'a demo',
  team_standup: 'a standup',
  one_on_one: 'a one-on-one',
  interview: 'an interview',
  sales_call: 'a sales call',
  strategy_session: 'a strategy session',
  brainstorm: 'a brainstorm',
  review: 'a review',
  casual_chat: 'a chat',
  urgent: 'an urgent meeting',
};
