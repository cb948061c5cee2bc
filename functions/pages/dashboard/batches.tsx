import { type Context, Hono } from 'hono';
import * as z from 'zod';
import * as domain from '../../../lib/meetings/index.ts';
import { choiceOf } from '../../../schema/api/fields.ts';
import { pageQuery } from '../../../schema/api/paging.ts';
import type { BatchMeetingState, BatchStatus } from '../../../schema/api/states.ts';
import type { ListedMeeting } from '../../../schema/meetings/batches.ts';
import { progressOf } from '../../http/answers.ts';
import type { AppEnv } from '../../http/env.ts';
import { At, Span } from '../clock.tsx';
import { Empty, Facts, LinkLine, PostForm, SelectField, Status, Table } from '../components.tsx';
import { pageAsked, renderDashboard, renderList } from './frame.tsx';
import { Copied, Filters, figure, Meter, many, Pager, percent, Stats, Suggestions } from './parts.tsx';
import type { FormRefusal } from './session.ts';
import { checked, currentPlatform, form, givenOf, idOf, mayChange, openedSession, page } from './session.ts';

const PATH = '/dashboard/batches';

const Query = z.object({ cursor: pageQuery('batch_').cursor });

export const batches = new Hono<AppEnv>();

page(batches, PATH, (c) => {
  const given = givenOf(c);
  return renderList(c, {
    ...{ title: 'Batches', at: PATH, given },
    read: async () => domain.listPlatformBatches(c.var.ctx, currentPlatform(c), pageAsked(Query, given)),
    head: [
      'Sent',
      { name: 'Status', short: '' },
      { name: 'Meetings', is: 'number' },
      { name: 'Booked', is: 'number' },
      { name: 'Without a time', is: 'number' },
    ],
    row: (batch) => [
      <a href={`${PATH}/${batch.id}`}>
        <At ms={batch.createdAt} />
      </a>,
      <Status of={statusOf(batch)} />,
      <>
        {figure(batch.total)}
        {batch.placed > 0 ? <div class="muted small">{many(batch.placed, 'provisional time')}</div> : null}
      </>,
      figure(batch.booked),
      figure(batch.unplaced + batch.failed),
    ],
    none: (
      <Empty title="No batches so far">
        A batch places many meetings together and books them. Batches appear here once{' '}
        <a href="/docs/rounds">your server or the command line sends one</a>.
      </Empty>
    ),
  });
});

/** A cancelled batch counts as stopping until the bookings that it had begun are finished. */
const statusOf = ({ status, endedAt }: { status: BatchStatus; endedAt: number | null }) =>
  STATUSES[status === 'cancelled' && endedAt === null ? 'stopping' : status];

const STATUSES = {
  processing: { words: 'In progress', kind: 'info' },
  planned: { words: 'Planned, not booked', kind: 'warn' },
  completed: { words: 'Completed', kind: 'ok' },
  stopping: { words: 'Stopping', kind: 'warn' },
  cancelled: { words: 'Stopped', kind: 'bad' },
} as const satisfies Record<BatchStatus | 'stopping', object>;

const MEETINGS_ON_A_PAGE = 50;

const STATES = {
  open: { words: 'No time so far', kind: 'info' },
  placed: { words: 'Provisional time', kind: 'warn' },
  booked: { words: 'Booked', kind: 'ok' },
  unplaced: { words: 'No time left', kind: 'bad' },
  failed: { words: 'Failed', kind: 'bad' },
  cancelled: { words: 'Cancelled', kind: 'bad' },
} as const satisfies Record<BatchMeetingState, object>;

const SHOWN = {
  any: { words: 'All', states: undefined },
  without: { words: 'Without a time', states: ['unplaced', 'failed', 'cancelled'] },
  open: { words: 'No time so far', states: ['open'] },
  placed: { words: 'Provisional time', states: ['placed'] },
  booked: { words: 'Booked', states: ['booked'] },
} as const satisfies Record<string, { words: string; states: readonly BatchMeetingState[] | undefined }>;

const CHOICES = Object.keys(SHOWN) as (keyof typeof SHOWN)[];
const MeetingsQuery = z.object({ cursor: pageQuery('batch_').cursor, meetings: choiceOf(CHOICES).optional() });

page(batches, `${PATH}/:id`, (c) => renderBatch(c));

form(batches, `${PATH}/:id/commit`, { refused: (c, refusal) => renderBatch(c, { refusal }) }, async (c) => {
  await domain.commitBatch(c.var.ctx, openedSession(c).platform, idOf(c));
  return renderBatch(c, { done: 'committed' });
});

form(batches, `${PATH}/:id/stop`, { refused: (c, refusal) => renderBatch(c, { refusal }) }, async (c) => {
  await domain.cancelBatch(c.var.ctx, currentPlatform(c), idOf(c));
  return renderBatch(c, { done: 'stopped' });
});

type Sent = { refusal?: FormRefusal; done?: keyof typeof DONE };

async function renderBatch(c: Context<AppEnv>, { refusal, done }: Sent = {}): Promise<Response> {
  const given = givenOf(c);
  const { answer: asked, refusal: wrong } = await checked(c, MeetingsQuery, given);
  if (asked === undefined)
    return renderDashboard(c, { title: 'Batch', at: PATH, refusal: wrong }, <LinkLine to={PATH}>All batches</LinkLine>);
  const { cursor, meetings = 'any' } = asked;
  const found = await domain.readBatch(c.var.ctx, currentPlatform(c), {
    ...{ id: idOf(c), limit: MEETINGS_ON_A_PAGE, after: cursor?.at },
    states: SHOWN[meetings].states,
  });
  const title = `Batch of ${many(found.batch.total, 'meeting')}`;
  return renderDashboard(
    c,
    { title, at: PATH, refusal, done: done && DONE[done](found.batch) },
    <>
      <Progress {...found} />
      {(await mayChange(c)) ? <Buttons {...found} /> : null}
      <About {...found} />
      <Meetings {...found} id={idOf(c)} given={given} />
    </>,
  );
}

/** Words for what a form did. A form that is sent again may find a batch whose meetings are booked by now. */
const DONE = {
  committed: ({ endedAt }: domain.BatchPage['batch']) =>
    endedAt === null ? 'The meetings are being booked. Reload the page to follow.' : 'The meetings were booked.',
  stopped: () => 'The batch is stopped. Booked meetings stay.',
};

function Progress({ batch: shown, counts }: domain.BatchPage) {
  const done = progressOf(counts, shown);
  const isWorking = shown.endedAt === null && shown.status !== 'planned';
  return (
    <>
      {isWorking ? (
        <section class="card" aria-labelledby="progress">
          <h2 id="progress">{percent(done)} done</h2>
          <Meter used={done * 99} whole={100} />
          <p>
            The work goes on in the background. <a href={`${PATH}/${shown.id}`}>Show the latest state</a>
          </p>
        </section>
      ) : null}
      <h2 class="hidden">Numbers of meetings</h2>
      <Stats
        of={(Object.keys(STATES) as BatchMeetingState[])
          .filter((state) => counts[state] > 0)
          .map((state) => [figure(counts[state]), STATES[state].words])}
      />
    </>
  );
}

function Buttons({ batch: { id, status }, counts }: domain.BatchPage) {
  if (status !== 'planned' && status !== 'processing') return null;
  return (
    <div class="acts">
      {status === 'planned' && counts.placed > 0 ? (
        <PostForm action={`${PATH}/${id}/commit`}>Book {many(counts.placed, 'meeting')}</PostForm>
      ) : null}
      <PostForm action={`${PATH}/${id}/stop`} kind="danger">
        {status === 'planned' ? 'Discard the dry run' : 'Stop what is not booked yet'}
      </PostForm>
    </div>
  );
}

const About = ({ batch: shown }: domain.BatchPage) => (
  <Facts
    of={[
      ['Status', <Status of={statusOf(shown)} />],
      ['Sent', [<At ms={shown.createdAt} />, shown.isDryRun ? ', as a dry run' : '']],
      ['Committed', shown.committedAt && <At ms={shown.committedAt} />],
      ['Ended', shown.endedAt && <At ms={shown.endedAt} />],
      ['ID', <Copied what="batch ID">{shown.id}</Copied>],
    ]}
  />
);

function Meetings({ meetings, next, id, given }: domain.BatchPage & { id: string; given: Record<string, string> }) {
  const path = `${PATH}/${id}`;
  return (
    <>
      <h2>Meetings</h2>
      <Filters action={path}>
        <SelectField
          id="meetings"
          label="Which"
          chosen={given.meetings ?? 'any'}
          options={CHOICES.map((choice) => [choice, SHOWN[choice].words] as const)}
        />
      </Filters>
      <Table
        head={['Meeting', { name: 'Status', short: '' }, { name: 'Time or reason', short: '' }]}
        rows={meetings.map((meeting) => [
          <>
            <bdi>{meeting.reference}</bdi>
            <div class="small muted">
              {meeting.requesterEmail}, {meeting.otherEmail}
            </div>
          </>,
          <Status of={STATES[meeting.state]} />,
          <Outcome {...meeting} />,
        ])}
        none={
          <Empty title="No meetings match">
            <a href={path}>Show all meetings</a>
          </Empty>
        }
      />
      <Pager path={path} query={given} next={next} />
    </>
  );
}

function Outcome({ state, startsAt, endsAt, meetingId, reason }: ListedMeeting) {
  if (reason !== null) return [<bdi>{reason.message}</bdi>, <Suggestions of={reason.suggestions} class="small" />];
  if (startsAt === null || endsAt === null) return <span class="muted">–</span>;
  const span = <Span start={startsAt} end={endsAt} />;
  return state === 'booked' && meetingId !== null ? <a href={`/dashboard/meetings/${meetingId}`}>{span}</a> : span;
}
