import { askedTitle } from '../../support/checks/rows.ts';
import type { Act, Ask, ProposalAsk, ShownProposal, Trace } from '../trace.ts';
import { heldIn } from './holds.ts';
import { eventOf, type Meetings, SKEW_MS, wasMovedTo } from './meetings.ts';
import { arePeople, declinesOf, instant, type Told } from './told.ts';

const MINUTE = 60_000;
/** Time after its expiry in which a proposal may still be open at the end, because the last tick came before. */
const OPEN_FOR_MS = 20 * MINUTE;
/** Most proposals that Tandem makes because a meeting, or one that it replaced, was declined. */
const MOST_AFTER_DECLINE = 3;

/** Requests that can give a proposal each of its ends. Every proposal can also expire. */
const BY: Record<string, ProposalAsk[]> = {
  accepted: ['accept', 'choose'],
  declined: ['decline', 'refuse'],
  countered: ['counter'],
  withdrawn: ['withdraw'],
};
const ENDING = Object.values(BY).flat() as Ask['operation'][];

/**
 * Checks the proposals: each was asked for, held its times against everybody, ended once for a reason that somebody gave
 * or by its expiry, and was told of once. Exactly an accepted one has a meeting, at the accepted time.
 */
export function strangeProposals(trace: Trace, told: Told[], meetings: Meetings): string[] {
  const { proposals } = trace.shown;
  const events = told.filter(({ type }) => type.startsWith('proposal.'));
  const eventsOf = ({ proposal_id: id }: ShownProposal) => events.filter(({ data }) => data.proposal_id === id);
  return [
    ...events
      .filter(({ platform, data }) => !isShown(proposals, platform, data.proposal_id))
      .map(({ type, data }) => `${type} was told of ${data.proposal_id}, which is not shown`),
    ...proposals.flatMap((proposal) => [
      ...strangeCause(proposal, trace, told, meetings),
      ...strangeEnd(proposal, eventsOf(proposal), trace),
      ...strangeTimes(proposal, trace),
      ...strangeMeeting(proposal, trace, meetings),
      ...takenFrom(proposal, trace, meetings),
    ]),
    ...trace.asks.flatMap((ask) => strangeAnswers(ask, trace)),
  ];
}

const isShown = (proposals: ShownProposal[], platform: string, id: string | undefined) =>
  proposals.some((one) => one.platform === platform && one.proposal_id === id);

const endsAsked = ({ proposal_id: id, status }: ShownProposal, { asks }: Trace) =>
  asks.filter(({ operation, proposalId }) => proposalId === id && BY[status]?.some((one) => one === operation));

const acceptedTime = ({ times }: ShownProposal) => times.filter(({ status }) => status === 'accepted');

/** Checks that somebody asked for the proposal: a request, an answer to another proposal, or a decline. */
function strangeCause(proposal: ShownProposal, trace: Trace, told: Told[], meetings: Meetings): string[] {
  const { proposal_id: id, platform, title, attendees, times, counter_of: from, moves_meeting_id: moved } = proposal;
  const { proposals } = trace.shown;
  if (from !== null) {
    const answered = proposals.find((one) => one.proposal_id === from);
    const isTold = told.some(({ type, data }) => type === 'proposal.countered' && data.new_proposal_id === id);
    const isSame = answered?.title === title && answered.attendees.join() === attendees.join();
    return isTold && isSame && answered.moves_meeting_id === moved && proposal.on_expiry === 'cancel'
      ? []
      : [`${id} answers ${from}, which does not say so`];
  }
  const own = trace.asks.filter((ask) => ask.platform === platform);
  const first = proposals.filter((one) => one.counter_of === null && one.platform === platform);
  if (moved !== null) {
    const asked = own.filter(
      ({ operation, meetingId }) => meetingId === moved && (operation === 'proposemove' || operation === 'offer'),
    );
    const declines = trace.offering.includes(platform) ? declinesOf(eventOf(moved, trace, meetings), trace).length : 0;
    const count = first.filter((one) => one.moves_meeting_id === moved).length;
    const most = asked.length + Math.min(declines, MOST_AFTER_DECLINE);
    return count <= most ? [] : [`${moved} has ${count} proposals, and ${most} were asked for`];
  }
  const cause = own.find((ask) => ask.operation === 'propose' && ask.title === title);
  if (cause === undefined) return [`nobody asked for the proposal ${id}, "${title}"`];
  const { starts } = cause;
  const again = first.filter((one) => one.title === title && one.moves_meeting_id === null);
  const isAsAsked = starts === undefined || times.map(({ start_time }) => instant(start_time)).join() === starts.join();
  return [
    ...(again.length > 1 ? [`"${title}" was proposed more than once`] : []),
    ...(isAsAsked ? [] : [`${id} offers other times than asked for`]),
    ...(attendees.join() === cause.attendees?.join() ? [] : [`${id} was asked for with ${cause.attendees}`]),
  ];
}

/** Checks that the proposal ended at most once, was told of at that time, and by what somebody asked for. */
function strangeEnd(proposal: ShownProposal, events: Told[], trace: Trace): string[] {
  const { proposal_id: id, platform, status, decline_reason: reason } = proposal;
  const due = status === 'open' ? [] : [`proposal.${status}`];
  if (events.map(({ type }) => type).join() !== due.join())
    return [`${status} proposal ${id} was told as [${events.map(({ type }) => type)}]`];
  const expiry = instant(proposal.expires_at);
  const [event] = events;
  if (event === undefined)
    return expiry + OPEN_FOR_MS < trace.endedAt ? [`${id} expired at ${proposal.expires_at} and is open`] : [];
  if (
    event.platform !== platform ||
    askedTitle(event.data.title ?? '') !== proposal.title ||
    !arePeople(event.data.attendees, proposal.attendees)
  )
    return [`${event.type} of ${id} was told as of another one`];
  const hasExpired = event.written >= expiry - SKEW_MS;
  const asked = endsAsked(proposal, trace);
  switch (status) {
    case 'expired':
      return hasExpired ? [] : [`${id} was told as expired before ${proposal.expires_at}`];
    case 'accepted': {
      const [time] = acceptedTime(proposal);
      const isAsked = asked.some(({ timeId }) => timeId === time?.id);
      const isBooked = proposal.on_expiry === 'book_first' && hasExpired;
      return isAsked || isBooked ? [] : [`nobody accepted ${time?.start_time} of ${id}`];
    }
    case 'countered': {
      const answers = trace.shown.proposals.filter(({ counter_of: from }) => from === id);
      const isAnswered = answers.length === 1 && answers[0]?.proposal_id === event.data.new_proposal_id;
      const isAsked = asked.some(({ text }) => text === reason);
      return isAnswered && isAsked ? [] : [`${id} was told as countered with ${event.data.new_proposal_id}: ${reason}`];
    }
    case 'withdrawn':
      return asked.length > 0 || lossesOf(proposal, trace).length > 0 ? [] : [`nobody asked for ${id} to be ${status}`];
    default:
      return asked.length > 0 ? [] : [`nobody asked for ${id} to be ${status}`];
  }
}

const lossesOf = ({ attendees }: ShownProposal, { acts }: Trace): Act[] =>
  acts.filter(({ kind, email }) => (kind === 'disconnecting' || kind === 'revoked') && attendees.includes(email));

/** Checks that only an open proposal has held times, and only an accepted one an accepted time: one. */
function strangeTimes(proposal: ShownProposal, { endedAt }: Trace): string[] {
  const { proposal_id: id, status, times, expires_at } = proposal;
  const accepted = acceptedTime(proposal).length;
  const held = times.filter((time) => time.status === 'held').length;
  return [
    ...(accepted === (status === 'accepted' ? 1 : 0)
      ? []
      : [`${status} proposal ${id} has ${accepted} accepted times`]),
    ...(held === 0 || status === 'open' ? [] : [`${status} proposal ${id} still has ${held} held times`]),
    ...(status === 'open' && proposal.meeting_id !== null && instant(expires_at) + OPEN_FOR_MS > endedAt
      ? [`open proposal ${id} is kept for ${proposal.meeting_id}`]
      : []),
  ];
}

/**
 * Checks that exactly an accepted proposal has a meeting, which no other proposal has, and which was told of as made at
 * the accepted time, when no calendar was known to be full.
 */
function strangeMeeting(proposal: ShownProposal, trace: Trace, meetings: Meetings): string[] {
  const { proposal_id: id, status, meeting_id: meetingId, moves_meeting_id: moved } = proposal;
  if ((meetingId !== null) !== (status === 'accepted'))
    return [`${status} proposal ${id} has the meeting ${meetingId}`];
  if (meetingId === null) return [];
  const [time] = acceptedTime(proposal);
  const [start, end] = [instant(time?.start_time), instant(time?.end_time)];
  const made = meetings.get(meetingId)?.made ?? [];
  const [birth] = made;
  const others = trace.shown.proposals.filter((one) => one.meeting_id === meetingId);
  if (made.length !== 1 || birth === undefined || others.length !== 1)
    return [`${meetingId}, by which ${id} was accepted, was made ${made.length} times for ${others.length} proposals`];
  const born = instant(birth.data.start_time);
  const isThere = born === start || wasMovedTo(meetingId, born, trace, meetings);
  return [
    ...(isThere ? [] : [`${id} was accepted at ${time?.start_time} and made at ${birth.data.start_time}`]),
    ...((birth.data.rescheduled_from ?? null) === moved ? [] : [`${meetingId} replaced another than ${moved}`]),
    ...(arePeople(birth.data.attendees, proposal.attendees)
      ? []
      : [`${meetingId} was made for other people than ${id}`]),
    ...filledBefore(proposal, { start, end }, trace).map(
      (email) => `${id} was accepted at ${time?.start_time}, when ${email} had become busy`,
    ),
  ];
}

/** Returns the people whose calendars were full at the accepted time before anybody accepted it, and are always read. */
function filledBefore(proposal: ShownProposal, { start, end }: { start: number; end: number }, trace: Trace): string[] {
  const { acts } = trace;
  const [time] = acceptedTime(proposal);
  const asked = endsAsked(proposal, trace).filter(({ timeId }) => timeId === time?.id);
  const [requester] = proposal.attendees;
  const isRead = (email: string) =>
    email === requester ||
    (acts.some((act) => act.kind === 'connected' && act.email === email && act.platform === proposal.platform) &&
      !acts.some((act) => ['disconnecting', 'revoked', 'consenting'].includes(act.kind) && act.email === email));
  return acts
    .filter(({ kind, email }) => kind === 'filled' && proposal.attendees.includes(email) && isRead(email))
    .filter((act) => (act.start ?? 0) < end && start < (act.end ?? 0))
    .filter(({ at, clock }) =>
      asked.length > 0 ? asked.every(({ first }) => at < first) : clock + SKEW_MS < instant(proposal.expires_at),
    )
    .map(({ email }) => email);
}

/**
 * Finds the meetings and proposals that took a time of the requester while this proposal was known to hold it and nobody
 * was ending it. A proposal that moves a meeting is left out, because changes of that meeting end it.
 */
function takenFrom(proposal: ShownProposal, trace: Trace, meetings: Meetings): string[] {
  const { proposal_id: id, platform, moves_meeting_id: moved, attendees } = proposal;
  const known = knownFrom(proposal, trace);
  if (known === undefined || moved !== null) return [];
  const [requester = ''] = attendees;
  const isEnding = ({ proposalId, operation }: Ask) => proposalId === id && ENDING.includes(operation);
  const until = Math.min(...trace.asks.filter(isEnding).map(({ first }) => first), trace.quietFrom);
  // The proposal ends with the access of one of its people too, at some time from when they began to take it away.
  const lost = lossesOf(proposal, trace).map(({ clock }) => clock);
  const expiry = Math.min(instant(proposal.expires_at), ...lost) - SKEW_MS;
  const isTaken = (start: number, end: number) =>
    proposal.times.some((time) => start < instant(time.end_time) && instant(time.start_time) < end);
  const made = heldIn(trace, meetings).filter(
    (one) =>
      one.isExclusive &&
      one.attendees.includes(requester) &&
      known < one.asked &&
      one.known < until &&
      (meetings.get(one.id)?.made[0]?.written ?? 0) < expiry &&
      isTaken(one.start, one.end),
  );
  const offered = trace.shown.proposals.filter((other) => {
    const ask = causeOf(other, trace);
    const from = knownFrom(other, trace);
    return (
      other.attendees[0] === requester &&
      ask !== undefined &&
      known < ask.first &&
      from !== undefined &&
      from < until &&
      instant(other.created_at) < expiry &&
      other.times.some((time) => isTaken(instant(time.start_time), instant(time.end_time)))
    );
  });
  return [
    ...made.map((one) => `${one.id} took a time of ${requester} that ${id} of ${platform} held`),
    ...offered.map((other) => `${other.proposal_id} offers a time of ${requester} that ${id} of ${platform} held`),
  ];
}

const causeOf = ({ proposal_id: id }: ShownProposal, { asks }: Trace) =>
  asks.find(({ answers, operation }) => MAKING.includes(operation) && answers.some((one) => isOf(id, one)));

function knownFrom(proposal: ShownProposal, trace: Trace): number | undefined {
  const answer = causeOf(proposal, trace)?.answers.find((one) => isOf(proposal.proposal_id, one));
  return answer?.came;
}

const MAKING: Ask['operation'][] = ['propose', 'proposemove', 'offer'];
const isOf = (id: string, { status, text }: { status: number; text: string }) =>
  status < 300 && JSON.parse(text).proposal_id === id;

function strangeAnswers(ask: Ask, { shown }: Trace): string[] {
  const { operation, proposalId, timeId } = ask;
  const about = shown.proposals.find(({ proposal_id: id }) => id === proposalId);
  return ask.answers.flatMap(({ status, text, clock }) => {
    const wrong = (what: string) => [
      `${operation} of ${proposalId} was answered ${status} ${text.slice(0, 2_000)}, ${what}`,
    ];
    const isDone = status === (AT_PAGE.includes(operation) ? 303 : 200);
    const isAccepted = about !== undefined && acceptedTime(about)[0]?.id === timeId;
    switch (operation) {
      case 'propose':
      case 'proposemove':
      case 'offer': {
        if (status === 409 && ask.key !== undefined && shown.proposals.some(({ title }) => title === ask.title))
          return wrong('and it was made');
        if (status >= 300) return [];
        const said = JSON.parse(text);
        const made = shown.proposals.find(({ proposal_id: id }) => id === said.proposal_id);
        const isSame =
          made?.url === said.url && startsOf(made) === startsOf(said) && made?.title === askedTitle(said.title);
        return isSame ? [] : wrong('and shown otherwise');
      }
      case 'accept':
      case 'choose':
        if (isDone) return about?.status === 'accepted' && isAccepted ? [] : wrong(`and is ${about?.status}`);
        return isTrueRefusal(text, about, clock) ? [] : wrong(`and is ${about?.status}`);
      case 'decline':
      case 'refuse':
      case 'withdraw': {
        const end = operation === 'withdraw' ? 'withdrawn' : 'declined';
        if (isDone) return about?.status === end ? [] : wrong(`and is ${about?.status}`);
        return isTrueRefusal(text, about, clock) ? [] : wrong(`and is ${about?.status}`);
      }
      case 'counter':
        return !isDone || (about?.status === 'countered' && about.decline_reason === ask.text)
          ? []
          : wrong(`and is ${about?.status}`);
      default:
        return [];
    }
  });
}

const AT_PAGE: Ask['operation'][] = ['choose', 'refuse', 'counter'];
const startsOf = (proposal: Pick<ShownProposal, 'times'> | undefined) =>
  proposal?.times.map(({ id, start_time }) => `${id} ${start_time}`).join();

/**
 * Returns true unless a refusal says that the proposal ended otherwise than it did. One that has expired can still be
 * declined, withdrawn or booked by its expiry until the tick has ended it.
 */
function isTrueRefusal(text: string, about: ShownProposal | undefined, clock: number): boolean {
  const said = /"proposal_ended".*because it is (\w+)/.exec(text)?.[1];
  if (said === undefined) return true;
  if (said === 'expired') return instant(about?.expires_at) <= clock + SKEW_MS;
  return said === about?.status;
}
