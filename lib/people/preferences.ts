import * as learningRows from '../../schema/access/learning.ts';
import {
  findPreferences,
  hasPreferences,
  mergePreferences,
  type PreferencesChange,
} from '../../schema/access/users.ts';
import type { StandingRule as AnsweredRule, Preferences } from '../../schema/api/preferences.ts';
import { spellHolidayPlace } from '../engine/rules/holiday-table.ts';
import { knownZone } from '../engine/time/zone.ts';
import { audited, changeUser } from '../kit/change.ts';
import type { Ctx } from '../kit/context.ts';
import { invalid, StateChanged, userGone } from '../kit/errors.ts';
import { weightChangesOfContext } from '../learning/learn-from-reason.ts';
import { type SaidRule, sayRule } from '../learning/ledger.ts';
import { givenZone } from '../person/given-zone.ts';
import { type WholePreferences, wholePreferences, workHoursText } from '../person/person.ts';
import { standingOf, toStoredRule } from '../person/standing.ts';
import { readSchedulingContext } from '../reader/read-text.ts';
import { say } from '../words/patterns.ts';
import { describeReading } from '../words/understood.ts';

/** Further rules in the text are dropped. */
const MOST_RULES = 20;

/** A user who set no zone has the zone of their calendar. */
export async function readPreferences(ctx: Ctx, userId: string) {
  const user = await findPreferences(ctx.db, userId);
  if (user === undefined) throw userGone();
  const { email, calendarTimeZone, preferences, rules, version, suggested, suggestedBy } = user;
  const isZoneSet = preferences.timezone !== undefined;
  const areHolidaysSet = preferences.holidays !== undefined;
  const whole = wholePreferences(user);
  return {
    email,
    preferences: whole,
    version,
    rules: rules.map(sayRule),
    standing: standingOf(rules, whole).standing,
    calendarTimeZone,
    isZoneSet,
    areHolidaysSet,
    suggested: suggestedBy === null ? undefined : { by: suggestedBy, names: suggested },
  };
}

/**
 * Changes only the given preferences of a user and returns all of them. A new `scheduling_context` also changes the
 * user's learned weights. `expected` is the version that the preferences must still have, because the user decided on
 * the basis of that version. Throws `StateChanged` if they have another.
 */
export async function updatePreferences(ctx: Ctx, userId: string, request: PreferencesChange, expected?: string) {
  const given = knownPreferences(request);
  const { scheduling_context: text, ...others } = given;
  const { merged, reading } =
    text === undefined
      ? { merged: await merge(ctx, { userId, given, expected }), reading: undefined }
      : await mergeWithContext(ctx, { userId, text, given, others, expected });
  const [user] = merged;
  if (user === undefined) throw expected === undefined ? userGone() : new StateChanged();
  return {
    email: user.email,
    preferences: wholePreferences(user),
    rules: user.rules.map(sayRule),
    ...(reading && describeReading(reading)),
    // A text without a rule changes nothing, which whoever saved it should know.
    warnings:
      reading !== undefined && text?.trim() !== '' && reading.standing.length === 0 ? [say('read.no_rule')] : undefined,
  };
}

/** One transaction stores all, so the rules and the weights match the text that is stored last of two. */
async function mergeWithContext(
  ctx: Ctx,
  { text, others, ...change }: Merge & { text: string; others: PreferencesChange },
) {
  const { userId, given, expected } = change;
  const stored = await findPreferences(ctx.db, userId);
  if (stored?.preferences.scheduling_context === text)
    return { merged: await merge(ctx, { ...change, given: others }), reading: undefined };

  const own = given.timezone === null ? undefined : (given.timezone ?? stored?.preferences.timezone);
  const calendarTimeZone = stored?.calendarTimeZone ?? '';
  const { workHours } = wholePreferences({ preferences: stored?.preferences ?? {}, calendarTimeZone });
  const hours = workHoursText(workHours, given.work_hours);
  const reading = await readSchedulingContext(ctx, text, { timeZone: knownZone(own ?? calendarTimeZone), hours });
  const changes = weightChangesOfContext(ctx, reading);
  const rules = reading.standing.slice(0, MOST_RULES).map((rule) => toStoredRule(rule, ctx.ids.id('rule_')));
  const [now, source] = [ctx.clock.now(), 'scheduling_context'] as const;
  const when = learningRows.contextDiffers({ userId, text, expected });
  const { merged } = await changeUser(ctx, userId, {
    undone: learningRows.undoEntries(ctx.db, { userId, source, now, when }),
    replayed: learningRows.replayWeights(ctx.db, { userId }),
    learned: learningRows.insertWeightChanges(ctx.db, { userId, source, meetingId: null, changes, now, when }),
    applied: learningRows.applyWeightChanges(ctx.db, { userId, ids: changes.map(({ id }) => id) }),
    deleted: learningRows.deleteRulesOf(ctx.db, { userId, source, when }),
    rules: learningRows.insertRules(ctx.db, { userId, source, given: rules, now, when }),
    ...merging(ctx, change),
  });
  ctx.log('info', 'a scheduling context was read', { read_by: reading.by, rules: rules.length });
  return { merged, reading };
}

type Merge = Parameters<typeof mergePreferences>[1];

const merge = async (ctx: Ctx, change: Merge) => (await changeUser(ctx, change.userId, merging(ctx, change))).merged;

/** The audit log names the fields alone, because their values are personal. */
function merging(ctx: Ctx, change: Merge) {
  const { userId, given } = change;
  const fields = Object.keys(given).join(', ');
  const row = { userId, action: 'preferences.changed', details: { fields }, guard: hasPreferences(change) } as const;
  return { ...(fields !== '' && { audited: audited(ctx, row) }), merged: mergePreferences(ctx.db, change) };
}

/** A repeated call has no further effect. */
export async function removeRule(ctx: Ctx, { userId, id }: { userId: string; id: string }): Promise<void> {
  await changeUser(ctx, userId, { deleted: learningRows.deleteRules(ctx.db, { userId, id }) });
}

export const toRulesAnswer = (rules: SaidRule[]): AnsweredRule[] =>
  rules.map(({ createdAt, ...rule }) => ({ ...rule, created_at: new Date(createdAt).toISOString() }));

export const toPreferencesAnswer = (whole: WholePreferences): Preferences => ({
  work_hours: whole.workHours,
  timezone: whole.timeZone,
  buffer_minutes: whole.bufferMinutes,
  availability_window_days: whole.availabilityWindowDays,
  max_meetings_per_day: whole.maxMeetingsPerDay,
  energy_pattern: whole.energyPattern,
  holidays: whole.holidays,
  scheduling_context: whole.schedulingContext,
  focus_blocks: whole.focusBlocks.map(({ day, start, end, reason }) => ({ day, start, end, reason })),
});

/** Throws `invalid_request` for an unknown zone, or for a place without known holidays. */
export function knownPreferences(given: PreferencesChange): PreferencesChange {
  const { timezone, holidays } = given;
  return {
    ...given,
    ...(timezone == null ? {} : { timezone: givenZone(timezone, 'timezone') }),
    ...(holidays == null ? {} : { holidays: givenPlace(holidays) }),
  };
}

function givenPlace(holidays: string): string {
  const place = spellHolidayPlace(holidays);
  if (place !== undefined) return place;
  throw invalid(
    'holidays',
    '`holidays` must be "off", or the code of a country (such as "DE") or region (such as "DE-BY") whose public holidays Tandem knows.',
  );
}
