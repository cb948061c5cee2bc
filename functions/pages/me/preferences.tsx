import { type Context, Hono } from 'hono';
import { localWeek, personBands } from '../../../lib/engine/explain/week-bands.ts';
import { WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import { AppError, StateChanged } from '../../../lib/kit/errors.ts';
import { readPreferences, updatePreferences } from '../../../lib/people/preferences.ts';
import { capitalized } from '../../../lib/words/people.ts';
import type { AppEnv } from '../../http/env.ts';
import { asRead } from '../clock.tsx';
import {
  Badge,
  Card,
  Check,
  Form,
  InputField,
  Notice,
  NotSaved,
  Radios,
  TextField,
  ZoneField,
  zoneName,
} from '../components.tsx';
import { doneIn, type MySession, redirectDone } from '../session-cookie.ts';
import { Week } from '../week/week.tsx';
import type { FieldErrors, Typed } from './fields.tsx';
import { FocusBlocks, HolidaysField, readTyped, TimeSpan, typedFrom, typedOf } from './fields.tsx';
import { form, page, refuseStale, renderMine, signInFirst } from './session.tsx';

export const preferences = new Hono<AppEnv>();

page(preferences, '/me/preferences', (c, session) => show(c, session));

/** A hundred notes of a thousand characters each fit. What is too long is named beside its field. */
const LARGEST_BYTES = 1024 * 1024;

form(preferences, '/me/preferences', post, signInFirst, LARGEST_BYTES);

async function post(c: Context<AppEnv>, session: MySession, given: URLSearchParams) {
  const typed = typedFrom(given);
  const read = readTyped(typed);
  // Postgres takes no NUL, and no version has one.
  const version = given.get('version')?.replaceAll('\0', '');
  const refuse = (errors: FieldErrors) => show(c, session, { typed, errors, version });
  if ('errors' in read) return refuse(read.errors);
  try {
    const { warnings } = await updatePreferences(c.var.ctx, session.userId, read.request, version);
    return await redirectDone(c, `/me/preferences?done=${warnings === undefined ? 'saved' : 'without-rule'}`);
  } catch (error) {
    if (error instanceof StateChanged)
      return refuseStale(c, CHANGED, { path: '/me/preferences', title: 'Your week' }, 409);
    const { field = '' } = error instanceof AppError ? error.details : {};
    const unknown = UNKNOWN[field];
    if (unknown === undefined) throw error;
    return refuse({ [field]: unknown });
  }
}

/** Only saving finds these errors, which the page then shows at their fields. */
const UNKNOWN: Record<string, string> = {
  timezone: 'Choose a time zone from the list.',
  holidays: 'Choose a place from the list. We know no public holidays for this one.',
};

const CHANGED =
  'Your week has changed since you opened the form. Look at it as it is now, and make your changes there.';

async function show(c: Context<AppEnv>, { userId }: MySession, refused?: Filled): Promise<Response> {
  const { email, preferences: whole, standing, version, ...own } = await readPreferences(c.var.ctx, userId);
  const done = await doneIn(c);
  const status = refused === undefined ? 200 : 400;
  return renderMine(
    c,
    { title: 'Your week', at: '/me/preferences', email, status },
    <>
      {refused === undefined && done !== undefined ? (
        <Notice kind="ok" title="Saved">
          <p>Platforms now look for times within the week below.</p>
          {done === 'without-rule' ? (
            <p>We found no rule in your own words, so they change no search. Try “no meetings before 10”.</p>
          ) : null}
        </Notice>
      ) : null}
      <p class="lead">
        Every platform with access looks for times by these rules. Platforms can read all of them, including your notes
        and your own words.
      </p>
      {refused === undefined ? <TypicalWeek preferences={whole} standing={standing} /> : null}
      <PreferencesForm
        {...(refused ?? { typed: typedOf(whole, own), errors: {}, version })}
        {...own}
        timeZone={whole.timeZone}
      />
    </>,
  );
}

/** Monday, 5 January 2026, in days since 1970. Any would do, because the drawing uses UTC, where every day is alike. */
const A_MONDAY = 20_458;

type Read = Awaited<ReturnType<typeof readPreferences>>;

function TypicalWeek({ preferences: whole, standing }: Pick<Read, 'preferences' | 'standing'>) {
  const days = localWeek('UTC', A_MONDAY);
  const { workHours, focusBlocks } = whole;
  const rules = { workHours, focusBlocks, standing, bufferMinutes: 0, maxMeetingsPerDay: 1 };
  const bands = personBands({ ...rules, email: '', timeZone: 'UTC', busy: [], meetings: [] }, days);
  return (
    <Card title="Your week now">
      <Week days={days} lanes={[{ name: 'You', timeZone: 'UTC', bands, ruler: 'above' }]} isTypical />
    </Card>
  );
}

/** The form as it is shown, and the version of the preferences that it was filled in from. */
type Filled = { typed: Typed; errors: FieldErrors; version: string | undefined };

/** `timeZone` is the one that applies to the person: the one they set, or that of their calendar. */
type Props = Filled & Pick<Read, 'calendarTimeZone' | 'suggested'> & { timeZone: string };

function PreferencesForm({ typed, errors, calendarTimeZone, timeZone, suggested, version }: Props) {
  const { fields } = typed;
  const from = (name: string) =>
    suggested?.names.includes(name) ? [' ', <Badge kind="info">{['from ', <bdi>{suggested.by}</bdi>]}</Badge>] : null;
  const [first, ...others] = Object.keys(errors);
  const five = asRead('17:00').replace(':00 ', ' ');
  return (
    <Form action="/me/preferences" fields={{ version }}>
      {first === undefined ? null : <NotSaved fields={[first, ...others]} />}
      <Card title={<>Work hours{from('work_hours')}</>}>
        <p class="hint">Tick the days you work. Meetings are offered only within these hours, in your own time zone.</p>
        {WEEKDAYS.map((day) => (
          <div class="day">
            <Check name={`${day}-on`} checked={`${day}-on` in fields} label={capitalized(day)} />
            <TimeSpan
              ids={[`${day}-start`, `${day}-end`]}
              labels={[`${capitalized(day)} from`, `${capitalized(day)} until`]}
              values={[fields[`${day}-start`] ?? '', fields[`${day}-end`] ?? '']}
              errors={errors}
            />
          </div>
        ))}
        <ZoneField
          id="timezone"
          zone={fields.timezone ?? ''}
          hint="The hours on this page are in this time zone."
          error={errors.timezone}
        >
          <option value="">
            {calendarTimeZone === ''
              ? 'Your calendar names none: choose one'
              : `As in your calendar: ${zoneName(calendarTimeZone)}`}
          </option>
        </ZoneField>
        <HolidaysField value={fields.holidays ?? ''} timeZone={timeZone} error={errors.holidays} />
      </Card>
      <FocusBlocks blocks={typed.focus} errors={errors} />
      <Card title="Limits">
        <Radios
          name="buffer_minutes"
          legend={<>Free time before and after each meeting{from('buffer_minutes')}</>}
          chosen={fields.buffer_minutes ?? ''}
          error={errors.buffer_minutes}
          options={[
            ['0', 'None'],
            ['15', '15 minutes'],
            ['30', '30 minutes'],
          ]}
          isShort
        />
        {NUMBERS.map(({ id, label, hint }) => (
          <InputField
            {...{ id, hint, error: errors[id], value: fields[id] }}
            label={[label, from(id)]}
            class="short"
            inputmode="numeric"
          />
        ))}
      </Card>
      <Card title="What suits you">
        <Radios
          name="energy_pattern"
          legend="When you are at your best"
          chosen={fields.energy_pattern ?? ''}
          error={errors.energy_pattern}
          options={[
            ['flexible', 'Any time'],
            ['morning_person', 'Before noon'],
            ['afternoon_person', `From noon to ${five}`],
            ['evening_person', `After ${five}`],
          ]}
          isShort
        />
        <TextField
          id="scheduling_context"
          label="In your own words"
          hint="For example, “I like late mornings and would rather not meet on Mondays.” Tandem keeps to what you say you never do, and takes what you like as a wish. To keep a day free, untick it above. At most 1,000 characters."
          error={errors.scheduling_context}
          maxlength={1000}
          rows={4}
          text={fields.scheduling_context ?? ''}
        />
      </Card>
      <button type="submit">Save your week</button>
    </Form>
  );
}

const NUMBERS = [
  { id: 'max_meetings_per_day', label: 'Maximum meetings per day', hint: 'From 1 to 10.' },
  {
    id: 'availability_window_days',
    label: 'How many days ahead to look',
    hint: 'From 7 to 90. If a platform asks for certain dates, those are used instead.',
  },
] as const;
