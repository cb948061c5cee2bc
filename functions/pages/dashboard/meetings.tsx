import { Hono } from 'hono';
import { DAY } from '../../../lib/engine/time/dates.ts';
import { listPlatformMeetings } from '../../../lib/meetings/index.ts';
import * as api from '../../../schema/api/meetings.ts';
import { toPagination } from '../../../schema/api/paging.ts';
import { SHOWN_STATUSES } from '../../../schema/meetings/status.ts';
import type { AppEnv } from '../../env.ts';
import { check } from '../../input.ts';
import { Badge, Empty, Field, Notice, Table } from '../components.tsx';
import { renderDashboard } from './frame.tsx';
import { Filters, Pager, Select, Span } from './parts.tsx';
import { attempt, givenOf } from './query.ts';
import { currentPlatform, page } from './session.ts';

const PATH = '/dashboard/meetings';
const ON_A_PAGE = 25;

/** Words and colors that show the status of a meeting, keyed by status. */
export const STATUSES = {
  scheduled: { words: 'Scheduled', kind: 'ok' },
  updated: { words: 'Changed', kind: 'ok' },
  cancelled: { words: 'Cancelled', kind: 'bad' },
  rescheduled: { words: 'Replaced', kind: 'info' },
} as const satisfies Record<api.Meeting['status'], object>;

export const meetings = new Hono<AppEnv>();

page(meetings, PATH, async (c) => {
  const given = givenOf(c);
  // Without filters, the list shows upcoming meetings.
  const today = new Date(c.var.ctx.clock.now()).toISOString().slice(0, 10);
  const isAsked = Object.keys(given).length > 0;
  const shown = isAsked ? given : { from: today };
  const { answer, refusal } = await attempt(c, async () => {
    const { cursor: after, limit: _, ...filter } = check(api.listMeetings.query, { ...shown, ...spanGiven(shown) });
    return listPlatformMeetings(c.var.ctx, currentPlatform(c), { ...filter, after, limit: ON_A_PAGE });
  });
  const { meetings: rows = [], next } = answer ?? {};
  return renderDashboard(
    c,
    { title: 'Meetings', at: PATH, status: refusal?.status ?? 200 },
    <>
      {refusal === undefined ? null : <Notice kind="bad">{refusal.message}</Notice>}
      <Filters action={PATH}>
        <Field id="attendee" label="Person">
          <input type="email" id="attendee" name="attendee" value={shown.attendee} placeholder="name@example.com" />
        </Field>
        <Field id="status" label="Status">
          <Select
            name="status"
            value={shown.status ?? ''}
            options={[['', 'Any'], ...SHOWN_STATUSES.map((status) => [status, STATUSES[status].words] as const)]}
          />
        </Field>
        <Field id="from" label="First day (UTC)">
          <input type="date" id="from" name="from" value={shown.from} />
        </Field>
        <Field id="to" label="Last day (UTC)">
          <input type="date" id="to" name="to" value={shown.to} />
        </Field>
      </Filters>
      {answer === undefined ? null : rows.length === 0 ? (
        <Nothing isAsked={isAsked} />
      ) : (
        <MeetingTable meetings={rows} />
      )}
      <Pager path={PATH} query={shown} cursor={given.cursor} next={toPagination(next).next_cursor} />
      <h2>Find a meeting</h2>
      <Filters action={`${PATH}/find`} button="Open">
        <Field id="id" label="Meeting ID">
          <input type="search" id="id" name="id" placeholder="meet_…" required />
        </Field>
      </Filters>
    </>,
  );
});

page(meetings, `${PATH}/find`, (c) =>
  c.redirect(`${PATH}/${encodeURIComponent((c.req.query('id') ?? '').trim() || '-')}`, 303),
);

/**
 * Turns the first and last day of the list's filter into instants: the start of the first day, and the end of the last.
 */
function spanGiven({ from, to }: Record<string, string>) {
  return {
    ...(from === undefined ? {} : { from: startOf(from) }),
    ...(to === undefined ? {} : { to: startOf(to, 1) }),
  };
}

/**
 * Returns the start, in UTC, of the day that is `daysLater` days after the given one. Returns invalid text unchanged,
 * so that the check of the filter rejects it.
 */
function startOf(day: string, daysLater = 0): string {
  const start = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(start) ? day : new Date(start + daysLater * DAY).toISOString();
}

const Nothing = ({ isAsked }: { isAsked: boolean }) =>
  isAsked ? (
    <Empty title="No meetings match">
      <p>
        <a href={PATH}>Show upcoming meetings</a>
      </p>
    </Empty>
  ) : (
    <Empty title="No upcoming meetings">
      <p>
        Meetings appear here once <a href="/docs">your server books one</a>.{' '}
        <a href={`${PATH}?from=1970-01-01`}>Show past meetings</a>
      </p>
    </Empty>
  );

const MeetingTable = ({ meetings: rows }: { meetings: api.Meeting[] }) => (
  <Table
    head={['Meeting', 'When', 'Who', 'Status']}
    rows={rows.map((meeting) => [
      <a href={`${PATH}/${meeting.meeting_id}`}>
        <bdi>{meeting.title.trim() === '' ? 'Untitled meeting' : meeting.title}</bdi>
      </a>,
      <Span start={Date.parse(meeting.start_time)} end={Date.parse(meeting.end_time)} isShort />,
      meeting.rsvps.map(({ email, response_status }, place) => (
        <div class="address">
          {email}
          {place === 0 ? null : <div class="small muted">{RSVP_WORDS[response_status]}</div>}
        </div>
      )),
      <Badge kind={STATUSES[meeting.status].kind}>{STATUSES[meeting.status].words}</Badge>,
    ])}
  />
);

export const RSVP_WORDS: Record<api.Meeting['rsvps'][number]['response_status'], string> = {
  needsAction: 'no answer yet',
  accepted: 'accepted',
  declined: 'declined',
  tentative: 'maybe',
};
