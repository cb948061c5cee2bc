import type { Interval } from '../../../lib/engine/types.ts';
import type { MyMeeting } from '../../../lib/meetings/index.ts';
import { Empty, HiddenFields, Notice } from '../components.tsx';
import { AnotherTime } from '../proposal/another-time.tsx';
import { FreeTimes } from '../proposal/instead.tsx';
import { onClock, zoneTitle } from '../proposal/times.ts';
import { dateOf } from './date-of.ts';

/** Text about another time that Tandem rejected, with the meeting that it was about. */
export interface Rejected {
  id: string;
  text: string;
  error: string;
  /** Free times to choose instead of an answer to the text. */
  nearest?: Interval[];
}

/** Result of the form that the person sent last, for the message at the top of the page. */
export type Done = 'cancelled' | 'kept' | 'proposed' | 'unread';

interface Props {
  meetings: MyMeeting[];
  timeZone: string;
  /** Query of the page with the later meetings. Undefined if there are none. */
  later: string | undefined;
  done: Done | undefined;
  rejected: Rejected | undefined;
  csrf: string;
}

const DONE = {
  cancelled: 'The meeting is cancelled, and gone from both calendars.',
  kept: 'The meeting is cancelled. Its event stays in both calendars, because Tandem has no access to one of them any more. You can delete it in yours.',
  proposed: 'Other times are offered for your meeting.',
  unread:
    'We understood no day and no hour in your text. The times that are offered now are the best others for both of you.',
};

export function MeetingsPage({ meetings, timeZone, later, done, rejected, csrf }: Props) {
  return (
    <>
      {done === undefined ? null : <Notice kind={done === 'unread' ? 'warn' : 'ok'}>{DONE[done]}</Notice>}
      {meetings.length === 0 ? (
        <Empty title="No meetings ahead">
          <p>Meetings that platforms book for you through Tandem will be listed here.</p>
        </Empty>
      ) : (
        <p class="lead">Times are on the clock in {zoneTitle(timeZone)}.</p>
      )}
      {meetings.map((meeting) => (
        <Meeting {...{ meeting, timeZone, csrf }} rejected={rejected?.id === meeting.id ? rejected : undefined} />
      ))}
      {later === undefined ? null : (
        <p>
          <a href={later}>Later meetings</a>
        </p>
      )}
    </>
  );
}

const PROPOSE = '/me/meetings/propose';

interface MeetingProps extends Pick<Props, 'timeZone' | 'rejected' | 'csrf'> {
  meeting: MyMeeting;
}

function Meeting({ meeting, timeZone, rejected, csrf }: MeetingProps) {
  const { id, title, start, withWhom, location, meetLink, moveUrl, mayMove } = meeting;
  const { date, hours } = onClock(meeting, timeZone);
  const fields = { csrf, id, seen: String(start) };
  return (
    <section class="card" id={id}>
      <h2>
        <bdi>{title}</bdi>
      </h2>
      <p>
        <time datetime={new Date(start).toISOString()}>
          <strong>{date}</strong>, {hours}
        </time>
        <br />
        With <bdi>{withWhom}</bdi>
        <br />
        <bdi>{location}</bdi>
        {meetLink === null ? null : (
          <>
            {' · '}
            <a href={meetLink} rel="noreferrer">
              {meetLink.replace('https://', '')}
            </a>
          </>
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
          {rejected?.nearest === undefined ? null : (
            <FreeTimes times={rejected.nearest} zone={timeZone} action={PROPOSE} fields={fields} to="" />
          )}
        </AnotherTime>
      ) : null}
      <details class="offer none" name={`change-${id}`}>
        <summary>
          <span>
            Cancel<span class="hidden"> {title}</span>
          </span>
        </summary>
        <form method="post" action="/me/meetings/cancel">
          <HiddenFields fields={fields} />
          <p>
            Tandem removes the meeting from both calendars. Google tells <bdi>{withWhom}</bdi>.
          </p>
          <button type="submit" class="danger">
            Cancel the meeting
          </button>
        </form>
      </details>
    </section>
  );
}

const bookedBy = ({ platformName, isRequester, withWhom, createdAt }: MyMeeting, timeZone: string) => (
  <>
    Booked by <bdi>{platformName}</bdi> on {dateOf(createdAt, timeZone)} at{' '}
    {isRequester ? (
      'your request'
    ) : (
      <>
        the request of <bdi>{withWhom}</bdi>
      </>
    )}
  </>
);

/** Links to the times that are offered for a meeting now. */
const OtherTimes = ({ meeting: { isRequester, withWhom }, url }: { meeting: MyMeeting; url: string }) => (
  <Notice>
    <p>
      Other times are offered. The meeting stays as it is until one of them is chosen.{' '}
      {isRequester ? (
        <>
          Send the page with the times to <bdi>{withWhom}</bdi>, who chooses.
        </>
      ) : null}
    </p>
    <p>
      <a href={url}>{isRequester ? 'Page with the times' : 'Choose a time'}</a>
    </p>
  </Notice>
);
