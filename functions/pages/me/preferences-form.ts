import { WEEKDAYS } from '../../../lib/scheduling/dates.ts';
import type { FocusBlock, Weekday } from '../../../lib/scheduling/types.ts';
import type { wholePreferences } from '../../../lib/users/person.ts';
import { PreferencesRequest } from '../../../schema/api/preferences.ts';
import type { PreferencesChange } from '../../../schema/users/queries.ts';

/** A day's hours as they stand in the fields. */
interface TypedDay {
  isOn: boolean;
  start: string;
  end: string;
}

interface TypedBlock {
  day: string;
  start: string;
  end: string;
  reason: string;
  isRemoved: boolean;
}

/** The form as it stands in the browser: whatever was typed, read or not. */
export interface Typed {
  /** Empty where the calendar's zone holds. */
  timezone: string;
  days: Record<Weekday, TypedDay>;
  focus: TypedBlock[];
  buffer: string;
  mostPerDay: string;
  windowDays: string;
  energy: string;
  context: string;
}

/** What is wrong, by the id of the field. */
export type FieldErrors = Readonly<Record<string, string>>;

const MOST_BLOCKS = 100;
/** A field for times knows no 24:00: as an end, midnight is the next day's. */
const MIDNIGHT = { written: '24:00', typed: '00:00' };
const typedEnd = (end: string) => (end === MIDNIGHT.written ? MIDNIGHT.typed : end);
const writtenEnd = (end: string) => (end === MIDNIGHT.typed ? MIDNIGHT.written : end);

const byDay = <T>(of: (day: Weekday) => T) =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, of(day)])) as Record<Weekday, T>;

/** The form as it is first shown. */
export function typedOf(whole: ReturnType<typeof wholePreferences>, { isZoneSet }: { isZoneSet: boolean }): Typed {
  return {
    timezone: isZoneSet ? whole.timeZone : '',
    days: byDay((day) => {
      const { enabled, start, end } = whole.workHours[day];
      return { isOn: enabled, start, end: typedEnd(end) };
    }),
    focus: whole.focusBlocks.map(({ day, start, end, reason = '' }: FocusBlock) => ({
      day,
      start,
      end: typedEnd(end),
      reason,
      isRemoved: false,
    })),
    buffer: String(whole.bufferMinutes),
    mostPerDay: String(whole.maxMeetingsPerDay),
    windowDays: String(whole.availabilityWindowDays),
    energy: whole.energyPattern,
    context: whole.schedulingContext,
  };
}

/** The form as it was sent. */
export function typedFrom(form: URLSearchParams): Typed {
  const text = (name: string) => (form.get(name) ?? '').replaceAll('\r\n', '\n');
  const time = (name: string) => text(name).trim();
  const blocks: TypedBlock[] = [];
  for (let i = 0; i < MOST_BLOCKS && form.has(`focus-${i}-start`); i++)
    blocks.push({
      day: text(`focus-${i}-day`),
      start: time(`focus-${i}-start`),
      end: time(`focus-${i}-end`),
      reason: text(`focus-${i}-reason`),
      isRemoved: form.has(`focus-${i}-remove`),
    });
  return {
    timezone: time('timezone'),
    days: byDay((day) => ({ isOn: form.has(`${day}-on`), start: time(`${day}-start`), end: time(`${day}-end`) })),
    focus: blocks,
    buffer: time('buffer'),
    mostPerDay: time('most-per-day'),
    windowDays: time('window-days'),
    energy: text('energy'),
    context: text('context'),
  };
}

const isBlank = ({ day, start, end, reason }: TypedBlock) => `${day}${start}${end}${reason}` === '';

/** What the form asks for, in the words of `PUT /v1/user/preferences`; or what of it is wrong. */
export function readTyped(typed: Typed): { request: PreferencesChange } | { errors: FieldErrors } {
  const kept = typed.focus
    .map((block, row) => ({ ...block, row }))
    .filter((block) => !block.isRemoved && !isBlank(block));
  const given = {
    ...(typed.timezone === '' ? {} : { timezone: typed.timezone }),
    work_hours: byDay((day) => hoursOf(typed.days[day])),
    focus_blocks: kept.map(({ day, start, end, reason }) => ({
      day,
      start,
      end: writtenEnd(end),
      ...(reason === '' ? {} : { reason }),
    })),
    buffer_minutes: numberOf(typed.buffer),
    max_meetings_per_day: numberOf(typed.mostPerDay),
    availability_window_days: numberOf(typed.windowDays),
    energy_pattern: typed.energy,
    scheduling_context: typed.context,
  };
  const read = PreferencesRequest.safeParse(given);
  if (read.success) return { request: typed.timezone === '' ? { ...read.data, timezone: null } : read.data };
  const rows = kept.map(({ row }) => row);
  // The first thing that is wrong with a field is said, and no other.
  const errors = read.error.issues.map(({ path, message }) => [idOf(path, rows), sentenceOf(message)]).reverse();
  return { errors: Object.fromEntries(errors) };
}

/** A day off keeps its hours, where it has any. */
const hoursOf = ({ isOn, start, end }: TypedDay) => ({
  enabled: isOn,
  ...(start === '' ? {} : { start }),
  ...(end === '' ? {} : { end: writtenEnd(end) }),
});

const numberOf = (text: string) => (/^\d{1,4}$/.test(text) ? Number(text) : Number.NaN);

const IDS: Record<string, string> = {
  timezone: 'timezone',
  buffer_minutes: 'buffer',
  max_meetings_per_day: 'most-per-day',
  availability_window_days: 'window-days',
  energy_pattern: 'energy',
  scheduling_context: 'context',
};

/** The field that a part of the request was typed into. */
function idOf([name = '', place = '', part = '']: readonly PropertyKey[], rows: readonly number[]): string {
  if (name === 'work_hours') return `${String(place)}-${String(part)}`;
  if (name === 'focus_blocks') return `focus-${rows[Number(place)] ?? 0}-${String(part)}`;
  return IDS[String(name)] ?? String(name);
}

function sentenceOf(message: string): string {
  if (message === 'is required' || message.startsWith('must be HH:MM')) return 'Give a time, such as 09:00.';
  if (message === 'must be after start')
    return 'The end must be later than the start. Midnight as an end is 00:00 (12:00 AM).';
  if (message.startsWith('must be a weekday')) return 'Choose a weekday.';
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
