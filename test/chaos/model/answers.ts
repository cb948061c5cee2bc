import { isFinal, isKept, isSettled, meetingIdIn } from '../../support/checks/said.ts';
import type { Ask, Given, Trace } from '../trace.ts';
import { eventOf, type Meetings, SKEW_MS } from './meetings.ts';
import { arePeople, instant } from './told.ts';

const KEY_LIVES_MS = 23 * 3_600_000;

/**
 * Checks the answers: a key has only one answer, every client that asks long enough gets an answer, and each answer
 * matches the webhook events.
 */
export function strangeAnswers(trace: Trace, meetings: Meetings): string[] {
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
