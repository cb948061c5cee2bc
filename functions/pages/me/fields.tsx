import { HOLIDAYS_OFF, holidayPlaceOf, holidayPlaces } from '../../../lib/engine/rules/holiday-table.ts';
import { WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import type { Weekday } from '../../../lib/engine/types.ts';
import type { WholePreferences } from '../../../lib/person/person.ts';
import { capitalized } from '../../../lib/words/people.ts';
import type { PreferencesChange } from '../../../schema/access/users.ts';
import { MOST_FOCUS_BLOCKS, PreferencesRequest, type StoredSuggestion } from '../../../schema/api/preferences.ts';
import { asRead } from '../clock.tsx';
import { Card, Check, describes, FieldError, SelectField } from '../components.tsx';

type Pair = readonly [start: string, end: string];

/** The labels are for screen readers. On the screen, the text beside the two fields says the same. */
type TimeSpanProps = Record<'ids' | 'labels' | 'values', Pair> & { errors: FieldErrors };

export function TimeSpan({ ids, labels, values, errors }: TimeSpanProps) {
  return (
    <div>
      <div class="times">
        {ids.map((id, i) => (
          <>
            {i === 0 ? null : <span aria-hidden="true">–</span>}
            <label class="hidden" for={id}>
              {labels[i]}
            </label>
            <input {...describes({ id, error: errors[id] })} type="time" name={id} value={values[i]} />
          </>
        ))}
      </div>
      {ids.map((id) => (
        <FieldError id={id} error={errors[id]} />
      ))}
    </div>
  );
}

type HolidaysProps = { value: string; timeZone: string; error: string | undefined };

export function HolidaysField({ value, timeZone, error }: HolidaysProps) {
  const usual = holidayPlaceOf(timeZone);
  const [country] = (value === '' ? usual : value).split('-');
  const places = holidayPlaces().filter((place) => !place.includes('-') || place.startsWith(`${country}-`));
  const named = places.map((place) => [place, placeName(place)] as const);
  return (
    <SelectField
      id="holidays"
      label="Public holidays"
      hint="Nobody is offered a time with you on these days. Once a country is saved, its regions are listed too."
      error={error}
      chosen={value}
      options={[
        ['', `As in your time zone: ${usual === HOLIDAYS_OFF ? 'none known' : placeName(usual)}`],
        [HOLIDAYS_OFF, 'No public holidays'],
        ...named.sort(([, one], [, other]) => one.localeCompare(other, 'en')),
      ]}
      isWide
    />
  );
}

/** Names a country or region in words: "Germany", "Germany (DE-BY)". */
export const placeName = (place: string) => {
  const [country = ''] = place.split('-');
  return country === place ? nameOf(country) : `${nameOf(country)} (${place})`;
};

/** Adds the article that a country has in a sentence: "the United States", "the Netherlands", "Germany". */
export const inSentence = (place: string) => placeName(place).replace(WITH_ARTICLE, 'the $&');
const WITH_ARTICLE =
  /^(?:United|Bahamas|Comoros|Gambia|Isle of Man|Philippines|Seychelles)\b|^.*\b(?:Islands|Netherlands|Republic)\b/;
const NAMES = new Intl.DisplayNames('en', { type: 'region' });
const nameOf = (country: string) => NAMES.of(country) ?? country;

const BLANK = { day: '', start: '', end: '', reason: '', isRemoved: false };

export function FocusBlocks({ blocks, errors }: { blocks: Typed['focus']; errors: FieldErrors }) {
  const rows = [...blocks, ...Array.from({ length: SPARE_ROWS }, () => BLANK)];
  return (
    <Card title="Focus time">
      <p class="hint">Weekly hours in which Tandem offers no meetings.</p>
      {rows.map((block, row) => (
        <Block block={block} row={row} errors={errors} isNew={block === BLANK} />
      ))}
    </Card>
  );
}

type BlockProps = { block: Typed['focus'][number]; row: number; errors: FieldErrors; isNew: boolean };

function Block({ block, row, errors, isNew }: BlockProps) {
  const id = (part: string) => `focus-${row}-${part}`;
  const control = (part: string) => ({ ...describes({ id: id(part), error: errors[id(part)] }), name: id(part) });
  const name = `Focus time ${row + 1}`;
  return (
    <fieldset class="block">
      <legend class="hidden">{isNew ? `${name}, new` : name}</legend>
      <div class="weekday">
        <label class="hidden" for={id('day')}>
          Weekday
        </label>
        <select {...control('day')}>
          <option value="">{isNew ? 'Add a day' : 'No day'}</option>
          {WEEKDAYS.map((day) => (
            <option value={day} selected={day === block.day}>
              {capitalized(day)}
            </option>
          ))}
        </select>
        <FieldError id={id('day')} error={errors[id('day')]} />
      </div>
      <TimeSpan
        ids={[id('start'), id('end')]}
        labels={['From', 'Until']}
        values={[block.start, block.end]}
        errors={errors}
      />
      <div class="reason">
        <label class="hidden" for={id('reason')}>
          Reason
        </label>
        <input {...control('reason')} placeholder="Reason (optional)" maxlength={1000} value={block.reason} />
        <FieldError id={id('reason')} error={errors[id('reason')]} />
      </div>
      {isNew ? null : <Check name={id('remove')} checked={block.isRemoved} label="Remove" />}
    </fieldset>
  );
}

/** Names days in a row of which the same is said, and what: "Monday to Thursday", "09:00 to 17:00". */
export function daysAlike(say: (day: Weekday) => string[] | undefined): string[][] {
  const groups: { days: string[]; said: string[]; last: number }[] = [];
  for (const [i, day] of WEEKDAYS.entries()) {
    const said = say(day);
    if (said === undefined) continue;
    const before = groups.at(-1);
    if (before?.last === i - 1 && before.said.join() === said.join()) {
      before.days.push(capitalized(day));
      before.last = i;
    } else groups.push({ days: [capitalized(day)], said, last: i });
  }
  return groups.map(({ days, said }) => [sayDays(days), ...said]);
}

/** "Monday", "Saturday and Sunday", "Monday to Friday". */
const sayDays = ([first = '', ...others]: readonly string[]) =>
  others.length === 0 ? first : `${first} ${others.length === 1 ? 'and' : 'to'} ${others.at(-1)}`;

export function saySuggestion(suggested: StoredSuggestion): string[] {
  const { buffer_minutes: buffer, max_meetings_per_day: most, availability_window_days: window } = suggested;
  return [
    ...daysAlike((day) => sayHours(suggested.work_hours?.[day])).map((words) => words.join(' ')),
    ...(buffer === undefined
      ? []
      : [buffer === 0 ? 'no pause between meetings' : `${buffer} minutes between meetings`]),
    ...(most === undefined ? [] : [`at most ${most} ${most === 1 ? 'meeting' : 'meetings'} a day`]),
    ...(window === undefined ? [] : [`times up to ${window} days ahead`]),
  ];
}

const sayHours = (given: NonNullable<StoredSuggestion['work_hours']>[Weekday]) =>
  given && [given.enabled ? `${asRead(given.start ?? '')} to ${asRead(given.end ?? '')}` : 'off'];

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

const SPARE_ROWS = 2;
/** It is stored as 24:00, but a time field cannot hold 24:00, so the form shows 00:00. */
const MIDNIGHT = { written: '24:00', typed: '00:00' };
const typedEnd = (end: string) => (end === MIDNIGHT.written ? MIDNIGHT.typed : end);
const writtenEnd = (end: string) => (end === MIDNIGHT.typed ? MIDNIGHT.written : end);

export function typedOf(whole: WholePreferences, own: Record<'isZoneSet' | 'areHolidaysSet', boolean>): Typed {
  const days = WEEKDAYS.flatMap((day) => {
    const { enabled, start, end } = whole.workHours[day];
    return [...(enabled ? [[`${day}-on`, 'on']] : []), [`${day}-start`, start], [`${day}-end`, typedEnd(end)]];
  });
  return {
    fields: {
      ...Object.fromEntries(days),
      timezone: own.isZoneSet ? whole.timeZone : '',
      holidays: own.areHolidaysSet ? whole.holidays : '',
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
  const hoursOn = (day: Weekday) => ({
    enabled: `${day}-on` in fields,
    ...filled({ start: text(`${day}-start`), end: writtenEnd(text(`${day}-end`)) }),
  });
  const read = PreferencesRequest.safeParse({
    ...filled({ timezone: text('timezone'), holidays: text('holidays') }),
    // A day off keeps its hours, so that they return when the day is ticked again.
    work_hours: Object.fromEntries(WEEKDAYS.map((day) => [day, hoursOn(day)])),
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
