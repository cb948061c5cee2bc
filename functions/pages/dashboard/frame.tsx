import type { Context } from 'hono';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { capitalized } from '../../../lib/words/people.ts';
import type { AppEnv } from '../../http/env.ts';
import { clockOf, PageClock, TwelveHours } from '../clock.tsx';
import { HiddenFields, LinkLine, Notice, PageForms } from '../components.tsx';
import { Layout, renderPage } from '../layout.tsx';
import { COPY_SCRIPT, Refused } from './parts.tsx';
import { type FormRefusal, idOf, openedSession } from './session.ts';

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
  status?: ContentfulStatusCode;
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
  const { admitted, ids } = c.var.ctx;
  await admitted;
  const { csrf } = c.var.session;
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
      signedIn={{ as: readOnly ? `${platform.name} (read only)` : platform.name, action: '/dashboard/sign-out', csrf }}
    >
      {hasTimes ? (
        <p class="clock">
          Times are in <strong>{clock.zone}</strong>.{' '}
          <a href={`/dashboard/zone?${new URLSearchParams({ back })}`}>Change</a>
        </p>
      ) : null}
      <TwelveHours.Provider value={false}>
        <PageForms.Provider value={{ csrf, once: () => ids.secret('') }}>
          <PageClock.Provider value={clock}>
            {done === undefined ? null : <Notice kind="ok">{done}</Notice>}
            <Refused refusal={refusal} />
            {content}
          </PageClock.Provider>
        </PageForms.Provider>
      </TwelveHours.Provider>
    </Layout>
  );
  return renderPage(c, page, status, { script: scripts });
}

/** Hidden fields with what a form showed, so that it changes only that. A refused form that is shown again keeps its own. */
export const Former = ({ of, sent }: { of: Record<string, string>; sent: URLSearchParams | undefined }) => (
  <HiddenFields
    fields={Object.fromEntries(
      Object.entries(of).map(([name, value]) => [`former_${name}`, sent?.get(`former_${name}`) ?? value]),
    )}
  />
);

/** Returns `value` if the form changed the field. What it only showed may have been changed elsewhere meanwhile. */
export const ifChanged = <T,>(form: URLSearchParams, name: string, value: T, text = String(value)): T | undefined =>
  form.get(`former_${name}`) === text ? undefined : value;

interface Missing {
  what: 'meeting' | 'job' | 'proposal' | 'batch';
  back: string;
  at: (typeof PAGES)[number]['path'];
  status: FormRefusal['status'] | undefined;
}

export const renderMissing = (c: Context<AppEnv>, { what, back, at, status = 404 }: Missing) =>
  renderDashboard(
    c,
    { title: `${capitalized(what)} not found`, at, status },
    <>
      <Notice kind="bad">
        Your platform has no {what} with the ID{' '}
        <code>
          <bdi>{idOf(c)}</bdi>
        </code>
        .{what === 'meeting' ? '' : ` Tandem deletes a ${what} 30 days after its end.`}
      </Notice>
      <LinkLine to={at}>{back}</LinkLine>
    </>,
  );
