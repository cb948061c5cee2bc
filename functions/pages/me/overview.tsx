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
  /** Whether the choice of calendars was saved just now. */
  isSaved: boolean;
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
export function Overview({ email, status, platforms, calendars, unticked, isSaved, csrf, ...key }: Me) {
  return (
    <>
      {status === 'needs_reauthorization' ? <Reconnect email={email} /> : null}
      <section class="card">
        <h2>Who has access to your calendar</h2>
        {platforms.length === 0 ? (
          <Empty title="No platform has access to your calendar.">
            <p>One gets it when you open its link and allow it on Google’s page.</p>
          </Empty>
        ) : (
          <>
            <p>
              A platform with access sees when you are busy (never with what) and what you set under{' '}
              <a href="/me/preferences">Your week</a>. It can put meetings on your calendar, and move or cancel them.
            </p>
            <ul class="rows">
              {platforms.map((access) => (
                <PlatformRow {...access} />
              ))}
            </ul>
          </>
        )}
      </section>
      {calendars === undefined ? null : (
        <CalendarsSection email={email} calendars={calendars} unticked={unticked} isSaved={isSaved} csrf={csrf} />
      )}
      <KeySection csrf={csrf} {...key} />
      <section class="card">
        <h2>Your data</h2>
        <p>
          <a href="/me/export">Download everything Tandem holds about you</a>, or{' '}
          <a href="/me/delete">delete your account</a>.
        </p>
      </section>
    </>
  );
}

const Reconnect = ({ email }: { email: string }) => (
  <Notice kind="warn" title="Google does not let Tandem read your calendar at the moment">
    <p>
      No meeting can be arranged for you until you sign in with Google again. If you do not within seven days, the
      platforms below lose their access.
    </p>
    <p>
      <a class="button" href={signInAgain(email)}>
        Sign in with Google again
      </a>
    </p>
  </Notice>
);

const PlatformRow = ({ platformId, platformName, connectedAt, lastUsedAt }: Access) => (
  <li>
    <div>
      <strong>
        <bdi>{platformName}</bdi>
      </strong>
      <br />
      <small class="muted">
        Since {dateOf(connectedAt)}
        <br />
        Last used {dateOf(lastUsedAt)}
      </small>
    </div>
    <a class="button danger tiny" href={`/me/disconnect?platform_id=${platformId}`}>
      Disconnect<span class="hidden"> {platformName}</span>
    </a>
  </li>
);

function KeySection({ maskedKey, newKeyAt, once, csrf }: Pick<Me, 'maskedKey' | 'newKeyAt' | 'once' | 'csrf'>) {
  return (
    <section class="card" id="key">
      <h2>API key</h2>
      <p>
        Only needed if you use an app or assistant that asks for it. It lets that app read and change what these pages
        show, and nobody else’s data.
      </p>
      {maskedKey === undefined ? (
        <p>You have no key yet.</p>
      ) : (
        <p>
          Your key <code>{maskedKey}</code> stops working as soon as you make a new one.
        </p>
      )}
      {newKeyAt === undefined ? (
        <PostForm action="/me/api-key" csrf={csrf} fields={{ once }} kind="quiet">
          {maskedKey === undefined ? 'Make a key' : 'Make a new key'}
        </PostForm>
      ) : (
        <p>You can make another within an hour, {fromThen(newKeyAt)}.</p>
      )}
    </section>
  );
}
