import { isDeepStrictEqual } from 'node:util';
import { isFinal, isKept, isSettled, meetingIdIn } from '../support/checks/said.ts';
import { strangeBatches } from './model/batches.ts';
import { strangeCalendar } from './model/calendar.ts';
import { strangeGrants } from './model/grants.ts';
import { overlaps } from './model/holds.ts';
import { eventOf, heirsOf, type Meetings, meetingsIn, SKEW_MS, strangeLives } from './model/meetings.ts';
import { strangeProposals } from './model/proposals.ts';
import { arePeople, declinesOf, instant, isDecline, strangeDeliveries, type Told, toldIn } from './model/told.ts';
import type { Ask, Given, Trace } from './trace.ts';

/**
 * Models meetings, holds, proposals, batches, jobs, deliveries and grants by the interface alone, without the product's code. The model
 * must explain every answer to a client, calendar call, webhook event and final state. Returns one sentence for each
 * thing it cannot explain.
 */
export function unaccounted(trace: Trace): string[] {
  const told = toldIn(trace);
  const meetings = meetingsIn(told);
  return [
    ...strangeDeliveries(trace),
    ...strangeLives(trace, meetings),
    ...strangeAnswers(trace, meetings),
    ...overlaps(trace, meetings),
    ...strangeCalendar(trace, meetings),
    ...strangeJobs(trace, told, meetings),
    ...strangeResponses(trace, told, meetings),
    ...strangeProposals(trace, told, meetings),
    ...strangeBatches(trace, told, meetings),
    ...strangeGrants(trace, told),
    ...strangeKeys(trace),
  ];
}

/**
 * A key is refused by every Worker from the moment at which its replacement was answered, however many remember it. No
 * Worker refuses a key that nobody has replaced.
 */
const strangeKeys = ({ keyUses, keyEnds }: Trace): string[] =>
  keyUses.flatMap(({ key, worker, status, sent, came }) => {
    const end = keyEnds.find((one) => one.key === key);
    if (status < 400 && end !== undefined && end.done < sent)
      return [`Worker ${worker} accepted a key after it was replaced`];
    if (status === 401 && (end === undefined || came < end.asked))
      return [`Worker ${worker} refused a key that nobody had replaced`];
    return [];
  });

/** Checks that each accepted job ended once, as the API shows, and that its meeting was reported at that time. */
function strangeJobs({ shown, asks }: Trace, told: Told[], meetings: Meetings): string[] {
  const ends = told.filter(({ type }) => type.startsWith('meeting.scheduling.'));
  // A client that never learned its job's id may still receive the event of its end.
  const known = new Set(shown.jobs.map(({ id }) => id));
  const unheard = ends.filter(({ data }) => !known.has(data.job_id ?? ''));
  const lost = asks.filter(({ operation, answers }) => operation === 'auto' && answers.every((a) => a.status !== 202));
  return [
    ...(unheard.length <= lost.reduce((sum, { broken, answers }) => sum + broken + answers.length, 0)
      ? []
      : [`${unheard.length} jobs ended that nobody had asked for`]),
    ...shown.jobs.flatMap(({ id, platform, status, result }) => {
      const mine = ends.filter(({ data }) => data.job_id === id);
      const [end] = mine;
      if (end === undefined || mine.length > 1) return [`${status} job ${id} was told ${mine.length} times`];
      if (end.platform !== platform || end.type !== `meeting.scheduling.${status}`)
        return [`${status} job ${id} was told as ${end.type}`];
      if (!isDeepStrictEqual(end.data, result)) return [`job ${id} is shown otherwise than told`];
      if (status === 'failed') return [];
      const [birth] = meetings.get(end.data.meeting_id ?? '')?.made ?? [];
      if (birth === undefined) return [`job ${id} made a meeting nobody was told of`];
      const { start_time: chosen } = end.data.chosen_slot as unknown as Record<string, string>;
      return instant(chosen) === instant(birth.data.start_time) ? [] : [`job ${id} chose ${chosen}, told otherwise`];
    }),
  ];
}

/**
 * Every live meeting shows what the calendar has as answers. A decline is told once, under whatever id is live, and no
 * oftener than somebody declined; a platform that cancels declined meetings has no live one.
 */
function strangeResponses(trace: Trace, told: Told[], meetings: Meetings): string[] {
  const { shown, closed, answers, cancelling, endedAt } = trace;
  const live = shown.meetings.filter(({ status }) => status === 'scheduled' || status === 'updated');
  const open = live.filter(({ attendees: [requester = ''], end_time: end }) => {
    // What ended more than a day ago is followed no more.
    return !closed.includes(requester) && instant(end) > endedAt;
  });
  return [
    ...open.flatMap((meeting) => {
      const { meeting_id: id, platform, rsvps } = meeting;
      const event = eventOf(id, trace, meetings) ?? '';
      const given = answers[event];
      // The occurrences of a series have answers of their own.
      const isSeries = trace.acts.some(({ kind, eventId }) => kind === 'series' && eventId === event);
      if (given === undefined || isSeries) return [];
      const isDeclined = rsvps.some(({ response_status: status }) => status === 'declined');
      return [
        ...rsvps
          .filter(({ email, response_status: status }) => given[email] !== undefined && given[email] !== status)
          .map(
            ({ email, response_status: status }) => `${id} shows ${email} as ${status}, the calendar ${given[email]}`,
          ),
        ...rsvps
          .filter(({ email, response_status: status }) => status === 'declined' && tellings(event, email).length === 0)
          .map(({ email }) => `nobody was told that ${email} declined ${id}`),
        ...(isDeclined && cancelling.includes(platform) && instant(meeting.start_time) > endedAt
          ? [`${id} is declined and was not cancelled`]
          : []),
      ];
    }),
    ...[...new Set(trace.acts.filter(isDecline).map(({ eventId, email }) => `${eventId} ${email}`))].flatMap((name) => {
      const [event = '', email = ''] = name.split(' ');
      const [due, count] = [declinesOf(event, trace, email).length, tellings(event, email).length];
      return count <= due ? [] : [`of ${due} declines of ${event} by ${email} was told ${count} times`];
    }),
  ];

  function tellings(event: string, email: string): Told[] {
    const first = trace.calls.find(({ method, eventId }) => method === 'POST' && eventId === event)?.meetingId ?? '';
    const line = heirsOf(first, meetings);
    return told.filter(
      ({ data }) =>
        data.changes?.reason === 'attendee_declined' &&
        data.changes.attendee === email &&
        line.includes(data.meeting_id ?? ''),
    );
  }
}

const KEY_LIVES_MS = 23 * 3_600_000;

/**
 * Checks the answers: a key has only one answer, every client that asks long enough gets an answer, and each answer
 * matches the webhook events.
 */
function strangeAnswers(trace: Trace, meetings: Meetings): string[] {
  return trace.asks.filter(isOfApi).flatMap((ask) => {
    const kept = new Set(ask.key === undefined ? [] : ask.answers.filter(isKept).map(({ text }) => text));
    const last = ask.answers.at(-1);
    const isOpen = ask.key !== undefined && trace.endedAt < ask.since + KEY_LIVES_MS && !(last && isSettled(last));
    return [
      ...(kept.size <= 1 ? [] : [`key ${ask.key} was answered ${[...kept].join(' and ')}`]),
      ...(isOpen
        ? [`${ask.operation} ${ask.key} never got an answer; the last was ${last?.status} ${last?.text}`]
        : []),
      ...ask.answers.filter(isFinal).flatMap((answer) => strangeAnswer(ask, answer, trace, meetings)),
    ];
  });
}

/** Returns true unless the request is a form of a page, whose answer is a page, or a part of a batch, which has no answer. */
const isOfApi = ({ operation }: Ask) => !['choose', 'refuse', 'counter', 'pair'].includes(operation);

function strangeAnswer(ask: Ask, answer: Given, trace: Trace, meetings: Meetings): string[] {
  const of = (id: string | undefined) => meetings.get(id ?? '');
  const wrong = (what: string) => [`${ask.operation} was answered ${answer.status} ${answer.text}, ${what}`];
  if (answer.status >= 300) return strangeRefusal(ask, answer, trace, meetings).flatMap(wrong);
  const said = JSON.parse(answer.text);
  const about = of(ask.meetingId);
  switch (ask.operation) {
    case 'auto':
      return trace.shown.jobs.some(({ id }) => id === said.job_id) ? [] : wrong('and there is no such job');
    case 'batch':
      return trace.shown.batches.some(({ batch_id: id }) => id === said.batch_id)
        ? []
        : wrong('and there is no such batch');
    case 'book':
    case 'bookfree': {
      const [birth] = of(meetingIdIn(answer.text))?.made ?? [];
      if (birth === undefined) return wrong('and its meeting was never told of');
      const isSame = instant(said.start_time) === instant(birth.data.start_time);
      const shown = trace.shown.meetings.find(({ meeting_id: id }) => id === said.meeting_id);
      if (!isSame || !arePeople(birth.data.attendees, ask.attendees)) return wrong('and told otherwise');
      return shown?.title === ask.title ? [] : wrong(`and shown as "${shown?.title}", not "${ask.title}"`);
    }
    case 'cancel': {
      if (about?.ends.length !== 1) return wrong('and no end was told');
      const isSame = said.meeting_id === about.id && said.calendar_event === about.ends[0]?.data.calendar_event;
      return isSame ? [] : wrong('and told otherwise');
    }
    case 'reschedule': {
      const birth = about?.replacements.find(({ data }) => data.meeting_id === said.new_meeting_id);
      if (birth === undefined) return wrong('and no replacement was told');
      return instant(birth.data.start_time) === instant(said.new_meeting_time) ? [] : wrong('and told otherwise');
    }
    case 'update': {
      const isTold = about?.moves.some(
        ({ data }) =>
          data.meeting_id === said.meeting_id &&
          instant(data.changes.new_start_time) === instant(said.start_time) &&
          instant(data.changes.new_end_time) === instant(said.end_time) &&
          arePeople(data.attendees, said.attendees),
      );
      return isTold ? [] : wrong('and no such move was told');
    }
    default:
      // The models of proposals and of batches check these.
      return [];
  }
}

/**
 * Checks a final refusal: it created nothing, and a meeting that the refusal calls missing had ended, or its event had
 * been deleted.
 */
function strangeRefusal(ask: Ask, answer: Given, trace: Trace, meetings: Meetings): string[] {
  const { shown, acts } = trace;
  const isMade = ask.title !== undefined && shown.meetings.some(({ title }) => title === ask.title);
  if (ask.key !== undefined && isMade && answer.status === 409 && ask.operation !== 'auto') return ['and it was made'];
  const about = meetings.get(ask.meetingId ?? '');
  if (about === undefined || !answer.text.includes('"meeting_not_found"')) return [];
  const isOver = [...about.ends, ...about.replacements].some(({ written }) => written <= answer.clock + SKEW_MS);
  const event = eventOf(about.id, trace, meetings);
  const isDeleted = acts.some(({ kind, eventId }) => kind === 'deleted' && eventId === event);
  return isOver || isDeleted ? [] : ['and its meeting had not ended'];
}
