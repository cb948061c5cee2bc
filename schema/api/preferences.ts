import * as z from 'zod';
import { text } from './fields.ts';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

const Start = z.string('must be HH:MM').regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM');
const End = z
  .string('must be HH:MM, 24:00 at most')
  .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be HH:MM, 24:00 at most');
const startsBeforeEnd = ({ start, end }: { start: string; end: string }) => start < end;
const reversed = { path: ['end'], error: 'must be after start' };

const DayHours = z
  .object(
    { enabled: z.boolean('must be true or false'), start: Start, end: End },
    'must be an object {enabled, start, end}',
  )
  .refine(startsBeforeEnd, reversed);
const day = DayHours.optional();

const WorkHours = z.strictObject(
  { monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: day, sunday: day },
  'must be an object of the days monday to sunday',
);

const FocusBlock = z
  .object(
    {
      day: z.enum(WEEKDAYS, 'must be a weekday, monday to sunday'),
      start: Start,
      end: End,
      reason: text(1_000).optional(),
    },
    'must be an object {day, start, end, reason}',
  )
  .refine(startsBeforeEnd, reversed);

const FocusBlocks = z.array(FocusBlock, 'must be an array of focus blocks').superRefine((blocks, issues) => {
  for (const [i, block] of blocks.entries()) {
    const isTaken = blocks
      .slice(0, i)
      .some((other) => other.day === block.day && other.start < block.end && block.start < other.end);
    if (!isTaken) continue;
    issues.addIssue({ code: 'custom', path: [i], message: `must not overlap another block on ${block.day}` });
    return;
  }
});

const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
};

/** Body of `PUT /v1/user/preferences`: any subset of the fields; whether the zone exists is asked where zones are known. */
export const PreferencesRequest = z.object({
  work_hours: WorkHours.optional(),
  timezone: text(100).optional(),
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
  focus_blocks: FocusBlocks.optional(),
});
export type PreferencesRequest = z.infer<typeof PreferencesRequest>;
