import type { MyCalendars, ShownCalendar } from '../../../lib/calendars/blocking/choose.ts';
import { FieldError, HiddenFields, Notice } from '../components.tsx';

interface Props {
  email: string;
  calendars: MyCalendars;
  /** Whether a form was refused that had no calendar ticked. */
  unticked: boolean;
  isSaved: boolean;
  csrf: string;
}

/** Where a person chooses which of their calendars block their time. */
export function CalendarsSection({ email, calendars, unticked, isSaved, csrf }: Props) {
  return (
    <section class="card" id="calendars">
      <h2>Which calendars block your time</h2>
      {isSaved ? <Notice kind="ok" title="Saved" /> : null}
      {calendars.kind === 'listed' ? <Choice csrf={csrf} unticked={unticked} {...calendars} /> : null}
      {calendars.kind === 'main_alone' ? (
        <p>
          Only your main calendar blocks your time: Tandem was not allowed to see the list of your calendars. To choose
          others too, <a href={signInAgain(email)}>sign in again</a> and tick that box on Google’s page.
        </p>
      ) : null}
      {calendars.kind === 'unavailable' ? (
        <Notice kind="warn">
          Google could not be asked for your calendars just now. What you chose before still holds; open this page again
          in a moment to change it.
        </Notice>
      ) : null}
    </section>
  );
}

/** Where a person renews what they allowed Tandem. */
export const signInAgain = (email: string) => `/oauth/login?user_id=${encodeURIComponent(email)}`;

interface Listed extends Pick<Props, 'unticked' | 'csrf'> {
  calendars: ShownCalendar[];
  gone: number;
}

function Choice({ calendars, gone, unticked, csrf }: Listed) {
  return (
    <>
      <p>
        A time is offered only if you are free in every calendar that is ticked. Platforms see neither which calendars
        you have nor what is in them.
      </p>
      {gone === 0 ? null : (
        <Notice kind="warn">
          {gone === 1 ? 'One calendar that blocked your time is' : `${gone} calendars that blocked your time are`} no
          longer in your Google account, so {gone === 1 ? 'it blocks' : 'they block'} nothing now. Save to clear this
          note.
        </Notice>
      )}
      <form method="post" action="/me/calendars">
        <HiddenFields fields={{ csrf }} />
        <FieldError
          id="calendars"
          error={
            unticked
              ? 'Nothing was changed: without a calendar Tandem cannot tell when you are busy. Tick at least one.'
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
                  <bdi>{calendar.name.trim() === '' ? 'A calendar without a name' : calendar.name}</bdi>
                  <span class="muted">{noteOf(calendar)}</span>
                </span>
              </label>
            </li>
          ))}
        </ul>
        <button type="submit">Save calendars</button>
      </form>
    </>
  );
}

function noteOf({ isMain, isOwned, isMissing }: ShownCalendar): string {
  const whose = isMain ? ' (your main calendar, where meetings are put)' : isOwned ? '' : ' (not your own)';
  return isMissing ? `${whose} – Google does not tell when it is busy, so it blocks nothing now` : whose;
}
