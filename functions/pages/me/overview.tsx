import type { MyCalendars } from '../../../lib/calendars/blocking/choose.ts';
import { fromThen } from '../../../lib/key-regeneration.ts';
import { Empty, Notice, PostForm } from '../components.tsx';
import { CalendarsSection, signInAgain } from './calendars.tsx';

interface Access {
  platformId: string;
  platformName: string;
  connectedAt: number;
  lastUsedAt: number;
}

interface Me {
  email: string;
  status: 'connected' | 'needs_reauthorization' | 'disconnected';
  platforms: Access[];
  /** Absent without a grant. */
  calendars: MyCalendars | undefined;
  /** Whether a form was refused that had no calendar ticked. */
  unticked: boolean;
  maskedKey: string | undefined;
  /** Set while no new key can be made. */
  newKeyAt: number | undefined;
  csrf: string;
  /** What makes the key of this page's form one and the same, however often it is sent. */
  once: string;
}

/** "3 March 2027", by the clock of UTC. */
export const dateOf = (instant: number) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }).format(instant);

/** Who has access to a person's calendar, which calendars block, their key, and what is held about them. */
export function Overview({ email, status, platforms, calendars, unticked, maskedKey, newKeyAt, csrf, once }: Me) {
  return (
    <>
      {status === 'needs_reauthorization' ? <Reconnect email={email} /> : null}
      <section class="card">
        <h2>Who has access to your calendar</h2>
        {platforms.length === 0 ? (
          <Empty title="No platform has access to your calendar.">
            <p>One gets it when you follow its link and consent on Google&#39;s page.</p>
          </Empty>
        ) : (
          <>
            <ul class="rows">
              {platforms.map((access) => (
                <PlatformRow {...access} csrf={csrf} />
              ))}
            </ul>
            <p class="muted">
              A platform with access sees when you are busy, never what with, and what you set under{' '}
              <a href="/me/preferences">Your week</a>; it can put meetings on your calendar. Disconnecting one leaves
              the others as they are. Meetings stay on your calendar.
            </p>
          </>
        )}
      </section>
      {calendars === undefined ? null : (
        <CalendarsSection email={email} calendars={calendars} unticked={unticked} csrf={csrf} />
      )}
      <section class="card" id="key">
        <h2>API key</h2>
        <p>
          With a key of your own, software that acts for you reads and changes what these pages show, and nothing of
          anybody else.
        </p>
        <p>
          {maskedKey === undefined ? 'You have no key yet.' : <code>{maskedKey}</code>}
          {maskedKey === undefined ? '' : ' stops working as soon as you make a new one.'}
        </p>
        {newKeyAt === undefined ? (
          <PostForm action="/me/api-key" csrf={csrf} fields={{ once }} kind="quiet">
            Make a new key
          </PostForm>
        ) : (
          <p>You can make another {fromThen(newKeyAt)}.</p>
        )}
      </section>
      <section class="card">
        <h2>Your data</h2>
        <p>
          <a href="/me/export">Download everything Tandem holds about you</a>, or{' '}
          <a href="/me/delete">delete yourself from Tandem</a>.
        </p>
      </section>
    </>
  );
}

const Reconnect = ({ email }: { email: string }) => (
  <Notice kind="warn" title="Google does not let Tandem read your calendar at the moment">
    <p>
      No meeting can be arranged for you until you sign in again. That renews the access of the platforms below; after
      seven days without it they lose it.
    </p>
    <p>
      <a class="button" href={signInAgain(email)}>
        Sign in with Google again
      </a>
    </p>
  </Notice>
);

function PlatformRow({ platformId, platformName, connectedAt, lastUsedAt, csrf }: Access & { csrf: string }) {
  return (
    <li>
      <div>
        <strong>
          <bdi>{platformName}</bdi>
        </strong>
        <br />
        <small class="muted">
          since {dateOf(connectedAt)}, last used on {dateOf(lastUsedAt)}
        </small>
      </div>
      <PostForm
        action="/me/disconnect"
        csrf={csrf}
        fields={{ platform_id: platformId }}
        kind="danger"
        isTiny
        about={platformName}
      >
        Disconnect
      </PostForm>
    </li>
  );
}
