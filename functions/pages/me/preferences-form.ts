import { WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import type { WholePreferences } from '../../../lib/person/person.ts';
import type { PreferencesChange } from '../../../schema/access/users.ts';
import { MOST_FOCUS_BLOCKS, PreferencesRequest } from '../../../schema/api/preferences.ts';

type TypedBlock = Record<'day' | 'start' | 'end' | 'reason', string> & { isRemoved: boolean };

export interface Typed {
  /**
   * Texts of the form's fields by their names: those of the request, and `monday-on`, `monday-start` and `monday-end`.
   * `timezone` is empty for the zone of the calendar, and `holidays` for those of the zone's country.
   */
  fields: Readonly<Record<string, string>>;
  focus: readonly TypedBlock[];
}

export type FieldErrors = Readonly<Record<string, string>>;

export const SPARE_ROWS = 2;
/** It is stored as 24:00, but a time field cannot hold 24:00, so the form shows 00:00. */
const MIDNIGHT = { written: '24:00', typed: '00:00' };
const typedEnd = (end: string) => (end === MIDNIGHT.written ? MIDNIGHT.typed : end);
const writtenEnd = (end: string) => (end === MIDNIGHT.typed ? MIDNIGHT.written : end);

export function typedOf(
  whole: WholePreferences,
  { isZoneSet, areHolidaysSet }: { isZoneSet: boolean; areHolidaysSet: boolean },
): Typed {
  const days = WEEKDAYS.flatMap((day) => {
    const { enabled, start, end } = whole.workHours[day];
    return [...(enabled ? [[`${day}-on`, 'on']] : []), [`${day}-start`, start], [`${day}-end`, typedEnd(end)]];
  });
  return {
    fields: {
      ...Object.fromEntries(days),
      timezone: isZoneSet ? whole.timeZone : '',
      holidays: areHolidaysSet ? whole.holidays : '',
      buffer_minutes: String(whole.bufferMinutes),
      max_meetings_per_day: String(whole.maxMeetingsPerDay),
      availability_window_days: String(whole.availabilityWindowDays),
      energy_pattern: whole.energyPattern,
      scheduling_context: whole.schedulingContext,
    },
    focus: whole.focusBlocks.map(({ reason = '', end, ...block }) => ({
      ...{ ...block, reason, end: typedEnd(end) },
      isRemoved: false,
    })),
  };
}

export function typedFrom(form: URLSearchParams): Typed {
  const fields = Object.fromEntries([...form].map(([name, text]) => [name, text.replaceAll('\r\n', '\n')]));
  const rows = Array.from({ length: MOST_FOCUS_BLOCKS + SPARE_ROWS }, (_, row): TypedBlock => {
    const text = (part: string) => fields[`focus-${row}-${part}`] ?? '';
    return {
      ...{ day: text('day'), start: text('start').trim(), end: text('end').trim(), reason: text('reason') },
      isRemoved: `focus-${row}-remove` in fields,
    };
  });
  return { fields, focus: rows.filter(({ day, start, end, reason }) => day + start + end + reason !== '') };
}

/** The schema of `PUT /v1/user/preferences` checks it. If the form has errors, returns all of them instead. */
export function readTyped({ fields, focus }: Typed): { request: PreferencesChange } | { errors: FieldErrors } {
  const text = (name: string) => (fields[name] ?? '').trim();
  const rows = [...focus.keys()].filter((row) => focus[row]?.isRemoved === false);
  const read = PreferencesRequest.safeParse({
    ...filled({ timezone: text('timezone'), holidays: text('holidays') }),
    // A day off keeps its hours, so that they return when the day is ticked again.
    work_hours: Object.fromEntries(
      WEEKDAYS.map((day) => [
        day,
        {
          enabled: `${day}-on` in fields,
          ...filled({ start: text(`${day}-start`), end: writtenEnd(text(`${day}-end`)) }),
        },
      ]),
    ),
    focus_blocks: focus
      .filter(({ isRemoved }) => !isRemoved)
      .map(({ day, start, end, reason }) => ({ day, start, end: writtenEnd(end), ...filled({ reason }) })),
    buffer_minutes: numberOf(text('buffer_minutes')),
    max_meetings_per_day: numberOf(text('max_meetings_per_day')),
    availability_window_days: numberOf(text('availability_window_days')),
    energy_pattern: fields.energy_pattern ?? '',
    scheduling_context: fields.scheduling_context ?? '',
  });
  if (read.success) {
    // An empty field removes the person's own setting.
    const { timezone = null, holidays = null, ...request } = read.data;
    return { request: { ...request, timezone, holidays } };
  }
  // Reversed, because `Object.fromEntries` keeps the last entry of a field: each field shows its first error.
  const errors = read.error.issues.map(({ path, message }) => [idOf(path, rows), sentenceOf(message)]).reverse();
  return { errors: Object.fromEntries(errors) };
}

const filled = (fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''));

const numberOf = (text: string) => (/^\d{1,4}$/.test(text) ? Number(text) : Number.NaN);

function idOf([name = '', place = '', part = '']: readonly PropertyKey[], rows: readonly number[]): string {
  if (name === 'work_hours') return `${String(place)}-${String(part)}`;
  if (name === 'focus_blocks' && place === '') return `focus-${rows[MOST_FOCUS_BLOCKS] ?? 0}-day`;
  if (name === 'focus_blocks') return `focus-${rows[Number(place)] ?? 0}-${String(part)}`;
  return String(name);
}

function sentenceOf(message: string): string {
  if (message === 'is required' || message.startsWith('must be a time')) return 'Enter a time, such as 09:00.';
  if (message.startsWith('must be later'))
    return 'The end must be after the start. To end at midnight, enter 00:00 (12:00 AM).';
  if (message.startsWith('must be a weekday')) return 'Choose a weekday.';
  if (/^must have at most \d+ blocks/.test(message))
    return `Remove a focus time: you can keep at most ${MOST_FOCUS_BLOCKS} focus times.`;
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
