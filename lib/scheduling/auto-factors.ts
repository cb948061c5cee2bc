import { CONTEXTS, type MeetingContext } from './contexts.ts';
import { MINUTE } from './dates.ts';
import { overlaps } from './intervals.ts';
import { type DayPart, dayPartOf } from './moment.ts';
import { type Applied, busyInstants } from './person-rules.ts';
import { momentAt } from './ranked.ts';
import { rulesOf } from './score.ts';
import { type Taste, tasteFactors } from './taste.ts';
import type { Factor, Search } from './types.ts';

/** A search in which the service picks: what the meeting is, what both people like, and where it may lie. */
export interface AutoSearch extends Search {
  context?: MeetingContext | undefined;
  requesterTaste: Taste;
  otherTaste: Taste;
}

const BACK_TO_BACK_MINUTES = 15;
const HOUR = 60 * MINUTE;

/** The factors of any start: the ranking table's, the context's and both people's, without those that change nothing. */
export function autoFactors(search: AutoSearch, applied: Applied): (start: number) => Factor[] {
  const { requester, other, requesterTaste, otherTaste, durationMinutes } = search;
  const near = (person: typeof requester) => (applied.busy ? busyInstants(person, BACK_TO_BACK_MINUTES) : []);
  const nearRequester = near(requester);
  const nearOther = near(other);
  return (start) => {
    const moment = momentAt(search, start);
    const meeting = { start, end: start + durationMinutes * MINUTE };
    const factors = [
      ...rulesOf(moment).map(({ name, multiplier }) => ({ name, multiplier })),
      contextFactor(search, start, dayPartOf(moment.requester)),
      ...tasteFactors(requesterTaste, moment.requester, overlaps(nearRequester, meeting)),
      ...tasteFactors(otherTaste, moment.other, overlaps(nearOther, meeting)),
    ];
    return factors.filter(({ multiplier }) => multiplier !== 1);
  };
}

function contextFactor(search: AutoSearch, start: number, part: DayPart): Factor {
  const context = search.context ?? 'team_standup';
  const row = CONTEXTS[context];
  const name = 'meeting_context';
  if (!row.soonest) return { name, multiplier: row[part] };
  const days = (start - search.now) / (24 * HOUR);
  return { name, multiplier: Math.round(10_000 / (1 + Math.max(0, days))) / 10_000 };
}
