import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { MINUTE, parseDate, sayDate } from '../../../lib/engine/time/dates.ts';
import { formatInZone, instantsAt, startOfDay } from '../../../lib/engine/time/zone.ts';
import { type DeliveryLog, deliveryPage } from '../../../lib/webhooks/delivery-log.ts';
import {
  MOST_RESENT,
  REPLAYS_PER_HOUR,
  type Resent,
  replaySince,
  resendSelected,
  resendUndelivered,
} from '../../../lib/webhooks/replay.ts';
import { EVENT_TYPES, RESCHEDULED, TEST_EVENT } from '../../../schema/api/webhook-events.ts';
import * as api from '../../../schema/api/webhooks.ts';
import { type DeliveryRow, MOST_COUNTED, type ShownDelivery } from '../../../schema/delivery/deliveries-log.ts';
import type { AppEnv } from '../../http/env.ts';
import { check } from '../../http/input.ts';
import { At, clockOf } from '../clock.tsx';
import {
  Badge,
  ButtonLink,
  Check,
  Empty,
  Form,
  HiddenFields,
  InputField,
  LinkLine,
  SelectField,
  Status,
  Submit,
  Table,
} from '../components.tsx';
import { answerOf, PATH, STATUSES } from './delivery.tsx';
import { renderDashboard } from './frame.tsx';
import {
  EventName,
  FoldedFilters,
  figure,
  many,
  ON_A_PAGE,
  outageOf,
  outcomeOf,
  Pager,
  StatusField,
  TitleLink,
} from './parts.tsx';
import { personPath } from './person.tsx';
import { checked, currentPlatform, type FormRefusal, form, givenOf, isFirst, mayChange, page } from './session.ts';

export const webhooks = new Hono<AppEnv>();

const SENT_BEFORE = { done: 'You already sent this form, so nothing was sent a second time.' };

page(webhooks, PATH, (c) => renderLog(c));

function resending(name: string, send: (c: Context<AppEnv>, given: URLSearchParams) => Promise<LogState>) {
  const refused = (c: Context<AppEnv>, refusal: FormRefusal, given: URLSearchParams) =>
    renderLog(c, { refusal, since: given.get('since') ?? '' });
  form(webhooks, `${PATH}/${name}`, { refused }, async (c, given) =>
    renderLog(c, (await isFirst(c, given)) ? await send(c, given) : SENT_BEFORE),
  );
}

resending('resend-selected', async (c, given) => ({
  done: resentWords(await resendSelected(c.var.ctx, currentPlatform(c).id, given.getAll('id'))),
}));

resending('resend-failed', async (c) => {
  const { limit: _, after: __, ...filter } = check(pageFilter(clockOf(c).zone), givenOf(c));
  const resent = await resendUndelivered(c.var.ctx, { ...filter, platformId: currentPlatform(c).id });
  if (resent === 0) return { done: 'Nothing was sent, because each of these events has been sent again already.' };
  const more =
    resent < MOST_RESENT ? '' : ` These are the oldest ${MOST_RESENT}. If others are left, resend them next.`;
  return { done: `${many(resent, 'event is', 'events are')} being sent again.${more}` };
});

resending('resend', async (c, given) => {
  const { zone } = clockOf(c);
  const typed = { since: sinceOf(given, zone), status: given.get('status') || undefined };
  const asked = check(api.WebhookReplayRequest, typed);
  const { replayed, nextSince } = await replaySince(c.var.ctx, currentPlatform(c).id, asked);
  const done =
    replayed === 0 ? 'There was nothing to resend.' : `${many(replayed, 'event is', 'events are')} being resent.`;
  if (nextSince === undefined) return { done };
  return {
    done: `${done} There are more. To continue, resend from the time that the field below has now.`,
    ...{ since: inField(nextSince, zone), sinceExactly: nextSince },
  };
});

/** Writes an instant as the field for a day and a time does, on the page's clock: "2026-12-02T15:00". */
const inField = (instant: number, zone: string) => formatInZone(zone, instant).slice(0, 16);

/** Counts the first of a time that the clock shows twice, so that no event is missed. The check rejects the rest. */
function sinceOf(given: URLSearchParams, zone: string): string {
  const typed = given.get('since') ?? '';
  const filledIn = Number(given.get('since_exactly') ?? Number.NaN);
  if (Number.isSafeInteger(filledIn) && Math.abs(filledIn) < 8e15 && inField(filledIn, zone) === typed)
    return new Date(filledIn).toISOString();
  const [, date = '', hours, minutes] = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)$/.exec(typed) ?? [];
  const day = parseDate(date);
  if (day === undefined) return typed;
  const minute = Number(hours) * 60 + Number(minutes);
  const [first = startOfDay(zone, day) + minute * MINUTE] = instantsAt(zone, day, minute);
  return new Date(first).toISOString();
}

function resentWords({ selected, sent, newer, pending, over, tests, gone }: Resent): string {
  if (sent === selected) return `${many(sent, 'event is', 'events are')} being sent again.`;
  const limit = `your ${REPLAYS_PER_HOUR.toLocaleString('en')} an hour`;
  const reasons: [count: number, one: string, several: string][] = [
    [newer, 'has a newer delivery', 'have a newer delivery'],
    [pending, 'is still being sent', 'are still being sent'],
    [over, `exceeds ${limit}`, `exceed ${limit}`],
    [tests, 'is a test', 'are tests'],
    [gone, 'is not in the log any more', 'are not in the log any more'],
  ];
  const why = reasons.flatMap(([count, one, several]) => (count > 0 ? [many(count, one, several)] : []));
  return `${sent} of ${selected} ${sent === 1 ? 'is' : 'are'} being sent again; ${why.join(', ')}.`;
}

/** A day of the years 1970 to 9998, read as the number of days since 1970. */
const Day = z.iso
  .date('must be a day, such as 2026-12-02')
  .refine((day) => day >= '1970' && day < '9999', 'must be a day of the years 1970 to 9998')
  .transform((day) => parseDate(day) ?? 0);

/** Filters of the page's address, read as a filter of the log. Its days are days on the page's clock, both inclusive. */
const pageFilter = (zone: string) =>
  z
    .object({
      event: api.listDeliveries.query.shape.event,
      status: api.listDeliveries.query.shape.status,
      cursor: api.listDeliveries.query.shape.cursor,
      url: z
        .string()
        .regex(/^[^\p{C}\s]{1,2048}$/u, 'must be a URL to which events were sent')
        .optional(),
      from: Day.optional(),
      to: Day.optional(),
    })
    .refine(({ from = 0, to = Number.POSITIVE_INFINITY }) => from <= to, {
      path: ['to'],
      message: 'must not be before the first day',
    })
    .transform(({ cursor: after, from, to, ...filter }) => ({
      ...filter,
      from: from === undefined ? undefined : startOfDay(zone, from),
      to: to === undefined ? undefined : startOfDay(zone, to + 1),
      after,
      limit: ON_A_PAGE,
    }));

type Given = Record<string, string>;

const FILTERS = ['event', 'status', 'url', 'from', 'to'] as const;

/** Returns the address of the list with other filters, on its first page. `path` may be that of a form on the list. */
function listAt(given: Given, changes: Given = {}, path = PATH): string {
  const all = { ...given, ...changes };
  const query = new URLSearchParams(
    FILTERS.flatMap((name): [string, string][] => (all[name] ? [[name, all[name]]] : [])),
  );
  return query.size === 0 ? path : `${path}?${query}`;
}

const isFiltered = (given: Given) => FILTERS.some((name) => given[name] !== undefined);

export const counted = (count: number) => (count > MOST_COUNTED ? `over ${figure(MOST_COUNTED)}` : figure(count));

export const undelivered = (count: number, isFiltered: boolean) =>
  `${counted(count).replace('o', 'O')} ${count === 1 ? 'event' : 'events'}${isFiltered ? ' of this list' : ''} did not arrive`;

const Counts = ({ given, counts }: { given: Given; counts: Record<DeliveryRow['status'], number> }) => (
  <p class="actions counts">
    {given.status === undefined ? null : <a href={listAt(given, { status: '' })}>All</a>}
    {(['failed', 'pending', 'success'] as const).map((status) => {
      const words = `${STATUSES[status].words} ${counted(counts[status])}`;
      if (given.status === status) return <strong>{words}</strong>;
      return counts[status] === 0 ? (
        <span class="muted">{words}</span>
      ) : (
        <a href={listAt(given, { status })}>{words}</a>
      );
    })}
  </p>
);

/** Renders the filters. URLs are offered only if there are several, because most platforms never change theirs. */
function FilterForm({ given, urls }: { given: Given; urls: readonly string[] }) {
  const sentTo = [...new Set([...urls, ...(given.url === undefined ? [] : [given.url])])];
  return (
    <FoldedFilters isOpen={isFiltered(given)} action={PATH}>
      <SelectField
        id="event"
        label="Event"
        chosen={given.event ?? ''}
        options={[['', 'Any'], ...[...EVENT_TYPES, RESCHEDULED, TEST_EVENT].map(toOption)]}
      />
      <StatusField of={STATUSES} value={given.status} />
      {sentTo.length < 2 && given.url === undefined ? null : (
        <SelectField
          id="url"
          label="Sent to"
          chosen={given.url ?? ''}
          options={[['', 'Any'], ...sentTo.map((url) => [url, shortened(url)] as const)]}
        />
      )}
      <InputField id="from" label="First day" type="date" value={given.from} />
      <InputField id="to" label="Last day" type="date" value={given.to} />
    </FoldedFilters>
  );
}

const shortened = (url: string) => (url.length > 48 ? `${url.slice(0, 30)}…${url.slice(-15)}` : url);

const toOption = (type: string) => [type, type] as const;

function NothingMatches({ given }: { given: Given }) {
  if (!isFiltered(given))
    return <Empty title="There are no older deliveries" more={<LinkLine to={PATH}>First page</LinkLine>} />;
  const filters = WORDS.flatMap(([name, words]) => (given[name] ? [words(given[name])] : [])).join(', ');
  return (
    <Empty title="No deliveries match" more={<LinkLine to={PATH}>Clear the filters</LinkLine>}>
      The log has no delivery {filters}. It keeps deliveries for 30 days.
    </Empty>
  );
}

const WORDS: [name: (typeof FILTERS)[number], words: (value: string) => string][] = [
  ['event', (event) => `of ${event}`],
  ['status', (status) => `with the status ${STATUSES[status as DeliveryRow['status']]?.words ?? status}`],
  ['url', (url) => `to ${url}`],
  ['from', (day) => `from ${sayDate(day)} on`],
  ['to', (day) => `until ${sayDate(day)}`],
];

interface LogState {
  done?: string;
  refusal?: FormRefusal | undefined;
  since?: string;
  /** The instant that `since` stands for, if it is exact to more than the minute. */
  sinceExactly?: number;
}

export async function renderLog(c: Context<AppEnv>, state: LogState = {}) {
  const { done, refusal: refused, since = '', sinceExactly } = state;
  const given = givenOf(c);
  const { zone } = clockOf(c);
  const { id: platformId } = currentPlatform(c);
  const { answer: filter, refusal = refused } = await checked(c, pageFilter(zone), given);
  // With a filter that is refused, the page lists everything, and its form keeps what was given.
  const listed: typeof given = filter === undefined ? {} : given;
  const log = await deliveryPage(c.var.ctx, { ...(filter ?? check(pageFilter(zone), {})), platformId });
  const isMine = await mayChange(c);
  const { deliveries, stats, next, destination } = log;
  const outage = outageOf(destination, isFiltered(listed) ? 0 : log.counts.pending);
  const hasAny = deliveries.length > 0 || stats.totalSent > 0 || isFiltered(listed);
  return renderDashboard(
    c,
    { title: 'Webhooks', at: PATH, refusal, done },
    <>
      {log.counts.failed > 0 && (listed.status ?? 'failed') === 'failed' ? (
        <div class="notice warn">
          <strong>{undelivered(log.counts.failed, isFiltered(listed))}</strong>
          {isMine ? (
            <Form action={listAt(listed, {}, `${PATH}/resend-failed`)} isOnce class="line">
              <button type="submit">
                {log.counts.failed > MOST_RESENT ? `Resend the oldest ${MOST_RESENT}` : 'Resend all of them'}
              </button>
            </Form>
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
          {isMine && deliveries.some(isResendable) ? (
            <Form action={listAt(listed, {}, `${PATH}/resend-selected`)} isOnce>
              <DeliveryTable deliveries={deliveries} isSelectable />
              <Submit kind="quiet">Resend selected</Submit>
            </Form>
          ) : (
            deliveries.length > 0 && <DeliveryTable deliveries={deliveries} />
          )}
          <Pager path={PATH} query={listed} next={next} />
          {isMine ? (
            <>
              <h2>Resend missed events</h2>
              <p>
                Sends each event since the time you give once more, under its original ID. A receiver that remembers IDs
                handles no event twice.
              </p>
              <Form action={`${PATH}/resend`} isOnce class="line">
                <InputField id="since" label="Since" type="datetime-local" value={since} required class="short" />
                <HiddenFields fields={{ since_exactly: sinceExactly?.toString() }} />
                <SelectField name="status" id="ended" label="Which events" chosen="failed" options={RESENT} />
                <button type="submit">Resend</button>
              </Form>
            </>
          ) : null}
        </>
      ) : (
        <Empty title="Nothing has been sent yet">
          Deliveries stay here for 30 days, each with its attempts and its body.
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
    <ButtonLink to={`${PATH}/endpoint`} kind="quiet tiny">
      {of === undefined ? 'Add a webhook' : 'Endpoint settings'}
    </ButtonLink>
  </p>
);

/** Returns true if the event of a delivery can be sent again from the list: not a test, and without a newer delivery. */
const isResendable = ({ status, eventAt }: DeliveryRow) => status !== 'pending' && eventAt !== null;

type DeliveriesProps = { deliveries: ShownDelivery[]; isSelectable?: boolean };

const DeliveryTable = ({ deliveries, isSelectable = false }: DeliveriesProps) => (
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
      ...(isSelectable ? [isResendable(delivery) ? <Selectable {...delivery} /> : null] : []),
      <>
        <a href={`${PATH}/${delivery.id}`}>
          <EventName>{delivery.eventType}</EventName>
        </a>
        {delivery.replayOf === null ? null : <span class="muted"> resent</span>}
      </>,
      <About {...delivery} />,
      <At ms={delivery.createdAt} isExact />,
      <Status of={STATUSES[delivery.status]} />,
      delivery.attempts,
      answerOf(delivery) === '' ? null : <div class="reply">{answerOf(delivery)}</div>,
    ])}
  />
);

const Selectable = ({ id, eventType, createdAt }: DeliveryRow) => (
  <Check name="id" value={id} label={<span class="hidden">{[eventType, ', ', <At ms={createdAt} isExact />]}</span>} />
);

const PAGES = [
  { prefix: 'prop_', path: '/dashboard/proposals', words: 'Proposal' },
  { prefix: 'batch_', path: '/dashboard/batches', words: 'Batch' },
  { prefix: 'sched_', path: '/dashboard/jobs', words: 'Job' },
] as const;

function About({ meetingId, meetingTitle, subject, eventAt }: ShownDelivery) {
  if (eventAt === null && meetingId === null) return <span class="muted">–</span>;
  if (meetingId !== null && meetingTitle !== null)
    return <TitleLink to={`/dashboard/meetings/${meetingId}`}>{meetingTitle}</TitleLink>;
  if (subject?.includes('@')) return <a href={personPath(subject)}>{subject}</a>;
  const page = PAGES.find(({ prefix }) => subject?.startsWith(prefix));
  return page === undefined ? (
    <span class="muted">–</span>
  ) : (
    <a href={`${page.path}/${subject}`}>
      {page.words}
      <span class="hidden"> {subject}</span>
    </a>
  );
}
