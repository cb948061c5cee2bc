import * as z from 'zod';
import { answer, docs } from '#docs';
import * as f from './fields.ts';
import { userOperation } from './operation.ts';
import { reading } from './reading.ts';

/** Each focus block costs every search for that person some time. */
export const MOST_FOCUS_BLOCKS = 100;

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
type PerWeekday<T> = Record<(typeof WEEKDAYS)[number], T>;

export const onEachWeekday = <T>(same: T) => Object.fromEntries(WEEKDAYS.map((name) => [name, same])) as PerWeekday<T>;

const Start = z
  .string('must be a time in the form HH:MM, from 00:00 to 23:59')
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time in the form HH:MM, from 00:00 to 23:59');
const End = z
  .string('must be a time in the form HH:MM, from 00:00 to 24:00')
  .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time in the form HH:MM, from 00:00 to 24:00');
const startsBeforeEnd = ({ start, end }: { start: string; end: string }) => start < end;
/** Each call returns a new object, because zod writes the whole path into it. */
const laterEnd = () => ({ path: ['end'], message: 'must be later than `start` in the same object' });

const anyCase = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (typeof value === 'string' ? value.toLowerCase() : value), schema);

const works = z.boolean('must be true or false').describe(docs('True if the person works on the weekday.'));
const starts = Start.describe(docs("Start of work on the weekday, HH:MM in the person's time zone."));
const ends = End.describe(docs("End of work on the weekday, HH:MM in the person's time zone, 24:00 at most."));

const DayHours = z
  .object(
    { enabled: works, start: starts.optional(), end: ends.optional() },
    'must be an object with the fields `enabled`, `start` and `end`',
  )
  .superRefine(({ enabled, start, end }, issues) => {
    const missing = (field: string) => issues.addIssue({ code: 'custom', path: [field], message: 'is required' });
    if (start === undefined && (enabled || end !== undefined)) missing('start');
    else if (end === undefined && (enabled || start !== undefined)) missing('end');
    else if (start !== undefined && end !== undefined && start >= end)
      issues.addIssue({ code: 'custom', ...laterEnd() });
  });
const day = DayHours.optional().describe(docs('Work hours of the weekday. A day off needs no `start` and no `end`.'));

const Days = z.object(
  onEachWeekday(day),
  'must be an object with an entry for each weekday that changes, such as `monday`',
);

/** Work hours by weekday. The names of the weekdays may be in any letter case. */
const WorkHours = z.preprocess((days, context) => {
  if (typeof days !== 'object' || days === null || Array.isArray(days)) return days;
  if (Object.keys(days).length > WEEKDAYS.length) {
    context.addIssue('must name at most the seven days, monday to sunday');
    return {};
  }
  const named = Object.entries(days).map(([name, hours]) => [name.toLowerCase(), hours] as const);
  const twice = named.find(([name], i) => named.findIndex(([other]) => other === name) < i);
  if (twice !== undefined) context.addIssue(`must name each day once, but it has \`${twice[0]}\` twice`);
  return Object.fromEntries(named);
}, Days);

const FocusBlock = z
  .object(
    {
      day: anyCase(z.enum(WEEKDAYS, 'must be a weekday from monday to sunday')).describe(
        docs('Weekday of the focus block, in any letter case.'),
      ),
      start: Start.describe(docs("Start of the focus block, HH:MM in the person's time zone.")),
      end: End.describe(docs("End of the focus block, HH:MM in the person's time zone, 24:00 at most.")),
      reason: f.optionalOf(
        f.text(1_000),
        docs(
          "The person's note on what the focus block is for, at most 1,000 characters. Platforms that the person is connected to can read this note.",
        ),
      ),
    },
    'must be an object with the fields `day`, `start`, `end` and, if you like, `reason`',
  )
  .refine(startsBeforeEnd, laterEnd());

/** `lib` checks later that the given time zone and place of public holidays exist. */
export const PreferencesRequest = z.object({
  work_hours: WorkHours.optional().describe(
    docs("The person's work hours, by weekday. A weekday that you leave out keeps its work hours."),
  ),
  timezone: f.text(100).optional().describe(docs('IANA time zone of the person, in any letter case.')),
  buffer_minutes: f.optionalOf(
    z.literal([0, 15, 30], 'must be 0, 15 or 30'),
    docs("Buffer: minutes kept free before and after each of the person's meetings. 0, 15 or 30."),
  ),
  availability_window_days: f.optionalOf(
    f.minutes(7, 90),
    docs('Number of days, starting today, that a search without dates covers, 7 to 90.'),
  ),
  max_meetings_per_day: f.optionalOf(
    f.minutes(1, 10),
    docs('Largest number of meetings that the person accepts on one day, 1 to 10.'),
  ),
  energy_pattern: f.optionalOf(
    z.enum(
      ['flexible', 'morning_person', 'afternoon_person', 'evening_person'],
      'must be flexible, morning_person, afternoon_person or evening_person',
    ),
    docs(
      'Time of day at which the person is at their best. `morning_person`: before noon. `afternoon_person`: noon to 17:00. `evening_person`: after 17:00. `flexible`: no preference.',
    ),
  ),
  holidays: f.optionalOf(
    f.text(20),
    docs(
      "Country or region whose public holidays are days off, such as DE or DE-BY, in any letter case. With the value `off`, the person has no public holidays. Defaults to the country of the person's time zone.",
    ),
  ),
  scheduling_context: f.optionalOf(
    f.text(1_000),
    docs(
      "Meeting preferences in the person's own words, at most 1,000 characters. Tandem derives rules and learned weights from this text.",
    ),
  ),
  focus_blocks: f.optionalOf(
    z
      .array(FocusBlock, 'must be an array of objects with the fields `day`, `start` and `end`')
      .max(MOST_FOCUS_BLOCKS, `must have at most ${MOST_FOCUS_BLOCKS} blocks`),
    docs(
      `Focus blocks: weekly times kept free of meetings, at most ${MOST_FOCUS_BLOCKS}. The list that you send replaces the current focus blocks. Focus blocks may overlap. Platforms that the person is connected to can read these focus blocks and their reasons.`,
    ),
  ),
});
export type PreferencesRequest = z.infer<typeof PreferencesRequest>;

export const SuggestedPreferences = PreferencesRequest.pick({
  work_hours: true,
  buffer_minutes: true,
  availability_window_days: true,
  max_meetings_per_day: true,
});
export type SuggestedPreferences = z.infer<typeof SuggestedPreferences>;

type SetDays = NonNullable<PreferencesRequest['work_hours']>;
type Present<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };
type Stored<T, Day> = Present<Omit<T, 'work_hours'>> & { work_hours?: { [Name in keyof SetDays]?: Day } };
type StoredDay = Present<NonNullable<SetDays['monday']>>;

/** Preferences as the user sent them. The scheduling engine's defaults apply to missing fields. */
export type StoredPreferences = Stored<PreferencesRequest, Partial<StoredDay>>;
export type StoredSuggestion = Stored<SuggestedPreferences, StoredDay>;

const wholeDay = f.objectOf(docs('Work hours of the weekday.'), { enabled: works, start: starts, end: ends });

export const Preferences = PreferencesRequest.required().extend({
  work_hours: f.objectOf(docs("The person's work hours, by weekday."), onEachWeekday(wholeDay)),
});
export type Preferences = z.infer<typeof Preferences>;

export const preferences = Preferences.describe(
  docs("All of the person's preferences. A preference that the person never set has its default value."),
);

export const StandingRule = answer(() => ({
  id: z.string().describe('ID of the rule, `rule_…`.'),
  quote: z.string().describe('Words of the `scheduling_context` from which Tandem derived the rule.'),
  meaning: z.string().describe('Meaning of the rule, as a phrase for a person.'),
  source: f.oneOf(
    ['scheduling_context'],
    'Text from which Tandem derived the rule. If the person writes a new text, the rules of the new text replace this rule.',
  ),
  created_at: f.instantOf('Time at which Tandem derived the rule'),
}));
export type StandingRule = z.infer<typeof StandingRule>;

export const UserPreferences = answer(() => ({
  email: f.address,
  rules: f.arrayOf(
    StandingRule,
    "Rules that Tandem derived from the person's `scheduling_context` and follows. If the `scheduling_context` changes, new rules replace these rules.",
  ),
  preferences,
}));

export const getPreferences = userOperation('get /v1/user/preferences', {
  summary: docs("Get the user's preferences"),
  description: docs("Returns the user's preferences, which apply on every platform they are connected to."),
  answer: {
    is: docs("Returns all of the user's preferences. A preference that the user never set has its default value."),
    schema: UserPreferences,
  },
});

export const UpdatedPreferences = answer(() => ({
  ...UserPreferences.shape,
  success: f.success,
  understood: f.optionalOf(reading.shape.understood, 'Parts of a new `scheduling_context` that Tandem understood.'),
  not_understood: f.optionalOf(
    reading.shape.not_understood,
    "Parts of a new `scheduling_context` that Tandem did not understand, in the person's words.",
  ),
  warnings: f.warnings.describe(
    'One sentence if a new `scheduling_context` gives no rule. Absent if it gives one, or none was sent.',
  ),
}));

export const updatePreferences = userOperation('put /v1/user/preferences', {
  summary: docs("Update the user's preferences"),
  description: docs(
    'Changes only the preferences you send. An unknown field in the request is an error. If `scheduling_context` changes, Tandem derives rules and learned weights from the new text, and undoes those that it derived from the previous text.',
  ),
  body: PreferencesRequest,
  refusesUnknownFields: true,
  answer: { is: docs("Returns all of the user's preferences after the change."), schema: UpdatedPreferences },
});

export const operations = { getPreferences, updatePreferences };
