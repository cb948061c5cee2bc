import { Hono } from 'hono';
import * as z from 'zod';
import { listPlatformBatches } from '../../../lib/meetings/index.ts';
import { pageQuery, toPagination } from '../../../schema/api/paging.ts';
import type { BatchStatus } from '../../../schema/api/states.ts';
import type { ListedBatch } from '../../../schema/meetings/batches-list.ts';
import type { AppEnv } from '../../http/env.ts';
import { check } from '../../http/input.ts';
import { At } from '../clock.tsx';
import { Badge, Empty, Notice, Table } from '../components.tsx';
import { renderDashboard } from './frame.tsx';
import { many, Pager } from './parts.tsx';
import { attempt, givenOf } from './query.ts';
import { currentPlatform, page } from './session.ts';

const PATH = '/dashboard/batches';
const ON_A_PAGE = 25;

const Query = z.object({ cursor: pageQuery('batch_').cursor });

export const batches = new Hono<AppEnv>();

page(batches, PATH, async (c) => {
  const given = givenOf(c);
  const { answer, refusal } = await attempt(c, async () =>
    listPlatformBatches(c.var.ctx, currentPlatform(c), { after: check(Query, given).cursor, limit: ON_A_PAGE }),
  );
  const { batches: rows = [], next } = answer ?? {};
  return renderDashboard(
    c,
    { title: 'Batches', at: PATH, status: refusal?.status ?? 200 },
    <>
      {refusal === undefined ? null : <Notice kind="bad">{refusal.message}</Notice>}
      {rows.length > 0 && <BatchTable batches={rows} />}
      {answer && rows.length === 0 && (
        <Empty title="No batches so far">
          <p>
            A batch places many meetings together and books them. Batches appear here once{' '}
            <a href="/docs/rounds">your server or the command line sends one</a>.
          </p>
        </Empty>
      )}
      <Pager path={PATH} query={given} cursor={given.cursor} next={toPagination(next).next_cursor} />
    </>,
  );
});

/** A cancelled batch counts as stopping until the bookings that it had begun are finished. */
export function statusOf({ status, endedAt }: { status: BatchStatus; endedAt: number | null }): Status {
  switch (status) {
    case 'processing':
      return { words: 'In progress', kind: 'info' };
    case 'planned':
      return { words: 'Planned, not booked', kind: 'warn' };
    case 'completed':
      return { words: 'Completed', kind: 'ok' };
    case 'cancelled':
      return endedAt === null ? { words: 'Stopping', kind: 'warn' } : { words: 'Stopped', kind: 'bad' };
  }
}

interface Status {
  words: string;
  kind: 'info' | 'ok' | 'warn' | 'bad';
}

const BatchTable = ({ batches: rows }: { batches: ListedBatch[] }) => (
  <Table
    head={[
      'Sent',
      { name: 'Status', short: '' },
      { name: 'Meetings', is: 'number' },
      { name: 'Booked', is: 'number' },
      { name: 'Without a time', is: 'number' },
    ]}
    rows={rows.map((batch) => {
      const { words, kind } = statusOf(batch);
      return [
        <a href={`${PATH}/${batch.id}`}>
          <At ms={batch.createdAt} />
        </a>,
        <Badge kind={kind}>{words}</Badge>,
        <>
          {batch.total.toLocaleString('en-GB')}
          {batch.placed > 0 ? <div class="muted small">{many(batch.placed, 'provisional time')}</div> : null}
        </>,
        batch.booked.toLocaleString('en-GB'),
        (batch.unplaced + batch.failed).toLocaleString('en-GB'),
      ];
    })}
  />
);
