import type { Preferences } from '../../schema/api/preferences.ts';
import {
  applyWeightChanges,
  contextDiffers,
  insertWeightChanges,
  replayWeights,
  undoEntries,
} from '../../schema/learning/queries.ts';
import { findPreferences, lockUser, mergePreferences, type PreferencesChange } from '../../schema/users/queries.ts';
import type { Ctx } from '../context.ts';
import { AppError, userGone } from '../errors.ts';
import { weightChangesOfContext } from '../learning/learn-from-context.ts';
import { isTimeZone } from '../scheduling/zone.ts';
import { spellZone } from '../scheduling/zone-names.ts';
import { wholePreferences } from './person.ts';

/** A user's preferences, with the defaults of what they did not set; without a zone of their own that of the calendar holds. */
export async function readPreferences(ctx: Ctx, userId: string) {
  const user = await findPreferences(ctx.db, userId);
  if (user === undefined) throw userGone();
  const { email, calendarTimeZone, preferences } = user;
  const isZoneSet = preferences.timezone !== undefined;
  return { email, preferences: wholePreferences(user), calendarTimeZone, isZoneSet };
}

/** Changes the given preferences and no others, a new `scheduling_context` with what it teaches; answers all of them. */
export async function updatePreferences(ctx: Ctx, userId: string, request: PreferencesChange) {
  const given = withKnownZone(request);
  const { scheduling_context: text, ...others } = given;
  const [user] =
    text === undefined
      ? await mergePreferences(ctx.db, { userId, given })
      : await mergeWithContext(ctx, { userId, text, given, others });
  if (user === undefined) throw userGone();
  return { email: user.email, preferences: wholePreferences(user) };
}

/** With the zone in its own spelling. */
function withKnownZone({ timezone, ...others }: PreferencesChange): PreferencesChange {
  if (timezone === undefined) return others;
  if (timezone === null) return { ...others, timezone };
  if (!isTimeZone(timezone))
    throw new AppError('invalid_request', 'timezone must be an IANA time zone.', { field: 'timezone' });
  return { ...others, timezone: spellZone(timezone) };
}

/** Text and weights change in one transaction, so that of two texts at once the one that stays is the one that taught. */
async function mergeWithContext(
  ctx: Ctx,
  {
    userId,
    text,
    given,
    others,
  }: { userId: string; text: string; given: PreferencesChange; others: PreferencesChange },
) {
  const stored = await findPreferences(ctx.db, userId);
  if (stored?.preferences.scheduling_context === text) return mergePreferences(ctx.db, { userId, given: others });

  const changes = await weightChangesOfContext(ctx, text);
  const [now, source, when] = [ctx.clock.now(), 'scheduling_context', contextDiffers(userId, text)] as const;
  const [, , , , , merged] = await ctx.db.batch([
    lockUser(ctx.db, userId),
    undoEntries(ctx.db, { userId, source, now, when }),
    replayWeights(ctx.db, { userId }),
    insertWeightChanges(ctx.db, { userId, source, meetingId: null, changes, now, when }),
    applyWeightChanges(ctx.db, { userId, ids: changes.map(({ id }) => id) }),
    mergePreferences(ctx.db, { userId, given }),
  ]);
  return merged;
}

/** Preferences whole, in the words of the wire. */
export const toPreferencesAnswer = (whole: ReturnType<typeof wholePreferences>): Preferences => ({
  work_hours: whole.workHours,
  timezone: whole.timeZone,
  buffer_minutes: whole.bufferMinutes,
  availability_window_days: whole.availabilityWindowDays,
  max_meetings_per_day: whole.maxMeetingsPerDay,
  energy_pattern: whole.energyPattern,
  scheduling_context: whole.schedulingContext,
  focus_blocks: whole.focusBlocks.map(({ day, start, end, reason }) => ({ day, start, end, reason })),
});
