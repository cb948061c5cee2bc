import { WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import type { FocusBlock, Weekday } from '../../../lib/engine/types.ts';
import type { WholePreferences } from '../../../lib/person/person.ts';
import type { PreferencesChange } from '../../../schema/access/users.ts';
import { MOST_FOCUS_BLOCKS, PreferencesRequest } from '../../../schema/api/preferences.ts';

type TypedDay = { isOn: boolean; start: string; end: string };

type TypedBlock = { day: string; start: string; end: string; reason: string; isRemoved: boolean };

export interface Typed {
  /** Time zone as typed. Empty if the person uses the time zone of their calendar. */
  timezone: string;
  /** Empty if the person has the holidays of their time zone's country. `off` for none. */
  holidays: string;
  days: Record<Weekday, TypedDay>;
  focus: TypedBlock[];
  buffer: string;
  mostPerDay: string;
  windowDays: string;
  energy: string;
  context: string;
}

export type FieldErrors = Readonly<Record<string, string>>;

export const SPARE_ROWS = 2;
/** It is stored as 24:00, but a time field cannot hold 24:00, so the form shows 00:00. */
const MIDNIGHT = { written: '24:00', typed: '00:00' };
const typedEnd = (end: string) => (end === MIDNIGHT.written ? MIDNIGHT.typed : end);
const writtenEnd = (end: string) => (end === MIDNIGHT.typed ? MIDNIGHT.written : end);

const byDay = <T>(of: (day: Weekday) => T) =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, of(day)])) as Record<Weekday, T>;

export function typedOf(
  whole: WholePreferences,
  { isZoneSet, areHolidaysSet }: { isZoneSet: boolean; areHolidaysSet: boolean },
): Typed {
  return {
    timezone: isZoneSet ? whole.timeZone : '',
    holidays: areHolidaysSet ? whole.holidays : '',
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

export function typedFrom(form: URLSearchParams): Typed {
  const text = (name: string) => (form.get(name) ?? '').replaceAll('\r\n', '\n');
  const time = (name: string) => text(name).trim();
  const blocks: TypedBlock[] = [];
  for (let i = 0; i < MOST_FOCUS_BLOCKS + SPARE_ROWS && form.has(`focus-${i}-start`); i++)
    blocks.push({
      day: text(`focus-${i}-day`),
      start: time(`focus-${i}-start`),
      end: time(`focus-${i}-end`),
      reason: text(`focus-${i}-reason`),
      isRemoved: form.has(`focus-${i}-remove`),
    });
  return {
    timezone: time('timezone'),
    holidays: time('holidays'),
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

/** The schema of `PUT /v1/user/preferences` checks it. If the form has errors, returns all of them instead. */
export function readTyped(typed: Typed): { request: PreferencesChange } | { errors: FieldErrors } {
  const kept = typed.focus
    .map((block, row) => ({ ...block, row }))
    .filter((block) => !block.isRemoved && !isBlank(block));
  const given = {
    ...(typed.timezone === '' ? {} : { timezone: typed.timezone }),
    ...(typed.holidays === '' ? {} : { holidays: typed.holidays }),
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
  if (read.success) {
    // An empty field removes the person's own setting.
    const timezone = typed.timezone === '' ? { timezone: null } : {};
    const holidays = typed.holidays === '' ? { holidays: null } : {};
    return { request: { ...read.data, ...timezone, ...holidays } };
  }
  const rows = kept.map(({ row }) => row);
  // Reversed, because `Object.fromEntries` keeps the last entry of a field: each field shows its first error.
  const errors = read.error.issues.map(({ path, message }) => [idOf(path, rows), sentenceOf(message)]).reverse();
  return { errors: Object.fromEntries(errors) };
}

/** A day off keeps its hours, so that they return when the day is ticked again. */
const hoursOf = ({ isOn, start, end }: TypedDay) => ({
  enabled: isOn,
  ...(start === '' ? {} : { start }),
  ...(end === '' ? {} : { end: writtenEnd(end) }),
});

const numberOf = (text: string) => (/^\d{1,4}$/.test(text) ? Number(text) : Number.NaN);

const IDS: Record<string, string> = {
  timezone: 'timezone',
  holidays: 'holidays',
  buffer_minutes: 'buffer',
  max_meetings_per_day: 'most-per-day',
  availability_window_days: 'window-days',
  energy_pattern: 'energy',
  scheduling_context: 'context',
};

function idOf([name = '', place = '', part = '']: readonly PropertyKey[], rows: readonly number[]): string {
  if (name === 'work_hours') return `${String(place)}-${String(part)}`;
  if (name === 'focus_blocks' && place === '') return `focus-${rows[MOST_FOCUS_BLOCKS] ?? 0}-day`;
  if (name === 'focus_blocks') return `focus-${rows[Number(place)] ?? 0}-${String(part)}`;
  return IDS[String(name)] ?? String(name);
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
