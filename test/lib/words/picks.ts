import type { PickFacts } from '../../../lib/engine/rank/pick-facts.ts';

export const ada = { email: 'ada.adams@example.com', timeZone: 'Europe/Berlin' };
export const bob = { email: 'bob.brown@example.org', timeZone: 'Asia/Tokyo' };
export const HALF_HOUR = 1_800_000;

/** Ten in Berlin, six in the evening in Tokyo. */
export const start = Date.parse('2026-12-08T09:00:00Z');
export const facts = (some: Partial<PickFacts>): PickFacts => {
  const at = some.start ?? start;
  const nothing = {
    decided: [],
    avoided: [],
    givenUp: [],
    fairness: undefined,
    searched: { first: '2026-12-01', last: '2026-12-14', isFromNow: true },
  };
  return { start: at, end: at + HALF_HOUR, people: [ada, bob], context: undefined, ...nothing, ...some };
};

export const WHEN = 'Tuesday, 8 December at 10:00 in Berlin, 18:00 in Tokyo';
