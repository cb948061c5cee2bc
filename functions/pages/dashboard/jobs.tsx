import { Hono } from 'hono';
import * as z from 'zod';
import { listDashboardJobs, readDashboardJob, type ShownJob } from '../../../lib/meetings/index.ts';
import { defaultTitle } from '../../../lib/words/title.ts';
import { pageQuery } from '../../../schema/api/paging.ts';
import type { AppEnv } from '../../http/env.ts';
import { At } from '../clock.tsx';
import { ButtonLink, Empty, Facts, Notice, Status } from '../components.tsx';
import { pageAsked, renderDashboard, renderList } from './frame.tsx';
import { Filters, many, ROLES, StatusField, Suggestions, TitleLink, WhyLink, writtenFacts } from './parts.tsx';
import { personPath } from './person.tsx';
import { currentPlatform, givenOf, idOf, page } from './session.ts';

const PATH = '/dashboard/jobs';

const STATUSES = {
  processing: { words: 'Choosing a time', kind: 'info' },
  completed: { words: 'Booked', kind: 'ok' },
  failed: { words: 'Failed', kind: 'bad' },
  cancelled: { words: 'Cancelled', kind: 'info' },
} as const satisfies Record<ShownJob['status'], object>;

const FAILURES: Record<NonNullable<ShownJob['failure']>['error_code'], string> = {
  NO_AVAILABILITY: 'No free time',
  CALENDAR_NOT_FOUND: 'Not connected',
  TOKEN_EXPIRED: 'Calendar must be connected again',
  TIMEZONE_ERROR: 'Time zone unknown',
  GOOGLE_API_ERROR: 'Calendar did not answer',
  USAGE_LIMIT_EXCEEDED: 'Monthly limit reached',
  INTERNAL_ERROR: 'Problem on our side',
  CANCELLED: 'Cancelled by your platform',
};

const Query = z.object({
  cursor: pageQuery('sched_').cursor,
  status: z.enum(['processing', 'completed', 'failed', 'cancelled']).optional(),
});

export const jobs = new Hono<AppEnv>();

page(jobs, PATH, (c) => {
  const given = givenOf(c);
  return renderList(c, {
    ...{ title: 'Automatic jobs', at: PATH, given },
    read: async () => listDashboardJobs(c.var.ctx, currentPlatform(c), pageAsked(Query, given)),
    above: (
      <Filters action={PATH}>
        <StatusField of={STATUSES} value={given.status} />
      </Filters>
    ),
    head: ['Meeting', { name: 'Who', short: '' }, 'Ended', { name: 'Status', short: '' }],
    row: (job) => [
      <TitleLink to={`${PATH}/${job.id}`}>{titleOf(job)}</TitleLink>,
      job.request.attendees.map((email) => <div class="address">{email}</div>),
      <>
        {job.completedAt === null ? 'Not yet' : <At ms={job.completedAt} />}
        <div class="small muted">
          asked <At ms={job.createdAt} />
        </div>
      </>,
      <Outcome {...job} />,
    ],
    none: (
      <Empty title={given.status === undefined ? 'No automatic jobs so far' : 'No jobs match'}>
        A job chooses a time and books it. Jobs appear here once your server calls <code>POST /v1/schedule/auto</code>,
        and stay for 30 days after their end.
      </Empty>
    ),
  });
});

const titleOf = ({ request: { title, context, attendees } }: ShownJob) =>
  title?.trim() || defaultTitle(context, attendees);

const Outcome = ({ status, failure }: ShownJob) => (
  <>
    <Status of={STATUSES[status]} />
    {failure === undefined ? null : <div class="small muted">{FAILURES[failure.error_code]}</div>}
  </>
);

page(jobs, `${PATH}/:id`, async (c) => {
  const job = await readDashboardJob(c.var.ctx, currentPlatform(c), idOf(c));
  return renderDashboard(
    c,
    { title: titleOf(job), at: PATH },
    <>
      {job.failure && (
        <Notice kind={job.status === 'cancelled' ? 'info' : 'bad'} title={FAILURES[job.failure.error_code]}>
          <p>
            <bdi>{job.failure.error_message}</bdi>
          </p>
          <Suggestions of={job.failure.suggestions} />
        </Notice>
      )}
      <div class="acts">
        {job.meetingId === null || job.status !== 'completed' ? null : (
          <ButtonLink to={`/dashboard/meetings/${job.meetingId}`}>See the meeting</ButtonLink>
        )}
        <WhyLink asked={questionOf(job)} />
      </div>
      <About {...job} />
    </>,
  );
});

const About = ({ request: { attendees, durationMinutes, description, metadata }, ...job }: ShownJob) => (
  <Facts
    of={[
      ['Status', <Status of={STATUSES[job.status]} />],
      ...attendees.map((email, place) => [ROLES[place], <a href={personPath(email)}>{email}</a>] as const),
      ['Length', many(durationMinutes, 'minute')],
      ['Asked', <At ms={job.createdAt} isExact />],
      ['Ended', job.completedAt === null ? 'not yet' : <At ms={job.completedAt} isExact />],
      ['Runs', job.attempts],
      ...writtenFacts({ description: description ?? null, metadata, id: job.id, what: 'job' }),
    ]}
  />
);

function questionOf({ request: { attendees, durationMinutes, context } }: ShownJob) {
  const [first, second] = attendees;
  return { first, second, minutes: String(durationMinutes), ...(context === undefined ? {} : { context }) };
}
