import { type Context, Hono } from 'hono';
import { useContext } from 'hono/jsx';
import { type MeetingLife, readMeetingLife } from '../../../lib/meetings/index.ts';
import type { AppEnv } from '../../http/env.ts';
import { PageClock, Span } from '../clock.tsx';
import { Badge, Fact, Notice } from '../components.tsx';
import { doneIn } from '../done.ts';
import { History, renderMissing } from './detail.tsx';
import { renderDashboard } from './frame.tsx';
import { lifeOf } from './life.ts';
import { type ActionState, Actions } from './meeting-forms.tsx';
import { RSVP_WORDS, STATUSES } from './meetings.tsx';
import { WrittenFacts } from './parts.tsx';
import { personPath } from './person.tsx';
import { attempt } from './query.ts';
import { currentPlatform, idOf, openedSession, page } from './session.ts';

const PATH = '/dashboard/meetings';

export const meeting = new Hono<AppEnv>();

page(meeting, `${PATH}/:id`, (c) => renderMeeting(c));

/** Messages after a form of the page took effect, keyed by the value of `done` in the page's URL. */
const DONE: Record<string, string> = {
  moved: 'The meeting is moved. This is the new meeting, with a new ID.',
  'cancelled-deleted': 'The meeting is cancelled and taken off both calendars.',
  'cancelled-kept':
    'The meeting is cancelled. Its calendar event stays, because Tandem lost access to the requester’s calendar.',
  'cancelled-unknown':
    'The meeting is cancelled. The calendar did not answer, so Tandem will take the event off the calendars later.',
};

/** Answers with the page about one meeting. `state` has the form on the page that was refused, if one was. */
export async function renderMeeting(c: Context<AppEnv>, state?: ActionState) {
  const { ctx, session } = c.var;
  const run = () => readMeetingLife(ctx, currentPlatform(c), idOf(c));
  const { answer: life, refusal } = await attempt(c, run);
  await ctx.admitted;
  if (life === undefined)
    return renderMissing(c, {
      what: 'meeting',
      back: 'Meetings',
      at: PATH,
      status: refusal?.status,
    });
  const done = state === undefined ? DONE[(await doneIn(c, session.csrf)) ?? ''] : undefined;
  return renderDashboard(
    c,
    { title: life.meeting.title.trim() || 'Untitled meeting', at: PATH, status: state?.refusal.status ?? 200 },
    <>
      {done === undefined ? null : <Notice kind="ok">{done}</Notice>}
      {state === undefined ? null : (
        <Notice kind="bad" title="Nothing was changed">
          <p>{state.refusal.message}</p>
        </Notice>
      )}
      <Actions
        life={life}
        now={ctx.clock.now()}
        csrf={session.csrf}
        once={() => ctx.ids.secret('')}
        mayChange={!openedSession(c).readOnly}
        state={state}
      />
      <Life {...life} />
    </>,
  );
}

function Life(life: MeetingLife) {
  const { meeting: shown, timeZones, earlier, later, reading } = life;
  const askedBy = [shown.requester, shown.other][reading?.askedBy ?? -1];
  return (
    <>
      <dl class="facts">
        <Fact name="Status">
          <Badge kind={STATUSES[shown.status].kind}>{STATUSES[shown.status].words}</Badge>
        </Fact>
        <Fact name="When">
          <Span start={shown.start} end={shown.end} />
        </Fact>
        <Replaced name="Was" times={earlier} />
        <Replaced name="Now" times={later} />
        {askedBy === undefined ? null : <Fact name="Asked to move">{askedBy.email}</Fact>}
        {[shown.requester, shown.other].map(({ email, isConnected, responseStatus }, place) => (
          <Fact name={place === 0 ? 'Requester' : 'Invited'}>
            <a href={personPath(email)}>{email}</a>
            {place === 0 ? '' : `: ${RSVP_WORDS[responseStatus]}`}
            {isConnected ? null : <div class="muted">Not connected</div>}
            {timeZones[place] === undefined ? null : (
              <div class="muted">
                <Span start={shown.start} end={shown.end} zone={timeZones[place]} />
              </div>
            )}
          </Fact>
        ))}
        <Fact name="Where">
          <bdi>{shown.location}</bdi>
          {shown.meetLink === null ? null : (
            <>
              <br />
              <a href={shown.meetLink} rel="noreferrer">
                {shown.meetLink}
              </a>
            </>
          )}
        </Fact>
        <WrittenFacts description={shown.description} metadata={shown.metadata} id={shown.id} what="meeting" />
      </dl>
      <History of={lifeOf(life, useContext(PageClock))} path={PATH} />
      <p class="hint">
        Deliveries are kept for 30 days. For anything older, this page shows only what the meeting itself records.
      </p>
    </>
  );
}

/** Shows the time of the meeting that this one replaced, or that replaces it, with a link to that meeting. */
const Replaced = ({ name, times }: { name: string; times: MeetingLife['earlier'] }) =>
  times === undefined ? null : (
    <Fact name={name}>
      <Span start={times.start} end={times.end} />, <a href={`${PATH}/${times.id}`}>see that meeting</a>
    </Fact>
  );
