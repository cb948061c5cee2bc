import { MINUTE } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import { formatInZone } from '../time/zone.ts';
import type { Search, Slot } from '../types.ts';
import { momentAt, type Weighed } from './merit.ts';
import { fourPlaces } from './parts.ts';
import { rulesOf, toScore } from './score.ts';

export function slotAt(search: Search, weighed: Weighed, i: number): Slot {
  const { requester, other, durationMinutes } = search;
  const start = edgeAt(weighed.starts, i);
  const end = start + durationMinutes * MINUTE;
  const startTime = formatInZone(requester.timeZone, start);
  const factors = rulesOf(momentAt(search, start)).map(({ name, multiplier }) => ({ name, multiplier }));
  const product = factors.reduce((all, { multiplier }) => all * multiplier, 1);
  const comfort = weighed.comfortAt(i);
  return {
    start,
    end,
    startTime,
    endTime: formatInZone(requester.timeZone, end),
    score: toScore(product),
    product: fourPlaces(product),
    comfort: fourPlaces(comfort),
    merit: fourPlaces(product * comfort),
    timezone: requester.timeZone,
    factors,
    attendees: [
      { email: requester.email, startTime, timezone: requester.timeZone },
      { email: other.email, startTime: formatInZone(other.timeZone, start), timezone: other.timeZone },
    ],
  };
}
