import * as z from 'zod';
import { PreferencesRequest } from '../../schema/api/preferences.ts';
import { readPreferences, toPreferencesAnswer, updatePreferences as update } from '../users/preferences.ts';
import { confirmation, previewed, requestOf } from './confirmation.ts';
import { writingTool } from './tool.ts';

const Hours = z.object({ enabled: z.boolean(), start: z.string().optional(), end: z.string().optional() });

export const updatePreferences = writingTool({
  name: 'update_preferences',
  title: 'Change when you like to meet',
  description: 'Changes what is given and nothing else, for all platforms. Clock times are HH:MM.',
  for: 'user',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  input: PreferencesRequest.extend(confirmation),
  shown: { work_hours: z.record(z.string(), Hours).optional() },
  said: { work_hours: 'By weekday, monday to sunday', scheduling_context: 'In your own words; it is learned from' },
  output: z.object({
    status: z.enum(['updated', 'preview', 'declined']),
    email: z.string().optional(),
    preferences: z.record(z.string(), z.unknown()).optional(),
    ...previewed,
  }),
  async preview({ ctx, caller, input }) {
    const { email, preferences } = await readPreferences(ctx, caller.userId);
    const now = toPreferencesAnswer(preferences);
    const wanted = PreferencesRequest.parse(requestOf(input));
    const changes = entriesOf(wanted).map(([name, value]) => `${name} from ${shown(now[name])} to ${shown(value)}`);
    return {
      data: { email, preferences: { ...now, ...wanted } },
      text: changes.length === 0 ? 'This would change nothing.' : `This would change ${changes.join('; ')}.`,
    };
  },
  async run({ ctx, caller, input }) {
    const wanted = PreferencesRequest.parse(requestOf(input));
    const { email, preferences } = await update(ctx, caller.userId, wanted);
    const now = toPreferencesAnswer(preferences);
    const changed = entriesOf(wanted).map(([name]) => `${name} is ${shown(now[name])}`);
    return {
      data: { status: 'updated' as const, email, preferences: now },
      text: changed.length === 0 ? 'Nothing was given, nothing is changed.' : `Saved: ${changed.join('; ')}.`,
    };
  },
});

type Given = z.output<typeof PreferencesRequest>;
const entriesOf = (given: Given) =>
  Object.entries(given).filter(([, value]) => value !== undefined) as [keyof Given, unknown][];
const shown = (value: unknown) => (Array.isArray(value) && value.length === 0 ? 'none' : JSON.stringify(value));
