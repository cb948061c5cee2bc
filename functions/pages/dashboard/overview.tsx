import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { ACCEPTED_WITHIN_HOURS, type Overview, readOverview } from '../../../lib/platforms/dashboard.ts';
import type { AppEnv } from '../../http/env.ts';
import { Notice, Sample, Table } from '../components.tsx';
import { PATH } from './delivery.tsx';
import { renderDashboard } from './frame.tsx';
import { BarChart, dayName, figure, Meter, many, outageOf, outcomeOf, percent, Stats, shortDay } from './parts.tsx';
import { currentPlatform, page } from './session.ts';
import { counted, undelivered } from './webhooks.tsx';

export const overview = new Hono<AppEnv>();

page(overview, '/dashboard', async (c) => {
  const shown = await readOverview(c.var.ctx, currentPlatform(c));
  return renderDashboard(c, { title: 'Overview', at: '/dashboard' }, <OverviewPage {...shown} />);
});

function OverviewPage(shown: Overview) {
  const { madeByDay, deliveriesByDay, acceptedBySteps, connectedUsers, stats } = shown;
  const made = sum(madeByDay.map((day) => day.made));
  const success = sum(deliveriesByDay.map((day) => day.success));
  const failed = sum(deliveriesByDay.map((day) => day.failed));
  const accepted = sum(acceptedBySteps);
  const hasAcceptance = accepted > 0 || stats.acceptanceHours > 0;
  return (
    <>
      <Waiting {...shown} />
      <Checklist {...shown} />
      <LastDay {...shown} />
      <Usage {...shown} />
      <h2 class="hidden">Figures</h2>
      <Stats
        of={[
          [figure(connectedUsers), 'People connected'],
          [figure(stats.total), 'Meetings, all time'],
          [figure(stats.lastMonth), 'Meetings last month'],
          [percent(stats.rescheduleRate), 'Rescheduled, all time'],
          [percent(stats.cancellationRate), 'Cancelled, all time'],
          [hasAcceptance ? hoursOf(stats.acceptanceHours) : '–', 'Average time to accept, all time'],
        ]}
      />
      <div class="cards">
        <BarChart
          title="Meetings by day"
          summary={
            made === 0
              ? 'No meetings were booked in the last 30 days.'
              : `${many(made, 'meeting was', 'meetings were')} booked in the last 30 days. Days are in UTC.`
          }
          bars={madeByDay.map(({ day, made }) => ({ ...labelsOf(day), value: made }))}
          columns={['Day (UTC)', 'Meetings']}
        />
        <BarChart
          title="Webhook deliveries"
          summary={outcomeOf({ success, failed })}
          bars={deliveriesByDay.map(({ day, success, failed }) => ({ ...labelsOf(day), value: success, more: failed }))}
          columns={['Day (UTC)', 'Delivered', 'Failed']}
        />
        <BarChart
          title="Time to accept"
          summary={
            accepted === 0
              ? 'No invitation from the last 30 days has been accepted yet.'
              : `Of ${many(accepted, 'accepted invitation')} from the last 30 days, ${percent((acceptedBySteps[0] ?? 0) / accepted)} were accepted within an hour.`
          }
          bars={acceptedBySteps.map((value, step) => ({ label: stepName(step), short: shortStep(step), value }))}
          columns={['Accepted', 'Invitations']}
        />
      </div>
    </>
  );
}

const labelsOf = (day: number) => ({ label: dayName(day), short: shortDay(day) });

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

function stepName(step: number): string {
  const name = (hours: number) => (hours > 24 ? `${hours / 24} days` : many(hours, 'hour'));
  const [hours, last] = [ACCEPTED_WITHIN_HOURS[step], ACCEPTED_WITHIN_HOURS.at(-1) ?? 0];
  return hours === undefined ? `over ${name(last)}` : `within ${name(hours)}`;
}

const shortStep = (step: number) =>
  stepName(step)
    .replace(/within|over/, (word) => (word === 'over' ? '>' : '≤'))
    .replace(/(?<= [dh])\w+/, '');

const hoursOf = (hours: number) =>
  hours < 1 ? many(Math.round(hours * 60), 'minute') : many(Math.round(hours * 10) / 10, 'hour');

const PEOPLE = '/dashboard/people';
const RECONNECT = `${PEOPLE}?calendar=needs_reauthorization`;
const FAILED_JOBS = '/dashboard/jobs?status=failed';
const FAILED_EVENTS = `${PATH}?status=failed`;
const ENDPOINT = `${PATH}/endpoint`;

function Waiting({ connectedUsers, stats, toReconnect, webhookUrl, endpoint, deliveries, day }: Overview) {
  const failedJobs = sum(Object.values(day?.failedJobs ?? {}));
  const outage = outageOf(endpoint);
  const people = many(toReconnect, 'person needs', 'people need');
  const copy = `Copy their ${toReconnect === 1 ? 'link' : 'links'}`;
  const jobs = many(failedJobs, 'automatic job');
  const isUnused = connectedUsers > 0 && stats.total === 0;
  const items: [isDue: boolean, what: Child, path: string, next: string][] = [
    [connectedUsers === 0, 'Nobody has connected a calendar yet.', PEOPLE, 'Create links for the first two people'],
    [isUnused, 'No meeting has been booked yet.', '/docs', 'Four calls book the first one'],
    [webhookUrl === null, 'You have no webhook, so you receive no events.', ENDPOINT, 'Add one'],
    [toReconnect > 0, `${people} to reconnect their calendar.`, RECONNECT, copy],
    [failedJobs > 0, `${jobs} failed in the last 24 hours.`, FAILED_JOBS, 'See why, and what to change'],
    [outage !== null, outage, ENDPOINT, 'Check its URL'],
    [deliveries.failed > 0, `${undelivered(deliveries.failed, false)}.`, FAILED_EVENTS, 'See why, and resend them'],
  ];
  const due = items.filter(([isDue]) => isDue);
  if (due.length === 0) return null;
  return (
    <section class="notice warn" aria-labelledby="waiting">
      <h2 id="waiting">To do</h2>
      <ul>
        {due.map(([, what, path, next]) => (
          <li>
            {what} <a href={path}>{next}</a>.
          </li>
        ))}
      </ul>
    </section>
  );
}

function Usage({ usage: { used, limit, remaining }, forecast, now, plan }: Overview) {
  const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(now);
  return (
    <section class="card" aria-labelledby="usage">
      <h2 id="usage">{month}</h2>
      {limit === null ? (
        <p>
          <strong>{many(used, 'meeting')}</strong> so far. The {plan} plan has no limit.
        </p>
      ) : (
        <>
          <p>
            <strong>
              {figure(used)} of {many(limit, 'meeting')}
            </strong>{' '}
            on the {plan} plan; {figure(remaining ?? 0)} left.
          </p>
          <Meter used={used} whole={limit} />
        </>
      )}
      <p>{forecastSentence()}</p>
    </section>
  );

  function forecastSentence(): string {
    if (limit !== null && used >= limit)
      return 'You have used all meetings of this month. New ones are rejected until next month, or until your plan changes.';
    if (forecast === undefined) return 'It is too early in the month for a forecast.';
    const { total, lastDay, usedUpOn } = forecast;
    const about = `about ${figure(total)}${limit === null ? '' : ` of ${figure(limit)}`} by ${dayName(lastDay)}`;
    if (used === 0) return 'You have not used any meetings yet.';
    return usedUpOn === undefined
      ? `At this pace you will use ${about}.`
      : `At this pace you will reach the limit around ${dayName(usedUpOn)}: ${about}.`;
  }
}

function LastDay({ day, figures, toReconnect, deliveries }: Overview) {
  const failed = Object.entries(day?.failedJobs ?? {}).sort(([, one], [, other]) => other - one);
  const failures = sum(failed.map(([, count]) => count));
  const live = figures && figures.searches > 0 ? percent(figures.live / figures.searches) : '–';
  const shown: [name: string, value: string, path: string, isBad?: boolean][] = [
    ['Searches', figures ? figure(figures.searches) : '–', '/dashboard/why'],
    ['Searches that read a calendar live', live, '/docs/concepts'],
    ['Searches without a free time', figures ? figure(figures.empty) : '–', '/dashboard/why'],
    ['Meetings booked', figure(day?.booked ?? 0), '/dashboard/meetings'],
    ['Automatic jobs failed', figure(failures), FAILED_JOBS, failures > 0],
    ['Events not delivered', counted(deliveries.failed), FAILED_EVENTS, deliveries.failed > 0],
    ['Events being sent', counted(deliveries.pending), `${PATH}?status=pending`],
    ['Calendars to connect again', figure(toReconnect), RECONNECT, toReconnect > 0],
  ];
  return (
    <section aria-labelledby="last-day">
      <h2 id="last-day">Last 24 hours</h2>
      <Stats of={shown.map(([name, value, path, isBad]) => [value, <a href={path}>{name}</a>, isBad])} />
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

function Errors({ refused, failed }: ErrorsProps) {
  const errors = [
    ...refused.map((one) => ({ ...one, where: 'API request', to: `/docs/errors#${encodeURIComponent(one.code)}` })),
    ...failed.map(([code, count]) => ({ code, count, where: 'Automatic job', to: FAILED_JOBS })),
  ];
  if (errors.length === 0) return null;
  const rows = errors.map(({ code, count, where, to }) => [
    <a href={to}>
      <code>{code}</code>
    </a>,
    where,
    figure(count),
  ]);
  return (
    <Table caption="Errors by code" isSlim head={['Code', 'Where', { name: 'Count', is: 'number' }]} rows={rows} />
  );
}

function Checklist({ baseUrl, firstPeople, connectedUsers, stats, webhookUrl }: Overview) {
  const isConnected = connectedUsers > 1;
  if (isConnected && stats.total > 0 && webhookUrl !== null) return null;
  const [first = 'ada@example.com', second = 'bob@example.com'] = firstPeople;
  const attendees = `"attendees":["${first}","${second}"],"duration_minutes":30`;
  const connect = [first, second]
    .slice(firstPeople.length)
    .map((email) => curl(`${baseUrl}/v1/platform/oauth-url?user_email=${encodeURIComponent(email)}`));
  const book = curl(`${baseUrl}/v1/schedule/auto`, `{${attendees},"title":"First meeting"}`);
  const receive = curl(`${baseUrl}/v1/platform/webhook`, '{"url":"https://your-server.example/tandem"}', 'PUT');
  const steps: [title: string, isDone: boolean, call: string][] = [
    ['Connect two people', isConnected, connect.join('\n')],
    ['Find times for them', stats.total > 0, curl(`${baseUrl}/v1/availability`, `{${attendees}}`)],
    ['Book the best time', stats.total > 0, book],
    ['Receive events', webhookUrl !== null, receive],
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
            {title}
            {isDone ? [': ', <strong>done</strong>] : <Sample copies={`call: ${title}`}>{call}</Sample>}
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
