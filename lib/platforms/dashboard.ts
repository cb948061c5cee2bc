import { findMaskedKey } from '../../schema/access/api-keys.ts';
import { countConnections, countReauthorizations, listConnections } from '../../schema/access/connections.ts';
import { selectSettings } from '../../schema/access/platforms.ts';
import { selectUsage } from '../../schema/access/usage.ts';
import { selectDestination } from '../../schema/access/webhook-endpoints.ts';
import { batch } from '../../schema/db.ts';
import { countDeliveries, listDeliveryDays } from '../../schema/delivery/deliveries-log.ts';
import { countAcceptances, countMadeByDay, selectDay, sumMonths } from '../../schema/meetings/meeting-months.ts';
import { DAY } from '../engine/time/dates.ts';
import type { Ctx, PlatformRef } from '../kit/context.ts';
import { userGone } from '../kit/errors.ts';
import { planLimitsOf } from '../kit/plans.ts';
import { forecastOf, monthOf, monthsAt, statisticsOf } from '../usage/usage.ts';

const RECENT_DAYS = 30;

/** Upper bounds of groups, by the hours from an invitation to its acceptance. */
export const ACCEPTED_WITHIN_HOURS = [1, 2, 8, 24, 72] as const;

/** Months are UTC months. */
export async function readDashboard(ctx: Ctx, platform: PlatformRef) {
  return glanceOf(await batch(ctx.db, glance(ctx, platform)));
}

/** The daily figures cover the last 30 days in UTC, including today. */
export async function readOverview(ctx: Ctx, platform: PlatformRef) {
  const platformId = platform.id;
  const now = ctx.clock.now();
  const today = Math.floor(now / DAY) * DAY;
  const recent = today - (RECENT_DAYS - 1) * DAY;
  const figures = ctx.vitals.readDay(now, platformId);
  const found = await batch(ctx.db, {
    ...glance(ctx, platform),
    day: selectDay(ctx.db, { platformId, since: now - DAY }),
    two: listConnections(ctx.db, { platformId, limit: 2, after: undefined }),
    made: countMadeByDay(ctx.db, { platformId, since: recent }),
    deliveries: countDeliveries(ctx.db, { platformId }),
    ended: listDeliveryDays(ctx.db, { platformId, sinceDay: dayOf(recent) }),
    accepted: countAcceptances(ctx.db, { platformId, since: recent, hours: ACCEPTED_WITHIN_HOURS }),
    reauthorizations: countReauthorizations(ctx.db, { platformId }),
    endpoint: selectDestination(ctx.db, { platformId }),
  });
  const shown = glanceOf(found);
  const { used, limit } = shown.usage;
  const madeOn = new Map(found.made.map(({ day, count }) => [day, count]));
  const endedOn = new Map(found.ended.map(({ day, ...ended }) => [day, ended]));
  const tookSteps = new Map(found.accepted.map(({ step, count }) => [step, count]));
  return {
    ...shown,
    now,
    forecast: forecastOf({ used, limit, now }),
    /** The last 24 hours: what the tables say, and the hourly counts of requests, undefined if Redis did not answer. */
    day: found.day[0],
    figures: await figures,
    /** The numbers of the webhook log, as its page counts them. */
    deliveries: found.deliveries.rows[0] ?? { failed: 0, pending: 0 },
    firstPeople: found.two.map(({ email }) => email),
    baseUrl: ctx.config.baseUrl,
    toReconnect: found.reauthorizations[0]?.count ?? 0,
    webhookUrl: found.settings[0]?.webhookUrl ?? null,
    endpoint: found.endpoint[0],
    madeByDay: days(recent, today).map((day) => ({ day, made: madeOn.get(dayOf(day)) ?? 0 })),
    deliveriesByDay: days(recent, today).map((day) => ({
      day,
      ...(endedOn.get(dayOf(day)) ?? { success: 0, failed: 0 }),
    })),
    /** The bounds are in `ACCEPTED_WITHIN_HOURS`, and the last number counts acceptances that took longer. */
    acceptedBySteps: [...ACCEPTED_WITHIN_HOURS, undefined].map((_, step) => tookSteps.get(step) ?? 0),
  };
}

export type Overview = Awaited<ReturnType<typeof readOverview>>;

function glance(ctx: Ctx, platform: PlatformRef) {
  const now = ctx.clock.now();
  const platformId = platform.id;
  return {
    settings: selectSettings(ctx.db, { platformId }),
    usage: selectUsage(ctx.db, { platformId, month: monthOf(now) }),
    people: countConnections(ctx.db, { platformId }),
    months: sumMonths(ctx.db, monthsAt(platformId, now)),
    key: findMaskedKey(ctx.db, { platformId }),
  };
}

type Glance = { [Name in keyof ReturnType<typeof glance>]: Awaited<ReturnType<typeof glance>[Name]> };

function glanceOf(found: Glance) {
  const {
    settings: [settings],
    usage: [usage],
    people: [people],
    months: [months],
    key: [key],
  } = found;
  // If the platform was deleted meanwhile, only its key can be missing: its row stays, and sums always return a row.
  if (settings === undefined || people === undefined || months === undefined || key === undefined) throw userGone();
  const { name, email, plan } = settings;
  const { meetingsPerMonth: limit } = planLimitsOf(plan);
  const used = usage?.used ?? 0;
  return {
    name,
    email,
    plan,
    usage: { used, limit, remaining: limit === null ? null : Math.max(0, limit - used) },
    connectedUsers: people.count,
    stats: statisticsOf(months),
    maskedKey: key.masked,
  };
}

const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);

function days(from: number, to: number): number[] {
  return Array.from({ length: (to - from) / DAY + 1 }, (_, index) => from + index * DAY);
}
