import { type Context, Hono } from 'hono';
import * as z from 'zod';
import type { ProposalLife } from '../../../lib/meetings/index.ts';
import { listPlatformProposals, readProposalLife, withdrawProposal } from '../../../lib/meetings/index.ts';
import { quotedWords } from '../../../lib/words/people.ts';
import * as api from '../../../schema/api/proposals.ts';
import type { AppEnv } from '../../http/env.ts';
import { At, Span } from '../clock.tsx';
import { Empty, Facts, Form, InputField, Status, Submit, Table } from '../components.tsx';
import { saidDone } from '../session-cookie.ts';
import { pageAsked, renderDashboard, renderList } from './frame.tsx';
import { type Happening, History, toldOf } from './life.tsx';
import { CopyField, Filters, many, ROLES, StatusField, TitleLink, titled, writtenFacts } from './parts.tsx';
import { personPath } from './person.tsx';
import { currentPlatform, type FormRefusal, form, givenOf, idOf, mayChange, page } from './session.ts';

const PATH = '/dashboard/proposals';
const ANY = 'any';

const STATES = {
  open: { words: 'Open', kind: 'info' },
  accepted: { words: 'Accepted', kind: 'ok' },
  declined: { words: 'Declined', kind: 'bad' },
  countered: { words: 'Other times wanted', kind: 'warn' },
  expired: { words: 'Expired', kind: 'warn' },
  withdrawn: { words: 'Withdrawn', kind: 'info' },
} as const satisfies Record<api.Proposal['status'], object>;

const { query } = api.listProposals;
const Query = query.extend({
  status: z.preprocess((status) => (status === ANY ? undefined : status), query.shape.status),
});

export const proposals = new Hono<AppEnv>();

page(proposals, PATH, (c) => {
  const asked = givenOf(c);
  // Without filters, the list shows the open proposals, which somebody can still answer.
  const isAsked = Object.keys(asked).length > 0;
  const given = isAsked ? asked : { status: 'open' };
  return renderList(c, {
    ...{ title: 'Proposals', at: PATH, given },
    read: async () => {
      const filter = pageAsked(Query, given);
      const byExpiry = filter.status === 'open';
      const found = await listPlatformProposals(c.var.ctx, currentPlatform(c), { ...filter, byExpiry });
      return { rows: found.proposals, next: found.next };
    },
    above: (
      <Filters action={PATH}>
        <InputField id="email" label="Person" type="email" value={given.email} placeholder="name@example.com" />
        <StatusField of={STATES} value={given.status} any={ANY} />
      </Filters>
    ),
    head: ['Proposal', { name: 'Who', short: '' }, 'Expires', { name: 'Status', short: '' }],
    row: ({ proposal_id, title, times, attendees, expires_at, ended_at, status }) => [
      <>
        <TitleLink to={`${PATH}/${proposal_id}`}>{title}</TitleLink>
        <div class="small muted">{many(times.length, 'time')}</div>
      </>,
      attendees.map((email) => <div class="address">{email}</div>),
      ended_at === null ? (
        <At ms={Date.parse(expires_at)} />
      ) : (
        <span class="muted">
          Ended <At ms={Date.parse(ended_at)} />
        </span>
      ),
      <Status of={STATES[status]} />,
    ],
    none: <Nothing isAsked={isAsked} />,
  });
});

const Nothing = ({ isAsked }: { isAsked: boolean }) =>
  isAsked ? (
    <Empty title="No proposals match">
      <a href={PATH}>Show open proposals</a>
    </Empty>
  ) : (
    <Empty title="No open proposals">
      A proposal offers somebody a few times, also somebody without a connected calendar. Proposals appear here once{' '}
      <a href="/docs/proposals">your server makes one</a>. <a href={`${PATH}?status=${ANY}`}>Show all proposals</a>
    </Empty>
  );

const DONE = {
  made: 'The proposal is made, and its times are held. Send the link below to the second attendee.',
  withdrawn: 'The proposal is withdrawn, and its times are free.',
};

page(proposals, `${PATH}/:id`, (c) => renderProposal(c));

form(proposals, `${PATH}/:id/withdraw`, { refused: (c, refusal) => renderProposal(c, { refusal }) }, async (c) => {
  await withdrawProposal(c.var.ctx, currentPlatform(c), idOf(c));
  return renderProposal(c, { done: DONE.withdrawn });
});

async function renderProposal(c: Context<AppEnv>, sent?: { refusal?: FormRefusal; done?: string }) {
  const life = await readProposalLife(c.var.ctx, currentPlatform(c), idOf(c));
  const { title, status } = life.proposal;
  return renderDashboard(
    c,
    { title: titled(title), at: PATH, ...(sent ?? { done: await saidDone(c, DONE) }) },
    <>
      <About {...life.proposal} />
      {status === 'open' && (await mayChange(c)) ? <Open {...life.proposal} /> : null}
      <h2>Times</h2>
      <Table
        isSlim
        head={['Time', 'Status']}
        rows={life.proposal.times.map(({ start_time, end_time, reason, status: state }) => [
          <>
            <Span start={Date.parse(start_time)} end={Date.parse(end_time)} />
            <div class="small muted">
              <bdi>{reason}</bdi>
            </div>
          </>,
          TIME_STATES[state],
        ])}
      />
      <History of={lifeOf(life)} />
      <p class="hint">Deliveries are kept for 30 days.</p>
    </>,
  );
}

const TIME_STATES: Record<api.Proposal['times'][number]['status'], string> = {
  held: 'Held',
  accepted: 'Accepted',
  released: 'Free again',
};

const WHO_ANSWERS = 'Whoever has it can answer.';

const Open = ({ proposal_id, url, attendees }: api.Proposal) => (
  <>
    {url && <CopyField id="link" what="link" label={`Link for ${attendees[1]} alone. ${WHO_ANSWERS}`} value={url} />}
    <Form action={`${PATH}/${proposal_id}/withdraw`}>
      <p class="actions">
        <Submit kind="danger">Withdraw the proposal</Submit>
      </p>
    </Form>
  </>
);

const About = (shown: api.Proposal) => (
  <Facts
    of={[
      ['Status', <Status of={STATES[shown.status]} />],
      ...shown.attendees.map((email, place) => [ROLES[place], <Attendee {...{ shown, email, place }} />] as const),
      ['Length', many(shown.duration_minutes, 'minute')],
      [
        shown.ended_at === null ? 'Expires' : 'Would have expired',
        [<At ms={Date.parse(shown.expires_at)} />, shown.on_expiry === 'book_first' ? THEN_BOOKED : ''],
      ],
      [
        'Moves',
        shown.moves_meeting_id && <a href={`${MEETINGS}/${shown.moves_meeting_id}`}>See the meeting as it was</a>,
      ],
      ['Meeting', shown.meeting_id && <a href={`${MEETINGS}/${shown.meeting_id}`}>See the meeting</a>],
      ['Where', <bdi>{shown.location}</bdi>],
      ...writtenFacts({ ...shown, id: shown.proposal_id, what: 'proposal' }),
    ]}
  />
);

const MEETINGS = '/dashboard/meetings';
const THEN_BOOKED = '. Tandem then books the first time that is still free.';

function Attendee({ shown, email, place }: { shown: api.Proposal; email: string; place: number }) {
  const { connected = true, name, time_zone } = shown.attendee_details?.[place] ?? {};
  return (
    <>
      {connected ? <a href={personPath(email)}>{email}</a> : email}
      {place === 0 && shown.requester_name !== null ? (
        <div class="muted">
          Shown as <bdi>{shown.requester_name}</bdi>
        </div>
      ) : null}
      {connected ? null : (
        <div class="muted">
          Not connected
          {name === undefined ? null : [', ', <bdi>{name}</bdi>]}
          {time_zone === undefined ? '' : ` (${time_zone})`}
        </div>
      )}
    </>
  );
}

function lifeOf({ proposal: told, deliveries }: ProposalLife): Happening[] {
  const made = `Made, with ${many(told.times.length, 'time')} to choose from.`;
  const ended = told.ended_at === null ? [] : [{ at: Date.parse(told.ended_at), sentence: endOf(told) }];
  return [{ at: Date.parse(told.created_at), sentence: made }, ...ended, ...deliveries.map(toldOf)];
}

function endOf({ status, attendees: [, email], decline_reason, on_expiry, moves_meeting_id }: api.Proposal): string {
  const sentences: Record<api.Proposal['status'], string> = {
    open: 'Open.',
    accepted: `A time was accepted, and the meeting ${moves_meeting_id === null ? 'booked' : 'moved there'}.`,
    declined: `Declined${decline_reason === null ? '' : `, with the reason ${quotedWords(decline_reason)}`}.`,
    countered: `${email} asked for other times.`,
    withdrawn: 'Withdrawn by the platform.',
    expired: `Expired.${on_expiry === 'book_first' ? ' No time could be booked.' : ''}`,
  };
  return sentences[status];
}
