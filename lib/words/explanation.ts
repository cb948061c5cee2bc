import type { Explanation } from '../engine/explain/explain-time.ts';
import { CONTEXTS, type MeetingContext } from '../engine/rank/contexts.ts';
import type { AppliedRule } from '../engine/rank/taste.ts';
import type { TimeFacts } from '../engine/rank/time-facts.ts';
import type { Holiday } from '../engine/rules/holidays.ts';
import type { Objection } from '../engine/rules/objections.ts';
import { MINUTE, sayDate } from '../engine/time/dates.ts';
import type { Narrowing, SaidSlot } from '../engine/types.ts';
import { costsOf, KIND, limitWords, whyWords } from './clauses.ts';
import { holidayOn } from './holiday-name.ts';
import { say } from './patterns.ts';
import {
  cityOf,
  listed,
  listedClauses,
  type Names,
  namesOf,
  ofNotice,
  quotedWords,
  spanIn,
  whenForBoth,
} from './people.ts';
import { sayReasons, sayWhy, timeWith } from './slots.ts';

type Attendees = readonly [string, string];

const namesOfEmails = ([one, two]: Attendees): Names => namesOf([{ email: one }, { email: two }]);

export type SaidObjection = {
  email: string | null;
  /** Rule by its name in the API, where a time that nobody asked for lies outside the search's window. */
  rule: Exclude<Objection['rule'], Narrowing['by']>;
  detail: string;
  holiday?: Holiday;
  words?: string;
};

/** There is a sentence for each rule that forbids the time, or one for the slot if it is free. */
export type ExplanationInWords =
  | (Omit<Extract<Explanation, { free: false }>, 'against'> & { against: SaidObjection[] })
  | (Omit<Extract<Explanation, { free: true }>, 'slot'> & { slot: SaidSlot });

/** A free time's sentence is that of the search, or the one that sets it apart from the offered times. */
export function explanationWithWords(explanation: Explanation): ExplanationInWords {
  if (!explanation.free) return { ...explanation, against: explanation.against.map(withDetail) };
  const { own, offered } = explanation.facts;
  const place = offered.findIndex(({ start }) => start === own.start);
  const reason = sayReasons(offered)[place] ?? timeWith(own, sayWhy(own, offered));
  return { ...explanation, slot: { ...explanation.slot, reason } };
}

function withDetail(objection: Objection): SaidObjection {
  const { email, rule } = objection;
  const detail = sayObjection(objection);
  if (rule === 'when' || rule === 'time_ranges') return { email, rule: 'window', detail };
  if (objection.rule === 'standing_rule') return { email, rule, detail, words: objection.words };
  return objection.rule === 'holiday' ? { email, rule, detail, holiday: objection.holiday } : { email, rule, detail };
}

function sayObjection(objection: Objection): string {
  switch (objection.rule) {
    case 'quarter_hour':
    case 'notice':
    case 'time_ranges':
      return say(`against.${objection.rule}`);
    case 'window': {
      const { window, timeZone } = objection;
      const [first, last] = [sayDate(window.start), sayDate(window.end)];
      return say('against.window', { first, last, city: cityOf(timeZone) });
    }
    case 'when':
      return say('against.when', { words: quotedWords(...objection.words) });
    case 'holiday':
      return say('against.holiday', {
        day: sayDate(objection.holiday.date),
        holiday: holidayOn(objection.holiday.name),
      });
    case 'day_limit': {
      const meetings = objection.maxMeetingsPerDay;
      return meetings === 1 ? say('against.one_a_day') : say('against.day_limit', { meetings });
    }
  }
  const time = spanIn(objection.timeZone, objection.meeting);
  switch (objection.rule) {
    case 'work_hours':
    case 'focus_block':
    case 'busy':
    case 'held':
      return say(`against.${objection.rule}`, { time });
    case 'standing_rule':
      return say('against.standing_rule', { time, words: objection.words });
    case 'buffer':
      return say('against.buffer', { time, minutes: objection.bufferMinutes });
  }
}

/** Says if it is the best, why, and if it is offered. The time itself stands before, wherever people read this. */
export function sayPlace(explanation: Extract<ExplanationInWords, { free: true }>): string {
  const { rank, candidates, isNarrowed, offered, ownRules, facts } = explanation;
  const names = namesOf(facts.own.people);
  const limit = isNarrowed ? say('limit.asked') : limitWords(facts.own.searched);
  const isBest = rank === 1 && offered;
  const place = candidates === 1 ? say('place.only', { limit }) : say(isBest ? 'place.best' : 'place.free');
  const costs = whyWords([], costsOf(facts.own, names));
  const why = candidates === 1 ? costs : sayWhy(facts.own, facts.offered);
  const pattern = why === costs ? 'place.but' : 'place.why';
  const first = why === '' ? place : say(pattern, { place: place.slice(0, -1), why });
  return [first, ...ownRules.map((rule) => sayOwnRule(rule, names)), offeredWords(explanation)].join(' ');
}

function offeredWords({ offered, passedOver, facts }: Extract<ExplanationInWords, { free: true }>): string {
  const [best = facts.own] = facts.offered;
  if (offered || passedOver === undefined) return say('place.offered');
  if (passedOver === 'overlaps_an_offered_slot') {
    const isOverlap = ({ start, end }: TimeFacts) => start < facts.own.end && facts.own.start < end;
    const { start, people } = facts.offered.find(isOverlap) ?? facts.own;
    return say('place.overlaps', { time: whenForBoth(start, people) });
  }
  const time = whenForBoth(best.start, best.people);
  if (passedOver === 'equal_slots_first') return say('place.equal', { time });
  const why = sayWhy(best, facts.offered);
  return why === '' ? say('place.better', { time }) : say('place.better_why', { time, why });
}

/** The asked time does not suit both. Returns an empty text if none is offered. */
export function sayInsteadOf(offered: readonly TimeFacts[]): string {
  const [nearest] = offered;
  if (nearest === undefined) return '';
  const time = whenForBoth(nearest.start, nearest.people);
  const why = sayWhy(nearest, offered);
  return why === '' ? say('place.instead', { time }) : say('place.instead_why', { time, why });
}

const sayOwnRule = ({ email, verdict, words }: AppliedRule, names: Names) =>
  say(verdict === 'prefer' ? 'own.prefer' : 'own.rather_not', { who: names.short(email), words });

export function sayAgainst(against: readonly SaidObjection[], attendees: Attendees): string {
  const names = namesOfEmails(attendees);
  return against.map((objection) => ofPerson(objection, names)).join(' ');
}

function ofPerson({ email, rule, detail, holiday }: SaidObjection, names: Names): string {
  if (email === null) return detail;
  const who = names.short(email);
  if (rule === 'holiday' && holiday !== undefined) return sayHoliday(who, holiday);
  return say('against.of', { who, detail });
}

export const sayHoliday = (who: string, { date, name }: Holiday): string =>
  say('none.holiday', { day: sayDate(date), holiday: holidayOn(name), who });

export function sayNotice(context: MeetingContext, start: number, now: number): string {
  const { notice } = CONTEXTS[context];
  const isKept = start >= now + notice * MINUTE;
  const wanted = say('notice.wanted', { kind: KIND[context], length: ofNotice(notice) });
  return `${wanted} ${say(isKept ? 'notice.kept' : 'notice.short')}`;
}

/** "It suits neither: …". Where a person's own words rule the time out, their hours say nothing more. */
export function sayNotFree(against: readonly SaidObjection[], attendees: Attendees): string {
  const names = namesOfEmails(attendees);
  const ruledOutBy = new Set(against.flatMap(({ rule, email }) => (rule === 'standing_rule' ? [email] : [])));
  const ofPeople = against.filter(
    ({ email, rule }) =>
      email !== null && !(ruledOutBy.has(email) && (rule === 'work_hours' || rule === 'focus_block')),
  );
  const emails = new Set(ofPeople.map(({ email }) => email));
  const alike = Map.groupBy(ofPeople, ({ rule, holiday, words }) => `${rule} ${holiday?.name ?? words ?? ''}`);
  const why = listedClauses(
    [...alike.values()].map((same) => clauseOf(same, [...new Set(same.map(({ email }) => names.short(email ?? '')))])),
  );
  const verdict =
    emails.size === 0
      ? say('place.not_free')
      : say(emails.size === 1 ? 'place.not_for_one' : 'place.suits_neither', { why });
  const ofSearch = against.filter(({ email }) => email === null).map(({ detail }) => detail);
  return [verdict, ...ofSearch].join(' ');
}

/** The rules for which a time that must be free is refused. Other rules, such as work hours, only bring a warning. */
const REFUSING: ReadonlySet<Objection['rule']> = new Set(['busy', 'held', 'focus_block', 'buffer', 'day_limit']);

/** A full day is said like a busy one, to hide who filled it. `by` counts if a calendar changed since it was read. */
export function sayTaken(against: readonly Objection[], attendees: Attendees, by: readonly string[] = []): string {
  const names = namesOfEmails(attendees);
  const refusing = against.flatMap(({ email, rule }) =>
    REFUSING.has(rule) ? [{ email, rule: rule === 'day_limit' ? ('busy' as const) : rule }] : [],
  );
  if (refusing.length === 0) refusing.push(...by.map((email) => ({ email, rule: 'busy' as const })));
  const taken = refusing.some(({ rule }) => rule === 'busy')
    ? refusing.filter(({ rule }) => rule !== 'buffer')
    : refusing;
  const alike = Map.groupBy(taken, ({ rule }) => rule);
  const clauses = [...alike].map(([rule, same]) => {
    const people = [...new Set(same.map(({ email }) => names.short(email ?? '')))];
    return rule === 'busy'
      ? say('taken.busy', { who: listed(people), is: people.length > 1 ? 'are' : 'is' })
      : clauseOf([{ rule }], people);
  });
  return clauses.length === 0 ? say('taken.unknown') : listedClauses(clauses);
}

function clauseOf(
  [first]: readonly (Pick<Objection, 'rule'> & Pick<SaidObjection, 'holiday' | 'words'>)[],
  people: readonly string[],
): string {
  const who = listed(people);
  const areBoth = people.length > 1;
  switch (first?.rule) {
    case 'work_hours':
      return areBoth ? say('not.work_hours_of_both') : say('not.work_hours', { who });
    case 'holiday': {
      const { date = '', name = '' } = first.holiday ?? {};
      return say('not.holiday', { day: sayDate(date), holiday: holidayOn(name), who: areBoth ? 'both' : who });
    }
    case 'focus_block':
      return say('not.focus_block', { who, keeps: areBoth ? 'keep' : 'keeps' });
    case 'standing_rule':
      return say('not.standing_rule', { who, words: first.words ?? '' });
    case 'day_limit':
      return say('not.day_limit', { who, has: areBoth ? 'have' : 'has' });
    case 'held':
      return say('not.held', { who });
    case 'buffer':
      return say('not.buffer', { who, needs: areBoth ? 'need' : 'needs' });
    default:
      return say('not.busy', { who, is: areBoth ? 'are' : 'is' });
  }
}
