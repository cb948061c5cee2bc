import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { type DeliveryLog, deliveryPage } from '../../../lib/webhooks/delivery-log.ts';
import { MOST_RESENT } from '../../../lib/webhooks/resend.ts';
import { toPagination } from '../../../schema/api/paging.ts';
import type { DeliveryRow, ShownDelivery } from '../../../schema/delivery/deliveries-log.ts';
import type { AppEnv } from '../../http/env.ts';
import { check } from '../../http/input.ts';
import { At, clockOf } from '../clock.tsx';
import { Badge, Empty, Field, HiddenFields, Notice, Table } from '../components.tsx';
import { About } from './about.tsx';
import { answerOf } from './attempts.tsx';
import { Status } from './delivery.tsx';
import {
  Counts,
  FilterForm,
  isFiltered,
  listAt,
  NothingMatches,
  PATH,
  pageFilter,
  undelivered,
} from './delivery-filters.tsx';
import { Csrf, Once, renderDashboard } from './frame.tsx';
import { EventName, outageOf, outcomeOf, Pager, Refused, Select } from './parts.tsx';
import { checked, type FormRefusal, givenOf } from './query.ts';
import { currentPlatform, openedSession } from './session.ts';

interface LogState {
  done?: string;
  refusal?: FormRefusal | undefined;
  /** Time to fill in as the start of what is resent, as the form's field writes it. */
  since?: string;
  /** The instant that `since` stands for, if it is exact to more than the minute. */
  sinceExactly?: number;
}

/** Events that have not arrived come first, with the button that sends them again. */
export async function renderLog(
  c: Context<AppEnv>,
  { done, refusal: refused, since = '', sinceExactly }: LogState = {},
) {
  const given = givenOf(c);
  const { zone } = clockOf(c);
  const { id: platformId } = currentPlatform(c);
  const { answer: filter, refusal = refused } = await checked(c, pageFilter(zone), given);
  // With a filter that is refused, the page lists everything, and its form keeps what was given.
  const listed: typeof given = filter === undefined ? {} : given;
  const log = await deliveryPage(c.var.ctx, { ...(filter ?? check(pageFilter(zone), {})), platformId });
  await c.var.ctx.admitted;
  const mayChange = !openedSession(c).readOnly;
  const { deliveries, stats, next, destination } = log;
  const outage = outageOf(destination, isFiltered(listed) ? 0 : log.counts.pending);
  const hasAny = deliveries.length > 0 || stats.totalSent > 0 || isFiltered(listed);
  const Post = ({ to, isLine = true, children }: { to: string; isLine?: boolean; children: Child }) => (
    <form method="post" action={to} class={isLine ? 'line' : undefined}>
      <Csrf csrf={c.var.session.csrf} />
      <Once once={c.var.ctx.ids.secret('')} />
      {children}
    </form>
  );
  return renderDashboard(
    c,
    { title: 'Webhooks', at: PATH, status: refusal?.status ?? 200 },
    <>
      {done === undefined ? null : <Notice kind="ok">{done}</Notice>}
      <Refused refusal={refusal} />
      {log.counts.failed > 0 && (listed.status ?? 'failed') === 'failed' ? (
        <div class="notice warn">
          <strong>{undelivered(log.counts.failed, isFiltered(listed))}</strong>
          {mayChange ? (
            <Post to={listAt(listed, {}, `${PATH}/resend-failed`)}>
              <button type="submit">
                {log.counts.failed > MOST_RESENT ? `Resend the oldest ${MOST_RESENT}` : 'Resend all of them'}
              </button>
            </Post>
          ) : null}
        </div>
      ) : null}
      <Destination of={destination} />
      {outage && <p>{outage}</p>}
      {hasAny ? (
        <>
          <p>
            {outcomeOf(stats.recent)}
            {stats.recentAverageMs === undefined
              ? ''
              : ` Responses took ${stats.recentAverageMs.toLocaleString('en-GB')} ms on average.`}
          </p>
          <FilterForm given={given} urls={log.urls} />
          <Counts given={listed} counts={log.counts} />
          {deliveries.length === 0 && <NothingMatches given={listed} />}
          {mayChange && deliveries.some(isResendable) ? (
            <Post to={listAt(listed, {}, `${PATH}/resend-selected`)} isLine={false}>
              <DeliveryTable deliveries={deliveries} isSelectable />
              <button type="submit" class="quiet">
                Resend selected
              </button>
            </Post>
          ) : (
            deliveries.length > 0 && <DeliveryTable deliveries={deliveries} />
          )}
          <Pager path={PATH} query={listed} cursor={listed.cursor} next={toPagination(next).next_cursor} />
          {mayChange ? (
            <>
              <h2>Resend missed events</h2>
              <p>
                Sends each event since the time you give once more, under its original ID. A receiver that remembers IDs
                handles no event twice.
              </p>
              <Post to={`${PATH}/resend`}>
                <Field id="since" label="Since">
                  <input type="datetime-local" id="since" name="since" value={since} required class="short" />
                  <HiddenFields fields={{ since_exactly: sinceExactly?.toString() }} />
                </Field>
                <Field id="ended" label="Which events">
                  <Select name="status" id="ended" value="failed" options={RESENT} />
                </Field>
                <button type="submit">Resend</button>
              </Post>
            </>
          ) : null}
        </>
      ) : (
        <Empty title="Nothing has been sent yet">
          <p>Deliveries stay here for 30 days, each with its attempts and its body.</p>
        </Empty>
      )}
    </>,
  );
}

const RESENT = [
  ['failed', 'Failed'],
  ['success', 'Delivered'],
  ['', 'All'],
] as const;

const Destination = ({ of }: { of: DeliveryLog['destination'] }) => (
  <p class="line">
    {of === undefined ? (
      'You have no webhook, so you receive no events.'
    ) : (
      <span>
        {outageOf(of) ? (
          <Badge kind="bad">Failing</Badge>
        ) : (
          <Badge kind={of.enabled ? 'ok' : 'warn'}>{of.enabled ? 'On' : 'Off'}</Badge>
        )}{' '}
        <code>{of.url}</code>
      </span>
    )}
    <a class="button quiet tiny" href={`${PATH}/endpoint`}>
      {of === undefined ? 'Add a webhook' : 'Endpoint settings'}
    </a>
  </p>
);

/** Returns true if the event of a delivery can be sent again from the list: not a test, and without a newer delivery. */
const isResendable = ({ status, eventAt }: DeliveryRow) => status !== 'pending' && eventAt !== null;

const DeliveryTable = ({
  deliveries,
  isSelectable = false,
}: {
  deliveries: ShownDelivery[];
  isSelectable?: boolean;
}) => (
  <Table
    head={[
      ...(isSelectable ? [{ name: 'Select', is: 'select' as const }] : []),
      { name: 'Event', is: 'title' },
      { name: 'About', short: '' },
      { name: 'When', short: '' },
      { name: 'Status', short: '' },
      { name: 'Attempts', is: 'number' },
      { name: 'Response', short: '' },
    ]}
    rows={deliveries.map((delivery) => [
      ...(isSelectable ? [<Selectable delivery={delivery} />] : []),
      <>
        <a href={`${PATH}/${delivery.id}`}>
          <EventName>{delivery.eventType}</EventName>
        </a>
        {delivery.replayOf === null ? null : <span class="muted"> resent</span>}
      </>,
      <About {...delivery} />,
      <At ms={delivery.createdAt} isExact />,
      <Status of={delivery} />,
      delivery.attempts,
      answerOf(delivery) === '' ? null : <div class="reply">{answerOf(delivery)}</div>,
    ])}
  />
);

const Selectable = ({ delivery }: { delivery: DeliveryRow }) =>
  isResendable(delivery) ? (
    <label class="check">
      <input type="checkbox" name="id" value={delivery.id} />
      <span class="hidden">
        {delivery.eventType}, <At ms={delivery.createdAt} isExact />
      </span>
    </label>
  ) : null;
