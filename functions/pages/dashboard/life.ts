import type { MeetingLife } from '../../../lib/meetings/life.ts';
import { eventData, eventEnvelope } from '../../../schema/api/webhook-events.ts';
import { atOf, many, spanOf } from './parts.tsx';

/** Something that happened to a meeting, and where more of it stands. */
export interface Happening {
  /** Epoch milliseconds. */
  at: number;
  sentence: string;
  link?: { href: string; text: string };
  isTrouble?: boolean;
}

/** A meeting's life in sentences, in order of time: what was done, what the two answered, and what became of each webhook. */
export function lifeOf({ meeting, job, deliveries }: MeetingLife): Happening[] {
  const told = deliveries.map((delivery) => ({ delivery, event: eventOf(delivery.body) }));
  const events = new Map(told.flatMap(({ event }) => (event === undefined ? [] : [[event.id, event] as const])));
  const types = new Set([...events.values()].map(({ type }) => type));
  const happenings: Happening[] = [
    ...(job === undefined ? [] : [{ at: job.createdAt, sentence: `Tandem was asked to pick a time (job ${job.id}).` }]),
    meeting.rescheduledFrom === null
      ? { at: meeting.createdAt, sentence: 'Booked.' }
      : {
          at: meeting.createdAt,
          sentence: 'Booked in place of an earlier, rescheduled meeting.',
          link: { href: meeting.rescheduledFrom, text: 'The earlier meeting' },
        },
    ...[meeting.requester, meeting.other].flatMap(({ email, responseStatus, respondedAt }) =>
      respondedAt === null || responseStatus === 'needsAction'
        ? []
        : [{ at: respondedAt, sentence: `${email} ${ANSWERED[responseStatus]}.` }],
    ),
    ...[...events.values()].flatMap(({ at, sentence }) => (sentence === undefined ? [] : [{ at, sentence }])),
    ...(meeting.cancelledAt === null || types.has('meeting.cancelled')
      ? []
      : [{ at: meeting.cancelledAt, sentence: 'Cancelled.' }]),
    ...(meeting.status === 'updated' && !types.has('meeting.updated')
      ? [{ at: meeting.updatedAt, sentence: 'Last changed.' }]
      : []),
    ...(meeting.rescheduledTo === null
      ? []
      : [
          {
            at: meeting.updatedAt,
            sentence: 'Rescheduled: a later meeting takes its place.',
            link: { href: meeting.rescheduledTo, text: 'The later meeting' },
          },
        ]),
    ...told.map(({ delivery }) => toldOf(delivery)),
  ];
  return happenings.toSorted((one, other) => one.at - other.at);
}

const ANSWERED = {
  accepted: 'accepted the invitation',
  declined: 'declined the invitation',
  tentative: 'may come',
};

function toldOf(delivery: MeetingLife['deliveries'][number]): Happening {
  const { id, eventType, createdAt, status, attempts, responseCode, error, replayOf, url } = delivery;
  const what = `${eventType} ${replayOf === null ? 'to' : 'again to'} ${new URL(url).host}`;
  const tries = many(attempts, 'attempt');
  const sentence = {
    success: `Delivered ${what} on the ${ORDINALS[attempts] ?? `${attempts}th`} attempt: answered ${responseCode}.`,
    failed: `Could not deliver ${what}${attempts === 0 ? '' : ` in ${tries}`}: ${error ?? 'no answer'}.`,
    pending: `Sending ${what}: ${attempts === 0 ? 'not tried yet' : `${error ?? 'no answer'} so far, after ${tries}`}.`,
  }[status];
  const link = { href: `/dashboard/webhooks/${id}`, text: 'The delivery' };
  return { at: createdAt, sentence, link, isTrouble: status === 'failed' };
}

const ORDINALS: Record<number, string> = { 1: 'first', 2: 'second', 3: 'third' };

interface Told {
  id: string;
  type: string;
  at: number;
  /** Absent where the event only says what stands here already. */
  sentence: string | undefined;
}

/** The event of a delivery's body, as far as it tells more than the meeting itself. */
function eventOf(body: string): Told | undefined {
  const { data: envelope } = eventEnvelope.safeParse(JSON.parse(body));
  if (envelope === undefined) return undefined;
  const { id, event_type: type, data } = envelope;
  return { id, type, at: Date.parse(envelope.timestamp), sentence: sentenceOf(type, data) };
}

function sentenceOf(type: string, data: Record<string, unknown>): string | undefined {
  if (type === 'meeting.updated') {
    const { data: told } = eventData[type].safeParse(data);
    return told && updateSentence(told.changes);
  }
  if (type === 'meeting.cancelled') {
    const { data: told } = eventData[type].safeParse(data);
    if (told === undefined) return undefined;
    const where = told.cancelled_by === 'calendar' ? 'in the calendar' : 'by the platform';
    return `Cancelled ${where}${KNOWN_REASONS.has(told.reason) ? '' : `, with the reason “${told.reason}”`}.`;
  }
  if (type === 'meeting.scheduling.completed') {
    const { data: told } = eventData[type].safeParse(data);
    return told && `Tandem picked this time. ${told.agent_reasoning}`;
  }
  return undefined;
}

type Changes = Record<'updated_by' | 'old_start_time' | 'new_start_time' | 'new_end_time', string> & {
  reason: string | null;
  attendee?: string | undefined;
};

function updateSentence({ updated_by, reason, attendee, ...times }: Changes): string | undefined {
  if (reason === 'attendee_declined')
    return attendee === undefined ? undefined : `It was reported that ${attendee} declined.`;
  if (reason === 'meet_link_ready') return 'The video link became known.';
  const [from, start, end] = [times.old_start_time, times.new_start_time, times.new_end_time].map(Date.parse);
  if (from === undefined || start === undefined || end === undefined) return undefined;
  const who = updated_by === 'calendar' ? 'in the calendar' : 'by the platform';
  const why = reason === null || KNOWN_REASONS.has(reason) ? '' : `, with the reason “${reason}”`;
  return `Moved ${who} from ${atOf(from)} to ${spanOf(start, end)}${why}.`;
}

/** Reasons that only say once more what was done. */
const KNOWN_REASONS = new Set([
  'meeting_rescheduled',
  'moved_in_calendar',
  'cancelled_by_platform',
  'cancelled_in_calendar',
]);
