import { isKept, meetingIdIn } from '../../support/checks/said.ts';
import type { Given, Moment, Trace } from '../trace.ts';
import { eventOf, type Meetings } from './meetings.ts';
import { instant } from './told.ts';

/** Time that a meeting takes of two people, from the moment at which a client knew of it. */
interface Held {
  id: string;
  attendees: string[];
  start: number;
  end: number;
  /** Time of the request for the meeting, or earlier. */
  asked: Moment;
  known: Moment;
}

/**
 * Checks that each meeting that Tandem chose, or that had to be free, overlapped no meeting that was known by then and
 * that nobody was changing.
 */
export function overlaps(trace: Trace, meetings: Meetings): string[] {
  const held = heldIn(trace, meetings);
  const isTouched = (id: string, until: Moment) =>
    trace.asks.some(({ meetingId, first }) => meetingId === id && first < until) ||
    trace.acts.some(({ eventId }) => eventId !== undefined && eventId === eventOf(id, trace, meetings));
  return held
    .filter(({ isExclusive }) => isExclusive)
    .flatMap((chosen) =>
      held
        .filter((known) => known.id !== chosen.id && known.known < chosen.asked)
        .filter(({ attendees }) => attendees.some((email) => chosen.attendees.includes(email)))
        .filter(({ start, end }) => start < chosen.end && chosen.start < end)
        .filter(({ id }) => !isTouched(id, chosen.known) && !isTouched(chosen.id, 0))
        .map(({ id }) => `${chosen.id} was to be free and was made over ${id}`),
    );
}

/**
 * Returns every meeting as it was created, with the request that created it: the one whose answer names it, else the
 * earliest one. A meeting that accepts a proposal was requested by whoever chose its time; one that was booked at an expiry is left out. If no client ever knew of the meeting, it counts from its webhook event on.
 */
export function heldIn({ asks, shown }: Trace, meetings: Meetings): (Held & { isExclusive: boolean })[] {
  return [...meetings.values()].flatMap(({ id, made: [birth] }) => {
    if (birth === undefined) return [];
    const { start_time, end_time, attendees, rescheduled_from: from } = birth.data;
    const title = shown.meetings.find(({ meeting_id }) => meeting_id === id)?.title;
    const causes = asks.filter((ask) =>
      from === undefined ? ask.title === title : ask.operation === 'reschedule' && ask.meetingId === from,
    );
    const accepted = shown.proposals.find((one) => one.meeting_id === id);
    if (accepted !== undefined) {
      const [time] = accepted.times.filter(({ status }) => status === 'accepted');
      const asked = asks
        .filter(({ proposalId, timeId }) => proposalId === accepted.proposal_id && timeId === time?.id)
        .filter(({ operation }) => operation === 'accept' || operation === 'choose')
        .map(({ first }) => first);
      const span = { start: instant(start_time), end: instant(end_time) };
      return asked.length === 0
        ? []
        : [{ id, attendees, ...span, asked: Math.min(...asked), known: birth.at, isExclusive: true }];
    }
    const isAnswer = (given: Given) => isKept(given) && meetingIdIn(given.text) === id;
    const answers = causes.flatMap((ask) => ask.answers.filter(isAnswer));
    const said = causes.filter((ask) => ask.answers.some(isAnswer));
    return causes
      .slice(0, 1)
      .map(({ operation }) => ({
        id,
        attendees,
        start: instant(start_time),
        end: instant(end_time),
        asked: Math.min(...(said.length > 0 ? said : causes).map(({ first }) => first)),
        known: Math.min(birth.at, ...answers.map(({ came }) => came)),
        isExclusive: operation !== 'book',
      }));
  });
}
