import * as z from 'zod';
import { parseDate, sayDate } from '../../../lib/engine/time/dates.ts';
import { startOfDay } from '../../../lib/engine/time/zone.ts';
import * as api from '../../../schema/api/webhook-deliveries.ts';
import { RESCHEDULED, TEST_EVENT } from '../../../schema/api/webhook-events/names.ts';
import { EVENT_TYPES } from '../../../schema/api/webhook-events/schemas.ts';
import { type DeliveryRow, MOST_COUNTED } from '../../../schema/delivery/deliveries-log.ts';
import { Empty, InputField, LinkLine } from '../components.tsx';
import { FoldedFilters, SelectField, StatusField } from './parts.tsx';

export const PATH = '/dashboard/webhooks';

const ON_A_PAGE = 25;

export const STATUSES = {
  success: { words: 'Delivered', kind: 'ok' },
  failed: { words: 'Failed', kind: 'bad' },
  pending: { words: 'Pending', kind: 'info' },
} as const satisfies Record<DeliveryRow['status'], object>;

/** A day of the years 1970 to 9998, read as the number of days since 1970. */
const Day = z.iso
  .date('must be a day, such as 2026-12-02')
  .refine((day) => day >= '1970' && day < '9999', 'must be a day of the years 1970 to 9998')
  .transform((day) => parseDate(day) ?? 0);

/** Filters of the page's address, read as a filter of the log. Its days are days on the page's clock, both inclusive. */
export const pageFilter = (zone: string) =>
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
export function listAt(given: Given, changes: Given = {}, path = PATH): string {
  const all = { ...given, ...changes };
  const query = new URLSearchParams(
    FILTERS.flatMap((name): [string, string][] => (all[name] ? [[name, all[name]]] : [])),
  );
  return query.size === 0 ? path : `${path}?${query}`;
}

export const isFiltered = (given: Given) => FILTERS.some((name) => given[name] !== undefined);

export const counted = (count: number) =>
  count > MOST_COUNTED ? `over ${MOST_COUNTED.toLocaleString('en-GB')}` : count.toLocaleString('en-GB');

export const undelivered = (count: number, isFiltered: boolean) =>
  `${counted(count).replace('o', 'O')} ${count === 1 ? 'event' : 'events'}${isFiltered ? ' of this list' : ''} did not arrive`;

export const Counts = ({ given, counts }: { given: Given; counts: Record<DeliveryRow['status'], number> }) => (
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
export function FilterForm({ given, urls }: { given: Given; urls: readonly string[] }) {
  const sentTo = [...new Set([...urls, ...(given.url === undefined ? [] : [given.url])])];
  return (
    <FoldedFilters isOpen={isFiltered(given)} action={PATH}>
      <SelectField
        name="event"
        label="Event"
        value={given.event ?? ''}
        options={[['', 'Any'], ...[...EVENT_TYPES, RESCHEDULED, TEST_EVENT].map(toOption)]}
      />
      <StatusField of={STATUSES} value={given.status} />
      {sentTo.length < 2 && given.url === undefined ? null : (
        <SelectField
          name="url"
          label="Sent to"
          value={given.url ?? ''}
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

export const NothingMatches = ({ given }: { given: Given }) => (
  <Empty title={isFiltered(given) ? 'No deliveries match' : 'There are no older deliveries'}>
    {isFiltered(given) ? (
      <p>
        The log has no delivery {WORDS.flatMap(([name, words]) => (given[name] ? [words(given[name])] : [])).join(', ')}
        . It keeps deliveries for 30 days.
      </p>
    ) : null}
    <LinkLine to={PATH}>{isFiltered(given) ? 'Clear the filters' : 'First page'}</LinkLine>
  </Empty>
);

const WORDS: [name: (typeof FILTERS)[number], words: (value: string) => string][] = [
  ['event', (event) => `of ${event}`],
  ['status', (status) => `with the status ${STATUSES[status as DeliveryRow['status']]?.words ?? status}`],
  ['url', (url) => `to ${url}`],
  ['from', (day) => `from ${sayDate(day)} on`],
  ['to', (day) => `until ${sayDate(day)}`],
];
