import type { PickFacts } from '../../../lib/engine/rank/pick-facts.ts';
import { type About, NO_PLACE, person } from './offered.ts';

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
