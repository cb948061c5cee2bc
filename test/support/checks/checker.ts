import type { TestPlatform } from '../people/factories.ts';
import { answerViolations, secretViolations, type Wish } from './answers.ts';
import { calendarViolations } from './calendar.ts';
import { deliveryViolations, jobViolations, proposalViolations, storyViolations } from './events.ts';
import { holdViolations, leftovers, overlapViolations, proposalHoldViolations } from './meetings.ts';
import { statisticsViolations } from './statistics.ts';
import { usageViolations } from './usage.ts';

export type { Wish } from './answers.ts';

interface Scope {
  platforms: TestPlatform[];
  /** Requests of the clients, with their answers. */
  wishes?: Wish[];
  /** Meetings the first month's quota counted, both made and confirmed, before any meeting of these platforms. */
  usedBefore?: number;
  /** People whose calendars we cannot read or write, so we are not responsible for their events. */
  closed?: Set<string>;
  /** Events that their owners changed themselves, by the id of the series if it is one. */
  changed?: Set<string>;
  /** Events with a person each who declined or was taken off at some time, as "event address". */
  freed?: Set<string>;
  /** People who were disconnected from a platform at some time, in a world in which the Worker's clock is wrong. */
  returned?: Set<string>;
}

/**
 * Lists everything wrong with a world at rest, as sentences, from the view of Google, the receiver, the clients and
 * Postgres. Every meeting of these platforms' people must belong to one of the platforms.
 */
export async function violations({ platforms, wishes = [], usedBefore = 0, ...except }: Scope): Promise<string[]> {
  const found = await Promise.all([
    leftovers(platforms),
    holdViolations(platforms, except),
    proposalHoldViolations(platforms, except),
    overlapViolations(platforms),
    calendarViolations(platforms, except),
    usageViolations(platforms, usedBefore),
    statisticsViolations(platforms),
    deliveryViolations(platforms),
    storyViolations(platforms),
    jobViolations(platforms),
    proposalViolations(platforms),
    answerViolations(platforms, wishes),
    secretViolations(platforms, wishes),
  ]);
  return found.flat();
}
