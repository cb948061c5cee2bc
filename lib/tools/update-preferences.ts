import * as z from 'zod';
import type { PreferencesChange } from '../../schema/access/users.ts';
import { PreferencesRequest } from '../../schema/api/preferences.ts';
import { knownZone } from '../engine/time/zone.ts';
import {
  knownPreferences,
  readPreferences,
  toPreferencesAnswer,
  updatePreferences as update,
} from '../people/preferences.ts';
import { workHoursText } from '../person/person.ts';
import { readSchedulingContext } from '../reader/read-text.ts';
import { say } from '../words/patterns.ts';
import { describeReading, sayReading } from '../words/understood.ts';
import { confirmation, previewed, requestOf } from './confirmation.ts';
import { toolOf } from './tool.ts';
import { outcome, readParts } from './when.ts';

const Hours = z.object({ enabled: z.boolean(), start: z.string().optional(), end: z.string().optional() });

export const updatePreferences = toolOf({
  name: 'update_preferences',
  title: 'Change when you like to meet',
  description: 'Changes only the fields you send, for all platforms. Times are HH:MM.',
  for: 'user',
  hints: { destructive: true, idempotent: true, openWorld: false },
  input: PreferencesRequest.extend(confirmation),
  shown: { work_hours: z.record(z.string(), Hours).optional() },
  said: {
    work_hours: 'By weekday, monday to sunday',
    holidays: 'Public holidays: DE, DE-BY or off',
    scheduling_context: 'Your preferences in your own words',
  },
  output: outcome(
    'updated',
    { email: z.string(), preferences: z.record(z.string(), z.unknown()) },
    { ...readParts, ...previewed },
  ),
  async preview({ ctx, caller, input }) {
    const { email, preferences, version, calendarTimeZone } = await readPreferences(ctx, caller.userId);
    const now = toPreferencesAnswer(preferences);
    const wanted = knownPreferences(PreferencesRequest.parse(requestOf(input)));
    const said = wanted.scheduling_context;
    const zone = wanted.timezone === null ? calendarTimeZone : (wanted.timezone ?? preferences.timeZone);
    const writer = { timeZone: knownZone(zone), hours: workHoursText(preferences.workHours, wanted.work_hours) };
    const read = said === undefined ? undefined : describeReading(await readSchedulingContext(ctx, said, writer));
    const changes = entriesOf(wanted).map(([name, value]) =>
      say('agent.change', { name, before: shown(now[name]), after: shown(value) }),
    );
    return {
      version,
      data: {
        email,
        preferences: { ...now, ...wanted },
        ...(read && { understood: read.understood, not_understood: read.notUnderstood }),
      },
      text: [
        changes.length === 0 ? say('agent.no_change') : say('agent.would_change', { changes: changes.join('; ') }),
        ...(read ? [sayReading(read.understood, read.notUnderstood)] : []),
      ].join(' '),
    };
  },
  async run({ ctx, caller, input, version }) {
    const wanted = PreferencesRequest.parse(requestOf(input));
    const saved = await update(ctx, caller.userId, wanted, version);
    const { email, preferences, understood, notUnderstood, warnings = [] } = saved;
    const now = toPreferencesAnswer(preferences);
    const changed = entriesOf(wanted).map(([name]) => say('agent.value', { name, value: shown(now[name]) }));
    return {
      data: { status: 'updated' as const, email, preferences: now, understood, not_understood: notUnderstood },
      text: [
        changed.length === 0 ? say('agent.no_fields') : say('agent.saved', { changes: changed.join('; ') }),
        ...warnings,
      ].join(' '),
    };
  },
});

const entriesOf = (given: PreferencesChange) =>
  Object.entries(given).filter(([, value]) => value !== undefined) as [keyof PreferencesChange, unknown][];
const shown = (value: unknown) => (Array.isArray(value) && value.length === 0 ? 'none' : JSON.stringify(value));
