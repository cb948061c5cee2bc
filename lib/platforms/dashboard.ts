import { findMaskedKey } from '../../schema/api-keys/queries.ts';
import { countConnections, countReauthorizations } from '../../schema/connections/queries.ts';
import { batch } from '../../schema/db.ts';
import { listDeliveryDays } from '../../schema/deliveries/log-queries.ts';
import { sumMonths } from '../../schema/meeting-months/queries.ts';
import { countAcceptances, countMadeByDay } from '../../schema/meetings/figure-queries.ts';
import { selectSettings } from '../../schema/platforms/queries.ts';
import { selectUsage } from '../../schema/usage/queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { userGone } from '../errors.ts';
import { limitsOf } from '../plans.ts';
import { forecastOf } from '../usage/forecast.ts';
import { monthOf } from '../usage/quota.ts';
import { monthsAt, statisticsOf } from '../usage/statistics.ts';

const DAY_MS = 86_400_000;
const RECENT_DAYS = 30;

/** The hours up to which the times from an invitation to its acceptance are told apart. */
export const ACCEPTED_WITHIN_HOURS = [1, 2, 8, 24, 72] as const;

/** A platform's usage and statistics; months are those of UTC. */
export async function readDashboard(ctx: Ctx, platform: Platform) {
  return glanceOf(platform, await batch(ctx.db, glance(ctx, platform)));
}

/**
 * The same with what a person looks for first: how the month goes on, what waits for them, and figures by day, of the last
 * 30 days of UTC, today being one.
 */
export async function readOverview(ctx: Ctx, platform: Platform) {
  const platformId = platform.id;
  const now = ctx.clock.now();
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const recent = today - (RECENT_DAYS - 1) * DAY_MS;
  const found = await batch(ctx.db, {
    ...glance(ctx, platform),
    made: countMadeByDay(ctx.db, { platformId, since: recent }),
    ended: listDeliveryDays(ctx.db, { platformId, sinceDay: dayOf(recent) }),
    accepted: countAcceptances(ctx.db, { platformId, since: recent, hours: ACCEPTED_WITHIN_HOURS }),
    reauthorizations: countReauthorizations(ctx.db, { platformId }),
    settings: selectSettings(ctx.db, { platformId }),
  });
  const shown = glanceOf(platform, found);
  const { used, limit } = shown.usage;
  const madeOn = new Map(found.made.map(({ day, count }) => [day, count]));
  const endedOn = new Map(found.ended.map(({ day, ...ended }) => [day, ended]));
  const tookSteps = new Map(found.accepted.map(({ step, count }) => [step, count]));
  return {
    ...shown,
    now,
    forecast: forecastOf({ used, limit, now }),
    toReconnect: found.reauthorizations[0]?.count ?? 0,
    webhookUrl: found.settings[0]?.webhookUrl ?? null,
    madeByDay: days(recent, today).map((day) => ({ day, made: madeOn.get(dayOf(day)) ?? 0 })),
    deliveriesByDay: days(recent, today).map((day) => ({
      day,
      ...(endedOn.get(dayOf(day)) ?? { success: 0, failed: 0 }),
    })),
    /** How many took up to each of the hours, and last those that took longer. */
    acceptedBySteps: [...ACCEPTED_WITHIN_HOURS, undefined].map((_, step) => tookSteps.get(step) ?? 0),
  };
}

export type Overview = Awaited<ReturnType<typeof readOverview>>;

function glance(ctx: Ctx, platform: Platform) {
  const now = ctx.clock.now();
  const platformId = platform.id;
  return {
    usage: selectUsage(ctx.db, { platformId, month: monthOf(now) }),
    people: countConnections(ctx.db, { platformId }),
    months: sumMonths(ctx.db, monthsAt(platformId, now)),
    key: findMaskedKey(ctx.db, { platformId }),
  };
}

type Glance = { [Name in keyof ReturnType<typeof glance>]: Awaited<ReturnType<typeof glance>[Name]> };

function glanceOf(platform: Platform, { usage: [usage], people: [people], months: [months], key: [key] }: Glance) {
  // A sum over nothing is a row too; only the key can have ended meanwhile.
  if (people === undefined || months === undefined || key === undefined) throw userGone();
  const { meetingsPerMonth: limit } = limitsOf(platform.plan);
  const used = usage?.used ?? 0;
  return {
    usage: { used, limit, remaining: limit === null ? null : Math.max(0, limit - used) },
    connectedUsers: people.count,
    stats: statisticsOf(months),
    maskedKey: key.masked,
  };
}

const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);

function days(from: number, to: number): number[] {
  return Array.from({ length: (to - from) / DAY_MS + 1 }, (_, index) => from + index * DAY_MS);
}
