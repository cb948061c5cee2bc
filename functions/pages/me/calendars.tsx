import type { MyCalendars, ShownCalendar } from '../../../lib/calendars/choose.ts';
import { FieldError, Form, Notice } from '../components.tsx';

interface Props {
  email: string;
  calendars: MyCalendars;
  unticked: boolean;
  isSaved: boolean;
}

export function CalendarsSection({ email, calendars, unticked, isSaved }: Props) {
  return (
    <section class="card" id="calendars">
      <h2>Which calendars block your time</h2>
      {isSaved ? <Notice kind="ok" title="Saved" /> : null}
      {calendars.kind === 'listed' ? <Choice unticked={unticked} {...calendars} /> : null}
      {calendars.kind === 'main_alone' ? (
        <p>
          Only your main calendar blocks your time, because you did not allow Tandem to see the list of your calendars.
          To choose others too, <a href={signInAgain(email)}>sign in again</a> and tick that box on Google’s page.
        </p>
      ) : null}
      {calendars.kind === 'unavailable' ? (
        <Notice kind="warn">
          Tandem could not get your calendars from Google. Your last choice still applies. To change it, reload this
          page in a moment.
        </Notice>
      ) : null}
    </section>
  );
}

export const signInAgain = (email: string) => `/oauth/login?user_id=${encodeURIComponent(email)}`;

function Choice({ calendars, gone, unticked }: { calendars: ShownCalendar[]; gone: number; unticked: boolean }) {
  return (
    <>
      <p>
        Tandem offers a time only if you are free in every ticked calendar. Platforms cannot see which calendars you
        have, or what is in them.
      </p>
      {gone === 0 ? null : (
        <Notice kind="warn">
          {gone === 1 ? 'One calendar that blocked your time is' : `${gone} calendars that blocked your time are`} no
          longer in your Google account, so {gone === 1 ? 'it blocks' : 'they block'} nothing now. Save to clear this
          message.
        </Notice>
      )}
      <Form action="/me/calendars">
        <FieldError
          id="calendars"
          error={
            unticked
              ? 'Tick at least one calendar. Without one, Tandem cannot tell when you are busy. Nothing was changed.'
              : undefined
          }
        />
        <ul class="choice">
          {calendars.map((calendar, i) => (
            <li>
              <input type="hidden" name="shown" value={calendar.mark} />
              <label class="check">
                <input
                  type="checkbox"
                  name="blocks"
                  value={calendar.mark}
                  checked={calendar.isTicked && !unticked}
                  aria-describedby={unticked ? 'calendars-error' : undefined}
                  autofocus={unticked && i === 0}
                />
                <span>
                  <bdi>{calendar.name.trim() === '' ? 'Unnamed calendar' : calendar.name}</bdi>
                  <span class="muted">{noteOf(calendar)}</span>
                </span>
              </label>
            </li>
          ))}
        </ul>
        <button type="submit">Save calendars</button>
      </Form>
    </>
  );
}

function noteOf({ isMain, isOwned, isMissing }: ShownCalendar): string {
  const owner = isOwned ? '' : ' (not yours)';
  const whose = isMain ? ' (your main calendar, where meetings are added)' : owner;
  return isMissing ? `${whose} – Google does not share its busy times, so it blocks nothing now` : whose;
}
