import type { MyCalendars } from '../../../lib/calendars/choose.ts';
import type { HeldTimes } from '../../../lib/meetings/index.ts';
import type { MyHabits } from '../../../lib/people/own-page.ts';
import { Empty, Notice, PostForm } from '../components.tsx';
import { AgentsSection, type MyAgent } from './agents.tsx';
import { CalendarsSection, signInAgain } from './calendars.tsx';
import { dateOf } from './date-of.ts';
import { HabitsSection } from './habits.tsx';
import { HeldSection } from './held.tsx';
import { KeysSection, type OwnKey } from './keys.tsx';

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
  /** Calendars of the person. Absent while Tandem has no access to them at Google. */
  calendars: MyCalendars | undefined;
  /** True if the person just submitted the form without ticking any calendar, so that the page shows an error. */
  unticked: boolean;
  /** True if the person just saved their choice of calendars. */
  isSaved: boolean;
  agents: readonly MyAgent[];
  /** Times of the person that open proposals reserve now. */
  holds: readonly HeldTimes[];
  timeZone: string;
  keys: readonly OwnKey[];
  /** Undefined if they can create one now. */
  newKeyAt: number | undefined;
  habits: MyHabits;
  csrf: string;
  /** Random value in the form that creates an API key, so that sending the form twice creates one key. */
  once: string;
}

export function Overview({
  email,
  status,
  platforms,
  calendars,
  unticked,
  isSaved,
  habits,
  agents,
  holds,
  timeZone,
  csrf,
  ...held
}: Me) {
  return (
    <>
      {status === 'needs_reauthorization' ? <Reconnect email={email} /> : null}
      <section class="card">
        <h2>Who has access to your calendar</h2>
        {platforms.length === 0 ? (
          <Empty title="No platform has access to your calendar">
            <p>A platform gets access when you open its link and allow it on Google’s page.</p>
          </Empty>
        ) : (
          <>
            <p>
              A platform with access sees when you are busy (never with what) and what you set under{' '}
              <a href="/me/preferences">Your week</a>. Such a platform can also add meetings to your calendar, and move
              or cancel those meetings.
            </p>
            <ul class="rows">
              {platforms.map((access) => (
                <PlatformRow {...access} />
              ))}
            </ul>
          </>
        )}
      </section>
      {holds.length === 0 ? null : <HeldSection holds={holds} timeZone={timeZone} csrf={csrf} />}
      {calendars === undefined ? null : (
        <CalendarsSection email={email} calendars={calendars} unticked={unticked} isSaved={isSaved} csrf={csrf} />
      )}
      <HabitsSection {...habits} csrf={csrf} />
      {agents.length === 0 ? null : <AgentsSection agents={agents} csrf={csrf} />}
      <KeysSection {...{ csrf, timeZone }} {...held} />
      <section class="card">
        <h2>Your data</h2>
        <p>
          <a href="/me/export">Download everything Tandem holds about you</a>, or{' '}
          <a href="/me/delete">delete your account</a>.
        </p>
        <PostForm action="/me/sign-out-everywhere" csrf={csrf} kind="quiet">
          Sign out in every browser
        </PostForm>
      </section>
    </>
  );
}

const Reconnect = ({ email }: { email: string }) => (
  <Notice kind="warn" title="Tandem has lost access to your calendar">
    <p>
      Google no longer lets Tandem read it, so no meeting can be scheduled for you until you sign in with Google again.
      If you do not sign in within seven days, the platforms below lose their access.
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
