import { type Context, Hono } from 'hono';
import { deliveryLog } from '../../../lib/webhooks/delivery-log.ts';
import { replaySince } from '../../../lib/webhooks/replay.ts';
import { toPagination } from '../../../schema/api/paging.ts';
import * as api from '../../../schema/api/webhook-deliveries.ts';
import { RESCHEDULED, TEST_EVENT } from '../../../schema/api/webhook-events/names.ts';
import { EVENT_TYPES } from '../../../schema/api/webhook-events/schemas.ts';
import type { DeliveryRow } from '../../../schema/deliveries/log-queries.ts';
import type { AppEnv } from '../../env.ts';
import { check } from '../../input.ts';
import { Badge, Empty, Field, Notice, Table } from '../components.tsx';
import { answerOf, STATUSES, Status } from './delivery.tsx';
import { Csrf, Once, renderDashboard } from './frame.tsx';
import { At, Filters, many, outcomeOf, Pager, Refused, Select } from './parts.tsx';
import { attempt, type FormRefusal, givenOf } from './query.ts';
import { currentPlatform, form, isFirst, page } from './session.ts';

const PATH = '/dashboard/webhooks';
const ON_A_PAGE = 25;

export const webhooks = new Hono<AppEnv>();

page(webhooks, PATH, (c) => renderLog(c));

form(webhooks, `${PATH}/resend`, async (c, given) => {
  if (!(await isFirst(c, given)))
    return renderLog(c, { done: 'You already sent this form, so nothing was sent a second time.' });
  const { answer, refusal } = await attempt(c, () => {
    const since = given.get('since') ?? '';
    const asked = check(api.WebhookReplayRequest, {
      since: /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(since) ? `${since}Z` : since,
      status: given.get('status') || undefined,
    });
    return replaySince(c.var.ctx, currentPlatform(c).id, asked);
  });
  if (answer === undefined) return renderLog(c, { refusal, since: given.get('since') ?? '' });
  const { replayed, nextSince } = answer;
  const more =
    nextSince === undefined ? '' : ' There are more. To continue, resend from the time that the field below has now.';
  return renderLog(c, {
    done:
      replayed === 0
        ? 'There was nothing to resend.'
        : `${many(replayed, 'event is', 'events are')} being resent.${more}`,
    since: nextSince === undefined ? '' : new Date(nextSince).toISOString().slice(0, 16),
  });
});

interface LogState {
  done?: string;
  refusal?: FormRefusal | undefined;
  since?: string;
}

async function renderLog(c: Context<AppEnv>, { done, refusal: refused, since = '' }: LogState = {}) {
  const given = givenOf(c);
  const { id: platformId } = currentPlatform(c);
  const { answer: asked = { limit: ON_A_PAGE }, refusal = refused } = await attempt(c, async () => ({
    ...check(api.listDeliveries.query, given),
    limit: ON_A_PAGE,
  }));
  const { cursor: after, ...filter } = { cursor: undefined, ...asked };
  const { deliveries, stats, next, destination } = await deliveryLog(c.var.ctx, { ...filter, platformId, after });
  const isFiltered = given.event !== undefined || given.status !== undefined;
  const hasAny = deliveries.length > 0 || stats.totalSent > 0 || isFiltered;
  return renderDashboard(
    c,
    { title: 'Webhooks', at: PATH, status: refusal?.status ?? 200 },
    <>
      {done === undefined ? null : <Notice kind="ok">{done}</Notice>}
      <Refused refusal={refusal} />
      {destination === undefined ? (
        <p>You have no webhook, so you receive no events. Add one in the endpoint settings.</p>
      ) : (
        <p>
          <Badge kind={destination.enabled ? 'ok' : 'warn'}>{destination.enabled ? 'On' : 'Off'}</Badge>{' '}
          <code>{destination.url}</code>
        </p>
      )}
      <p>
        <a class="button quiet" href={`${PATH}/endpoint`}>
          Endpoint settings
        </a>
      </p>
      {hasAny ? (
        <>
          <p>
            {outcomeOf(stats.recent)}
            {stats.recentAverageMs === undefined
              ? ''
              : ` Responses took ${stats.recentAverageMs.toLocaleString('en-GB')} ms on average.`}
          </p>
          <Filters action={PATH}>
            <Field id="event" label="Event">
              <Select
                name="event"
                value={given.event ?? ''}
                options={[['', 'Any'], ...[...EVENT_TYPES, RESCHEDULED, TEST_EVENT].map(toOption)]}
              />
            </Field>
            <Field id="status" label="Status">
              <Select
                name="status"
                value={given.status ?? ''}
                options={[['', 'Any'], ...Object.entries(STATUSES).map(([name, { words }]) => [name, words] as const)]}
              />
            </Field>
          </Filters>
          {deliveries.length === 0 ? (
            <Empty title="No deliveries match">
              <p>
                <a href={PATH}>Show all</a>
              </p>
            </Empty>
          ) : (
            <DeliveryTable deliveries={deliveries} />
          )}
          <Pager path={PATH} query={given} cursor={given.cursor} next={toPagination(next).next_cursor} />
          <h2>Resend missed events</h2>
          <p>
            Sends each event since the time you give once more, under its original ID. A receiver that remembers IDs
            handles no event twice.
          </p>
          <form method="post" action={`${PATH}/resend`} class="line">
            <Csrf csrf={c.var.session.csrf} />
            <Once once={c.var.ctx.ids.secret('')} />
            <Field id="since" label="Since (UTC)">
              <input type="datetime-local" id="since" name="since" value={since} required class="short" />
            </Field>
            <Field id="ended" label="Which events">
              <Select name="status" id="ended" value="failed" options={RESENT} />
            </Field>
            <button type="submit">Resend</button>
          </form>
        </>
      ) : (
        <Empty title="Nothing has been sent yet">
          <p>Deliveries stay here for 30 days, each with its attempts and its body.</p>
        </Empty>
      )}
    </>,
  );
}

const toOption = (type: string) => [type, type] as const;

const RESENT = [
  ['failed', 'Failed'],
  ['success', 'Delivered'],
  ['', 'All'],
] as const;

const DeliveryTable = ({ deliveries }: { deliveries: DeliveryRow[] }) => (
  <Table
    head={['Event', 'When', 'Status', 'Attempts', 'Response']}
    rows={deliveries.map((delivery) => [
      <>
        <a href={`${PATH}/${delivery.id}`}>{delivery.eventType}</a>
        {delivery.replayOf === null ? null : <span class="muted"> resent</span>}
      </>,
      <At ms={delivery.createdAt} isExact />,
      <Status of={delivery} />,
      delivery.attempts,
      answerOf(delivery),
    ])}
  />
);
