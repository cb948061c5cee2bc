import type { Child } from 'hono/jsx';
import { sayDayOfYear } from '../../../lib/engine/time/dates.ts';
import { localDate } from '../../../lib/engine/time/zone.ts';
import type { EndpointRow } from '../../../schema/access/webhook-endpoints.ts';
import { toPagination } from '../../../schema/api/paging.ts';
import { At } from '../clock.tsx';
import { ButtonLink, type FactsProps, Field, SelectField, Submit, Table } from '../components.tsx';

/** Shows an id or an address. The page's script adds a button that copies it. `what` names the text on the button. */
export const Copied = ({ what, children }: { what: string; children: string }) => (
  <code data-copy={what}>{children}</code>
);

export const CopyField = ({ id, label, what, value }: { id: string; label: Child; what: string; value: string }) => (
  <Field id={id} label={label}>
    <textarea id={id} readonly rows={2} class="code" data-copy={what}>
      {value}
    </textarea>
  </Field>
);

/** A live region tells screen readers of the copy. */
export const COPY_SCRIPT = `addEventListener('DOMContentLoaded', () => {
  if (!navigator.clipboard) return;
  const said = document.createElement('p');
  said.className = 'hidden';
  said.setAttribute('aria-live', 'polite');
  document.querySelector('main').append(said);
  document.querySelectorAll('[data-copy]').forEach((shown) => {
    const button = document.createElement('button');
    const about = document.createElement('span');
    button.type = 'button';
    button.className = 'quiet copy';
    about.className = 'hidden';
    about.textContent = ' the ' + shown.dataset.copy;
    button.append('Copy', about);
    button.onclick = async () => {
      const write = navigator.clipboard.writeText(shown.value ?? shown.textContent);
      const word = await write.then(() => 'Copied', () => 'Not copied');
      button.firstChild.data = said.textContent = word;
      setTimeout(() => { button.firstChild.data = 'Copy'; said.textContent = ''; }, 2000);
    };
    shown.after(' ', button);
  });
});`.replaceAll(/^ +/gm, '');

/** Formats a day in UTC: "22 November". */
export const dayName = (ms: number) => sayDayOfYear(localDate('UTC', ms));

/** Formats a day in UTC: "22 Nov". */
export const shortDay = (ms: number) => dayName(ms).replace(/(\p{L}{3})\p{L}+/u, '$1');

/** Formats a count with its noun: "1 meeting", "1,200 meetings". */
export const many = (count: number, noun: string, plural = `${noun}s`) =>
  `${figure(count)} ${count === 1 ? noun : plural}`;

export const figure = (value: number) => value.toLocaleString('en-GB');

export const titled = (title: string) => title.trim() || 'Untitled meeting';

export const TitleLink = ({ to, children: title }: { to: string; children: string }) => (
  <a href={to}>
    <bdi>{titled(title)}</bdi>
  </a>
);

export const WhyLink = ({ asked }: { asked: Record<string, string> }) => (
  <ButtonLink to={`/dashboard/why?${new URLSearchParams(asked)}`} kind="quiet">
    Open in “Why not?”
  </ButtonLink>
);

type Stat = readonly [value: string, name: Child, isBad?: boolean | undefined];

export const Stats = ({ of }: { of: readonly Stat[] }) => (
  <ul class="stats">
    {of.map(([value, name, isBad = false]) => (
      <li>
        <b class={isBad ? 'bad' : undefined}>{value}</b> {name}
      </li>
    ))}
  </ul>
);

export const ROLES = ['Requester', 'Invited'] as const;

export const percent = (share: number) => `${Math.round(share * 1000) / 10}%`;

export function outcomeOf({ success, failed }: { success: number; failed: number }): string {
  const all = success + failed;
  if (all === 0) return 'No events in the last 30 days.';
  const failures = failed === 0 ? 'none failed' : `${figure(failed)} failed (${percent(failed / all)})`;
  return `${many(all, 'event')} in the last 30 days: ${figure(success)} delivered, ${failures}.`;
}

/** Says since when a webhook fails, and when Tandem tries again. Null if it does not fail, or is off. */
export function outageOf(of: Pick<EndpointRow, 'enabled' | 'failingSince' | 'redeliverAt'> | undefined, pending = 0) {
  if (!of?.enabled || of.failingSince === null) return null;
  const again =
    of.redeliverAt === null ? 'plans no further try by itself' : ['tries again ', <At ms={of.redeliverAt} />];
  return (
    <>
      Your webhook has been <a href="/dashboard/webhooks?status=failed">failing</a> since <At ms={of.failingSince} />.{' '}
      {pending > 0 ? `${many(pending, 'event is', 'events are')} being sent` : ['Tandem ', again]}.
    </>
  );
}

export const EventName = ({ children: type }: { children: string }) =>
  type.split(/(?<=\.)/).map((part, at) => (
    <>
      {at === 0 ? null : <wbr />}
      {part}
    </>
  ));

type StatusProps = { of: Record<string, { words: string }>; value: string | undefined; any?: string };

export const StatusField = ({ of, any = '', value = any }: StatusProps) => (
  <SelectField
    id="status"
    label="Status"
    chosen={value}
    options={[[any, 'Any'], ...Object.entries(of).map(([name, { words }]) => [name, words] as const)]}
  />
);

export const ON_A_PAGE = 25;

export type PagerProps = { path: string; query: Record<string, string>; next: Parameters<typeof toPagination>[0] };

export function Pager({ path, query, next }: PagerProps) {
  const given = Object.entries(query).filter(([name, value]) => name !== 'cursor' && value !== '');
  const link = (more: [string, string][]) => `${path}?${new URLSearchParams([...given, ...more])}`;
  const { next_cursor: cursor } = toPagination(next);
  if (query.cursor === undefined && cursor === null) return null;
  return (
    <p class="actions">
      {query.cursor === undefined ? null : <a href={link([])}>First page</a>}
      {cursor === null ? null : <a href={link([['cursor', cursor]])}>Next page</a>}
    </p>
  );
}

type FiltersProps = { action: string; button?: string; children: Child };

export const Filters = ({ action, button = 'Show', children }: FiltersProps) => (
  <search>
    <form method="get" action={action} class="line">
      {children}
      <Submit kind="quiet">{button}</Submit>
    </form>
  </search>
);

/** Renders filters that are folded on a phone until one of them is set, so that the list's first row can be seen. */
export const FoldedFilters = ({ isOpen, action, children }: { isOpen: boolean; action: string; children: Child }) => (
  <details class="filters" open={isOpen}>
    <summary>Search and filter</summary>
    <Filters action={action}>{children}</Filters>
  </details>
);

export const Suggestions = ({ of, class: style }: { of: readonly string[]; class?: string }) =>
  of.length === 0 ? null : (
    <ul class={style}>
      {of.map((suggestion) => (
        <li>
          <bdi>{suggestion}</bdi>
        </li>
      ))}
    </ul>
  );

type Written = { description: string | null; metadata: Record<string, string>; id: string; what: string };

export const writtenFacts = ({ description, metadata, id, what }: Written): FactsProps['of'] => [
  ['Description', description === null ? null : <bdi>{description}</bdi>, 'written'],
  ...Object.entries(metadata).map(([name, value]) => [<CodeOf>{name}</CodeOf>, <bdi>{value}</bdi>] as const),
  ['ID', <Copied what={`${what} ID`}>{id}</Copied>],
];

const CodeOf = ({ children }: { children: string }) => (
  <code>
    <bdi>{children}</bdi>
  </code>
);

type Bar = { label: string; short?: string; value: number; more?: number };

interface Chart {
  title: string;
  summary: string;
  bars: readonly Bar[];
  columns: readonly [label: string, value: string] | readonly [label: string, value: string, more: string];
}

const [WIDTH, HEIGHT, BASE, TOP, LEFT, RIGHT] = [360, 150, 122, 12, 52, 336];

const LABELS = 5;

export function BarChart({ title, summary, bars, columns }: Chart) {
  const id = title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  const [labels, ...series] = columns;
  const [first, second] = series;
  const head = [labels, ...series.map((name) => ({ name, is: 'number' as const }))];
  const rows = bars.map(({ label, value, more = 0 }) => [label, figure(value), figure(more)].slice(0, head.length));
  const isEmpty = bars.every(({ value, more = 0 }) => value + more === 0);
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p>{summary}</p>
      {second === undefined || isEmpty ? null : (
        <p class="small muted">
          <Swatch of="series-1" /> {first}&emsp;
          <Swatch of="series-3" /> {second}
        </p>
      )}
      {isEmpty ? null : (
        <>
          <Picture id={id} title={title} summary={summary} bars={bars} />
          <details>
            <summary>
              Show as a table<span class="hidden">: {title}</span>
            </summary>
            <Table isSlim head={head} rows={rows} />
          </details>
        </>
      )}
    </section>
  );
}

function Picture({ id, title, summary, bars }: Pick<Chart, 'title' | 'summary' | 'bars'> & { id: string }) {
  const highest = roundUp(Math.max(1, ...bars.map(({ value, more = 0 }) => value + more)));
  const step = (RIGHT - LEFT) / bars.length;
  const tall = (value: number) => (value / highest) * (BASE - TOP);
  const every = Math.max(1, Math.floor(bars.length / LABELS));
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={`${id}-title ${id}-desc`}>
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-desc`}>{summary}</desc>
      {[highest, 0].map((value) => (
        <>
          <line class="axis" x1={LEFT} x2={RIGHT} y1={BASE - tall(value)} y2={BASE - tall(value)} />
          <text text-anchor="end" x={LEFT - 6} y={BASE - tall(value) + 4}>
            {figure(value)}
          </text>
        </>
      ))}
      {bars.map(({ label, short = label, value, more = 0 }, place) => {
        const x = round(LEFT + (place + 0.15) * step);
        const width = round(step * 0.7);
        return (
          <>
            <Block kind="series-1" x={x} width={width} top={BASE - tall(value)} height={tall(value)} />
            <Block kind="series-3" x={x} width={width} top={BASE - tall(value + more)} height={tall(more)} />
            {(bars.length - 1 - place) % every === 0 ? (
              <text text-anchor="middle" x={round(x + width / 2)} y={BASE + 20}>
                {short}
              </text>
            ) : null}
          </>
        );
      })}
    </svg>
  );
}

type BlockProps = { kind: string; x: number; top: number; width: number; height: number };

const Block = ({ kind, x, top, width, height }: BlockProps) =>
  height === 0 ? null : <rect class={kind} x={x} y={round(top)} width={width} height={round(height)} rx="2" />;

const Swatch = ({ of }: { of: string }) => (
  <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
    <rect class={of} width="12" height="12" rx="2" />
  </svg>
);

/** Rounds up to the next of 1, 2, 5, 10, 20, 50 … */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= value) ?? value;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Screen readers skip it, because the words beside it say the same. */
export const Meter = ({ used, whole }: { used: number; whole: number }) => (
  <svg class="meter" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
    <rect class="rail" width="100" height="1" />
    <rect
      class={used >= whole ? 'series-3' : 'series-1'}
      width={round(Math.min(100, Math.max(used > 0 ? 1 : 0, (used / whole) * 100)))}
      height="1"
    />
  </svg>
);
