import { InternalError } from './errors.ts';
export interface PlanLimits {
  /** Null: unlimited. */
  meetingsPerMonth: number | null;
  requestsPerMinute: number | null;
}

const pro: PlanLimits = { meetingsPerMonth: 1_000, requestsPerMinute: 120 };

/** Limits by plan (`interface.md`, Limits); `growth` is another name for `pro`'s. */
export const PLANS = {
  developer: { meetingsPerMonth: 25, requestsPerMinute: 60 },
  starter: { meetingsPerMonth: 250, requestsPerMinute: 90 },
  pro,
  growth: pro,
  scale: { meetingsPerMonth: 5_000, requestsPerMinute: 300 },
  enterprise: { meetingsPerMonth: null, requestsPerMinute: null },
} as const satisfies Record<string, PlanLimits>;

export type Plan = keyof typeof PLANS;

export const isPlan = (name: string): name is Plan => Object.hasOwn(PLANS, name);

/** Limits of a stored plan; the table's check keeps unknown names out. */
export function limitsOf(plan: string): PlanLimits {
  if (!isPlan(plan)) throw new InternalError(`unknown plan ${plan}`);
  return PLANS[plan];
}

/** Requests a minute with a user's key. */
export const USER_REQUESTS_PER_MINUTE = 60;
/** Requests a minute without a valid key, by IP. */
export const KEYLESS_REQUESTS_PER_MINUTE = 60;
