import { type Context, Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { localWeek, personBands } from '../../../lib/engine/explain/week-bands.ts';
import type { StandingRule } from '../../../lib/engine/types.ts';
import { AppError, StateChanged } from '../../../lib/kit/errors.ts';
import { readPreferences, updatePreferences } from '../../../lib/people/preferences.ts';
import type { PreferencesChange } from '../../../schema/access/users-preferences.ts';
import type { AppEnv } from '../../http/env.ts';
import { Notice } from '../components.tsx';
import { doneIn, redirectDone } from '../done.ts';
import { Week } from '../week/week.tsx';
import { renderMine } from './frame.tsx';
import { PreferencesForm } from './preferences.tsx';
import { type FieldErrors, readTyped, type Typed, typedFrom, typedOf } from './preferences-form.ts';
import { form, type MySession, page, refuseStale, signInFirst } from './session.tsx';

export const preferences = new Hono<AppEnv>();

page(preferences, '/me/preferences', (c, session) => show(c, session));

/** A hundred notes of a thousand characters each fit. What is too long is named beside its field. */
const LARGEST_BYTES = 1024 * 1024;

form(preferences, '/me/preferences', post, signInFirst, LARGEST_BYTES);

async function post(c: Context<AppEnv>, session: MySession, given: URLSearchParams) {
  const typed = typedFrom(given);
  const read = readTyped(typed);
  const version = given.get('version') ?? undefined;
  const outcome = 'errors' in read ? { errors: read.errors } : await save(c, session, read.request, version);
  if (outcome.isOld) return refuseStale(c, CHANGED, { path: '/me/preferences', title: 'Your week' }, 409);
  if (outcome.errors !== undefined) return show(c, session, { typed, errors: outcome.errors, version });
  return redirectDone(c, session.csrf, `/me/preferences?done=${outcome.hasNoRule ? 'without-rule' : 'saved'}`);
}

/** An unknown time zone or place of the holidays is only found out on saving. */
async function save(
  c: Context<AppEnv>,
  { userId }: MySession,
  request: PreferencesChange,
  version: string | undefined,
): Promise<{ errors?: FieldErrors; hasNoRule?: boolean; isOld?: boolean }> {
  try {
    const { warnings } = await updatePreferences(c.var.ctx, userId, request, version);
    return { hasNoRule: warnings !== undefined };
  } catch (error) {
    if (error instanceof StateChanged) return { isOld: true };
    if (error instanceof AppError && error.details.field === 'timezone')
      return { errors: { timezone: 'Choose a time zone from the list.' } };
    if (error instanceof AppError && error.details.field === 'holidays')
      return { errors: { holidays: 'Choose a place from the list. We know no public holidays for this one.' } };
    throw error;
  }
}

const CHANGED =
  'Your week has changed since you opened the form. Look at it as it is now, and make your changes there.';

async function show(
  c: Context<AppEnv>,
  { userId, csrf }: MySession,
  refused?: { typed: Typed; errors: FieldErrors; version: string | undefined },
): Promise<Response> {
  const {
    email,
    preferences: whole,
    standing,
    calendarTimeZone,
    isZoneSet,
    areHolidaysSet,
    suggested,
    version,
  } = await readPreferences(c.var.ctx, userId);
  const done = await doneIn(c, csrf);
  const content: Child = (
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
      {refused === undefined ? <TypicalWeek whole={whole} standing={standing} /> : null}
      <PreferencesForm
        typed={refused?.typed ?? typedOf(whole, { isZoneSet, areHolidaysSet })}
        errors={refused?.errors ?? {}}
        calendarTimeZone={calendarTimeZone}
        timeZone={whole.timeZone}
        suggested={suggested}
        fields={{ csrf, version: refused === undefined ? version : refused.version }}
      />
    </>
  );
  const status = refused === undefined ? 200 : 400;
  return renderMine(c, { title: 'Your week', at: '/me/preferences', me: { email, csrf }, status }, content);
}

/** Monday, 5 January 2026, in days since 1970. Any would do, because the drawing uses UTC, where every day is alike. */
const A_MONDAY = 20_458;

type Whole = Awaited<ReturnType<typeof readPreferences>>['preferences'];

function TypicalWeek({ whole, standing }: { whole: Whole; standing: StandingRule[] }) {
  const days = localWeek('UTC', A_MONDAY);
  const { workHours, focusBlocks } = whole;
  const rules = { workHours, focusBlocks, standing, bufferMinutes: 0, maxMeetingsPerDay: 1 };
  const bands = personBands({ ...rules, email: '', timeZone: 'UTC', busy: [], meetings: [] }, days);
  return (
    <section class="card">
      <h2>Your week now</h2>
      <Week days={days} lanes={[{ name: 'You', timeZone: 'UTC', bands, ruler: 'above' }]} isTypical />
    </section>
  );
}
