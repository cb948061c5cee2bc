import type { MeetingLife } from '../../../lib/meetings/index.ts';
import { quotedWords } from '../../../lib/words/people.ts';
import { type EventData, eventData, eventEnvelope } from '../../../schema/api/webhook-events.ts';
import { At, atOf, type Clock, spanOf } from '../clock.tsx';
import { Badge } from '../components.tsx';
import { many } from './parts.tsx';

export type Happening = { at: number; sentence: string; link?: { href: string; text: string }; isTrouble?: boolean };

/** Tells the oldest first. Times in the sentences are on the page's clock. */
export function lifeOf({ meeting, job, reading, deliveries }: MeetingLife, clock: Clock): Happening[] {
  const { createdAt, updatedAt, cancelledAt, rescheduledFrom: from, rescheduledTo: to } = meeting;
  const told = deliveries.map(({ body }) => eventOf(body, clock)).filter((event) => event !== undefined);
  const events = [...new Map(told.map((event) => [event.id, event])).values()];
  const isTold = (wanted: string) => events.some(({ type }) => type === wanted);
  const earlier = { href: `${MEETINGS}/${from}`, text: 'See the earlier meeting' };
  const later = { href: `${MEETINGS}/${to}`, text: 'See the new meeting' };
  const happenings: (Happening | false)[] = [
    job !== null && {
      at: job.createdAt,
      sentence: 'Your platform asked Tandem to pick a time.',
      link: { href: `/dashboard/jobs/${job.id}`, text: 'See the job' },
    },
    from === null
      ? { at: createdAt, sentence: 'Booked.' }
      : { at: createdAt, sentence: 'Booked to replace an earlier meeting that was rescheduled.', link: earlier },
    ...(reading === null ? [] : readingSentences(reading)).map((sentence) => ({ at: createdAt, sentence })),
    ...[meeting.requester, meeting.other].map(
      ({ email, responseStatus, respondedAt }) =>
        respondedAt !== null &&
        responseStatus !== 'needsAction' && { at: respondedAt, sentence: `${email} ${ANSWERED[responseStatus]}.` },
    ),
    ...events.map(({ at, sentence }) => sentence !== undefined && { at, sentence }),
    cancelledAt !== null && !isTold('meeting.cancelled') && { at: cancelledAt, sentence: 'Cancelled.' },
    meeting.status === 'updated' && !isTold('meeting.updated') && { at: updatedAt, sentence: 'Last changed.' },
    to !== null && { at: updatedAt, sentence: 'Rescheduled. A new meeting replaces this one.', link: later },
    ...deliveries.map(toldOf),
  ];
  return happenings.filter((one) => one !== false).toSorted((one, other) => one.at - other.at);
}

const MEETINGS = '/dashboard/meetings';

function readingSentences({ understood, notUnderstood }: NonNullable<MeetingLife['reading']>): string[] {
  const known = understood.map(({ quote, meaning }) => `Tandem understood ${quotedWords(quote)} as: ${meaning}.`);
  const unknown = notUnderstood.map((quote) => `Tandem did not understand ${quotedWords(quote)}.`);
  const none = 'The reason for the reschedule asked for no time.';
  return known.length + unknown.length === 0 ? [none] : [...known, ...unknown];
}

const ANSWERED = {
  accepted: 'accepted the invitation',
  declined: 'declined the invitation',
  tentative: 'answered “maybe” to the invitation',
};

export function toldOf(delivery: MeetingLife['deliveries'][number]): Happening {
  const { id, eventType, createdAt, status, attempts, responseCode, error, replayOf, url } = delivery;
  const what = `${eventType} ${replayOf === null ? 'to' : 'again to'} ${new URL(url).host}`;
  const tries = many(attempts, 'attempt');
  const sentence = {
    success: `Delivered ${what} on the ${ORDINALS[attempts] ?? `${attempts}th`} attempt: answered ${responseCode}.`,
    failed: `Could not deliver ${what}${attempts === 0 ? '' : ` in ${tries}`}: ${error ?? 'no answer'}.`,
    pending: `Sending ${what}: ${attempts === 0 ? 'not tried yet' : `${error ?? 'no answer'} so far, after ${tries}`}.`,
  }[status];
  const link = { href: `/dashboard/webhooks/${id}`, text: 'See the delivery' };
  return { at: createdAt, sentence, link, isTrouble: status === 'failed' };
}

const ORDINALS: Record<number, string> = { 1: 'first', 2: 'second', 3: 'third' };

function eventOf(body: string, clock: Clock) {
  const { data: envelope } = eventEnvelope.safeParse(JSON.parse(body));
  if (envelope === undefined) return undefined;
  const { id, event_type: type, data } = envelope;
  return { id, type, at: Date.parse(envelope.timestamp), sentence: sentenceOf(type, data, clock) };
}

const CANCELLED: Record<string, string> = {
  calendar: 'in the calendar',
  attendee: 'by the second attendee, at the page of the proposal',
};

function sentenceOf(type: string, data: Record<string, unknown>, clock: Clock): string | undefined {
  if (type === 'meeting.updated') {
    const { data: told } = eventData[type].safeParse(data);
    return told && updateSentence(told, clock);
  }
  if (type === 'meeting.cancelled') {
    const { data: told } = eventData[type].safeParse(data);
    return told && `Cancelled ${CANCELLED[told.cancelled_by] ?? 'by the platform'}${sayReason(told.reason)}.`;
  }
  if (type === 'meeting.scheduling.completed') {
    const { data: told } = eventData[type].safeParse(data);
    return told && `Tandem picked this time. ${told.agent_reasoning}`;
  }
  return undefined;
}

function updateSentence({ changes }: EventData<'meeting.updated'>, clock: Clock): string | undefined {
  const { updated_by, reason, attendee, old_start_time, new_start_time, new_end_time } = changes;
  if (reason === 'attendee_declined') return attendee && `Tandem reported that ${attendee} declined.`;
  if (reason === 'meet_link_ready') return 'The video link became available.';
  const who = updated_by === 'calendar' ? 'in the calendar' : 'by the platform';
  const from = atOf(Date.parse(old_start_time), clock);
  const to = spanOf(Date.parse(new_start_time), Date.parse(new_end_time), clock);
  return `Moved ${who} from ${from} to ${to}${sayReason(reason)}.`;
}

/** Tandem sets these by default, and they repeat the history's own sentence. */
const KNOWN_REASONS = new Set([
  'meeting_rescheduled',
  'moved_in_calendar',
  'cancelled_by_platform',
  'cancelled_by_attendee',
  'cancelled_in_calendar',
]);

const sayReason = (reason: string | null) =>
  reason === null || KNOWN_REASONS.has(reason) ? '' : `, with the reason ${quotedWords(reason)}`;

export const History = ({ of }: { of: readonly Happening[] }) => (
  <>
    <h2>What happened</h2>
    <ol class="rows">
      {of.map(({ at, sentence, link, isTrouble }) => (
        <li>
          <span class="muted small">
            <At ms={at} isExact />
          </span>
          <div>
            {isTrouble ? <Badge kind="bad">Failed</Badge> : null} <bdi>{sentence}</bdi>{' '}
            {link && <a href={link.href}>{link.text}</a>}
          </div>
        </li>
      ))}
    </ol>
  </>
);
