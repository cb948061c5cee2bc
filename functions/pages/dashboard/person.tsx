import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { connectedSince, disconnect, disconnectedAt } from '../../../lib/calendars/disconnect.ts';
import { WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import { insistOnFreshLink, isFresh } from '../../../lib/platforms/dashboard.ts';
import { type PersonLife, readPerson } from '../../../lib/platforms/people.ts';
import { capitalized, quotedWords } from '../../../lib/words/people.ts';
import { Email } from '../../../schema/api/fields.ts';
import type { AppEnv } from '../../http/env.ts';
import { check } from '../../http/input.ts';
import { Ago, At, Span } from '../clock.tsx';
import { Badge, Empty, Facts, Form, HiddenFields, LinkLine, Notice, Status, Table } from '../components.tsx';
import { placeName, sayDays } from '../me/fields.tsx';
import { STATUSES as DELIVERY_STATUSES } from './delivery.tsx';
import { renderDashboard } from './frame.tsx';
import { STATUSES } from './meetings.tsx';
import { Copied, CopyField, EventName, many } from './parts.tsx';
import { Health } from './people.tsx';
import { attempt, currentPlatform, type FormRefusal, form, OR_STALE_LINK, openedSession, page } from './session.ts';

const PEOPLE = '/dashboard/people';

export const personPath = (email: string) => `${PEOPLE}/${encodeURIComponent(email)}`;

export const person = new Hono<AppEnv>();

page(person, `${PEOPLE}/:email`, async (c) => {
  const typed = c.req.param('email') ?? '';
  const { answer: life, refusal } = await attempt(c, async () =>
    readPerson(c.var.ctx, currentPlatform(c), check(Email, typed)),
  );
  await c.var.ctx.admitted;
  if (life === undefined)
    return renderDashboard(
      c,
      { title: 'Person not found', at: PEOPLE, status: refusal.status },
      <>
        <Notice kind="bad">
          <bdi>{typed}</bdi> is not an email address.
        </Notice>
        <LinkLine to={PEOPLE}>Back to the people</LinkLine>
      </>,
    );
  return renderPerson(c, life);
});

function renderPerson(c: Context<AppEnv>, life: PersonLife) {
  const { email, person: found, connectUrl } = life;
  const mayChange = !openedSession(c).readOnly;
  return renderDashboard(
    c,
    { title: email, at: PEOPLE, status: found === undefined ? 404 : 200 },
    <>
      <div class="acts">
        <a class="button quiet" href={`/dashboard/why?first=${encodeURIComponent(email)}`}>
          Open in “Why not?”
        </a>
        {found === undefined || !mayChange ? null : (
          <a class="button danger" href={`${PEOPLE}/disconnect?user_email=${encodeURIComponent(email)}`}>
            Disconnect
          </a>
        )}
      </div>
      {found === undefined ? (
        <Notice kind="warn">
          Nobody with this address is connected to your platform. To connect them, send them the link below.
        </Notice>
      ) : (
        <About {...found} />
      )}
      <ConnectLink url={connectUrl} status={found?.status} />
      {found === undefined ? null : (
        <>
          <Hours {...found} />
          <Rules {...found} />
        </>
      )}
      <Meetings {...life} />
      <Events {...life} />
    </>,
  );
}

/** Shows the link with which a person connects. For somebody who is connected it is folded, because nobody needs it. */
function ConnectLink({ url, status }: { url: string; status: Found['status'] | undefined }) {
  const label = status === undefined ? 'Link to connect' : 'Link to connect again';
  const field = <CopyField id="link" what="link" label={label} value={url} />;
  if (status !== 'connected') return field;
  return (
    <details>
      <summary>Link to connect again</summary>
      {field}
    </details>
  );
}

type Found = NonNullable<PersonLife['person']>;

const About = ({ preferences: { holidays, bufferMinutes, ...limits }, ...found }: Found) => (
  <Facts
    of={[
      ['Email', <Copied what="email address">{found.email}</Copied>],
      ['Calendar', <Health {...found} />],
      ['Last read', <Ago ms={found.lastSyncAt} />],
      ['Connected since', <At ms={found.connectedAt} />],
      [
        'Time zone',
        found.timeZone ?? (
          <>
            <Badge kind="bad">Unknown</Badge> Tandem cannot search for this person until they set a time zone on their
            page.
          </>
        ),
      ],
      ['Public holidays', holidays === 'off' ? 'none' : placeName(holidays)],
      ['Searches', `${many(limits.availabilityWindowDays, 'day')} ahead`],
      ['Between meetings', bufferMinutes === 0 ? 'no pause' : many(bufferMinutes, 'minute')],
      ['Meetings a day', `at most ${limits.maxMeetingsPerDay}`],
    ]}
  />
);

function Hours({ preferences: { workHours, focusBlocks }, timeZone }: Found) {
  const lines: { days: string[]; hours: string; kept: string }[] = [];
  for (const day of WEEKDAYS) {
    const { enabled, start, end } = workHours[day];
    const hours = enabled ? `${start} to ${end}` : 'off';
    const blocks = focusBlocks.filter((block) => block.day === day);
    const kept = blocks.map((block) => `${block.start} to ${block.end}`).join(', ');
    const last = lines.at(-1);
    if (last !== undefined && last.hours === hours && last.kept === kept) last.days.push(capitalized(day));
    else lines.push({ days: [capitalized(day)], hours, kept });
  }
  const hasKept = focusBlocks.length > 0;
  return (
    <>
      <h2>Work hours</h2>
      {timeZone === undefined ? null : <p class="hint">On their own clock, in {timeZone}.</p>}
      <div class="hours">
        <Table
          isSlim
          head={['Days', 'Hours', ...(hasKept ? ['Kept free'] : [])]}
          rows={lines.map(({ days, hours, kept }) => [sayDays(days), hours, ...(hasKept ? [kept] : [])])}
        />
      </div>
    </>
  );
}

const Rules = ({ rules }: Found) =>
  rules.length === 0 ? null : (
    <>
      <h2>Rules in their own words</h2>
      <ul class="rows">
        {rules.map(({ quote, meaning }) => (
          <li>
            <div>
              <bdi>{quotedWords(quote)}</bdi>
              <div class="small muted">{meaning}</div>
            </div>
          </li>
        ))}
      </ul>
    </>
  );

const Meetings = ({ email, meetings }: PersonLife) => (
  <>
    <h2>Upcoming meetings</h2>
    {meetings.length === 0 ? (
      <Empty title="No upcoming meetings" />
    ) : (
      <Table
        head={['Meeting', { name: 'When', short: '' }, 'With', { name: 'Status', short: '' }]}
        rows={meetings.map((one) => [
          <a href={`/dashboard/meetings/${one.id}`}>
            <bdi>{one.title.trim() || 'Untitled meeting'}</bdi>
          </a>,
          <Span start={one.start} end={one.end} />,
          <div class="address">{one.requester.email === email ? one.other.email : one.requester.email}</div>,
          <Status of={STATUSES[one.status]} />,
        ])}
      />
    )}
    <LinkLine to={`/dashboard/meetings?attendee=${encodeURIComponent(email)}`}>All meetings of this person</LinkLine>
  </>
);

const Events = ({ deliveries }: PersonLife) =>
  deliveries.length === 0 ? null : (
    <>
      <h2>Events about the connection</h2>
      <Table
        isSlim
        head={['Event', 'When', 'Status']}
        rows={deliveries.map((delivery) => [
          <a href={`/dashboard/webhooks/${delivery.id}`}>
            <EventName>{delivery.eventType}</EventName>
          </a>,
          <At ms={delivery.createdAt} isExact />,
          <Status of={DELIVERY_STATUSES[delivery.status]} />,
        ])}
      />
      <p class="hint">Deliveries are kept for 30 days.</p>
    </>
  );

const PATH = `${PEOPLE}/disconnect`;

const Asked = z.object({ user_email: Email });

export const disconnectPerson = new Hono<AppEnv>();

page(disconnectPerson, PATH, async (c) => {
  const { ctx } = c.var;
  const { answer, refusal } = await attempt(c, async () =>
    check(Asked, { user_email: c.req.query('user_email') ?? '' }),
  );
  await ctx.admitted;
  if (answer === undefined) return renderRefusal(c, refusal);
  const { user_email: email } = answer;
  const since = await connectedSince(ctx, { platformId: currentPlatform(c).id, email });
  return renderDashboard(
    c,
    { title: `Disconnect ${email}?`, at: PEOPLE },
    isFresh(ctx, openedSession(c)) ? (
      <>
        <ul>
          <li>
            Every platform that this person uses Tandem with loses access to their calendar and is notified, not only
            yours.
          </li>
          <li>Meetings stay as they are.</li>
          <li>To come back, the person has to allow access again.</li>
        </ul>
        <Form action={PATH}>
          <HiddenFields fields={{ user_email: email, connected_at: String(since) }} />
          <p class="actions">
            <button type="submit" class="danger">
              Disconnect now
            </button>{' '}
            <a href={PEOPLE}>Keep them connected</a>
          </p>
        </Form>
      </>
    ) : (
      <p>
        To disconnect somebody, open the dashboard with a link that was made within ten minutes. Get a new link from
        where you got the last one. <a href={PEOPLE}>Back to the people</a>
      </p>
    ),
  );
});

form(disconnectPerson, PATH, async (c, given) => {
  const { answer, refusal } = await attempt(
    c,
    async () => {
      insistOnFreshLink(c.var.ctx, openedSession(c));
      const { user_email: email } = check(Asked, { user_email: given.get('user_email') ?? '' });
      const connectedAt = given.get('connected_at') ?? '';
      await disconnect(c.var.ctx, { platformId: currentPlatform(c).id, email, connectedAt });
      return email;
    },
    OR_STALE_LINK,
  );
  if (answer === undefined) return (await renderDisconnectedBefore(c, given, refusal)) ?? renderRefusal(c, refusal);
  return renderDashboard(
    c,
    { title: `${answer} is disconnected`, at: PEOPLE },
    <p>
      Every platform lost access to this calendar. <a href={PEOPLE}>Back to the people</a>
    </p>,
  );
});

/** Says that the person is disconnected already, such as by the same form. Returns undefined for any other refusal. */
async function renderDisconnectedBefore(c: Context<AppEnv>, given: URLSearchParams, { code }: FormRefusal) {
  if (code !== 'connection_not_found') return undefined;
  const { user_email: email } = check(Asked, { user_email: given.get('user_email') ?? '' });
  const at = await disconnectedAt(c.var.ctx, { platformId: currentPlatform(c).id, email });
  if (at === undefined) return undefined;
  return renderDashboard(
    c,
    { title: `${email} is disconnected already`, at: PEOPLE },
    <p>
      Your platform lost access to this calendar on <At ms={at} />. <a href={PEOPLE}>Back to the people</a>
    </p>,
  );
}

const renderRefusal = (c: Context<AppEnv>, { status, message }: FormRefusal) =>
  renderDashboard(
    c,
    { title: 'Nobody was disconnected', at: PEOPLE, status },
    <>
      <Notice kind="bad">{message}</Notice>
      <LinkLine to={PEOPLE}>Back to the people</LinkLine>
    </>,
  );
