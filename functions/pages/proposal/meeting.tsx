import { Fact, HiddenFields } from '../components.tsx';
import { AnotherTime, fieldsOfMove } from './another-time.tsx';
import { Asker, type Seen, To, type Typed, zoneField } from './frame.tsx';
import { type Instead, NearestTimes } from './instead.tsx';
import { ZoneLine } from './open.tsx';
import { beside, onClock } from './times.ts';

type InMeeting = Extract<Seen['state'], { kind: 'meeting' }>;

interface Props {
  seen: Seen;
  state: InMeeting;
  /** Free times that the person can ask for in place of the meeting's. */
  instead?: Instead | undefined;
  typed?: Typed | undefined;
}

/** Shows the meeting that was booked: on both clocks, with a calendar file, and with ways to move and to cancel it. */
export function MeetingAhead({ seen, state: { meeting, next, mayMove }, instead, typed }: Props) {
  const { path } = seen;
  const reason = typed?.field === 'reason' ? typed : undefined;
  const another = mayMove && (
    <AnotherTime
      group="change"
      action={path}
      fields={fieldsOfMove(seen, meeting.start)}
      hint="For example “Thursday afternoon” or “a morning next week”. Your meeting stays as it is until you choose another time."
      button="Find other times"
      typed={reason}
    />
  );
  return (
    <>
      {reason && another}
      {instead && <NearestTimes seen={seen} {...instead} />}
      <Facts seen={seen} meeting={meeting} />
      <p>
        The calendar invitation will arrive by email at <strong>{seen.proposal.otherEmail}</strong>.
      </p>
      <p class="actions">
        <a class="button" href={`${path}/meeting.ics`}>
          Add to calendar
        </a>
      </p>
      {next === undefined ? null : (
        <>
          <p>Other times are offered for this meeting. It stays as it is until you choose one.</p>
          <To seen={{ ...seen, path: next }}>See those times</To>
        </>
      )}
      {reason ? null : another}
      <details class="offer none" name="change">
        <summary>
          <span>Cancel this meeting</span>
        </summary>
        <form method="post" action={path}>
          <HiddenFields fields={{ answer: 'cancel', start: String(meeting.start), ...zoneField(seen) }} />
          <p>
            Tandem removes the meeting from both calendars, and tells <Asker proposal={seen.proposal} />.
          </p>
          <button type="submit" class="danger">
            Cancel the meeting
          </button>
        </form>
      </details>
    </>
  );
}

/** Shows the facts of a meeting, each time on both people's clocks. */
export function Facts({ seen, meeting }: { seen: Seen; meeting: InMeeting['meeting'] }) {
  const { zone, proposal, requesterTimeZone } = seen;
  const { date, hours } = onClock(meeting, zone);
  const theirs = beside(meeting.start, requesterTimeZone, zone);
  return (
    <dl class="facts">
      <Fact name="What">
        <bdi>{meeting.title}</bdi>
      </Fact>
      <Fact name="When">
        <time datetime={new Date(meeting.start).toISOString()}>
          <strong>{date}</strong>
          <br />
          {hours}
        </time>
        {theirs === undefined ? null : <div class="muted">{theirs}</div>}
        <ZoneLine seen={seen} />
      </Fact>
      <Fact name="With">
        <Asker proposal={proposal} />
        {proposal.requesterName === null ? null : (
          <div class="muted">
            <bdi>{proposal.requesterEmail}</bdi>
          </div>
        )}
      </Fact>
      <Fact name="Where">
        <bdi>{meeting.location}</bdi>
        {meeting.meetLink === null ? null : (
          <div>
            <a href={meeting.meetLink} rel="noreferrer">
              {meeting.meetLink.replace('https://', '')}
            </a>
          </div>
        )}
      </Fact>
    </dl>
  );
}
