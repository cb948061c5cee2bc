import { findMaskedKey } from '../../schema/access/api-keys.ts';
import { insertAudit } from '../../schema/access/audit-log.ts';
import { countConnections, countReauthorizations, listConnections } from '../../schema/access/connections.ts';
import { selectSettings } from '../../schema/access/platforms.ts';
import * as sessionRows from '../../schema/access/sessions.ts';
import { selectUsage } from '../../schema/access/usage.ts';
import { selectDestination } from '../../schema/access/webhook-endpoints.ts';
import { batch } from '../../schema/db.ts';
import { countDeliveries, listDeliveryDays } from '../../schema/delivery/deliveries-log.ts';
import { countAcceptances, countMadeByDay, selectDay, sumMonths } from '../../schema/meetings/meeting-months.ts';
import { DAY } from '../engine/time/dates.ts';
import { type Auditing, audited, auditRow } from '../kit/change.ts';
import type { Ctx, PlatformRef } from '../kit/context.ts';
import { AppError, userGone } from '../kit/errors.ts';
import { ID_PREFIX, sha256 } from '../kit/ids.ts';
import { SESSION_SECONDS, sessionToken } from '../kit/page-session.ts';
import { planLimitsOf } from '../kit/plans.ts';
import { readToken, signToken } from '../kit/signed-token.ts';
import { forecastOf, monthOf, monthsAt, statisticsOf } from '../usage/usage.ts';

const LINK_SECONDS = 600;
const AUDIENCE = 'dashboard-link';

/** Older sessions may not change keys and secrets, which a thief of a session would want most. */
const FRESH_MS = LINK_SECONDS * 1_000;

/** An unopened link is a row in the table of sessions, so whatever ends the sessions ends it too. */
export async function dashboardLink(
  ctx: Auditing & Pick<Ctx, 'config'>,
  platformId: string,
  { readOnly }: { readOnly: boolean },
): Promise<{ url: string; expiresAt: number }> {
  const now = ctx.clock.now();
  const id = ctx.ids.id(ID_PREFIX.session);
  const signed = { audience: AUDIENCE, id, subject: platformId, seconds: LINK_SECONDS };
  const { token, expiresAt } = await signToken(ctx, signed);
  const guard = sessionRows.isStillValid(ctx.actor.credential, now);
  const { link } = await batch(ctx.db, {
    link: sessionRows.insertLink(ctx.db, { id, platformId, readOnly, now, expiresAt, guard }),
    audited: audited(ctx, {
      platformId,
      action: 'link.created',
      details: { session: id, ...(readOnly ? { read_only: 'true' } : {}) },
      guard: sessionRows.hasSession(id),
    }),
  });
  if (link.rows.length === 0) throw userGone();
  const url = new URL('/dashboard/enter', ctx.config.baseUrl);
  url.searchParams.set('link', token);
  return { url: url.href, expiresAt };
}

export async function readLink(ctx: Ctx, link: string) {
  const signed = await readToken(ctx, AUDIENCE, link);
  return signed && (await sessionRows.findLink(ctx.db, { id: signed.id, now: ctx.clock.now() }));
}

/**
 * `secret` is a random text that only this browser has, so if it opens the link again, because a form is sent twice or
 * an answer is lost, it gets the same session. Returns undefined for a forged, expired or ended link, and for one that
 * another browser opened.
 */
export async function enterDashboard(ctx: Ctx, link: string, secret: string) {
  const signed = await readToken(ctx, AUDIENCE, link);
  if (signed?.subject === undefined) return undefined;
  const { id, subject } = signed;
  const now = ctx.clock.now();
  const browser = await sha256(secret);
  const sessionUntil = now + SESSION_SECONDS.dashboard * 1_000;
  const { opened } = await batch(ctx.db, {
    opened: sessionRows.openLink(ctx.db, { id, browser, now, sessionUntil, linkSince: now - LINK_SECONDS * 1_000 }),
    audited: insertAudit(ctx.db, {
      ...auditRow(ctx, { platformId: subject, action: 'session.opened' as const }, { kind: 'session', id }),
      // The id is derived from the session's, so if the form is sent again, the audit log still has only one row.
      id: `${ID_PREFIX.audit}${id.slice(ID_PREFIX.session.length)}`,
      guard: sessionRows.isOpenedBy({ id, browser }),
    }),
  });
  const [session] = opened;
  if (session === undefined) return undefined;
  const { expiresAt } = session;
  return {
    token: await sessionToken(ctx, 'dashboard', { id, subject, expiresAt }),
    seconds: (expiresAt - now) / 1_000,
  };
}

export async function leaveDashboard(ctx: Ctx, { id, platformId }: { id: string; platformId: string }): Promise<void> {
  const now = ctx.clock.now();
  const guard = sessionRows.isSessionOpen(id, now);
  await batch(ctx.db, {
    audited: audited(ctx, { platformId, action: 'session.ended', details: { session: id }, guard }),
    ended: sessionRows.endSession(ctx.db, { id, now }),
  });
}

/** Ends every dashboard session of a platform, including the caller's own, and every link that nobody has opened. */
export async function leaveEverywhere(ctx: Ctx, platformId: string): Promise<void> {
  const now = ctx.clock.now();
  const guard = sessionRows.isStillValid(ctx.actor.credential, now);
  await batch(ctx.db, {
    audited: audited(ctx, { platformId, action: 'sessions.ended', guard }),
    ended: sessionRows.endSessions(ctx.db, { owner: { platformId }, now, guard }),
  });
}

/** Throws `forbidden` if the sign-in link that opened this session was made more than ten minutes ago. */
export function insistOnFreshLink(ctx: Pick<Ctx, 'clock'>, { linkedAt }: { linkedAt: number }): void {
  if (!isFresh(ctx, { linkedAt })) throw staleLink();
}

export const isFresh = (ctx: Pick<Ctx, 'clock'>, { linkedAt }: { linkedAt: number }): boolean =>
  ctx.clock.now() - linkedAt <= FRESH_MS;

const staleLink = () =>
  new AppError(
    'forbidden',
    'Nothing was changed, because this change requires a dashboard link that is at most ten minutes old. Get a new dashboard link where you got the last one, and try again.',
  );

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

function glanceOf({ settings: [settings], usage: [usage], people: [people], months: [months], key: [key] }: Glance) {
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
