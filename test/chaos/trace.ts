import type { Answer } from '../support/client.ts';
import type { TestPlatform } from '../support/factories.ts';
import { world } from '../support/world.ts';

/** Places in a history: whatever has the smaller number was over before the other began. */
export type Moment = number;

/** One thing a client wanted, as it was sent, and every answer it got. */
export interface Ask {
  operation: 'book' | 'bookfree' | 'auto' | 'update' | 'cancel' | 'reschedule';
  platform: TestPlatform;
  key: string | undefined;
  /** Names what it makes; nobody else uses it. */
  title?: string;
  /** The meeting it is about. */
  meetingId?: string;
  attendees?: [string, string];
  start?: number;
  end?: number;
  first: Moment;
  /** When that was by the world's clock, in epoch ms. */
  since: number;
  answers: (Answer & { sent: Moment; came: Moment })[];
  /** Tries that got no answer. */
  broken: number;
}

/** A call that reached the calendar provider and changed an event. */
export interface CalendarCall {
  at: Moment;
  done: Moment;
  method: 'POST' | 'PATCH' | 'DELETE';
  eventId: string;
  meetingId: string | undefined;
  body: { start?: { dateTime: string }; end?: { dateTime: string }; attendees?: { email: string }[] };
}

/** A webhook as it came in. */
export interface Arrival {
  at: Moment;
  url: string;
  deliveryId: string;
  text: string;
}

/** What a person did with their own calendar or consent. */
export interface Act {
  at: Moment;
  kind: 'moved' | 'deleted' | 'revoked' | 'disconnected' | 'connected';
  email: string;
  eventId?: string;
}

export interface Trace {
  asks: Ask[];
  calls: CalendarCall[];
  arrivals: Arrival[];
  acts: Act[];
  /** Faults and calamities had an end here. */
  quietFrom: Moment;
}

const EVENTS = '/calendar/v3/calendars/primary/events';

/** Writes down what crosses the Worker's border from now on, in one order for all parties, until `stop`. */
export function startTrace() {
  const messages: Request[] = [];
  const trace: Trace = { asks: [], calls: [], arrivals: [], acts: [], quietFrom: Number.POSITIVE_INFINITY };
  let last = 0;
  const now = (): Moment => {
    last += 1;
    return last;
  };
  const { google, inbox, qstash } = world;
  const [askGoogle, askInbox, askQueue] = [google.fetch, inbox.fetch, qstash.fetch];

  google.fetch = async (request) => {
    const { pathname } = new URL(request.url);
    const isChange = pathname.startsWith(EVENTS) && ['POST', 'PATCH', 'DELETE'].includes(request.method);
    if (!isChange) return askGoogle(request);
    const at = now();
    const body = JSON.parse((await request.clone().text()) || '{}');
    const answer = await askGoogle(request);
    if (!answer.ok) return answer;
    const eventId = body.id ?? decodeURIComponent(pathname.slice(EVENTS.length + 1));
    const method = request.method as CalendarCall['method'];
    const meetingId = body.extendedProperties?.private?.tandem_meeting_id;
    trace.calls.push({ at, done: now(), method, eventId, meetingId, body });
    return answer;
  };
  inbox.fetch = async (request) => {
    const text = await request.clone().text();
    const deliveryId = request.headers.get('x-service-delivery') ?? '';
    const url = new URL(request.url);
    trace.arrivals.push({ at: now(), url: `https://${url.host}${url.pathname}`, deliveryId, text });
    return askInbox(request);
  };
  qstash.fetch = (request) => {
    messages.push(request.clone());
    return askQueue(request);
  };
  return {
    trace,
    /** What was published, as the queue took it. */
    messages,
    now,
    stop() {
      google.fetch = askGoogle;
      inbox.fetch = askInbox;
      qstash.fetch = askQueue;
    },
  };
}
