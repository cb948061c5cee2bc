import type { Overview } from '../../../lib/platforms/dashboard.ts';
import { Notice, Sample, Table } from '../components.tsx';
import { counted, PATH } from './delivery-filters.tsx';
import { percent } from './parts.tsx';

const RECONNECT = '/dashboard/people?calendar=needs_reauthorization';

const figure = (value: number) => value.toLocaleString('en-GB');

/** Shows how the last 24 hours went, with a link from each figure to the page that shows what it counts. */
export function LastDay({ day, figures, toReconnect, deliveries }: Overview) {
  const failed = Object.entries(day?.failedJobs ?? {}).sort(([, one], [, other]) => other - one);
  const failures = failed.reduce((sum, [, count]) => sum + count, 0);
  const live = figures && figures.searches > 0 ? percent(figures.live / figures.searches) : '–';
  const shown: [name: string, value: string, path: string, isBad?: boolean][] = [
    ['Searches', figures ? figure(figures.searches) : '–', '/dashboard/why'],
    ['Searches that read a calendar live', live, '/docs/concepts'],
    ['Searches without a free time', figures ? figure(figures.empty) : '–', '/dashboard/why'],
    ['Meetings booked', figure(day?.booked ?? 0), '/dashboard/meetings'],
    ['Automatic jobs failed', figure(failures), '/dashboard/jobs?status=failed', failures > 0],
    ['Events not delivered', counted(deliveries.failed), `${PATH}?status=failed`, deliveries.failed > 0],
    ['Events being sent', counted(deliveries.pending), `${PATH}?status=pending`],
    ['Calendars to connect again', figure(toReconnect), RECONNECT, toReconnect > 0],
  ];
  return (
    <section aria-labelledby="last-day">
      <h2 id="last-day">Last 24 hours</h2>
      <ul class="stats">
        {shown.map(([name, value, path, isBad = false]) => (
          <li>
            <b class={isBad ? 'bad' : undefined}>{value}</b> <a href={path}>{name}</a>
          </li>
        ))}
      </ul>
      <Errors refused={figures?.refused ?? []} failed={failed} />
      {figures ? null : <Notice kind="warn">The counts of searches and errors cannot be read at the moment.</Notice>}
      {figures && figures.refused.length > 0 && (
        <p class="hint after">
          The counts of refused API requests can be a few too low: they wait in memory before they are stored, and are
          lost if the server restarts.
        </p>
      )}
    </section>
  );
}

interface ErrorsProps {
  refused: readonly { code: string; count: number }[];
  failed: readonly [code: string, count: number][];
}

const Errors = ({ refused, failed }: ErrorsProps) =>
  refused.length + failed.length === 0 ? null : (
    <Table
      caption="Errors by code"
      isSlim
      head={['Code', 'Where', { name: 'Count', is: 'number' }]}
      rows={[
        ...refused.map(({ code, count }) => [
          <a href={`/docs/errors#${encodeURIComponent(code)}`}>
            <code>{code}</code>
          </a>,
          'API request',
          figure(count),
        ]),
        ...failed.map(([code, count]) => [
          <a href="/dashboard/jobs?status=failed">
            <code>{code}</code>
          </a>,
          'Automatic job',
          figure(count),
        ]),
      ]}
    />
  );

/** Shows a new platform the calls that take it to its first meeting, with its address and its people filled in. */
export function Checklist({ baseUrl, firstPeople, connectedUsers, stats, webhookUrl }: Overview) {
  const isConnected = connectedUsers > 1;
  if (isConnected && stats.total > 0 && webhookUrl !== null) return null;
  const [first = 'ada@example.com', second = 'bob@example.com'] = firstPeople;
  const attendees = `"attendees":["${first}","${second}"],"duration_minutes":30`;
  const steps: [title: string, isDone: boolean, call: string][] = [
    [
      'Connect two people',
      isConnected,
      [first, second]
        .slice(firstPeople.length)
        .map((email) => curl(`${baseUrl}/v1/platform/oauth-url?user_email=${encodeURIComponent(email)}`))
        .join('\n'),
    ],
    ['Find times for them', stats.total > 0, curl(`${baseUrl}/v1/availability`, `{${attendees}}`)],
    [
      'Book the best time',
      stats.total > 0,
      curl(`${baseUrl}/v1/schedule/auto`, `{${attendees},"title":"First meeting"}`),
    ],
    [
      'Receive events',
      webhookUrl !== null,
      curl(`${baseUrl}/v1/platform/webhook`, '{"url":"https://your-server.example/tandem"}', 'PUT'),
    ],
  ];
  return (
    <section class="card" aria-labelledby="checklist">
      <h2 id="checklist">First steps</h2>
      <p>
        Put your secret key into the variable <code>KEY</code>, then send these calls. The calls that connect somebody
        return a link, which that person opens.
      </p>
      <ol>
        {steps.map(([title, isDone, call]) => (
          <li>
            {isDone ? (
              <>
                {title}: <strong>done</strong>
              </>
            ) : (
              <>
                {title}
                <Sample copies={`call: ${title}`}>{call}</Sample>
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Writes a call as a command for a shell. A quote in the text ends and reopens the shell's quotes. */
function curl(url: string, body?: string, method?: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const how = method === undefined ? '' : `-X ${method} `;
  const what = body === undefined ? '' : ` \\\n  -H 'Content-Type: application/json' -d ${quoted(body)}`;
  return `curl -s ${how}${quoted(url)} -H "Authorization: Bearer $KEY"${what}`;
}
