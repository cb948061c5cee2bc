import type { Answers } from '../../lib/client/types.ts';
import { rootOf } from '../support/checks/rows.ts';
import type { Batch } from '../support/people/batches.ts';
import type { Proposal } from '../support/people/proposing.ts';
import { world } from '../support/worlds/world.ts';

/** Positions in a history. If one moment's number is smaller, it ended before the other began. */
export type Moment = number;

export interface Given {
  status: number;
  text: string;
  sent: Moment;
  came: Moment;
  /** Time in epoch ms by the world's clock. */
  clock: number;
}

/**
 * Requests about proposals: POST /v1/proposals for a new meeting and for a move, a reschedule that offers times, the ends
 * by the API, and those by forms of the page (choose, refuse, counter).
 */
export type ProposalAsk =
  | ('propose' | 'proposemove' | 'offer')
  | ('accept' | 'decline' | 'withdraw')
  | ('choose' | 'refuse' | 'counter');

/** Requests about batches. `pair` is one meeting that a batch asks for. It is never sent alone. */
type BatchAsk = 'batch' | 'batchcommit' | 'batchstop' | 'pair';

export interface BatchPair {
  reference: string;
  title: string;
  attendees: [string, string];
}

/** One wish of a client: the request as it was sent, and every answer to it. */
export interface Ask {
  operation: 'book' | 'bookfree' | 'auto' | 'update' | 'cancel' | 'reschedule' | ProposalAsk | BatchAsk;
  platform: string;
  key: string | undefined;
  /** Title of the meeting that the request creates. No other request uses it. */
  title?: string;
  meetingId?: string;
  attendees?: [string, string];
  start?: number;
  end?: number;
  starts?: number[];
  /** Id of the proposal that the request is about, with the time that it chooses or the text that it answers. */
  proposalId?: string;
  timeId?: string;
  text?: string;
  pairs?: BatchPair[];
  isDryRun?: boolean;
  batchId?: string;
  first: Moment;
  /** Time of the first request in epoch ms, by the world's clock. */
  since: number;
  answers: Given[];
  broken: number;
}

export interface CalendarCall {
  at: Moment;
  method: 'POST' | 'PATCH' | 'DELETE';
  eventId: string;
  meetingId: string | undefined;
  title: string | undefined;
  start: number | undefined;
  end: number | undefined;
  guests: string[] | undefined;
}

export interface Arrival {
  at: Moment;
  clock: number;
  url: string;
  deliveryId: string;
  text: string;
}

type EventAct = 'moved' | 'deleted' | 'restored' | 'edited' | 'uninvited' | 'invited' | 'series' | 'relocated';

/**
 * Change that a person made to their own calendar or consent. A consent or its end may have taken until `done`. `moved`
 * is any change of an event's time, and `eventId` names a series, if the act was about a part of one.
 */
export interface Act {
  at: Moment;
  clock: number;
  done: number;
  kind: EventAct | 'answered' | 'filled' | 'added' | 'revoked' | 'disconnecting' | 'consenting' | 'connected';
  email: string;
  platform?: string;
  eventId?: string;
  start?: number;
  end?: number;
  response?: string;
  /** Person who was taken off the event or invited again. */
  attendee?: string;
  calendar?: string;
}

/** Number of occurrences of a series that a person makes of an event, one a day. */
export const OCCURRENCES = 3;

/** Returns the calendars of a person: the main one, and those that they added during the history. */
export const homesOf = ({ acts }: Pick<Trace, 'acts'>, email: string): string[] => [
  email,
  ...acts.flatMap((act) => (act.kind === 'added' && act.email === email && act.calendar ? [act.calendar] : [])),
];

export interface FinalEvent {
  eventId: string;
  title: string;
  location: string | undefined;
  link: string | null;
  start: number;
  end: number;
  guests: string[];
}

/** Final state as the API shows it once all is quiet. */
export interface Shown {
  meetings: ShownMeeting[];
  proposals: ShownProposal[];
  /** The batches whose acceptance a client heard of. */
  batches: ShownBatch[];
  jobs: { platform: string; id: string; status: string; result: unknown }[];
  connections: { platform: string; email: string; status: string }[];
  /** Searches for two connected people each, with the busy times of their calendars. */
  searches: {
    platform: string;
    attendees: string[];
    status: number;
    text: string;
    busy: { start: string; end: string }[];
  }[];
}

/** A meeting with the title under which a client asked for it, and the one that the API shows, to which a person may add. */
export type ShownMeeting = Answers['Meeting'] & { platform: string; shown_title: string };

export type ShownBatch = Batch & { platform: string };

export type ShownProposal = Proposal & { platform: string; title: string };

/** Use of an API key of a platform at one of two Workers. */
interface KeyUse {
  key: string;
  worker: number;
  status: number;
  sent: Moment;
  came: Moment;
}

/** Replacement of an API key. `done` is infinite unless it was answered with the new key. */
interface KeyEnd {
  key: string;
  asked: Moment;
  done: Moment;
}

/** A whole history as every party saw it, as plain data. */
export interface Trace {
  platforms: { id: string; webhookUrl: string }[];
  asks: Ask[];
  calls: CalendarCall[];
  arrivals: Arrival[];
  acts: Act[];
  keyUses: KeyUse[];
  keyEnds: KeyEnd[];
  cancelling: string[];
  /** Platforms that have other times offered for declined meetings. */
  offering: string[];
  answers: Record<string, Record<string, string>>;
  /** Our events at the end that are no series, on their organizers' calendars. */
  events: FinalEvent[];
  closed: string[];
  shown: Shown;
  /** Moment from which there were no more faults or events that affect the whole world. */
  quietFrom: Moment;
  /** Time at which the history ended, in epoch ms by the world's clock. */
  endedAt: number;
}

export type Recorder = ReturnType<typeof startTrace>;

const EVENTS = /^\/calendar\/v3\/calendars\/[^/]+\/events(?:\/([^/]+))?$/;
const instant = (time: { dateTime?: string } | undefined) => (time?.dateTime ? Date.parse(time.dateTime) : undefined);

/** Starts to record everything that crosses the Worker's border, in one order for all parties, until `stop`. */
export function startTrace() {
  const messages: Request[] = [];
  const trace: Trace = {
    platforms: [],
    asks: [],
    calls: [],
    arrivals: [],
    acts: [],
    keyUses: [],
    keyEnds: [],
    cancelling: [],
    offering: [],
    answers: {},
    events: [],
    closed: [],
    shown: { meetings: [], proposals: [], batches: [], jobs: [], connections: [], searches: [] },
    quietFrom: Number.MAX_SAFE_INTEGER,
    endedAt: 0,
  };
  let last = 0;
  const now = (): Moment => {
    last += 1;
    return last;
  };
  const { google, inbox, qstash, clock } = world;
  const [askGoogle, askInbox, askQueue] = [google.fetch, inbox.fetch, qstash.fetch];

  google.fetch = async (request) => {
    const { pathname } = new URL(request.url);
    const path = EVENTS.exec(pathname);
    const isChange = path !== null && (request.method === 'POST') === (path[1] === undefined);
    if (!isChange || request.method === 'GET') return askGoogle(request);
    const body = JSON.parse((await request.clone().text()) || '{}');
    const answer = await askGoogle(request);
    if (!answer.ok) return answer;
    trace.calls.push({
      at: now(),
      method: request.method as CalendarCall['method'],
      eventId: rootOf(body.id ?? decodeURIComponent(path[1] ?? '')),
      meetingId: body.extendedProperties?.private?.tandem_meeting_id,
      title: body.summary,
      start: instant(body.start),
      end: instant(body.end),
      guests: body.attendees?.map(({ email }: { email: string }) => email),
    });
    return answer;
  };
  inbox.fetch = async (request) => {
    const text = await request.clone().text();
    const deliveryId = request.headers.get('x-service-delivery') ?? '';
    const { host, pathname } = new URL(request.url);
    const url = `https://${host}${pathname}`;
    // Platforms of an earlier history may still receive the end of that history.
    if (trace.platforms.some(({ webhookUrl, id }) => webhookUrl === url || text.includes(id)))
      trace.arrivals.push({ at: now(), clock: clock.now(), url, deliveryId, text });
    return askInbox(request);
  };
  qstash.fetch = (request) => {
    messages.push(request.clone());
    return askQueue(request);
  };
  return {
    trace,
    messages,
    now,
    note: (act: Omit<Act, 'at' | 'clock' | 'done'>, since = clock.now()) =>
      trace.acts.push({ ...act, at: now(), clock: since, done: clock.now() }),
    stop() {
      google.fetch = askGoogle;
      inbox.fetch = askInbox;
      qstash.fetch = askQueue;
    },
  };
}
