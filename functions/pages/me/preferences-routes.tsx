import { type Context, Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { AppError } from '../../../lib/errors.ts';
import { localWeek, personBands } from '../../../lib/scheduling/week-bands.ts';
import { readPreferences, updatePreferences } from '../../../lib/users/preferences.ts';
import type { PreferencesChange } from '../../../schema/users/queries.ts';
import type { AppEnv } from '../../env.ts';
import { Notice } from '../components.tsx';
import { Week } from '../week/week.tsx';
import { renderMine } from './frame.tsx';
import { PreferencesForm } from './preferences.tsx';
import { type FieldErrors, readTyped, type Typed, typedFrom, typedOf } from './preferences-form.ts';
import { form, type MySession, page } from './session.tsx';

/** A person's rules, drawn as a week and in a form that changes them. */
export const preferences = new Hono<AppEnv>();

page(preferences, '/me/preferences', (c, session) => show(c, session));

form(preferences, '/me/preferences', async (c, session, given) => {
  const typed = typedFrom(given);
  const read = readTyped(typed);
  const errors = 'errors' in read ? read.errors : await save(c, session, read.request);
  return errors === undefined ? c.redirect('/me/preferences?saved', 303) : show(c, session, { typed, errors });
});

/** Saves what was read; what is wrong with it all the same, if anything. */
async function save(c: Context<AppEnv>, { userId }: MySession, request: PreferencesChange) {
  try {
    await updatePreferences(c.var.ctx, userId, request);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.details.field === 'timezone')
      return { timezone: 'Choose a time zone of the list.' };
    throw error;
  }
}

async function show(
  c: Context<AppEnv>,
  { userId, csrf }: MySession,
  refused?: { typed: Typed; errors: FieldErrors },
): Promise<Response> {
  const { email, preferences: whole, calendarTimeZone, isZoneSet } = await readPreferences(c.var.ctx, userId);
  const content: Child = (
    <>
      {refused === undefined && c.req.query('saved') !== undefined ? (
        <Notice kind="ok" title="Saved">
          <p>From now on, every platform looks for times within the week below.</p>
        </Notice>
      ) : null}
      <p class="lead">
        Every platform with access looks for times by these rules. It can read all of them, including your notes and
        your own words.
      </p>
      {refused === undefined ? <TypicalWeek whole={whole} /> : null}
      <PreferencesForm
        typed={refused?.typed ?? typedOf(whole, { isZoneSet })}
        errors={refused?.errors ?? {}}
        calendarTimeZone={calendarTimeZone}
        csrf={csrf}
      />
    </>
  );
  const status = refused === undefined ? 200 : 400;
  return renderMine(c, { title: 'Your week', at: '/me/preferences', me: { email, csrf }, status }, content);
}

/** A Monday of no particular week, in a zone whose days are all alike. */
const A_MONDAY = 4;

type Whole = Awaited<ReturnType<typeof readPreferences>>['preferences'];

function TypicalWeek({ whole }: { whole: Whole }) {
  const days = localWeek('UTC', A_MONDAY);
  const { workHours, focusBlocks } = whole;
  const person = { email: '', timeZone: 'UTC', workHours, focusBlocks, bufferMinutes: 0, maxMeetingsPerDay: 1 };
  const bands = personBands({ ...person, busy: [], meetings: [] }, days);
  return (
    <section class="card">
      <h2>As it is now</h2>
      <Week days={days} lanes={[{ name: 'You', timeZone: 'UTC', bands, ruler: 'above' }]} isTypical />
    </section>
  );
}
