import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import * as z from 'zod';
import { oauthUrl } from '../../../lib/calendars/authorize-url.ts';
import { type ConnectedPerson, searchPeople } from '../../../lib/platforms/people.ts';
import { Email, text } from '../../../schema/api/fields.ts';
import { pageQuery } from '../../../schema/api/paging.ts';
import type { AppEnv } from '../../http/env.ts';
import { check } from '../../http/input.ts';
import { Ago, At } from '../clock.tsx';
import { Badge, Empty, InputField, LinkLine, SelectField, Table } from '../components.tsx';
import { renderDashboard } from './frame.tsx';
import { CopyField, Filters, many, ON_A_PAGE, Pager } from './parts.tsx';
import { attempt, checked, currentPlatform, givenOf, page } from './session.ts';

const PATH = '/dashboard/people';

const CALENDARS = [
  ['', 'Any'],
  ['connected', 'Connected'],
  ['needs_reauthorization', 'Needs to reconnect'],
] as const;

export const LinkQuery = z.object({ user_email: Email });
const Query = z.object({
  ...pageQuery('usr_'),
  search: text(254).optional(),
  calendar: z.enum(['connected', 'needs_reauthorization']).optional(),
});

export const people = new Hono<AppEnv>();

page(people, PATH, async (c) => {
  const given = givenOf(c);
  const { answer: asked = {}, refusal } = await checked(c, Query, given);
  const { cursor: after, search, calendar: status } = asked;
  const { id } = currentPlatform(c);
  const found = await searchPeople(c.var.ctx, id, { limit: ON_A_PAGE, after, search, status });
  return renderDashboard(
    c,
    { title: 'People', at: PATH, refusal },
    <>
      {found.total === 0 ? (
        <Empty title="Nobody has connected a calendar yet">
          Create a link below and send it to the person. A person appears here once they have allowed access.
        </Empty>
      ) : (
        <>
          <p>{many(found.total, 'person is', 'people are')} connected.</p>
          <Filters action={PATH} button="Search">
            <InputField
              id="search"
              label="Part of an email address"
              type="search"
              value={given.search}
              maxlength={254}
            />
            <SelectField id="calendar" label="Calendar" chosen={given.calendar ?? ''} options={CALENDARS} />
          </Filters>
          <PeopleTable
            people={found.people}
            none={
              <Empty title="Nobody found">
                {search && ['No connected address contains ', <bdi>{search}</bdi>, '. ']}
                {status === 'needs_reauthorization' ? 'Nobody here needs to reconnect. ' : null}
                <a href={PATH}>Show everyone</a>
              </Empty>
            }
          />
          <Pager path={PATH} query={given} next={found.next} />
        </>
      )}
      <h2>Connect someone</h2>
      <LinkForm />
    </>,
  );
});

page(people, `${PATH}/link`, async (c) => {
  const given = c.req.query('user_email') ?? '';
  const { answer, refusal } = await attempt(c, async () => {
    const { user_email: email } = check(LinkQuery, { user_email: given });
    return { email, ...(await oauthUrl(c.var.ctx, currentPlatform(c), { email })) };
  });
  return renderDashboard(
    c,
    { title: 'A link to connect a calendar', at: PATH, status: refusal?.status ?? 200 },
    answer === undefined ? (
      <LinkForm email={given} error={refusal?.message} />
    ) : (
      <>
        <p>{answer.instructions} The link does not expire and can be opened any number of times.</p>
        <CopyField id="link" what="link" label={`Link for ${answer.email}`} value={answer.url} />
        <LinkLine to={PATH}>Back to the people</LinkLine>
      </>
    ),
  );
});

const LinkForm = ({ email, error }: { email?: string; error?: string | undefined }) => (
  <form method="get" action={`${PATH}/link`} class="line">
    <InputField
      id="email"
      label="Their email address"
      error={error}
      type="email"
      name="user_email"
      value={email}
      required
    />
    <button type="submit">Create a link</button>
  </form>
);

const PeopleTable = ({ people: rows, none }: { people: ConnectedPerson[]; none: Child }) => (
  <Table
    none={none}
    head={['Person', { name: 'Calendar', short: '' }, 'Last read', { name: 'Connected since', short: 'Since' }]}
    rows={rows.map((person, place) => [
      <>
        <div class="address">
          <a href={`${PATH}/${encodeURIComponent(person.email)}`}>{person.email}</a>
        </div>
        <small class="muted">{person.timeZone ?? 'time zone unknown'}</small>
      </>,
      <>
        <Health {...person} />
        {person.status === 'connected' ? null : (
          <details>
            <summary class="small">
              Link to reconnect<span class="hidden"> for {person.email}</span>
            </summary>
            <CopyField
              id={`link-${place}`}
              what="link"
              label={['Link', <span class="hidden"> for {person.email}</span>]}
              value={person.reconnectUrl}
            />
          </details>
        )}
      </>,
      <Ago ms={person.lastSyncAt} />,
      <At ms={person.connectedAt} />,
    ])}
  />
);

type HealthProps = Pick<ConnectedPerson, 'status' | 'reauthorizationNeededSince'>;

export function Health({ status, reauthorizationNeededSince: since }: HealthProps) {
  if (status === 'connected') return <Badge kind="ok">Connected</Badge>;
  return (
    <>
      <Badge kind="bad">Needs to reconnect</Badge>
      {since === null ? null : (
        <div class="small">
          Google ended Tandem’s access on <At ms={since} />. If they do not reconnect within seven days of that, they
          are disconnected.
        </div>
      )}
    </>
  );
}
