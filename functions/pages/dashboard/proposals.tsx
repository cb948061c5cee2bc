import { Hono } from 'hono';
import * as z from 'zod';
import { listDashboardProposals } from '../../../lib/meetings/index.ts';
import { toPagination } from '../../../schema/api/paging.ts';
import * as api from '../../../schema/api/proposals.ts';
import { PROPOSAL_STATUSES } from '../../../schema/api/states.ts';
import type { AppEnv } from '../../http/env.ts';
import { check } from '../../http/input.ts';
import { At } from '../clock.tsx';
import { Badge, Empty, Field, InputField, Notice, Table } from '../components.tsx';
import { renderDashboard } from './frame.tsx';
import { Filters, many, Pager, Select } from './parts.tsx';
import { attempt, givenOf } from './query.ts';
import { currentPlatform, page } from './session.ts';

const PATH = '/dashboard/proposals';
const ON_A_PAGE = 25;
const ANY = 'any';

/** Words and colors that show the state of a proposal, keyed by state. */
export const STATES = {
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

page(proposals, PATH, async (c) => {
  const given = givenOf(c);
  // Without filters, the list shows the open proposals, which somebody can still answer.
  const isAsked = Object.keys(given).length > 0;
  const shown = isAsked ? given : { status: 'open' };
  const { answer, refusal } = await attempt(c, async () => {
    const { cursor: after, limit: _, ...filter } = check(Query, shown);
    return listDashboardProposals(c.var.ctx, currentPlatform(c), { ...filter, after, limit: ON_A_PAGE });
  });
  const { proposals: rows = [], next } = answer ?? {};
  return renderDashboard(
    c,
    { title: 'Proposals', at: PATH, status: refusal?.status ?? 200 },
    <>
      {refusal === undefined ? null : <Notice kind="bad">{refusal.message}</Notice>}
      <Filters action={PATH}>
        <InputField id="email" label="Person" type="email" value={shown.email} placeholder="name@example.com" />
        <Field id="status" label="Status">
          <Select
            name="status"
            value={shown.status ?? ANY}
            options={[[ANY, 'Any'], ...PROPOSAL_STATUSES.map((status) => [status, STATES[status].words] as const)]}
          />
        </Field>
      </Filters>
      {answer && rows.length === 0 && <Nothing isAsked={isAsked} />}
      {rows.length > 0 && <ProposalTable proposals={rows} />}
      <Pager path={PATH} query={shown} cursor={given.cursor} next={toPagination(next).next_cursor} />
    </>,
  );
});

const Nothing = ({ isAsked }: { isAsked: boolean }) =>
  isAsked ? (
    <Empty title="No proposals match">
      <p>
        <a href={PATH}>Show open proposals</a>
      </p>
    </Empty>
  ) : (
    <Empty title="No open proposals">
      <p>
        A proposal offers somebody a few times, also somebody without a connected calendar. Proposals appear here once{' '}
        <a href="/docs/proposals">your server makes one</a>. <a href={`${PATH}?status=${ANY}`}>Show all proposals</a>
      </p>
    </Empty>
  );

const ProposalTable = ({ proposals: rows }: { proposals: api.Proposal[] }) => (
  <Table
    head={['Proposal', { name: 'Who', short: '' }, 'Expires', { name: 'Status', short: '' }]}
    rows={rows.map(({ proposal_id, title, times, attendees, expires_at, ended_at, status }) => [
      <>
        <a href={`${PATH}/${proposal_id}`}>
          <bdi>{title.trim() === '' ? 'Untitled meeting' : title}</bdi>
        </a>
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
      <Badge kind={STATES[status].kind}>{STATES[status].words}</Badge>,
    ])}
  />
);
