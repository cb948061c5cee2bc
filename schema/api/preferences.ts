import * as z from 'zod';
import { address, success, text, minutes as whole } from './fields.ts';
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

const works = z.boolean('must be true or false').describe('Whether they work on that day');
const starts = Start.describe('When work begins, HH:MM on their clock');
const ends = End.describe('When work ends, HH:MM, 24:00 at most');

/** A day's hours as they are set: those of a day off may be left out. */
const DayHours = z
  .object({ enabled: works, start: starts.optional(), end: ends.optional() }, 'must be an object {enabled, start, end}')
  .superRefine(({ enabled, start, end }, issues) => {
    const missing = (field: string) => issues.addIssue({ code: 'custom', path: [field], message: 'is required' });
    if (start === undefined && (enabled || end !== undefined)) missing('start');
    else if (end === undefined && (enabled || start !== undefined)) missing('end');
    else if (start !== undefined && end !== undefined && start >= end)
      issues.addIssue({ code: 'custom', ...laterEnd() });
  });
const day = DayHours.optional().describe('The hours of that day; a day off may do without start and end');

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
      day: anyCase(z.enum(WEEKDAYS, 'must be a weekday, monday to sunday')).describe('The weekday, in any case'),
      start: Start.describe('When it begins, HH:MM on their clock'),
      end: End.describe('When it ends, HH:MM, 24:00 at most'),
      reason: text(1_000).optional().describe('What it is for, for themselves; at most 1,000 characters'),
    },
    'must be an object {day, start, end, reason}',
  )
  .refine(startsBeforeEnd, laterEnd());

/** Any subset of the fields; whether the zone exists is asked where zones are known. */
export const PreferencesRequest = z.object({
  work_hours: WorkHours.optional().describe('When they work, by weekday; a day left out keeps its hours'),
  timezone: text(100).optional().describe('Their time zone, an IANA name in any case'),
  buffer_minutes: z
    .literal([0, 15, 30], 'must be 0, 15 or 30')
    .optional()
    .describe('Minutes to keep free before and after each meeting'),
  availability_window_days: whole(7, 90)
    .optional()
    .describe('How many days a search covers from today when no dates are given, 7 to 90'),
  max_meetings_per_day: whole(1, 10).optional().describe('The most meetings on one day, 1 to 10'),
  energy_pattern: z
    .enum(
      ['flexible', 'morning_person', 'afternoon_person', 'evening_person'],
      'must be flexible, morning_person, afternoon_person or evening_person',
    )
    .optional()
    .describe('When they are at their best: before noon, noon to 17:00, or after; flexible has no preference'),
  scheduling_context: text(1_000)
    .optional()
    .describe('How they like to meet, in their own words, at most 1,000 characters; read into learned weights'),
  focus_blocks: z
    .array(FocusBlock, 'must be an array of focus blocks')
    .optional()
    .describe('Weekly hours that are kept free of meetings; all of them anew, and they may overlap'),
});
export type PreferencesRequest = z.infer<typeof PreferencesRequest>;

const wholeDay = z.object({ enabled: works, start: starts, end: ends }).describe('The hours of that day');

/** Preferences whole; what the user did not set has its default. */
export const Preferences = PreferencesRequest.required().extend({
  work_hours: z
    .object({
      monday: wholeDay,
      tuesday: wholeDay,
      wednesday: wholeDay,
      thursday: wholeDay,
      friday: wholeDay,
      saturday: wholeDay,
      sunday: wholeDay,
    })
    .describe('When they work, by weekday'),
});
export type Preferences = z.infer<typeof Preferences>;

export const UserPreferences = z.object({
  email: address,
  preferences: Preferences.describe('All preferences; what was never set has its default'),
});

export const getPreferences = operation({
  method: 'get',
  path: '/v1/user/preferences',
  id: 'getPreferences',
  key: 'user',
  summary: 'Read the preferences',
  description: "The user's own, which hold for every platform they are connected with.",
  answer: { is: 'All preferences; what was never set has its default.', schema: UserPreferences },
});

export const UpdatedPreferences = UserPreferences.extend({ success });

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
