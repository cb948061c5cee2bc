import type { Context } from 'hono';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type * as z from 'zod';
import { AppError } from '../../../lib/kit/errors.ts';
import { isFresh } from '../../../lib/platforms/dashboard.ts';
import { capitalized } from '../../../lib/words/people.ts';
import type { ErrorCode } from '../../../schema/api/http-errors.ts';
import type { Place } from '../../../schema/api/paging.ts';
import type { AppEnv } from '../../http/env.ts';
import { takeFailure } from '../../http/errors.ts';
import { check } from '../../http/input.ts';
import { clockOf, PageClock, TwelveHours } from '../clock.tsx';
import { HiddenFields, LinkLine, Notice, Table, type TableProps } from '../components.tsx';
import { Layout, renderFailure, renderPage } from '../layout.tsx';
import { COPY_SCRIPT, ON_A_PAGE, Pager, type PagerProps } from './parts.tsx';
import { attempt, type FormRefusal, idOf, openedSession } from './session.ts';

export const PAGES = [
  { path: '/dashboard', title: 'Overview' },
  { path: '/dashboard/people', title: 'People' },
  { path: '/dashboard/meetings', title: 'Meetings' },
  { path: '/dashboard/proposals', title: 'Proposals' },
  { path: '/dashboard/jobs', title: 'Jobs' },
  { path: '/dashboard/batches', title: 'Batches' },
  { path: '/dashboard/why', title: 'Why not?' },
  { path: '/dashboard/webhooks', title: 'Webhooks' },
  { path: '/dashboard/keys', title: 'Keys' },
  { path: '/dashboard/audit-log', title: 'Audit' },
  { path: '/dashboard/settings', title: 'Settings' },
] as const;
const DOCS = { path: '/docs', title: 'Docs' };

interface Framed {
  title: string;
  at?: (typeof PAGES)[number]['path'];
  status?: ContentfulStatusCode | undefined;
  /** Stands above the content, with its status. */
  refusal?: FormRefusal | undefined;
  done?: string | undefined;
  /** False if the page shows no time in the dashboard's zone, and so does not name the zone. */
  hasTimes?: boolean;
  script?: string;
}

/** Waits until Postgres has confirmed the session. */
export async function renderDashboard(
  c: Context<AppEnv>,
  { title, at, refusal, status = refusal?.status ?? 200, done, hasTimes = true, script = '' }: Framed,
  content: Child,
) {
  await c.var.ctx.admitted;
  const clock = clockOf(c);
  const { pathname, search } = new URL(c.req.url);
  // The address of a form shows no page, so from its answer the way leads back to the section's list.
  const back = c.req.method === 'GET' ? pathname + search : (at ?? '/dashboard');
  const { platform, readOnly } = openedSession(c);
  const scripts = COPY_SCRIPT + script;
  const page = (
    <Layout
      title={title}
      width="wide"
      home="/dashboard"
      head={<script>{raw(scripts)}</script>}
      nav={{ label: 'Dashboard', links: [...PAGES, DOCS], current: at, isWithin: at !== c.req.path }}
      signedIn={{ as: readOnly ? `${platform.name} (read only)` : platform.name, action: '/dashboard/sign-out' }}
    >
      {hasTimes ? (
        <p class="clock">
          Times are in <strong>{clock.zone}</strong>.{' '}
          <a href={`/dashboard/zone?${new URLSearchParams({ back })}`}>Change</a>
        </p>
      ) : null}
      <TwelveHours.Provider value={false}>
        <PageClock.Provider value={clock}>
          {done === undefined ? null : <Notice kind="ok">{done}</Notice>}
          {refusal && (
            <Notice kind="bad">{refusal.code === 'webhook_disabled' ? SENDING_IS_OFF : refusal.message}</Notice>
          )}
          {content}
        </PageClock.Provider>
      </TwelveHours.Provider>
    </Layout>
  );
  return renderPage(c, page, status, { script: scripts });
}

const SENDING_IS_OFF = [
  'Sending is off. First tick “Send events” in the ',
  <a href="/dashboard/webhooks/endpoint">endpoint settings</a>,
  '.',
];

/** Hidden field with what a form showed, so that it changes only that. A refused form that is shown again keeps its own. */
export const Former = ({ of, sent }: Record<'of' | 'sent', URLSearchParams | undefined>) => (
  <HiddenFields fields={{ former: sent?.get('former') ?? of?.toString() }} />
);

/** Returns `value` if the form changed the field. What it only showed may have been changed elsewhere meanwhile. */
export function ifChanged<T>(form: URLSearchParams, name: string, value: T): T | undefined {
  const textIn = (fields: URLSearchParams) => fields.getAll(name).join(' ').replaceAll(/\s+/g, ' ').trim();
  const former = form.get('former');
  return former !== null && textIn(new URLSearchParams(former)) === textIn(form) ? undefined : value;
}

export function pageAsked<S extends z.ZodType<{ cursor?: Place | undefined; limit?: number | undefined }>>(
  query: S,
  given: Record<string, string>,
  limit = ON_A_PAGE,
) {
  const { cursor: after, limit: _, ...filter } = check(query, given);
  return { ...filter, after, limit };
}

interface List<Row> extends Pick<Framed, 'title'> {
  at: NonNullable<Framed['at']>;
  /** Filters and cursor of the page's address, or of the list that is shown without any. */
  given: Record<string, string>;
  read: () => Promise<{ rows: Row[]; next: PagerProps['next'] }>;
  above?: Child;
  head: TableProps['head'];
  row: (row: Row) => Child[];
  none: Child;
  below?: Child;
}

/** Renders a page of a list. If its filters are refused, it shows the filters and the reason alone. */
export async function renderList<Row>(c: Context<AppEnv>, { title, at, given, read, ...shown }: List<Row>) {
  const { answer, refusal } = await attempt(c, read);
  return renderDashboard(
    c,
    { title, at, refusal },
    <>
      {shown.above}
      {answer && <Table head={shown.head} rows={answer.rows.map(shown.row)} none={shown.none} />}
      <Pager path={at} query={given} next={answer?.next} />
      {shown.below}
    </>,
  );
}

interface Refusing extends Pick<Framed, 'title' | 'status'> {
  at: NonNullable<Framed['at']>;
  back: string;
}

export const renderRefusal = (c: Context<AppEnv>, { title, at, status, back }: Refusing, message: Child) =>
  renderDashboard(
    c,
    { title, at, status },
    <>
      <Notice kind="bad">{message}</Notice>
      <LinkLine to={at}>{back}</LinkLine>
    </>,
  );

export async function hasFreshLink(c: Context<AppEnv>): Promise<boolean> {
  await c.var.ctx.admitted;
  return isFresh(c.var.ctx, openedSession(c));
}

export const LinkNeeded = ({ to, at, back }: { to: string; at: string; back: string }) => (
  <p>
    To {to}, open the dashboard with a link that was made within ten minutes. Get a new link from where you got the last
    one. <a href={at}>{back}</a>
  </p>
);

type Missing = { what: string; at: NonNullable<Framed['at']>; back: string; isKept?: boolean; says?: string };

const MISSING: Partial<Record<ErrorCode, Missing>> = {
  meeting_not_found: { what: 'meeting', at: '/dashboard/meetings', back: 'Meetings', isKept: true },
  job_not_found: { what: 'job', at: '/dashboard/jobs', back: 'All jobs' },
  proposal_not_found: { what: 'proposal', at: '/dashboard/proposals', back: 'Open proposals' },
  batch_not_found: { what: 'batch', at: '/dashboard/batches', back: 'All batches' },
  delivery_not_found: {
    ...{ what: 'delivery', at: '/dashboard/webhooks', back: 'All deliveries' },
    says: 'The log has no delivery with this ID. The log keeps deliveries for 30 days.',
  },
};

/** Answers an error that leaves no page to show, such as an ID in the address that the platform does not have. */
export function renderError(error: unknown, c: Context<AppEnv>) {
  const missing = error instanceof AppError ? MISSING[error.code] : undefined;
  if (missing === undefined) return renderFailure(error, c);
  takeFailure(error, c);
  const { what, isKept, says, ...framed } = missing;
  return renderRefusal(
    c,
    { title: `${capitalized(what)} not found`, status: 404, ...framed },
    says ?? (
      <>
        Your platform has no {what} with the ID{' '}
        <code>
          <bdi>{idOf(c)}</bdi>
        </code>
        .{isKept ? '' : ` Tandem deletes a ${what} 30 days after its end.`}
      </>
    ),
  );
}
