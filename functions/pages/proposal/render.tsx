import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppEnv } from '../../http/env.ts';
import { ButtonLink, Fact } from '../components.tsx';
import { isolated } from '../layout.tsx';
import { AnotherTime, CancelMeeting, fieldsOfMove, type Instead, NearestTimes } from './another-time.tsx';
import {
  Asker,
  isMove,
  type Message,
  nothingWas,
  renderForGuest,
  type Seen,
  To,
  type Typed,
  zoneField,
} from './frame.tsx';
import { OpenProposal, ZoneLine } from './open.tsx';
import { beside, onClock } from './times.ts';

export interface Outcome {
  message?: Message | undefined;
  instead?: Instead | undefined;
  /** The person's calendar is free at these. Undefined if Tandem did not read it. */
  free?: number[] | undefined;
  typed?: Typed | undefined;
  status?: ContentfulStatusCode | undefined;
}

export function renderSeen(c: Context<AppEnv>, seen: Seen, outcome: Outcome = {}) {
  const { platform, zone, isZoneGiven, state, proposal } = seen;
  const { hasTimes = false, content, ...shown } = pageOf(seen, outcome);
  const guess = hasTimes && !isZoneGiven ? zone : undefined;
  const leadsToGoogle = state.kind === 'open' && !proposal.isOtherConnected;
  const { message, status } = outcome;
  return renderForGuest(c, { ...shown, platform, message, status, guess, leadsToGoogle }, content);
}

type Shown = { title: string; mark?: 'ok' | 'info'; hasTimes?: boolean; content: Child };

function pageOf(seen: Seen, { instead, free, typed }: Outcome): Shown {
  const { state, proposal, now } = seen;
  const asker = <Asker proposal={proposal} />;
  switch (state.kind) {
    case 'open': {
      const content = <OpenProposal {...{ seen, typed, instead, free }} times={state.times} />;
      return { title: isolated(proposal.title), hasTimes: true, content };
    }
    case 'busy':
      return {
        ...{ title: 'A time is being booked', mark: 'info' },
        content: (
          <>
            <p>This usually takes a few seconds. Then this page shows the meeting.</p>
            <To seen={seen}>Look again</To>
          </>
        ),
      };
    case 'paused':
      return {
        ...{ title: 'Nothing can be booked here now', mark: 'info' },
        content: (
          <p>
            <bdi>{seen.platform.name}</bdi> cannot book meetings at the moment. Ask {asker} for another way to meet.
          </p>
        ),
      };
    case 'ended':
      return ended(seen, state);
    case 'meeting': {
      const { meeting, phase } = state;
      if (phase === 'ahead') {
        const content = <MeetingAhead seen={seen} state={state} instead={instead} typed={typed} />;
        return {
          title: `Your meeting ${isMove(seen) ? 'was moved' : 'is booked'}`,
          mark: 'ok',
          hasTimes: true,
          content,
        };
      }
      if (phase === 'begun') {
        const title = meeting.end > now ? 'This meeting has begun' : 'This meeting is over';
        return { title, hasTimes: true, content: <Facts seen={seen} meeting={meeting} /> };
      }
      return { title: ENDED_MEETINGS[phase], mark: 'info', content: <p>To meet another time, ask {asker}.</p> };
    }
  }
}

const ENDED_MEETINGS = { cancelled: 'This meeting was cancelled', another: 'This meeting is no longer with you' };

type Ended = Extract<Seen['state'], { kind: 'ended' }>;

function ended(seen: Seen, { how, isBooking, next }: Ended): Shown {
  if (isBooking)
    return {
      ...{ title: 'The time to answer is over', mark: 'info' },
      content: (
        <>
          <p>Tandem now books the first of the offered times that is still free. Look again in a minute.</p>
          <To seen={seen}>Look again</To>
        </>
      ),
    };
  return {
    ...{ title: ENDS[how], mark: 'info' },
    content: (
      <>
        <p>{afterwards(seen, how)}</p>
        {next && <To seen={{ ...seen, path: next }}>See those times</To>}
        {!next && seen.back && <To seen={{ ...seen, path: seen.back }}>See the meeting</To>}
      </>
    ),
  };
}

function afterwards(seen: Seen, how: Ended['how']): Child {
  const asker = <Asker proposal={seen.proposal} />;
  const nothing = nothingWas(seen);
  if (seen.back !== undefined && how !== 'countered') return <>{nothing}. You can still ask for another time.</>;
  switch (how) {
    case 'expired':
      return (
        <>
          {nothing}, and the offer is over. If you still want to meet, ask {asker} for new times.
        </>
      );
    case 'withdrawn':
      return (
        <>
          {nothing}. If you still want to meet, ask {asker} for new times.
        </>
      );
    case 'declined':
      return (
        <>
          {nothing}, and <bdi>{seen.platform.name}</bdi> knows. If you changed your mind, ask {asker} for new times.
        </>
      );
    case 'countered':
      return <>{nothing} yet. The answer offers other times, on a page of their own.</>;
  }
}

const ENDS: Record<Ended['how'], string> = {
  expired: 'These times have expired',
  withdrawn: 'These times are no longer offered',
  declined: 'These times were declined',
  countered: 'These times were answered with others',
};

type InMeeting = Extract<Seen['state'], { kind: 'meeting' }>;

type Props = { seen: Seen; state: InMeeting; instead?: Instead | undefined; typed?: Typed | undefined };

function MeetingAhead({ seen, state: { meeting, next, mayMove }, instead, typed }: Props) {
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
        <ButtonLink to={`${path}/meeting.ics`}>Add to calendar</ButtonLink>
      </p>
      {next === undefined ? null : (
        <>
          <p>Other times are offered for this meeting. It stays as it is until you choose one.</p>
          <To seen={{ ...seen, path: next }}>See those times</To>
        </>
      )}
      {reason ? null : another}
      <CancelMeeting
        group="change"
        summary="Cancel this meeting"
        action={path}
        fields={{ answer: 'cancel', start: String(meeting.start), ...zoneField(seen) }}
      >
        Tandem removes the meeting from both calendars, and tells <Asker proposal={seen.proposal} />.
      </CancelMeeting>
    </>
  );
}

function Facts({ seen, meeting }: { seen: Seen; meeting: InMeeting['meeting'] }) {
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
        {theirs && <div class="muted">{theirs}</div>}
        <ZoneLine seen={seen} />
      </Fact>
      <Fact name="With">
        <Asker proposal={proposal} />
        {proposal.requesterName && (
          <div class="muted">
            <bdi>{proposal.requesterEmail}</bdi>
          </div>
        )}
      </Fact>
      <Fact name="Where">
        <bdi>{meeting.location}</bdi>
        {meeting.meetLink && (
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
