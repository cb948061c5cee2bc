import { Hono } from 'hono';
import { type MeetingLife, readMeetingLife } from '../../../lib/meetings/index.ts';
import type { AppEnv } from '../../env.ts';
import { Badge, Notice } from '../components.tsx';
import { renderDashboard } from './frame.tsx';
import { lifeOf } from './life.ts';
import { RSVP_WORDS, STATUSES } from './meetings.tsx';
import { At, Span } from './parts.tsx';
import { attempt } from './query.ts';
import { currentPlatform, page } from './session.ts';

const PATH = '/dashboard/meetings';

export const meeting = new Hono<AppEnv>();

page(meeting, `${PATH}/:id`, async (c) => {
  const run = () => readMeetingLife(c.var.ctx, currentPlatform(c), c.req.param('id') ?? '');
  const { answer: life, refusal } = await attempt(c, run);
  if (life === undefined)
    return renderDashboard(
      c,
      { title: 'Meeting not found', at: PATH, status: refusal?.status ?? 404 },
      <>
        <Notice kind="bad">
          Your platform has no meeting with the ID{' '}
          <code>
            <bdi>{c.req.param('id')}</bdi>
          </code>
          .
        </Notice>
        <p>
          <a href={`${PATH}?from=1970-01-01`}>All meetings</a>
        </p>
      </>,
    );
  return renderDashboard(c, { title: life.meeting.title || 'Untitled meeting', at: PATH }, <Life {...life} />);
});

function Life(life: MeetingLife) {
  const { meeting: shown, timeZones } = life;
  return (
    <>
      <dl class="facts">
        <dt>Status</dt>
        <dd>
          <Badge kind={STATUSES[shown.status].kind}>{STATUSES[shown.status].words}</Badge>
        </dd>
        <dt>When</dt>
        <dd>
          <Span start={shown.start} end={shown.end} />
        </dd>
        {[shown.requester, shown.other].map(({ email, responseStatus }, place) => (
          <>
            <dt>{place === 0 ? 'Requester' : 'Invited'}</dt>
            <dd>
              {email}
              {place === 0 ? '' : `: ${RSVP_WORDS[responseStatus]}`}
              {timeZones[place] === undefined ? null : (
                <div class="muted">
                  <Span start={shown.start} end={shown.end} zone={timeZones[place]} />
                </div>
              )}
            </dd>
          </>
        ))}
        <dt>Where</dt>
        <dd>
          <bdi>{shown.location}</bdi>
          {shown.meetLink === null ? null : (
            <>
              <br />
              <a href={shown.meetLink} rel="noreferrer">
                {shown.meetLink}
              </a>
            </>
          )}
        </dd>
        {shown.description === null ? null : (
          <>
            <dt>Description</dt>
            <dd class="written">
              <bdi>{shown.description}</bdi>
            </dd>
          </>
        )}
        {Object.entries(shown.metadata).map(([name, value]) => (
          <>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </>
        ))}
        <dt>ID</dt>
        <dd>
          <code>{shown.id}</code>
        </dd>
      </dl>
      <h2>What happened</h2>
      <ol class="rows">
        {lifeOf(life).map(({ at, sentence, link, isTrouble }) => (
          <li>
            <span class="muted small">
              <At ms={at} isExact />
            </span>
            <div>
              {isTrouble ? <Badge kind="bad">Failed</Badge> : null} <bdi>{sentence}</bdi>{' '}
              {link === undefined ? null : (
                <a href={link.href.startsWith('/') ? link.href : `${PATH}/${link.href}`}>{link.text}</a>
              )}
            </div>
          </li>
        ))}
      </ol>
      <p class="hint">
        Deliveries are kept for 30 days. For anything older, this page shows only what the meeting itself records.
      </p>
    </>
  );
}
