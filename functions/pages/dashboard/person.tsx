import { type Context, Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { connectedSince, disconnect, disconnectedAt } from '../../../lib/calendars/disconnect.ts';
import { insistOnFreshLink } from '../../../lib/platforms/dashboard.ts';
import { type PersonLife, readPerson } from '../../../lib/platforms/people.ts';
import { quotedWords } from '../../../lib/words/people.ts';
import { Email } from '../../../schema/api/fields.ts';
import type { AppEnv } from '../../http/env.ts';
import { check } from '../../http/input.ts';
import { Ago, At, Span } from '../clock.tsx';
import { Badge, ButtonLink, Empty, Facts, Form, LinkLine, Notice, Status, Submit, Table } from '../components.tsx';
import { daysAlike, placeName } from '../me/fields.tsx';
import { STATUSES as DELIVERY_STATUSES } from './delivery.tsx';
import { hasFreshLink, LinkNeeded, renderDashboard, renderRefusal } from './frame.tsx';
import { STATUSES } from './meetings.tsx';
import { Copied, CopyField, EventName, many, TitleLink, WhyLink } from './parts.tsx';
import { Health, LinkQuery } from './people.tsx';
import { checked, currentPlatform, type FormRefusal, form, mayChange, openedSession, page } from './session.ts';

const PEOPLE = '/dashboard/people';

export const personPath = (email: string) => `${PEOPLE}/${encodeURIComponent(email)}`;

export const person = new Hono<AppEnv>();

page(person, `${PEOPLE}/:email`, async (c) => {
  const typed = c.req.param('email') ?? '';
  const { answer: address, refusal } = await checked(c, Email, typed);
  if (address === undefined)
    return renderRefusal(c, { title: 'Person not found', ...BACK, status: refusal.status }, [
      <bdi>{typed}</bdi>,
      ' is not an email address.',
    ]);
  const life = await readPerson(c.var.ctx, currentPlatform(c), address);
  const { email, person: found, connectUrl } = life;
  return renderDashboard(
    c,
    { title: email, at: PEOPLE, status: found === undefined ? 404 : 200 },
    <>
      <div class="acts">
        <WhyLink asked={{ first: email }} />
        {found === undefined || !(await mayChange(c)) ? null : (
          <ButtonLink to={`${PATH}?user_email=${encodeURIComponent(email)}`} kind="danger">
            Disconnect
          </ButtonLink>
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
      {found && <Hours {...found} />}
      {found && <Rules {...found} />}
      <Meetings {...life} />
      <Events {...life} />
    </>,
  );
});

const BACK = { at: PEOPLE, back: 'Back to the people' } as const;

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

const UNKNOWN_ZONE = ' Tandem cannot search for this person until they set a time zone on their page.';

const About = ({ preferences: { holidays, bufferMinutes, ...limits }, ...found }: Found) => (
  <Facts
    of={[
      ['Email', <Copied what="email address">{found.email}</Copied>],
      ['Calendar', <Health {...found} />],
      ['Last read', <Ago ms={found.lastSyncAt} />],
      ['Connected since', <At ms={found.connectedAt} />],
      ['Time zone', found.timeZone ?? [<Badge kind="bad">Unknown</Badge>, UNKNOWN_ZONE]],
      ['Public holidays', holidays === 'off' ? 'none' : placeName(holidays)],
      ['Searches', `${many(limits.availabilityWindowDays, 'day')} ahead`],
      ['Between meetings', bufferMinutes === 0 ? 'no pause' : many(bufferMinutes, 'minute')],
      ['Meetings a day', `at most ${limits.maxMeetingsPerDay}`],
    ]}
  />
);

function Hours({ preferences: { workHours, focusBlocks }, timeZone }: Found) {
  const hasKept = focusBlocks.length > 0;
  const lines = daysAlike((day) => {
    const { enabled, start, end } = workHours[day];
    const blocks = focusBlocks.filter((block) => block.day === day);
    const kept = blocks.map((block) => `${block.start} to ${block.end}`).join(', ');
    return [enabled ? `${start} to ${end}` : 'off', ...(hasKept ? [kept] : [])];
  });
  return (
    <>
      <h2>Work hours</h2>
      {timeZone === undefined ? null : <p class="hint">On their own clock, in {timeZone}.</p>}
      <div class="hours">
        <Table isSlim head={['Days', 'Hours', ...(hasKept ? ['Kept free'] : [])]} rows={lines} />
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
    <Table
      head={['Meeting', { name: 'When', short: '' }, 'With', { name: 'Status', short: '' }]}
      rows={meetings.map((one) => [
        <TitleLink to={`/dashboard/meetings/${one.id}`}>{one.title}</TitleLink>,
        <Span start={one.start} end={one.end} />,
        <div class="address">{one.requester.email === email ? one.other.email : one.requester.email}</div>,
        <Status of={STATUSES[one.status]} />,
      ])}
      none={<Empty title="No upcoming meetings" />}
    />
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

export const disconnectPerson = new Hono<AppEnv>();

page(disconnectPerson, PATH, async (c) => {
  const { answer, refusal } = await checked(c, LinkQuery, { user_email: c.req.query('user_email') ?? '' });
  if (answer === undefined) return renderUndone(c, refusal);
  const { user_email: email } = answer;
  const since = await connectedSince(c.var.ctx, { platformId: currentPlatform(c).id, email });
  return renderDashboard(
    c,
    { title: `Disconnect ${email}?`, at: PEOPLE },
    (await hasFreshLink(c)) ? (
      <>
        <ul>
          <li>
            Every platform that this person uses Tandem with loses access to their calendar and is notified, not only
            yours.
          </li>
          <li>Meetings stay as they are.</li>
          <li>To come back, the person has to allow access again.</li>
        </ul>
        <Form action={PATH} fields={{ user_email: email, connected_at: String(since) }}>
          <p class="actions">
            <Submit kind="danger">Disconnect now</Submit> <a href={PEOPLE}>Keep them connected</a>
          </p>
        </Form>
      </>
    ) : (
      <LinkNeeded to="disconnect somebody" {...BACK} />
    ),
  );
});

form(disconnectPerson, PATH, { needsFreshLink: true, refused: renderUndone }, async (c, given) => {
  insistOnFreshLink(c.var.ctx, openedSession(c));
  const { user_email: email } = check(LinkQuery, { user_email: given.get('user_email') ?? '' });
  const connectedAt = given.get('connected_at') ?? '';
  await disconnect(c.var.ctx, { platformId: currentPlatform(c).id, email, connectedAt });
  return renderDisconnected(c, `${email} is disconnected`, 'Every platform lost access to this calendar.');
});

/** The person may be disconnected already, such as by the same form. */
async function renderUndone(c: Context<AppEnv>, { code, status, message }: FormRefusal, given?: URLSearchParams) {
  const email =
    code === 'connection_not_found'
      ? LinkQuery.safeParse({ user_email: given?.get('user_email') }).data?.user_email
      : undefined;
  const at = email && (await disconnectedAt(c.var.ctx, { platformId: currentPlatform(c).id, email }));
  if (!at) return renderRefusal(c, { title: 'Nobody was disconnected', ...BACK, status }, message);
  const when = ['Your platform lost access to this calendar on ', <At ms={at} />, '.'];
  return renderDisconnected(c, `${email} is disconnected already`, when);
}

const renderDisconnected = (c: Context<AppEnv>, title: string, how: Child) =>
  renderDashboard(
    c,
    { title, at: PEOPLE },
    <p>
      {how} <a href={PEOPLE}>Back to the people</a>
    </p>,
  );
