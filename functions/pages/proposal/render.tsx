import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppEnv } from '../../http/env.ts';
import { ButtonLink, Facts } from '../components.tsx';
import { isolated } from '../layout.tsx';
import { AnotherTime, CancelMeeting, fieldsOfMove, type Instead, NearestTimes } from './another-time.tsx';
import type { Message, Seen, Typed } from './frame.tsx';
import { Asker, beside, isMove, nothingWas, onClock, renderForGuest, To, zoneField } from './frame.tsx';
import { OpenProposal, ZoneLine } from './open.tsx';

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
    case 'open':
      return {
        ...{ title: isolated(proposal.title), hasTimes: true },
        content: <OpenProposal {...{ seen, typed, instead, free }} times={state.times} />,
      };
    case 'busy':
      return notice('A time is being booked', BUSY, <To seen={seen}>Look again</To>);
    case 'paused':
      return notice(
        'Nothing can be booked here now',
        <>
          <bdi>{seen.platform.name}</bdi> cannot book meetings at the moment. Ask {asker} for another way to meet.
        </>,
      );
    case 'ended':
      return ended(seen, state);
    case 'meeting': {
      const { meeting, phase } = state;
      if (phase === 'ahead') {
        const title = `Your meeting ${isMove(seen) ? 'was moved' : 'is booked'}`;
        return { title, mark: 'ok', hasTimes: true, content: <MeetingAhead {...{ seen, state, instead, typed }} /> };
      }
      if (phase === 'begun') {
        const title = meeting.end > now ? 'This meeting has begun' : 'This meeting is over';
        return { title, hasTimes: true, content: <MeetingFacts seen={seen} meeting={meeting} /> };
      }
      return notice(ENDED_MEETINGS[phase], ['To meet another time, ask ', asker, '.']);
    }
  }
}

const ENDED_MEETINGS = { cancelled: 'This meeting was cancelled', another: 'This meeting is no longer with you' };

const notice = (title: string, text: Child, to?: Child): Shown => ({
  ...{ title, mark: 'info' },
  content: (
    <>
      <p>{text}</p>
      {to}
    </>
  ),
});

const BUSY = 'This usually takes a few seconds. Then this page shows the meeting.';
const BOOKING = 'Tandem now books the first of the offered times that is still free. Look again in a minute.';

type Ended = Extract<Seen['state'], { kind: 'ended' }>;

function ended(seen: Seen, { how, isBooking, next }: Ended): Shown {
  if (isBooking) return notice('The time to answer is over', BOOKING, <To seen={seen}>Look again</To>);
  const meeting = seen.back && <To seen={{ ...seen, path: seen.back }}>See the meeting</To>;
  const to = next === undefined ? meeting : <To seen={{ ...seen, path: next }}>See those times</To>;
  return notice(ENDS[how], afterwards(seen, how), to);
}

function afterwards(seen: Seen, how: Ended['how']): Child {
  const nothing = nothingWas(seen);
  if (how === 'countered') return `${nothing} yet. The answer offers other times, on a page of their own.`;
  if (seen.back !== undefined) return `${nothing}. You can still ask for another time.`;
  const after = {
    expired: ', and the offer is over. If you still want to meet',
    withdrawn: '. If you still want to meet',
    declined: [', and ', <bdi>{seen.platform.name}</bdi>, ' knows. If you changed your mind'],
  };
  return [nothing, after[how], ', ask ', <Asker proposal={seen.proposal} />, ' for new times.'];
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
      <MeetingFacts seen={seen} meeting={meeting} />
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

function MeetingFacts({ seen, meeting }: { seen: Seen; meeting: InMeeting['meeting'] }) {
  const { zone, proposal, requesterTimeZone } = seen;
  const { date, hours } = onClock(meeting, zone);
  const theirs = beside(meeting.start, requesterTimeZone, zone);
  const when = (
    <time datetime={new Date(meeting.start).toISOString()}>
      <strong>{date}</strong>
      <br />
      {hours}
    </time>
  );
  const address = (
    <div class="muted">
      <bdi>{proposal.requesterEmail}</bdi>
    </div>
  );
  const link = meeting.meetLink && (
    <div>
      <a href={meeting.meetLink} rel="noreferrer">
        {meeting.meetLink.replace('https://', '')}
      </a>
    </div>
  );
  return (
    <Facts
      of={[
        ['What', <bdi>{meeting.title}</bdi>],
        ['When', [when, theirs && <div class="muted">{theirs}</div>, <ZoneLine seen={seen} />]],
        ['With', [<Asker proposal={proposal} />, proposal.requesterName && address]],
        ['Where', [<bdi>{meeting.location}</bdi>, link]],
      ]}
    />
  );
}
