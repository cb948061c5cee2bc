import { answerViolations, secretViolations, type Wish } from './checks/answers.ts';
import { calendarViolations } from './checks/calendar.ts';
import { deliveryViolations, jobViolations, storyViolations } from './checks/events.ts';
import { holdViolations, leftovers, overlapViolations } from './checks/meetings.ts';
import { statisticsViolations } from './checks/statistics.ts';
import { usageViolations } from './checks/usage.ts';
import type { TestPlatform } from './factories.ts';

export type { Wish } from './checks/answers.ts';

interface Scope {
  platforms: TestPlatform[];
  /** What the clients asked for and were answered. */
  wishes?: Wish[];
  /** What the first month's quota stood at, made and confirmed, before any meeting of these platforms. */
  usedBefore?: number;
  /** People whose calendars are closed to us: what stands there is not ours to answer for. */
  closed?: Set<string>;
  /** Events that their owners changed themselves. */
  changed?: Set<string>;
}

/**
 * What is wrong with a world at rest, as sentences: from Google's, the receiver's, the clients' and Postgres' view
 * alike. Every meeting of these platforms' people must belong to one of them.
 */
export async function violations({ platforms, wishes = [], usedBefore = 0, ...except }: Scope): Promise<string[]> {
  const found = await Promise.all([
    leftovers(platforms),
    holdViolations(platforms),
    overlapViolations(platforms),
    calendarViolations(platforms, except),
    usageViolations(platforms, usedBefore),
    statisticsViolations(platforms),
    deliveryViolations(platforms),
    storyViolations(platforms),
    jobViolations(platforms),
    answerViolations(platforms, wishes),
    secretViolations(platforms, wishes),
  ]);
  return found.flat();
}
