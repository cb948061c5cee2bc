import * as z from 'zod';
import { text, minutes as whole } from './fields.ts';
import { operation } from './operation.ts';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

const Start = z.string('must be HH:MM').regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM');
const End = z
  .string('must be HH:MM, 24:00 at most')
  .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be HH:MM, 24:00 at most');
const startsBeforeEnd = ({ start, end }: { start: string; end: string }) => start < end;
/** Made anew each time: zod writes the whole path into the list. */
const laterEnd = () => ({ path: ['end'], message: 'must be after start' });

/** Words of ours in any case. */
const anyCase = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (typeof value === 'string' ? value.toLowerCase() : value), schema);

/** A day's hours as they are set: those of a day off may be left out. */
const DayHours = z
  .object(
    { enabled: z.boolean('must be true or false'), start: Start.optional(), end: End.optional() },
    'must be an object {enabled, start, end}',
  )
  .superRefine(({ enabled, start, end }, issues) => {
    const missing = (field: string) => issues.addIssue({ code: 'custom', path: [field], message: 'is required' });
    if (start === undefined && (enabled || end !== undefined)) missing('start');
    else if (end === undefined && (enabled || start !== undefined)) missing('end');
    else if (start !== undefined && end !== undefined && start >= end)
      issues.addIssue({ code: 'custom', ...laterEnd() });
  });
const day = DayHours.optional().describe('A day off may do without start and end');

const Days = z.object(
  { monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: day, sunday: day },
  'must be an object of the days monday to sunday',
);

/** Work hours by weekday, whose names may stand in any case. */
const WorkHours = z.preprocess((days, context) => {
  if (typeof days !== 'object' || days === null || Array.isArray(days)) return days;
  const named = Object.entries(days).map(([name, hours]) => [name.toLowerCase(), hours] as const);
  const twice = named.find(([name], i) => named.findIndex(([other]) => other === name) < i);
  if (twice !== undefined) context.addIssue(`must name each day once; ${twice[0]} is there twice`);
  return Object.fromEntries(named);
}, Days);

const FocusBlock = z
  .object(
    {
      day: anyCase(z.enum(WEEKDAYS, 'must be a weekday, monday to sunday')),
      start: Start,
      end: End,
      reason: text(1_000).optional(),
    },
    'must be an object {day, start, end, reason}',
  )
  .refine(startsBeforeEnd, laterEnd());

/** Any subset of the fields; whether the zone exists is asked where zones are known. */
export const PreferencesRequest = z.object({
  work_hours: WorkHours.optional(),
  timezone: text(100).optional().describe('An IANA zone, in any case'),
  buffer_minutes: z.literal([0, 15, 30], 'must be 0, 15 or 30').optional(),
  availability_window_days: whole(7, 90).optional(),
  max_meetings_per_day: whole(1, 10).optional(),
  energy_pattern: z
    .enum(
      ['flexible', 'morning_person', 'afternoon_person', 'evening_person'],
      'must be flexible, morning_person, afternoon_person or evening_person',
    )
    .optional(),
  scheduling_context: text(1_000).optional(),
  focus_blocks: z.array(FocusBlock, 'must be an array of focus blocks').optional().describe('They may overlap'),
});
export type PreferencesRequest = z.infer<typeof PreferencesRequest>;

/** Preferences whole; what the user did not set has its default. */
export const Preferences = PreferencesRequest.required().extend({
  work_hours: z.record(z.enum(WEEKDAYS), z.object({ enabled: z.boolean(), start: Start, end: End })),
});
export type Preferences = z.infer<typeof Preferences>;

export const UserPreferences = z.object({ email: z.string(), preferences: Preferences });

export const getPreferences = operation({
  method: 'get',
  path: '/v1/user/preferences',
  id: 'getPreferences',
  key: 'user',
  summary: 'Read the preferences',
  answer: { is: 'All preferences; what was never set has its default.', schema: UserPreferences },
});

export const UpdatedPreferences = UserPreferences.extend({ success: z.literal(true) });

export const updatePreferences = operation({
  method: 'put',
  path: '/v1/user/preferences',
  id: 'updatePreferences',
  key: 'user',
  summary: 'Change the given preferences and no others',
  description:
    'A field that is none of these is refused. A new scheduling_context is read into learned weights and takes back what the former one taught.',
  body: PreferencesRequest,
  refusesUnknownFields: true,
  answer: { is: 'All preferences after the change.', schema: UpdatedPreferences },
});

export const operations = [getPreferences, updatePreferences];
