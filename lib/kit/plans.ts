import { InternalError } from './errors.ts';
export interface PlanLimits {
  meetingsPerMonth: number | null;
  requestsPerMinute: number | null;
  /** The most meetings in batches that are open, planned but not committed, or were cancelled within the last hour. */
  openBatchMeetings: number;
}

const pro: PlanLimits = { meetingsPerMonth: 1_000, requestsPerMinute: 120, openBatchMeetings: 10_000 };

/** `growth` is another name for `pro` (schema/DECISIONS.md, "Rate limits"). */
export const PLANS = {
  developer: { meetingsPerMonth: 25, requestsPerMinute: 60, openBatchMeetings: 2_000 },
  starter: { meetingsPerMonth: 250, requestsPerMinute: 90, openBatchMeetings: 4_000 },
  pro,
  growth: pro,
  scale: { meetingsPerMonth: 5_000, requestsPerMinute: 300, openBatchMeetings: 20_000 },
  enterprise: { meetingsPerMonth: null, requestsPerMinute: null, openBatchMeetings: 50_000 },
} as const satisfies Record<string, PlanLimits>;

export type Plan = keyof typeof PLANS;

export const MEETINGS_PER_MONTH: Record<string, number | null> = Object.fromEntries(
  Object.entries(PLANS).map(([name, { meetingsPerMonth }]) => [name, meetingsPerMonth]),
);

export const isPlan = (name: string): name is Plan => Object.hasOwn(PLANS, name);

/** The database accepts only known plans, so any other name is an error of ours. */
export function planLimitsOf(plan: string): PlanLimits {
  if (!isPlan(plan)) throw new InternalError(`There is no plan named ${plan}.`);
  return PLANS[plan];
}

export const USER_REQUESTS_PER_MINUTE = 60;
export const KEYLESS_REQUESTS_PER_MINUTE = 60;
/** It is counted apart, so that an office that reads the docs can still open the consent page. */
export const DOCS_REQUESTS_PER_MINUTE = 300;
