import type { MyCalendars, ShownCalendar } from '../../../lib/calendars/choose.ts';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import type { myPage } from '../../../lib/people/own-page.ts';
import { ButtonLink, Card, Check, Empty, FieldError, Form, Notice, PostForm } from '../components.tsx';
import { keptUntil, momentOn, whenOn } from '../proposal/frame.tsx';
import { HabitsSection } from './learning.tsx';
import { dateOf } from './session.tsx';

type Mine = NonNullable<Awaited<ReturnType<typeof myPage>>>;

/** `unticked` if the person just sent the form without ticking any calendar, so that the page shows an error. */
type OverviewProps = Mine & Record<'unticked' | 'isSaved', boolean>;

export function Overview({ email, calendars, unticked, isSaved, habits, agents, holds, ...mine }: OverviewProps) {
  const { status, platforms, timeZone } = mine;
  return (
    <>
      {status === 'needs_reauthorization' ? <Reconnect email={email} /> : null}
      <Card title="Who has access to your calendar">
        {platforms.length === 0 ? (
          <Empty title="No platform has access to your calendar">
            A platform gets access when you open its link and allow it on Google’s page.
          </Empty>
        ) : (
          <>
            <p>
              A platform with access sees when you are busy (never with what) and what you set under{' '}
              <a href="/me/preferences">Your week</a>. Such a platform can also add meetings to your calendar, and move
              or cancel those meetings.
            </p>
            <ul class="rows">
              {platforms.map(({ platformId, platformName, connectedAt, lastUsedAt }) => (
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
                  <ButtonLink to={`/me/disconnect?platform_id=${platformId}`} kind="danger tiny">
                    Disconnect<span class="hidden"> {platformName}</span>
                  </ButtonLink>
                </li>
              ))}
            </ul>
          </>
        )}
      </Card>
      {holds.length === 0 ? null : <HeldSection holds={holds} timeZone={timeZone} />}
      {calendars === undefined ? null : (
        <CalendarsSection email={email} calendars={calendars} unticked={unticked} isSaved={isSaved} />
      )}
      <HabitsSection {...habits} />
      {agents.length === 0 ? null : <AgentsSection agents={agents} />}
      <KeysSection {...mine} />
      <Card title="Your data">
        <p>
          <a href="/me/export">Download everything Tandem holds about you</a>, or{' '}
          <a href="/me/delete">delete your account</a>.
        </p>
        <PostForm action="/me/sign-out-everywhere" kind="quiet">
          Sign out in every browser
        </PostForm>
      </Card>
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
      <ButtonLink to={signInAgain(email)}>Sign in with Google again</ButtonLink>
    </p>
  </Notice>
);

const HeldSection = ({ holds, timeZone }: Pick<Mine, 'holds' | 'timeZone'>) => (
  <Card id="held" title="Times on hold">
    <p>
      Platforms offer these times for meetings with you. Nobody else can book them until then, or until you free them,
      which ends the offer.
    </p>
    <ul class="rows">
      {holds.map(({ proposalId, platformName, withWhom, times, expiresAt }) => (
        <li>
          <div>
            <strong>
              <bdi>{platformName}</bdi>
            </strong>
            , with <bdi>{withWhom}</bdi>
            {times.map((time) => (
              <>
                <br />
                <time datetime={new Date(time.start).toISOString()}>{whenOn(time, timeZone)}</time>
              </>
            ))}
            <br />
            On hold until <strong>{momentOn(keptUntil(times, expiresAt).at, timeZone)}</strong>
            {keptUntil(times, expiresAt).more}
          </div>
          <PostForm action="/me/held/end" fields={{ id: proposalId }} kind="danger" isTiny about={`with ${withWhom}`}>
            {times.length === 1 ? 'Free this time' : 'Free these times'}
          </PostForm>
        </li>
      ))}
    </ul>
  </Card>
);

const AgentsSection = ({ agents }: Pick<Mine, 'agents'>) => (
  <Card id="agents" title="Agents that can act for you">
    <p>
      An agent sees when you are free and your meetings, and can change your preferences. It cannot book, move or cancel
      meetings.
    </p>
    <ul class="rows">
      {agents.map(({ id, host, path, name, createdAt, changedAt, expiresAt }) => (
        <li>
          <div>
            <strong>{host}</strong> <bdi>{path}</bdi> {name === '' ? '(unnamed)' : <bdi>{name}</bdi>}
            <br />
            <small class="muted">
              Since {dateOf(createdAt)}
              <br />
              Until {dateOf(expiresAt)}
              {changedAt === null ? '' : `. Changed your preferences ${dateOf(changedAt)}`}
            </small>
          </div>
          <PostForm action="/me/agents/revoke" fields={{ id }} kind="danger" isTiny about={host + path}>
            Revoke
          </PostForm>
        </li>
      ))}
    </ul>
  </Card>
);

function KeysSection({ keys, newKeyAt, timeZone }: Pick<Mine, 'keys' | 'newKeyAt' | 'timeZone'>) {
  return (
    <Card id="key" title="API keys">
      <p>
        A key lets an app or assistant read and change what these pages show, but nobody else’s data. Revoke a key that
        you no longer use. The app that has it then stops working at once.
      </p>
      {keys.length === 0 ? (
        <Empty title="You have no key yet">Create one only if an app or assistant asks for it.</Empty>
      ) : (
        <ul class="rows">
          {keys.map(({ masked, createdAt }) => (
            <li>
              <div>
                <strong>API key</strong> <code>{masked}</code>
                <br />
                <small class="muted">Created {dateOf(createdAt)}</small>
              </div>
              <PostForm action="/me/api-key/revoke" kind="danger" isTiny about={`the key ${masked}`}>
                Revoke
              </PostForm>
            </li>
          ))}
        </ul>
      )}
      {newKeyAt === undefined ? (
        <>
          {keys.length === 0 ? null : <p>If you create a new API key, the old one stops working.</p>}
          <PostForm action="/me/api-key" isOnce kind="quiet">
            {keys.length === 0 ? 'Create a key' : 'Create a new key'}
          </PostForm>
        </>
      ) : (
        <p>You can create one key an hour, the next from {momentOn(newKeyAt + MINUTE - 1, timeZone)} on.</p>
      )}
    </Card>
  );
}

type CalendarsProps = Pick<OverviewProps, 'email' | 'unticked' | 'isSaved'> & { calendars: MyCalendars };

function CalendarsSection({ email, calendars, unticked, isSaved }: CalendarsProps) {
  return (
    <Card id="calendars" title="Which calendars block your time">
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
    </Card>
  );
}

const signInAgain = (email: string) => `/oauth/login?user_id=${encodeURIComponent(email)}`;

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
              <Check
                name="blocks"
                value={calendar.mark}
                checked={calendar.isTicked && !unticked}
                aria-describedby={unticked ? 'calendars-error' : undefined}
                autofocus={unticked && i === 0}
                label={[
                  <bdi>{calendar.name.trim() === '' ? 'Unnamed calendar' : calendar.name}</bdi>,
                  <span class="muted">{noteOf(calendar)}</span>,
                ]}
              />
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
