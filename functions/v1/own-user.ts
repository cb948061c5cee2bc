import { Hono } from 'hono';
import { STAYS, sayStays } from '../../lib/kit/what-stays.ts';
import { deleteUser } from '../../lib/people/account/erase.ts';
import { exportUser } from '../../lib/people/account/export.ts';
import { userInfo } from '../../lib/people/info.ts';
import { toPreferencesAnswer, toRulesAnswer } from '../../lib/people/preferences.ts';
import { PROVIDER } from '../../schema/api/fields.ts';
import * as api from '../../schema/api/own-user.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';
import { toEntryAnswer, toWeightsAnswer } from './learning.ts';

export const ownUser = new Hono<AppEnv>();

serve(ownUser, api.getUserInfo, async ({ ctx, user: { userId } }) => {
  const { email, preferences, stats, onboardingCompleted, createdAt } = await userInfo(ctx, userId);
  return {
    email,
    preferences: toPreferencesAnswer(preferences),
    stats: {
      total_meetings_scheduled: stats.total,
      meetings_this_month: stats.thisMonth,
      average_acceptance_time_hours: stats.acceptanceHours,
      reschedule_rate: stats.rescheduleRate,
      fast_acceptance_rate: stats.fastAcceptanceRate,
      preferred_times: stats.preferredTimes,
    },
    onboarding_completed: onboardingCompleted,
    created_at: createdAt,
  };
});

serve(ownUser, api.exportUser, async ({ ctx, user: { userId } }) => toExportAnswer(await exportUser(ctx, userId)));

serve(ownUser, api.deleteUser, async ({ ctx, user: { userId } }) => {
  await deleteUser(ctx, userId);
  return {
    success: true,
    message: `Your account is deleted, and your calendar is disconnected from all platforms. ${sayStays()}`,
    stays: STAYS.map((one) => ({ ...one })),
  };
});

const iso = (instant: number) => new Date(instant).toISOString();
const isoOrNull = (instant: number | null) => (instant === null ? null : iso(instant));

/** Converts the export of a person's data to its wire format, for the API and for the person's page. */
export const toExportAnswer = ({ user, ...held }: Awaited<ReturnType<typeof exportUser>>): api.UserExport => ({
  exported_at: iso(held.exportedAt),
  email: user.email,
  provider_id: user.providerId,
  created_at: iso(user.createdAt),
  onboarding_completed: user.onboardingCompleted,
  calendar: {
    provider: PROVIDER,
    status: user.status,
    scope: user.scope,
    timezone: user.calendarTimeZone,
    blocking_calendars: held.blocking.calendars,
    ticked_calendars: held.blocking.chosen,
    unticked_calendars: held.blocking.freed,
  },
  preferences: toPreferencesAnswer(held.preferences),
  rules: toRulesAnswer(held.rules),
  learned_weights: toWeightsAnswer(held.weights),
  learning: held.entries.map(toEntryAnswer),
  platforms: held.platforms.map((platform) => ({
    platform_id: platform.platformId,
    name: platform.platformName,
    connected_at: iso(platform.connectedAt),
    last_used_at: iso(platform.lastUsedAt),
    disconnected_at: isoOrNull(platform.disconnectedAt),
  })),
  api_keys: held.keys.map(({ masked, agentHost, createdAt, revokedAt }) => ({
    masked,
    agent: agentHost,
    created_at: iso(createdAt),
    revoked_at: isoOrNull(revokedAt),
  })),
  meetings: held.meetings.map(({ platformId, ...meeting }) => ({ platform_id: platformId, ...meeting })),
  held_times: held.holds.map(({ platformId, proposalId, withWhom, times, expiresAt }) => ({
    platform_id: platformId,
    proposal_id: proposalId,
    with: withWhom,
    times: times.map(({ start, end }) => ({ start_time: iso(start), end_time: iso(end) })),
    held_until: iso(expiresAt),
  })),
  not_included: held.notIncluded,
});
