import { Hono } from 'hono';
import type { LearnedWeights } from '../../lib/engine/types.ts';
import { STAYS, sayStays } from '../../lib/kit/kept-for.ts';
import { readLearning, resetLearning, undoLearning } from '../../lib/learning/ledger.ts';
import { deleteUser } from '../../lib/people/account/erase.ts';
import { exportUser } from '../../lib/people/account/export.ts';
import { userInfo } from '../../lib/people/own-page.ts';
import {
  readPreferences,
  toPreferencesAnswer,
  toRulesAnswer,
  updatePreferences,
} from '../../lib/people/preferences.ts';
import type { listLearning } from '../../schema/access/learning.ts';
import { PROVIDER } from '../../schema/api/fields.ts';
import * as ownUserApi from '../../schema/api/own-user.ts';
import { toPagination } from '../../schema/api/paging.ts';
import * as preferencesApi from '../../schema/api/preferences.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const user = new Hono<AppEnv>();

serve(user, preferencesApi.getPreferences, async ({ ctx, user: { userId } }) => {
  const { email, preferences, rules } = await readPreferences(ctx, userId);
  return { email, rules: toRulesAnswer(rules), preferences: toPreferencesAnswer(preferences) };
});

serve(user, preferencesApi.updatePreferences, async ({ ctx, user: { userId }, body }) => {
  const { email, preferences, rules, understood, notUnderstood, warnings } = await updatePreferences(ctx, userId, body);
  return {
    success: true,
    email,
    rules: toRulesAnswer(rules),
    preferences: toPreferencesAnswer(preferences),
    understood,
    not_understood: notUnderstood,
    warnings,
  };
});

serve(user, ownUserApi.getLearning, async ({ ctx, user: { userId }, query: { limit, cursor: after } }) => {
  const { email, weights, entries, next } = await readLearning(ctx, userId, { limit, after });
  return {
    email,
    learned_weights: toWeightsAnswer(weights),
    entries: entries.map(toEntryAnswer),
    pagination: toPagination(next),
  };
});

serve(user, ownUserApi.undoLearning, async ({ ctx, user: { userId }, params: { id } }) => {
  const { entry, weights } = await undoLearning(ctx, { userId, id });
  return { success: true, entry: toEntryAnswer(entry), learned_weights: toWeightsAnswer(weights) };
});

serve(user, ownUserApi.resetLearning, async ({ ctx, user: { userId } }) => {
  const { weights } = await resetLearning(ctx, userId);
  return { success: true, learned_weights: toWeightsAnswer(weights) };
});

const toWeightsAnswer = ({ timeOfDay, dayOfWeek, bufferImportance }: LearnedWeights): ownUserApi.LearnedWeights => ({
  time_of_day_preference: timeOfDay,
  day_of_week_preference: dayOfWeek,
  buffer_importance: bufferImportance,
});

const toEntryAnswer = (entry: Awaited<ReturnType<typeof listLearning>>[number]): ownUserApi.LearningEntry => ({
  id: entry.id,
  source: entry.source,
  meeting_id: entry.meetingId,
  pattern: entry.pattern,
  weight: entry.weight,
  before: entry.before,
  after: entry.after,
  created_at: new Date(entry.createdAt).toISOString(),
  undone_at: entry.undoneAt === null ? null : new Date(entry.undoneAt).toISOString(),
});

serve(user, ownUserApi.getUserInfo, async ({ ctx, user: { userId } }) => {
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

serve(user, ownUserApi.exportUser, async ({ ctx, user: { userId } }) => toExportAnswer(await exportUser(ctx, userId)));

serve(user, ownUserApi.deleteUser, async ({ ctx, user: { userId } }) => {
  await deleteUser(ctx, userId);
  return {
    success: true,
    message: `Your account is deleted, and your calendar is disconnected from all platforms. ${sayStays()}`,
    stays: STAYS.map((one) => ({ ...one })),
  };
});

const iso = (instant: number) => new Date(instant).toISOString();
const isoOrNull = (instant: number | null) => (instant === null ? null : iso(instant));

export const toExportAnswer = ({ user, ...held }: Awaited<ReturnType<typeof exportUser>>): ownUserApi.UserExport => ({
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
