import { type Context, Hono } from 'hono';
import type { Interval } from '../../../lib/engine/types.ts';
import * as domain from '../../../lib/meetings/index.ts';
import { quotedWords } from '../../../lib/words/people.ts';
import { listMeetings, rescheduleMeeting } from '../../../schema/api/meetings.ts';
import { formatCursor } from '../../../schema/api/paging.ts';
import type { AppEnv } from '../../http/env.ts';
import { Card, Empty, LinkLine, Notice } from '../components.tsx';
import { AnotherTime, CancelMeeting, FreeTimes } from '../proposal/another-time.tsx';
import { areShown, sayUnread } from '../proposal/answer.tsx';
import { onClock, zoneTitle } from '../proposal/frame.tsx';
import { type MySession, redirectDone, saidDone } from '../session-cookie.ts';
import { dateOf, form, page, refuseStale, renderMine } from './session.tsx';

const PATH = '/me/meetings';

export const meetings = new Hono<AppEnv>();

page(meetings, PATH, (c, session) => renderMeetings(c, session));

async function renderMeetings(c: Context<AppEnv>, { userId }: MySession, rejected?: Rejected) {
  const status = rejected === undefined ? 200 : (rejected.status ?? 400);
  const { cursor: after } = listMeetings.query.safeParse({ cursor: c.req.query('cursor') }).data ?? {};
  const mine = await domain.readMyMeetings(c.var.ctx, { userId, after });
  if (mine === undefined) return undefined;
  const { email, timeZone, next } = mine;
  const done = rejected === undefined ? await saidDone(c, DONE) : undefined;
  return renderMine(
    c,
    { title: 'Your meetings', at: PATH, email, status },
    <>
      {done && <Notice kind={done === DONE.unread ? 'warn' : 'ok'}>{done}</Notice>}
      {mine.meetings.length === 0 ? (
        <Empty title="No meetings ahead">
          Meetings that platforms book for you through Tandem will be listed here.
        </Empty>
      ) : (
        <p class="lead">Times are on the clock in {zoneTitle(timeZone)}.</p>
      )}
      {mine.meetings.map((meeting) => (
        <Meeting {...{ meeting, timeZone }} rejected={rejected?.id === meeting.id ? rejected : undefined} />
      ))}
      {next && <LinkLine to={`${PATH}?cursor=${formatCursor(next)}`}>Later meetings</LinkLine>}
    </>,
  );
}

form(meetings, `${PATH}/cancel`, async (c, { userId }, given) =>
  answer(c, await domain.cancelOwnMeeting(c.var.ctx, { userId, ...seenIn(given) })),
);

form(meetings, `${PATH}/propose`, async (c, session, given) => {
  const seen = seenIn(given);
  const text = given.get('reason') ?? '';
  const starts = given.getAll('start').map(Number);
  if (starts.length > 0 && !areShown(starts, c.var.ctx.clock.now())) return answer(c, 'changed');
  const { data: reason } = rescheduleMeeting.body.shape.reason.safeParse(text);
  if (reason === undefined && starts.length === 0) {
    const error = text.trim() === '' ? NOTHING_WRITTEN : TOO_LONG;
    return renderMeetings(c, session, { id: seen.id, text: text.toWellFormed(), error });
  }
  const wish = reason === undefined ? { starts } : { reason };
  const outcome = await domain.proposeOwnMove(c.var.ctx, { userId: session.userId, ...seen, wish });
  if (typeof outcome === 'string') return answer(c, outcome);
  c.set('refusal', outcome.kind === 'taken' ? 'slot_unavailable' : 'reason_unclear');
  return renderMeetings(c, session, { id: seen.id, text, ...rejectionOf(outcome), status: 409 });
});

function rejectionOf(outcome: domain.Unmoved): Pick<Rejected, 'error' | 'nearest'> {
  if (outcome.kind === 'cancels')
    return {
      error: `${quotedWords(outcome.words)} asks for no other time. Nothing was changed. To cancel the meeting, open “Cancel” below.`,
    };
  const { nearest } = outcome;
  const choices = nearest.length === 0 ? '' : ', or take free times below';
  return outcome.kind === 'taken'
    ? { error: `Those times have just gone. Nothing was changed. Ask for other times${choices}.`, nearest }
    : { error: `${sayUnread(outcome.words)}${choices}. Nothing was changed.`, nearest };
}

const NOTHING_WRITTEN = 'Write a day or an hour that suits you, such as “Thursday afternoon”. Nothing was sent yet.';
const TOO_LONG = 'Write at most 1,000 characters. Nothing was sent yet.';

const seenIn = (given: URLSearchParams) => ({ id: given.get('id') ?? '', seenStart: Number(given.get('seen')) });

function answer(c: Context<AppEnv>, outcome: keyof typeof DONE | 'changed') {
  if (outcome !== 'changed') return redirectDone(c, `${PATH}?done=${outcome}`);
  return refuseStale(c, CHANGED, { path: PATH, title: 'Your meetings' }, 409);
}

const CHANGED =
  'This meeting has changed since you opened the page, or it can no longer be moved. Look at your meetings and try again there.';

type Rejected = { id: string; text: string; error: string; nearest?: Interval[]; status?: 409 };

const DONE = {
  cancelled: 'The meeting is cancelled, and gone from both calendars.',
  kept: 'The meeting is cancelled. Its event stays in both calendars, because Tandem has no access to one of them any more. You can delete it in yours.',
  proposed: 'Other times are offered for your meeting.',
  unread:
    'We understood no day and no hour in your text. The times that are offered now are the best others for both of you.',
};

const PROPOSE = '/me/meetings/propose';

type MeetingProps = { meeting: domain.MyMeeting; timeZone: string; rejected: Rejected | undefined };

function Meeting({ meeting, timeZone, rejected }: MeetingProps) {
  const { id, title, start, withWhom, location, meetLink, moveUrl, mayMove } = meeting;
  const { date, hours } = onClock(meeting, timeZone);
  const fields = { id, seen: String(start) };
  return (
    <Card id={id} title={<bdi>{title}</bdi>}>
      <p>
        <time datetime={new Date(start).toISOString()}>
          <strong>{date}</strong>, {hours}
        </time>
        <br />
        With <bdi>{withWhom}</bdi>
        <br />
        <bdi>{location}</bdi>
        {meetLink === null ? null : ' · '}
        {meetLink && (
          <a href={meetLink} rel="noreferrer">
            {meetLink.replace('https://', '')}
          </a>
        )}
      </p>
      <p class="small muted">{bookedBy(meeting, timeZone)}</p>
      {moveUrl == null ? null : <OtherTimes meeting={meeting} url={moveUrl} />}
      {mayMove ? (
        <AnotherTime
          {...{ fields, action: PROPOSE, id: `reason-${id}`, about: title, group: `change-${id}` }}
          hint="For example “Thursday afternoon”. Your meeting stays as it is until another time is chosen. Tandem also learns from what you write."
          button="Offer other times"
          typed={rejected && { field: 'reason', text: rejected.text, error: rejected.error }}
        >
          {rejected?.nearest && (
            <FreeTimes times={rejected.nearest} zone={timeZone} action={PROPOSE} fields={fields} to="" />
          )}
        </AnotherTime>
      ) : null}
      <CancelMeeting
        group={`change-${id}`}
        summary={['Cancel', <span class="hidden"> {title}</span>]}
        action="/me/meetings/cancel"
        fields={fields}
      >
        Tandem removes the meeting from both calendars. Google tells <bdi>{withWhom}</bdi>.
      </CancelMeeting>
    </Card>
  );
}

const bookedBy = ({ platformName, isRequester, withWhom, createdAt }: domain.MyMeeting, timeZone: string) => (
  <>
    Booked by <bdi>{platformName}</bdi> on {dateOf(createdAt, timeZone)} at{' '}
    {isRequester ? 'your request' : ['the request of ', <bdi>{withWhom}</bdi>]}
  </>
);

const OtherTimes = ({ meeting: { isRequester, withWhom }, url }: { meeting: domain.MyMeeting; url: string }) => (
  <Notice>
    <p>
      Other times are offered. The meeting stays as it is until one of them is chosen.{' '}
      {isRequester ? ['Send the page with the times to ', <bdi>{withWhom}</bdi>, ', who chooses.'] : null}
    </p>
    <LinkLine to={url}>{isRequester ? 'Page with the times' : 'Choose a time'}</LinkLine>
  </Notice>
);
