import type { PickFacts } from '../../../lib/engine/rank/pick-facts.ts';
import type { PersonFacts, TimeFacts } from '../../../lib/engine/rank/time-facts.ts';
import { at } from '../engine/people.ts';

const NO_SIDES = { before: false, after: false };

/** Facts about a person of whom nothing is to be said but what is given. */
export const person = (email: string, about: Partial<PersonFacts> = {}): PersonFacts => ({
  email,
  timeZone: 'UTC',
  isClockUnknown: false,
  outside: undefined,
  isMidMorning: false,
  isOverLunch: false,
  isFridayAfternoon: false,
  isFirstThing: false,
  isLastThing: false,
  meetings: NO_SIDES,
  focus: NO_SIDES,
  hasRoom: false,
  isCalendarEmpty: false,
  isOvernight: false,
  isUnliked: false,
  season: undefined,
  rule: undefined,
  holidays: [],
  bridge: undefined,
  ...about,
});

export type About = Partial<PersonFacts>;

/** What is known of a time's place among the others, if nothing is to be said of it. */
const NO_PLACE = {
  isOnlyTime: false,
  isOnlyDay: false,
  isOnlyHour: false,
  isOnlyOfDay: false,
  isFirst: false,
  isFirstWithNotice: false,
  isShortNotice: false,
  fromAsked: undefined,
};

/** Facts about a time of which nothing is to be said but what is given about Ada, about Bob, or about the time. */
export const offer = (start: string, ada: About = {}, bob: About = {}, more: Partial<TimeFacts> = {}): TimeFacts => ({
  start: at(start),
  end: at(start) + 30 * 60_000,
  now: at('2026-05-01T08:00Z'),
  searched: { first: '2026-05-01', last: '2026-05-14', isFromNow: true },
  people: [person('ada@example.com', ada), person('bob@example.com', bob)],
  ...NO_PLACE,
  ...more,
});

export const ada = { email: 'ada.adams@example.com', timeZone: 'Europe/Berlin' };
export const bob = { email: 'bob.brown@example.org', timeZone: 'Asia/Tokyo' };
export const HALF_HOUR = 1_800_000;

/** Ada and Bob, of whom nothing is to be said but what is given. */
export const both = (ofAda: About = {}, ofBob: About = {}): PickFacts['people'] => [
  person(ada.email, { timeZone: ada.timeZone, ...ofAda }),
  person(bob.email, { timeZone: bob.timeZone, ...ofBob }),
];

/** Ten in Berlin, six in the evening in Tokyo. */
export const start = Date.parse('2026-12-08T09:00:00Z');
export const facts = (some: Partial<PickFacts>): PickFacts => {
  const at = some.start ?? start;
  const nothing = { ...NO_PLACE, decided: [], avoided: [], drawbacks: [], context: undefined, fairness: undefined };
  const searched = { first: '2026-12-01', last: '2026-12-14', isFromNow: true };
  return { ...nothing, start: at, end: at + HALF_HOUR, now: at - 86_400_000, searched, people: both(), ...some };
};

export const WHEN = 'Tuesday, 8 December at 10:00 in Berlin, 18:00 in Tokyo';
