import type { Child } from 'hono/jsx';
import { WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import { asRead } from '../clock.tsx';
import { Badge, describes, Field, FieldError, HiddenFields, InputField, NotSaved } from '../components.tsx';
import { FocusBlocks } from './focus-blocks.tsx';
import { HolidaysField } from './holidays-field.tsx';
import type { FieldErrors, Typed } from './preferences-form.ts';
import { nameOfDay, TimeSpan } from './time-field.tsx';
import { ZoneField } from './zone-field.tsx';

interface Props {
  typed: Typed;
  errors: FieldErrors;
  /** Time zone of the person's calendar, used while the person has set none. */
  calendarTimeZone: string;
  /** Time zone that applies to the person: the one they set, or that of their calendar. */
  timeZone: string;
  /** Platform that suggested preferences, and the names of those that the person has not changed since. */
  suggested: { by: string; names: readonly string[] } | undefined;
  /** Hidden fields of the form. */
  fields: Record<string, string | undefined>;
}

export function PreferencesForm({ typed, errors, calendarTimeZone, timeZone, suggested, fields }: Props) {
  const from = (name: string) =>
    suggested?.names.includes(name) ? (
      <>
        {' '}
        <Badge kind="info">
          from <bdi>{suggested.by}</bdi>
        </Badge>
      </>
    ) : null;
  const [first, ...others] = Object.keys(errors);
  const five = asRead('17:00').replace(':00 ', ' ');
  return (
    <form method="post" action="/me/preferences">
      <HiddenFields fields={fields} />
      {first === undefined ? null : <NotSaved fields={[first, ...others]} />}
      <section class="card">
        <h2>Work hours{from('work_hours')}</h2>
        <p class="hint">Tick the days you work. Meetings are offered only within these hours, in your own time zone.</p>
        {WEEKDAYS.map((day) => (
          <DayFields day={day} typed={typed} errors={errors} />
        ))}
        <ZoneField value={typed.timezone} calendarTimeZone={calendarTimeZone} error={errors.timezone} />
        <HolidaysField value={typed.holidays} timeZone={timeZone} error={errors.holidays} />
      </section>
      <FocusBlocks blocks={typed.focus} errors={errors} />
      <section class="card">
        <h2>Limits</h2>
        <Radios
          name="buffer"
          legend={<>Free time before and after each meeting{from('buffer_minutes')}</>}
          chosen={typed.buffer}
          error={errors.buffer}
          options={[
            ['0', 'None'],
            ['15', '15 minutes'],
            ['30', '30 minutes'],
          ]}
        />
        <InputField
          id="most-per-day"
          label={<>Maximum meetings per day{from('max_meetings_per_day')}</>}
          hint="From 1 to 10."
          error={errors['most-per-day']}
          class="short"
          inputmode="numeric"
          value={typed.mostPerDay}
        />
        <InputField
          id="window-days"
          label={<>How many days ahead to look{from('availability_window_days')}</>}
          hint="From 7 to 90. If a platform asks for certain dates, those are used instead."
          error={errors['window-days']}
          class="short"
          inputmode="numeric"
          value={typed.windowDays}
        />
      </section>
      <section class="card">
        <h2>What suits you</h2>
        <Radios
          name="energy"
          legend="When you are at your best"
          chosen={typed.energy}
          error={errors.energy}
          options={[
            ['flexible', 'Any time'],
            ['morning_person', 'Before noon'],
            ['afternoon_person', `From noon to ${five}`],
            ['evening_person', `After ${five}`],
          ]}
        />
        <Field
          id="context"
          label="In your own words"
          hint="For example, “I like late mornings and would rather not meet on Mondays.” Tandem keeps to what you say you never do, and takes what you like as a wish. To keep a day free, untick it above. At most 1,000 characters."
          error={errors.context}
        >
          <textarea
            {...describes({ id: 'context', hint: true, error: errors.context })}
            name="context"
            maxlength={1000}
            rows={4}
          >
            {`\n${typed.context}`}
          </textarea>
        </Field>
      </section>
      <button type="submit">Save your week</button>
    </form>
  );
}

function DayFields({ day, typed, errors }: { day: (typeof WEEKDAYS)[number] } & Pick<Props, 'typed' | 'errors'>) {
  const { isOn, start, end } = typed.days[day];
  const name = nameOfDay(day);
  return (
    <div class="day">
      <label class="check">
        <input type="checkbox" name={`${day}-on`} checked={isOn} />
        <span>{name}</span>
      </label>
      <TimeSpan
        ids={[`${day}-start`, `${day}-end`]}
        labels={[`${name} from`, `${name} until`]}
        values={[start, end]}
        errors={errors}
      />
    </div>
  );
}

interface RadiosProps {
  name: string;
  legend: Child;
  chosen: string;
  error: string | undefined;
  options: readonly (readonly [value: string, label: string])[];
}

function Radios({ name, legend, chosen, error, options }: RadiosProps) {
  return (
    <fieldset class="field" id={name} aria-describedby={error === undefined ? undefined : `${name}-error`}>
      <legend>{legend}</legend>
      <div class="line">
        {options.map(([value, label]) => (
          <label class="check">
            <input type="radio" name={name} value={value} checked={value === chosen} />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <FieldError id={name} error={error} />
    </fieldset>
  );
}
