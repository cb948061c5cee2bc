import { world } from '../support/world.ts';

/** Places in a history: whatever has the smaller number was over before the other began. */
export type Moment = number;

/** One answer of the API. */
export interface Given {
  status: number;
  text: string;
  sent: Moment;
  came: Moment;
  /** By the world's clock, in epoch ms. */
  clock: number;
}

/** One thing a client wanted, as it was sent, and every answer it got. */
export interface Ask {
  operation: 'book' | 'bookfree' | 'auto' | 'update' | 'cancel' | 'reschedule';
  /** Whose, by id. */
  platform: string;
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
  answers: Given[];
  /** Tries that got no answer. */
  broken: number;
}

/** A call that reached the calendar provider and changed an event. */
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

/** A webhook as it came in. */
export interface Arrival {
  at: Moment;
  clock: number;
  url: string;
  deliveryId: string;
  text: string;
}

/** What a person did with their own calendar or consent; a consent or its end may have taken until `done`. */
export interface Act {
  at: Moment;
  clock: number;
  done: number;
  kind: 'moved' | 'deleted' | 'revoked' | 'disconnecting' | 'consenting' | 'connected';
  email: string;
  platform?: string;
  eventId?: string;
  start?: number;
  end?: number;
}

/** What the API shows once all is quiet. */
export interface Shown {
  meetings: ShownMeeting[];
  jobs: { platform: string; id: string; status: string; result: unknown }[];
  connections: { platform: string; email: string; status: string }[];
  /** Searches for two connected people each, and when their calendars have either busy. */
  searches: {
    platform: string;
    attendees: string[];
    status: number;
    text: string;
    busy: { start: string; end: string }[];
  }[];
}

export interface ShownMeeting {
  platform: string;
  meeting_id: string;
  status: string;
  title: string;
  start_time: string;
  end_time: string;
  attendees: string[];
}

/** A whole history as every party saw it, as plain data. */
export interface Trace {
  platforms: { id: string; webhookUrl: string }[];
  asks: Ask[];
  calls: CalendarCall[];
  arrivals: Arrival[];
  acts: Act[];
  /** People who are away from a platform in the end. */
  closed: string[];
  shown: Shown;
  /** Faults and calamities had an end here. */
  quietFrom: Moment;
  /** When all was over, epoch ms by the world's clock. */
  endedAt: number;
}

export type Recorder = ReturnType<typeof startTrace>;

const EVENTS = '/calendar/v3/calendars/primary/events';
const instant = (time: { dateTime?: string } | undefined) => (time?.dateTime ? Date.parse(time.dateTime) : undefined);

/** Writes down what crosses the Worker's border from now on, in one order for all parties, until `stop`. */
export function startTrace() {
  const messages: Request[] = [];
  const trace: Trace = {
    platforms: [],
    asks: [],
    calls: [],
    arrivals: [],
    acts: [],
    closed: [],
    shown: { meetings: [], jobs: [], connections: [], searches: [] },
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
    const isChange = request.method === 'POST' ? pathname === EVENTS : pathname.startsWith(`${EVENTS}/`);
    if (!isChange || request.method === 'GET') return askGoogle(request);
    const body = JSON.parse((await request.clone().text()) || '{}');
    const answer = await askGoogle(request);
    if (!answer.ok) return answer;
    trace.calls.push({
      at: now(),
      method: request.method as CalendarCall['method'],
      eventId: body.id ?? decodeURIComponent(pathname.slice(EVENTS.length + 1)),
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
    // Platforms of an earlier history may still be told of its end.
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
    /** What was published, as the queue took it. */
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
