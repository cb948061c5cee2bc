import type { Child } from 'hono/jsx';
import { sayDayOfYear } from '../../../lib/engine/time/dates.ts';
import { localDate } from '../../../lib/engine/time/zone.ts';
import type { EndpointRow } from '../../../schema/access/webhook-endpoints.ts';
import { toPagination } from '../../../schema/api/paging.ts';
import { At } from '../clock.tsx';
import { ButtonLink, Fact, Field, Notice, SelectField, Submit } from '../components.tsx';
import type { FormRefusal } from './session.ts';

/** Shows an id or an address. The page's script adds a button that copies it. `what` names the text on the button. */
export const Copied = ({ what, children }: { what: string; children: string }) => (
  <code data-copy={what}>{children}</code>
);

/** All of the two lines are visible. The script adds a copy button, on which `what` names the text. */
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
});`
  .split('\n')
  .map((line) => line.trim())
  .join('\n');

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

export function Refused({ refusal }: { refusal: FormRefusal | undefined }) {
  if (refusal === undefined) return null;
  return (
    <Notice kind="bad">
      {refusal.code === 'webhook_disabled' ? (
        <>
          Sending is off. First tick “Send events” in the <a href="/dashboard/webhooks/endpoint">endpoint settings</a>.
        </>
      ) : (
        refusal.message
      )}
    </Notice>
  );
}

type StatusProps = { of: Record<string, { words: string }>; value: string | undefined; any?: string };

export const StatusField = ({ of, any = '', value = any }: StatusProps) => (
  <SelectField
    id="status"
    label="Status"
    chosen={value}
    options={[[any, 'Any'], ...Object.entries(of).map(([name, { words }]) => [name, words] as const)]}
  />
);

/** How many rows most lists show on a page. */
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

export const WrittenFacts = ({ description, metadata, id, what }: Written) => (
  <>
    {description === null ? null : (
      <Fact name="Description" class="written">
        <bdi>{description}</bdi>
      </Fact>
    )}
    {Object.entries(metadata).map(([name, value]) => (
      <Fact
        name={
          <code>
            <bdi>{name}</bdi>
          </code>
        }
      >
        <bdi>{value}</bdi>
      </Fact>
    ))}
    <Fact name="ID">
      <Copied what={`${what} ID`}>{id}</Copied>
    </Fact>
  </>
);
